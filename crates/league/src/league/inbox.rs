//! `league inbox`: archives that are named by their owner, taken in by the intake of gradings.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use super::newcomers::Handed;
use super::playing::Session;
use super::{Added, GradeError, Refused, State};
use crate::grade::{KIT, UnpackError, UnpackLimits, unpack, without_ending};
use crate::runs::{
    RunFileError, RunFileProblem, make_parent, remove_folder, remove_if_there, sha256, write_bytes,
};

/// A submission in the inbox: the newest of its owner.
#[derive(Debug)]
pub struct InboxEntry {
    pub owner: String,
    path: PathBuf,
}

/// The newest archive or folder of each owner in a folder: `alice.zip`, `alice_2026-05-01.tar.gz` or `alice/`.
pub fn inbox_entries(folder: &Path) -> Result<Vec<InboxEntry>, GradeError> {
    let failed = |error| RunFileError::at(folder, RunFileProblem::Read)(error);
    let mut newest: BTreeMap<String, (SystemTime, PathBuf)> = BTreeMap::new();
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
            continue;
        };
        let owner = stem.split('_').next().unwrap_or(stem).to_owned();
        let time = entry
            .metadata()
            .and_then(|it| it.modified())
            .map_err(failed)?;
        let is_newer = newest
            .get(&owner)
            .is_none_or(|(known, other)| (*known, other) < (time, &path));
        if is_newer {
            newest.insert(owner, (time, path));
        }
    }
    let entries = newest.into_iter();
    Ok(entries
        .map(|(owner, (_, path))| InboxEntry { owner, path })
        .collect())
}

impl InboxEntry {
    /// The file beside the submission that answers it.
    pub fn answer(&self) -> PathBuf {
        let mut name = self.path.file_name().unwrap_or_default().to_owned();
        name.push(".answer.txt");
        self.path.with_file_name(name)
    }

    /// Answers the submission.
    pub fn tell(&self, words: &str) -> Result<(), GradeError> {
        Ok(write_bytes(&self.answer(), words)?)
    }
}

impl Session<'_> {
    /// Takes in a submission with a `kit.toml`, unless it was seen before: then `None`.
    pub fn take_in(
        &self,
        entry: &InboxEntry,
    ) -> Result<Option<Result<Added, Refused>>, GradeError> {
        let folder = self.league.folder().join("inbox").join(&entry.owner);
        let (files, seen) = (folder.join("new"), folder.join("seen"));
        remove_folder(&files)?;
        make_parent(&files)?;
        let limits = UnpackLimits::default();
        let unpacked = match unpack(&entry.path, &files, &limits, &[KIT.to_owned()]) {
            Ok(unpacked) => unpacked,
            Err(UnpackError::Refused(problem)) => {
                let why = format!("what was handed in cannot be unpacked: {problem}");
                return self.once(&seen, &sha256(&entry.path).unwrap_or_default(), || {
                    Ok(Err(Refused::Broken(why)))
                });
            }
            Err(problem @ UnpackError::Disk { .. }) => return Err(problem.into()),
        };
        let taken = self.once(&seen, &unpacked.digest, || {
            match Handed::kit(&entry.owner, &files) {
                Ok(handed) => self.add(handed, State::Active),
                Err(broken) => Ok(Err(Refused::Broken(broken.why))),
            }
        })?;
        remove_folder(&files)?;
        Ok(taken)
    }

    /// Does something for a digest that is not the last one.
    fn once(
        &self,
        seen: &Path,
        digest: &str,
        work: impl FnOnce() -> Result<Result<Added, Refused>, GradeError>,
    ) -> Result<Option<Result<Added, Refused>>, GradeError> {
        if fs::read_to_string(seen).is_ok_and(|known| known == digest) {
            return Ok(None);
        }
        let done = work()?;
        remove_if_there(seen)?;
        write_bytes(seen, digest)?;
        Ok(Some(done))
    }
}
