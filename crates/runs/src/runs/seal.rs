//! Whether the files of a run are those that it wrote.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::{fs, io};

use crate::config::{LARGEST_RECORD, read_bounded};
use crate::runs::error::{RunFileError, RunFileProblem};
use crate::runs::files::{hex, remove_if_there, sha256_of_file, write_bytes};
use crate::runs::journal::Ids;
use crate::runs::journal::set_aside::SET_ASIDE;
use crate::runs::logs::game_files::{bot_log_path, game_log_path};
use crate::runs::reader::Run;
use crate::runs::{BEST, BUILDS, FAILED_RULES, JOURNAL, MANIFEST, PGN};
use crate::text::quoted;

pub(super) const DIGESTS: &str = "run.sha256";

#[derive(Debug, thiserror::Error)]
pub enum SealError {
    #[error(transparent)]
    RunFile(#[from] RunFileError),
    #[error(
        "{}: has no {DIGESTS}, which is written when a run ends: it was killed or is still going on; \
         `referee run` with --resume ends it, or `referee merge` if it is of shards, unless `referee play` began it",
        .0.display()
    )]
    NotEnded(PathBuf),
    #[error("{}: {problem}", path.display())]
    Untrue { path: PathBuf, problem: String },
}

impl SealError {
    fn untrue(path: PathBuf, problem: impl Into<String>) -> Self {
        let problem = problem.into();
        Self::Untrue { path, problem }
    }

    fn link(path: PathBuf) -> Self {
        let problem = "it is a link, and a run has its own files: put the file itself there";
        Self::untrue(path, problem)
    }

    fn of_no_game(path: PathBuf) -> Self {
        let problem = format!(
            "no game in {JOURNAL} left it: it was added, or the row of its game was removed"
        );
        Self::untrue(path, problem)
    }
}

impl Run {
    pub fn write_digests(&self) -> Result<(), RunFileError> {
        let text: String = digests(self.path())?.into_values().collect();
        write_bytes(&self.path().join(DIGESTS), text)
    }

    pub fn has_digests(&self) -> bool {
        is_ended(self.path())
    }

    /// The files with digests. For a run without digests, the files that would get one.
    pub(super) fn digest_names(&self) -> Result<BTreeSet<String>, RunFileError> {
        match read_digests(self.path()) {
            Ok(text) => Ok(text
                .lines()
                .filter_map(file_of)
                .map(str::to_owned)
                .collect()),
            Err(SealError::RunFile(error)) => Err(error),
            Err(_) => Ok(names(self.path())?.into_iter().collect()),
        }
    }

    pub fn check_digests(&self) -> Result<(), SealError> {
        let run = self.path();
        let text = read_digests(run)?;
        let mut files = digests(run)?;
        // A table without a digest may be a user's own.
        files.retain(|name, _| !is_table(name) || text.lines().any(|it| file_of(it) == Some(name)));
        let lines = || text.split_inclusive('\n');
        if files.values().map(String::as_str).eq(lines()) {
            return Ok(());
        }
        let listed = |name: &str| lines().find(|line| file_of(line.trim_end()) == Some(name));
        for (name, line) in &files {
            let problem = match listed(name) {
                Some(found) if found == line => continue,
                Some(_) => format!("it changed after the run: {DIGESTS} has another digest of it"),
                None => format!("it was added after the run: {DIGESTS} does not have it"),
            };
            return Err(SealError::untrue(run.join(name), problem));
        }
        let mut named = text.lines().filter_map(file_of);
        if let Some(name) = named.find(|name| !files.contains_key(*name)) {
            let problem = format!("it was removed after the run: {DIGESTS} has a digest of it");
            return Err(SealError::untrue(run.join(name), problem));
        }
        let other = lines().find(|line| !files.values().any(|known| known == line));
        let line = quoted(other.unwrap_or(&text).trim_end());
        let problem = format!("`{line}` is not the digest of a file of a run");
        Err(SealError::untrue(run.join(DIGESTS), problem))
    }
}

/// Whether the run in a folder has its digests.
pub fn is_ended(run: &Path) -> bool {
    run.join(DIGESTS).exists()
}

/// Removes the digests of a resumed run. They are written again at its end.
pub(super) fn remove_digests(run: &Path) -> Result<(), RunFileError> {
    remove_if_there(&run.join(DIGESTS))
}

fn read_digests(run: &Path) -> Result<String, SealError> {
    let path = run.join(DIGESTS);
    match read_bounded(&path, LARGEST_RECORD) {
        Ok(bytes) => Ok(String::from_utf8_lossy(&bytes).into_owned()),
        Err(error) if error.kind() == io::ErrorKind::NotFound => {
            Err(SealError::NotEnded(run.to_owned()))
        }
        Err(error) => Err(RunFileError::new(path, RunFileProblem::Read(error)).into()),
    }
}

fn file_of(line: &str) -> Option<&str> {
    line.split_once("  ").map(|(_, name)| name)
}

fn digests(run: &Path) -> Result<BTreeMap<String, String>, RunFileError> {
    let mut files = BTreeMap::new();
    for name in names(run)? {
        let path = run.join(&name);
        let digest =
            sha256_of_file(&path).map_err(RunFileError::at(&path, RunFileProblem::Read))?;
        let line = format!("{}  {name}\n", hex(&digest));
        files.insert(name, line);
    }
    Ok(files)
}

/// The files to digest: manifest, journal, openings, tables, games set aside, and the builds' output.
fn names(run: &Path) -> Result<Vec<String>, RunFileError> {
    let mut names = vec![MANIFEST.to_owned(), JOURNAL.to_owned()];
    let top = files_of(run)?.into_iter();
    let is_digested = |name: &String| {
        is_openings(name) || is_table(name) || [SET_ASIDE, BEST].contains(&name.as_str())
    };
    names.extend(top.filter(is_digested));
    let builds = run.join(BUILDS);
    if builds.exists() {
        let logs = files_of(&builds)?.into_iter();
        names.extend(logs.map(|name| format!("{BUILDS}/{name}")));
    }
    Ok(names)
}

pub(super) fn is_openings(name: &str) -> bool {
    name.starts_with("openings-") && name.ends_with(".txt")
}

pub(super) fn is_table(name: &str) -> bool {
    name.ends_with(".csv") && ![JOURNAL, SET_ASIDE].contains(&name)
}

fn files_of(folder: &Path) -> Result<Vec<String>, RunFileError> {
    let cannot = |error| RunFileError::new(folder, RunFileProblem::Read(error));
    let mut names = Vec::new();
    for entry in fs::read_dir(folder).map_err(cannot)? {
        let entry = entry.map_err(cannot)?;
        if entry.file_type().map_err(cannot)?.is_file() {
            names.extend(entry.file_name().to_str().map(str::to_owned));
        }
    }
    Ok(names)
}

const OF_GAMES: [&str; 2] = ["games", "stderr"];

/// Files that are no records but expected: the lock, the folder of the pages, the games as PGN, and output of rules that
/// failed.
const BESIDE: [&str; 4] = [".lock", "report", PGN, FAILED_RULES];

impl Run {
    /// Goes through all files of the run, which has the games `games`. Returns the names of unknown files and folders
    /// beside the records.
    pub fn strangers(&self, games: &Ids) -> Result<Vec<String>, SealError> {
        let digests = self.digest_names()?;
        let mut beside = Vec::new();
        for (name, path, kind) in entries(self.path())? {
            let is_record = [MANIFEST, JOURNAL, SET_ASIDE, DIGESTS, BUILDS]
                .contains(&name.as_str())
                || OF_GAMES.contains(&name.as_str())
                || is_openings(&name)
                || ((is_table(&name) || name == BEST) && digests.contains(&name));
            if is_record {
                if kind.is_symlink() {
                    return Err(SealError::link(path));
                }
            } else if !BESIDE.contains(&name.as_str()) {
                beside.push(name);
            }
        }
        for kind in OF_GAMES {
            self.files_of_games(kind, games)?;
        }
        beside.sort_unstable();
        Ok(beside)
    }

    fn files_of_games(&self, kind: &str, games: &Ids) -> Result<(), SealError> {
        let folder = self.path().join(kind);
        if !folder.exists() {
            return Ok(());
        }
        for (_, path, kind) in entries(&folder)? {
            if kind.is_symlink() {
                return Err(SealError::link(path));
            }
            if !kind.is_dir() {
                return Err(SealError::of_no_game(path));
            }
            for (name, path, kind) in entries(&path)? {
                if kind.is_symlink() {
                    return Err(SealError::link(path));
                }
                let id = name.split(['.', '-']).next().unwrap_or_default();
                let id = id.parse().ok().filter(|id| games.contains(id));
                let is_of = |id| {
                    let games = self.games().iter();
                    let seats = games.flat_map(|planned| planned.game().seat_names());
                    let run = self.path();
                    path == game_log_path(run, id)
                        || seats
                            .into_iter()
                            .any(|seat| path == bot_log_path(run, id, seat))
                };
                if !kind.is_file() || !id.is_some_and(is_of) {
                    return Err(SealError::of_no_game(path));
                }
            }
        }
        Ok(())
    }
}

type Entry = (String, PathBuf, fs::FileType);

fn entries(folder: &Path) -> Result<Vec<Entry>, RunFileError> {
    let read = || {
        let entries = fs::read_dir(folder)?.map(|entry| {
            let entry = entry?;
            let name = entry.file_name().to_string_lossy().into_owned();
            Ok((name, entry.path(), entry.file_type()?))
        });
        entries.collect::<std::io::Result<Vec<Entry>>>()
    };
    let mut entries = read().map_err(RunFileError::at(folder, RunFileProblem::Read))?;
    entries.sort_by(|one, other| one.0.cmp(&other.0));
    Ok(entries)
}
