//! Attempts at a shard.

use std::fmt::{self, Display};
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use crate::config::read_text;
use crate::runs::{AttemptDigests, RunFileError, RunFileProblem, write_whole};

const DONE: &str = "done.toml";

/// Prefix of the heartbeat file that an attempt rewrites while it is going on.
pub(in crate::shards) const ALIVE: &str = "alive-";

/// `done.toml`: written once an attempt has played its shard to the end.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct AttemptSummary {
    /// Host name of the machine that played.
    pub host: String,
    /// Start of the attempt, UTC.
    pub began: String,
    /// End of the attempt, UTC.
    pub ended: String,
    /// Number of games taken over from earlier attempts.
    pub adopted: u64,
    /// Search nodes per second of the machine, measured before the first game.
    pub speed: f64,
    /// Load average of the machine over one minute, read before the first game.
    pub load: f64,
    /// Digests of the attempt's files.
    pub files: AttemptDigests,
}

/// Unit of work of an attempt: a shard of a wave, or of the whole run if it has no waves.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct ShardUnit {
    /// The number of the wave, from 1; 0 for a run without waves.
    pub wave: u32,
    /// The number of the shard, from 0.
    pub shard: u32,
}

impl Display for ShardUnit {
    /// Folder of the unit, relative to `shards/`.
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
    /// Folder name: attempt number, machine, process and a random number.
    pub name: String,
    /// Attempt number, the first part of the name.
    pub number: u32,
    /// Contents of `done.toml`; `None` while the attempt goes on, or if it died.
    pub done: Option<AttemptSummary>,
}

impl Attempt {
    /// Lists the attempts in the folder of a shard; empty if the folder does not exist yet.
    pub(in crate::shards) fn all(shard: &Path) -> Result<Vec<Self>, RunFileError> {
        let entries = match fs::read_dir(shard) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
            entries => entries.map_err(RunFileError::at(shard, RunFileProblem::Read))?,
        };
        let mut all = Vec::new();
        for entry in entries {
            let entry = entry.map_err(RunFileError::at(shard, RunFileProblem::Read))?;
            let name = entry.file_name().to_string_lossy().into_owned();
            let number = name
                .split('-')
                .next()
                .and_then(|number| number.parse().ok());
            let Some(number) = number else {
                continue;
            };
            let path = entry.path();
            // An attempt whose `done.toml` cannot be parsed is not done.
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

    /// Heartbeat file of an attempt. It lies beside the attempt's folder, because the attempt may be on the
    /// local disk of its machine.
    pub(in crate::shards) fn alive(shard: &Path, name: &str) -> PathBuf {
        shard.join(format!("{ALIVE}{name}"))
    }
}

impl AttemptSummary {
    /// Writes `done.toml` atomically into the folder of an attempt and syncs it to the disk.
    pub(in crate::shards) fn write(&self, attempt: &Path) -> Result<(), RunFileError> {
        let path = attempt.join(DONE);
        let text = toml::to_string(self).map_err(|error| RunFileError {
            path: path.clone(),
            problem: error.into(),
        })?;
        write_whole(&path, &mut |file| file.write_all(text.as_bytes()))?;
        // An attempt counts once this file is seen: make it, and its directory entry, survive a crash.
        let synced = fs::File::open(&path)
            .and_then(|file| file.sync_all())
            .and_then(|()| fs::File::open(attempt)?.sync_all());
        synced.map_err(|error| RunFileError {
            path,
            problem: RunFileProblem::Sync(error),
        })
    }
}
