//! Attempts at a shard.

use std::fmt::{self, Display};
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use crate::config::read_text;
use crate::record::{AttemptDigests, RecordError, RecordProblem, write_whole};

const DONE: &str = "done.toml";

/// With what the name of a file begins that an attempt changes while it is going on.
pub(super) const ALIVE: &str = "alive-";

/// `done.toml`: an attempt that played its shard to the end.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct Done {
    /// The machine.
    pub host: String,
    /// When it began and ended, UTC.
    pub began: String,
    /// When it ended, UTC.
    pub ended: String,
    /// How many games were taken over from earlier attempts.
    pub adopted: u64,
    /// The search nodes a second of the machine before it began.
    pub speed: f64,
    /// How many processes were ready to run on the machine then, on average over a minute.
    pub load: f64,
    /// What it left.
    pub files: AttemptDigests,
}

/// What an attempt plays: a shard of a wave, or of the whole run where it has no waves.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Unit {
    /// The number of the wave, from 1; 0 for a run without waves.
    pub wave: u32,
    /// The number of the shard, from 0.
    pub shard: u32,
}

impl Display for Unit {
    /// Its folder below that of the shards.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.wave {
            0 => write!(f, "{:04}", self.shard),
            wave => write!(f, "w{wave:04}/{:04}", self.shard),
        }
    }
}

/// An attempt at a shard, whether it is done, going on or dead.
#[derive(Debug, Clone)]
pub struct Attempt {
    /// Its folder.
    pub path: PathBuf,
    /// Its name: its number, the machine, the process and a random number.
    pub name: String,
    /// The number that the name begins with.
    pub number: u32,
    /// What it left, if it is done.
    pub done: Option<Done>,
}

impl Attempt {
    /// The attempts in the folder of a shard, which may not be there yet.
    pub(super) fn all(shard: &Path) -> Result<Vec<Self>, RecordError> {
        let entries = match fs::read_dir(shard) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
            entries => entries.map_err(RecordError::at(shard, RecordProblem::Read))?,
        };
        let mut all = Vec::new();
        for entry in entries {
            let entry = entry.map_err(RecordError::at(shard, RecordProblem::Read))?;
            let name = entry.file_name().to_string_lossy().into_owned();
            let number = name
                .split('-')
                .next()
                .and_then(|number| number.parse().ok());
            let Some(number) = number else {
                continue;
            };
            let path = entry.path();
            // A table that is not whole belongs to an attempt that is not done.
            let done = read_text(&path.join(DONE)).ok();
            let done = done.and_then(|text| toml::from_str(&text).ok());
            all.push(Self {
                path,
                name,
                number,
                done,
            });
        }
        all.sort_by(|a, b| (a.number, &a.name).cmp(&(b.number, &b.name)));
        Ok(all)
    }

    /// The file that an attempt of this name at a shard changes while it is going on. It is beside the attempt,
    /// which may be on the disk of its machine.
    pub(super) fn alive(shard: &Path, name: &str) -> PathBuf {
        shard.join(format!("{ALIVE}{name}"))
    }
}

impl Done {
    /// Writes it into the folder of an attempt, whole or not at all, and brings it to the disk.
    pub(super) fn write(&self, attempt: &Path) -> Result<(), RecordError> {
        let path = attempt.join(DONE);
        let text = toml::to_string(self).map_err(|error| RecordError {
            path: path.clone(),
            problem: error.into(),
        })?;
        write_whole(&path, &mut |file| file.write_all(text.as_bytes()))?;
        let synced = fs::File::open(&path)
            .and_then(|file| file.sync_all())
            .and_then(|()| fs::File::open(attempt)?.sync_all());
        synced.map_err(|error| RecordError {
            path,
            problem: RecordProblem::Sync(error),
        })
    }
}
