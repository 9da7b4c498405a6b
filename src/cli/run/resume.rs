//! Finds the run that `--resume` continues, and the command that continues a run.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use crate::cli::arguments::known_games;
use crate::runs::Run;
use crate::verify::is_complete;

/// Default folder of runs. A run's folder has the tournament's name, with a number from the second run on.
pub const RESULTS: &str = "results";

fn folders(name: &str) -> impl Iterator<Item = PathBuf> {
    let results = Path::new(RESULTS);
    std::iter::once(name.to_owned())
        .chain((2_u64..).map(move |number| format!("{name}-{number}")))
        .map(|name| results.join(name))
}

/// Creates the folder of a new run, under the first free name. `create_dir` is atomic, so runs that start at
/// once get different folders.
pub fn claim_folder(name: &str) -> PathBuf {
    let first = Path::new(RESULTS).join(name);
    let is_taken = |error: &io::Error| error.kind() == io::ErrorKind::AlreadyExists;
    if fs::create_dir_all(RESULTS).is_err() {
        // The first write into it reports the problem.
        return first;
    }
    let mut claimed = folders(name).filter_map(|path| match fs::create_dir(&path) {
        Err(error) if is_taken(&error) => None,
        Ok(()) | Err(_) => Some(path),
    });
    claimed.next().unwrap_or(first)
}

pub fn give_back(folder: &Path) {
    let _ = fs::remove_dir(folder);
}

/// The newest incomplete run of a tournament, or the newest of all if every run is complete.
pub fn newest_unfinished(name: &str) -> PathBuf {
    let Ok(entries) = std::fs::read_dir(RESULTS) else {
        return Path::new(RESULTS).join(name);
    };
    let runs = entries.flatten().filter_map(|entry| {
        let path = Path::new(RESULTS).join(entry.file_name());
        let run = Run::open(&path, known_games()).ok()?;
        let manifest = run.manifest();
        if manifest.name != name {
            return None;
        }
        // A run with a bad row counts as unfinished: resuming it reports the row.
        let unfinished = !is_complete(&run).unwrap_or(false);
        Some(((unfinished, manifest.created.clone(), path.clone()), path))
    });
    let newest = runs.max_by(|(one, _), (other, _)| one.cmp(other));
    newest.map_or_else(|| Path::new(RESULTS).join(name), |(_, path)| path)
}

pub fn resume_command(out: &Path) -> String {
    let typed: Vec<String> = std::env::args_os()
        .map(|word| word.to_string_lossy().into_owned())
        .collect();
    resume_words(&typed, &out.to_string_lossy())
}

fn resume_words(typed: &[String], out: &str) -> String {
    let mut words: Vec<&str> = typed.iter().map(String::as_str).collect();
    words.retain(|word| !["--resume", "--accept-changes"].contains(word));
    let names_out = |word: &&str| *word == "--out" || word.starts_with("--out=");
    if !words.iter().any(names_out) {
        words.extend(["--out", out]);
    }
    words.push("--resume");
    // A word cannot have a NUL byte, because arguments are C strings.
    shlex::try_join(words.iter().copied()).unwrap_or_else(|_| words.join(" "))
}
