//! `league inbox`: archives that are named by their owner, taken in by the intake of gradings.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use super::newcomers::{Handed, check_name};
use super::playing::Session;
use super::{Added, GradeError, Refused, State};
use crate::grade::{KIT, UnpackError, UnpackLimits, unpack, without_ending};
use crate::runs::{RunFileError, RunFileProblem, make_parent, remove_folder, write_bytes};
use crate::text;

/// A submission in the inbox: the newest of its owner.
#[derive(Debug)]
pub struct InboxEntry {
    pub owner: String,
    path: PathBuf,
}

/// The newest archive or folder of each owner in a folder: `alice.zip`, `alice_2026-05-01.tar.gz` or `alice/`. Also a line
/// about each other entry.
pub fn inbox_entries(folder: &Path) -> Result<(Vec<InboxEntry>, Vec<String>), GradeError> {
    let failed = |error| RunFileError::at(folder, RunFileProblem::Read)(error);
    let mut newest: BTreeMap<String, (SystemTime, PathBuf)> = BTreeMap::new();
    let mut unread = Vec::new();
    for entry in fs::read_dir(folder).map_err(failed)? {
        let entry = entry.map_err(failed)?;
        let (name, path) = (entry.file_name(), entry.path());
        let name = name.to_string_lossy();
        let kind = entry.file_type().map_err(failed)?;
        let stem = match kind.is_dir() {
            true => Some(&*name),
            false => without_ending(&name).filter(|_| kind.is_file()),
        };
        let Some(stem) = stem.filter(|stem| !stem.starts_with('.')) else {
            let is_answer = name.ends_with(".answer.txt") || name.ends_with(".answer.tmp");
            if name.starts_with('.') || is_answer {
                continue;
            }
            let why = match () {
                () if kind.is_symlink() => "links are not followed",
                () if kind.is_file() => {
                    "expected an archive, such as a .zip or .tar.gz, or a folder"
                }
                () => "it is no file and no folder",
            };
            unread.push(format!("{} is not read: {why}\n", text::visible(&name)));
            continue;
        };
        let owner = text::name(stem.split('_').next().unwrap_or(stem)).into_owned();
        let Ok(time) = entry.metadata().and_then(|it| it.modified()) else {
            // It has just been moved away.
            continue;
        };
        let is_newer = newest
            .get(&owner)
            .is_none_or(|(known, other)| (*known, other) < (time, &path));
        if is_newer {
            newest.insert(owner, (time, path));
        }
    }
    unread.sort();
    let entries = newest.into_iter();
    let entries = entries.map(|(owner, (_, path))| InboxEntry { owner, path });
    Ok((entries.collect(), unread))
}

impl InboxEntry {
    pub fn answer(&self) -> PathBuf {
        let mut name = self.path.file_name().unwrap_or_default().to_owned();
        name.push(".answer.txt");
        self.path.with_file_name(name)
    }

    pub fn tell(&self, words: &str) -> Result<(), GradeError> {
        Ok(write_bytes(&self.answer(), words)?)
    }
}

impl Session<'_> {
    /// Takes in a submission with a `kit.toml`, unless it was seen before: then `None`. A file of its own that cannot be read
    /// concerns its owner alone.
    pub fn take_in(
        &self,
        entry: &InboxEntry,
    ) -> Result<Option<Result<Added, Refused>>, GradeError> {
        let taken = GradeError::apart(self.take(entry))?;
        Ok(taken.unwrap_or_else(|why| Some(Err(Refused::Broken(why)))))
    }

    fn take(&self, entry: &InboxEntry) -> Result<Option<Result<Added, Refused>>, GradeError> {
        if let Err(problem) = check_name(&entry.owner, true) {
            // Nothing can be kept under such a name, so its answer says that it was seen.
            return match entry.answer().is_file() {
                true => Ok(None),
                false => Err(problem),
            };
        }
        let folder = self.league.folder().join("inbox").join(&entry.owner);
        let (files, seen) = (folder.join("new"), folder.join("seen"));
        remove_folder(&files)?;
        make_parent(&files)?;
        let limits = UnpackLimits::default();
        let unpacked = match unpack(&entry.path, &files, &limits, &[KIT.to_owned()], None) {
            Ok(unpacked) => unpacked,
            Err(UnpackError::Refused(problem)) => {
                let why = format!("what was handed in cannot be unpacked: {problem}");
                // Its answer is another one if its file has another name.
                let refused = format!("{} {why}", entry.path.display());
                return once(&seen, &refused, || Ok(Err(Refused::Broken(why))));
            }
            Err(problem @ UnpackError::Disk { .. }) => return Err(problem.into()),
        };
        let taken = once(&seen, &unpacked.digest, || {
            match Handed::kit(&entry.owner, &files) {
                Ok(handed) => self.add(handed, State::Active),
                Err(broken) => Ok(Err(Refused::Broken(broken.why))),
            }
        })?;
        remove_folder(&files)?;
        Ok(taken)
    }
}

/// Does something for a digest that is not the last one.
fn once<T>(
    seen: &Path,
    digest: &str,
    work: impl FnOnce() -> Result<T, GradeError>,
) -> Result<Option<T>, GradeError> {
    if fs::read_to_string(seen).is_ok_and(|known| known == digest) {
        return Ok(None);
    }
    let done = work()?;
    write_bytes(seen, digest)?;
    Ok(Some(done))
}
