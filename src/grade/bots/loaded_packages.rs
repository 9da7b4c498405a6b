//! Tracks packages that bots load besides their own files: installed packages of Python. If a package that a
//! bot imports appears, disappears or changes, the bot is checked and played again, so that marks reflect the
//! machine's current state.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use sha2::{Digest, Sha256};
use walkdir::{DirEntry, WalkDir};

use crate::bot::{Launch, package_places};
use crate::config::Entry;
use crate::grade::config::{Grading, Program};
use crate::grade::error::GradeError;
use crate::grade::folder::GradeFolder;
use crate::runs::{folder_digest, hex, sha256, write_whole};

/// File with the packages of the last grading.
const SEEN: &str = "loaded.json";

/// Upper bounds on a bot's files searched for imports.
const MOST_FILES: usize = 4096;
const MOST_BYTES: usize = 64 << 20;

/// Maximum number of packages named in a message.
const NAMED: usize = 5;

/// Program and folder of a bot.
type Place = (PathBuf, PathBuf);

/// Packages loaded by the bots of a grading. Each interpreter and folder is read once.
#[derive(Debug, Default)]
pub struct Loaded {
    interpreters: Mutex<BTreeMap<PathBuf, Vec<PathBuf>>>,
    digests: Mutex<BTreeMap<Place, String>>,
}

impl Loaded {
    /// Digest of the installed packages that files of the bot, or of its course, may import; empty without any.
    /// With `is_written_by_student`, the command is not trusted.
    pub fn digest(&self, bot: &Entry, is_written_by_student: bool) -> String {
        let launch = &bot.launch;
        let (Some(program), Some(dir)) = (interpreter(launch, is_written_by_student), &launch.dir)
        else {
            return String::new();
        };
        let place = (program, dir.clone());
        // Search the folder outside the lock, so that other threads are not blocked.
        let known = lock(&self.digests).get(&place).cloned();
        known.unwrap_or_else(|| {
            let mut places = self.places(&place.0);
            if !is_written_by_student {
                places.extend(named_places(launch));
            }
            let folders = [Some(dir), launch.course_files.as_ref()];
            let digest = digest(&places, &imports(folders.into_iter().flatten()));
            lock(&self.digests).insert(place, digest.clone());
            digest
        })
    }

    fn places(&self, program: &Path) -> Vec<PathBuf> {
        let known = lock(&self.interpreters).get(program).cloned();
        known.unwrap_or_else(|| {
            let places = package_places(program);
            lock(&self.interpreters).insert(program.to_owned(), places.clone());
            places
        })
    }

    /// Changes since the last grading, in words. Stores the current state.
    ///
    /// # Errors
    /// The folder of the grading cannot be written.
    pub fn changes(
        &self,
        grading: &Grading,
        folder: &GradeFolder,
    ) -> Result<Vec<String>, GradeError> {
        let path = folder.work().join(SEEN);
        let known = fs::read(&path).ok();
        let mut seen: BTreeMap<String, BTreeSet<String>> = known
            .and_then(|text| serde_json::from_slice(&text).ok())
            .unwrap_or_default();
        let before = seen.clone();
        for (what, now) in self.now(grading) {
            seen.insert(what, now);
        }
        let words = seen.iter().filter_map(|(what, now)| {
            let was = before.get(what).filter(|was| *was != now)?;
            Some(format!(
                "{what} changed since the grading before{}: bots that load it are checked and played again",
                difference(was, now)
            ))
        });
        let words = words.collect();
        if seen != before {
            let text = serde_json::to_vec(&seen).unwrap_or_default();
            write_whole(&path, &mut |file| file.write_all(&text))?;
        }
        Ok(words)
    }

    /// Current state by item: the names of packages, or a digest.
    fn now(&self, grading: &Grading) -> BTreeMap<String, BTreeSet<String>> {
        let mut now = BTreeMap::new();
        for (program, places) in lock(&self.interpreters).iter() {
            let names = places.iter().flat_map(|place| entries(place));
            let what = format!("what is installed for {}", program.display());
            now.insert(what, names.map(|(name, _)| name).collect());
        }
        if let Some(files) = &grading.course_files {
            let digest = folder_digest(files).unwrap_or_default();
            let what = format!("the folder {} of the course", files.display());
            now.insert(what, BTreeSet::from([format!("sha256:{digest}")]));
        }
        if let Program::Package { adapter, .. } = &grading.submission.program
            && let Ok(digest) = sha256(adapter)
        {
            let what = format!("the adapter {}", adapter.display());
            now.insert(what, BTreeSet::from([format!("sha256:{digest}")]));
        }
        now
    }
}

/// Locks a map. No code under these locks can fail half-way, so a poisoned lock is still consistent.
fn lock<T>(mutex: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The interpreter of a bot, if no student can have written it: it is run to ask for its package folders.
fn interpreter(launch: &Launch, is_written_by_student: bool) -> Option<PathBuf> {
    if is_written_by_student {
        let plain = Launch {
            env: Vec::new(),
            ..launch.clone()
        };
        return plain.is_installed().then(|| plain.find_program()).flatten();
    }
    let program = launch.find_program()?;
    let dir = launch.folder();
    let real = program.canonicalize().ok()?;
    let beside = program.parent()?.canonicalize().ok()?;
    let is_own = [real, beside].iter().any(|path| path.starts_with(&dir));
    (!is_own).then_some(program)
}

/// Package folders that the lecturer names in variables.
fn named_places(launch: &Launch) -> Vec<PathBuf> {
    let own = launch.env.iter().find(|(key, _)| key == "PYTHONPATH");
    let path = own
        .map(|(_, value)| value.into())
        .or_else(|| std::env::var_os("PYTHONPATH"));
    let path = path.unwrap_or_default();
    std::env::split_paths(&path)
        .filter(|place| place.is_absolute())
        .collect()
}

/// Packages in a folder: name and path.
fn entries(place: &Path) -> Vec<(String, PathBuf)> {
    let found = fs::read_dir(place).into_iter().flatten().flatten();
    let named = found.map(|entry| {
        let name = entry.file_name().to_string_lossy().into_owned();
        (name, entry.path())
    });
    named
        .filter(|(name, _)| name != "__pycache__" && !name.ends_with(".pyc"))
        .collect()
}

/// Digest of the packages in these folders that one of the words imports: names and sizes of the files at their
/// tops. Times of files would differ between machines.
fn digest(places: &[PathBuf], imports: &BTreeSet<String>) -> String {
    let mut lines = BTreeSet::new();
    for (name, path) in places.iter().flat_map(|place| entries(place)) {
        let stem = name.split(['.', '-']).next().unwrap_or_default();
        if !imports.contains(&stem.to_lowercase()) {
            continue;
        }
        let size = |path: &Path| fs::metadata(path).map_or(0, |file| file.len());
        let inside = entries(&path);
        let files = inside.iter().filter(|(_, path)| path.is_file());
        lines.extend(files.map(|(file, path)| format!("{name}/{file} {}", size(path))));
        let own = if path.is_file() { size(&path) } else { 0 };
        lines.insert(format!("{name} {own}"));
    }
    if lines.is_empty() {
        return String::new();
    }
    let lines: Vec<String> = lines.into_iter().collect();
    hex(&Sha256::digest(lines.join("\n"))[..8])
}

/// All words on lines with `import`, in the Python files below some folders.
fn imports<'a>(folders: impl Iterator<Item = &'a PathBuf>) -> BTreeSet<String> {
    let mut words = BTreeSet::new();
    let (mut files, mut bytes) = (0, 0);
    let is_python = |entry: &DirEntry| {
        entry.file_type().is_file() && entry.path().extension().is_some_and(|it| it == "py")
    };
    let entries = folders.flat_map(|folder| WalkDir::new(folder).into_iter().flatten());
    for file in entries.filter(is_python) {
        files += 1;
        let text = fs::read(file.path()).unwrap_or_default();
        bytes += text.len();
        if files > MOST_FILES || bytes > MOST_BYTES {
            break;
        }
        add_imports(&String::from_utf8_lossy(&text), &mut words);
    }
    words
}

fn add_imports(text: &str, words: &mut BTreeSet<String>) {
    for line in text.lines().filter(|line| line.contains("import")) {
        let parts = line.split(|c: char| !c.is_alphanumeric() && c != '_');
        words.extend(parts.filter(|part| !part.is_empty()).map(str::to_lowercase));
    }
}

/// Names added and removed, in brackets.
fn difference(was: &BTreeSet<String>, now: &BTreeSet<String>) -> String {
    let list = |words: &str, names: Vec<&String>| {
        let more = names.len().saturating_sub(NAMED);
        let mut shown: Vec<String> = names.into_iter().take(NAMED).cloned().collect();
        if more > 0 {
            shown.push(format!("{more} more"));
        }
        (!shown.is_empty()).then(|| format!("{words}: {}", shown.join(", ")))
    };
    let is_name = |name: &&String| !name.starts_with("sha256:");
    let new = list("new", now.difference(was).filter(is_name).collect());
    let gone = list("gone", was.difference(now).filter(is_name).collect());
    let parts: Vec<String> = new.into_iter().chain(gone).collect();
    if parts.is_empty() {
        String::new()
    } else {
        format!(" ({})", parts.join("; "))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn packages_count_that_a_bot_imports_and_no_others() {
        let temporary = tempfile::tempdir().expect("a folder");
        let root = temporary.path();
        for folder in ["bot", "site/numpy", "site/numpy-2.4.0.dist-info"] {
            fs::create_dir_all(root.join(folder)).expect("made");
        }
        let write = |name: &str, text: &str| fs::write(root.join(name), text).expect("written");
        let now = || {
            digest(
                &[root.join("site")],
                &imports([&root.join("bot")].into_iter()),
            )
        };
        write("bot/bot.py", "import os\n");
        assert_eq!(now(), "");
        write(
            "bot/bot.py",
            "try:\n    from numpy.linalg import det\nexcept ImportError: pass\n",
        );
        let first = now();
        assert_ne!(first, "");
        write("site/black.py", "");
        fs::create_dir(root.join("site/__pycache__")).expect("made");
        assert_eq!(now(), first);
        write("site/numpy/version.py", "2.4.1");
        let second = now();
        assert_ne!(second, first);
        fs::create_dir(root.join("site/numpy-2.4.1.dist-info")).expect("made");
        assert_ne!(now(), second);
    }

    #[test]
    fn what_changed_is_named_and_not_all_of_much() {
        let set = |names: &[&str]| names.iter().map(|name| (*name).to_owned()).collect();
        let was = set(&["a", "b"]);
        assert_eq!(difference(&was, &was), "");
        assert_eq!(difference(&was, &set(&["b", "c"])), " (new: c; gone: a)");
        let many = set(&["a", "b", "c", "d", "e", "f", "g", "h"]);
        assert_eq!(difference(&was, &many), " (new: c, d, e, f, g, 1 more)");
        let digests = [set(&["sha256:1"]), set(&["sha256:2"])];
        assert_eq!(difference(&digests[0], &digests[1]), "");
    }
}
