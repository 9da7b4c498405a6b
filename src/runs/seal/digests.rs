//! `run.sha256`: digests of a finished run's files in the format of `sha256sum --check`.
//!
//! Files of single games are left out: `games.csv` has their digests.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use crate::config::{LARGEST_RECORD, read_bounded};
use crate::runs::error::{RunFileError, RunFileProblem};
use crate::runs::files::atomic_write::write_whole;
use crate::runs::files::digest::{hex, sha256_of_file};
use crate::runs::files::folders::remove_if_there;
use crate::runs::journal::set_aside::SET_ASIDE;
use crate::runs::reader::run::Run;
use crate::runs::{BUILDS, JOURNAL, MANIFEST};
use crate::text::quoted;

/// File of the digests.
pub(in crate::runs) const DIGESTS: &str = "run.sha256";

/// Problem with the digests of a run.
#[derive(Debug, thiserror::Error)]
#[expect(missing_docs, reason = "the messages say what the fields are")]
pub enum SealError {
    /// A file cannot be read.
    #[error(transparent)]
    RunFile(#[from] RunFileError),
    /// The run was killed, or is still going on.
    #[error(
        "{}: has no {DIGESTS}, which is written when a run ends: it was killed or is still going on; \
         `referee run` with --resume ends it, unless `referee play` began it",
        .0.display()
    )]
    NotEnded(PathBuf),
    /// A file has changed.
    #[error("{}: it changed after the run: {DIGESTS} has another digest of it", .0.display())]
    Changed(PathBuf),
    /// A file has no digest.
    #[error("{}: it was added after the run: {DIGESTS} does not have it", .0.display())]
    Added(PathBuf),
    /// A file that has a digest is gone.
    #[error("{}: it was removed after the run: {DIGESTS} has a digest of it", .0.display())]
    Removed(PathBuf),
    /// A line is not the digest of a file of the run.
    #[error("{}: `{line}` is not the digest of a file of a run", path.display())]
    Line { path: PathBuf, line: String },
}

impl Run {
    /// Writes the digests of the run's files.
    ///
    /// # Errors
    /// A file cannot be read or written.
    pub fn write_digests(&self) -> Result<(), RunFileError> {
        let text: String = digests(self.path())?.into_values().collect();
        write_whole(&self.path().join(DIGESTS), &mut |file| {
            file.write_all(text.as_bytes())
        })
    }

    /// Whether the digests of the run's files were written.
    pub fn has_digests(&self) -> bool {
        self.path().join(DIGESTS).exists()
    }

    /// The files with digests. For a run without digests, the files that would get one.
    pub(in crate::runs) fn digest_names(&self) -> Result<BTreeSet<String>, RunFileError> {
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

    /// Checks the files of the run against the digests written at its end.
    ///
    /// # Errors
    /// The first file that differs.
    pub fn check_digests(&self) -> Result<(), SealError> {
        let run = self.path();
        let text = read_digests(run)?;
        let mut files = digests(run)?;
        // A table without a digest may be a user's own.
        files.retain(|name, _| !is_table(name) || text.lines().any(|it| file_of(it) == Some(name)));
        if files
            .values()
            .map(String::as_str)
            .eq(text.split_inclusive('\n'))
        {
            return Ok(());
        }
        for (name, line) in &files {
            if !text.split_inclusive('\n').any(|found| found == line) {
                let listed = text.lines().any(|line| file_of(line) == Some(name));
                return Err(if listed {
                    SealError::Changed(run.join(name))
                } else {
                    SealError::Added(run.join(name))
                });
            }
        }
        let gone = text
            .lines()
            .filter_map(file_of)
            .find(|name| !files.contains_key(*name));
        if let Some(name) = gone {
            return Err(SealError::Removed(run.join(name)));
        }
        let mut lines = text.split_inclusive('\n');
        let other = lines.find(|line| !files.values().any(|known| known == line));
        Err(SealError::Line {
            path: run.join(DIGESTS),
            line: quoted(other.unwrap_or(&text).trim_end()),
        })
    }
}

/// Removes the digests of a resumed run. They are written again at its end.
pub(in crate::runs) fn remove_digests(run: &Path) -> Result<(), RunFileError> {
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

/// The file name in a line of digests.
fn file_of(line: &str) -> Option<&str> {
    line.split_once("  ").map(|(_, name)| name)
}

/// Lines of digests, by file name.
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
    names.extend(top.filter(|name| is_openings(name) || is_table(name) || name == SET_ASIDE));
    let builds = run.join(BUILDS);
    if builds.exists() {
        let logs = files_of(&builds)?.into_iter();
        names.extend(logs.map(|name| format!("{BUILDS}/{name}")));
    }
    Ok(names)
}

/// Whether this is the name of a file of openings.
pub(in crate::runs) fn is_openings(name: &str) -> bool {
    name.starts_with("openings-") && name.ends_with(".txt")
}

/// Whether this is the name of a table derived from the journal.
pub(in crate::runs) fn is_table(name: &str) -> bool {
    name.ends_with(".csv") && ![JOURNAL, SET_ASIDE].contains(&name)
}

/// The names of the files of a folder.
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
