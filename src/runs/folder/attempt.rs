//! The folder of an attempt at a shard: a journal and `logs.tar`. Only one process ever writes to it, so it
//! needs no lock.

use std::collections::HashMap;
use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::RunFolder;
use crate::config::Plan;
use crate::runs::JOURNAL;
use crate::runs::error::{RunFileError, RunFileProblem};
use crate::runs::files::durability::Durability;
use crate::runs::files::{digest_of_bytes, sha256, write_whole};
use crate::runs::identity::Sources;
use crate::runs::journal::done::{DoneGames, PlanIndex};
use crate::runs::journal::rows::{Journal, Rows, games_in_order};
use crate::runs::journal::{GameRow, Ids, set_aside};
use crate::runs::logs::pack::{PACK, Pack, each_member};
use crate::runs::manifest::Stamp;

/// Digests of an attempt's files.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub struct AttemptDigests {
    /// Number of rows in its journal.
    pub rows: u64,
    /// Number of games that could not be played.
    pub set_aside: u64,
    /// The SHA-256 of its journal.
    pub journal: String,
    /// The SHA-256 of its logs.
    pub logs: String,
}

impl AttemptDigests {
    /// Whether the files of an attempt are as they were when it ended.
    ///
    /// # Errors
    /// They cannot be read.
    pub fn hold(&self, attempt: &Path) -> Result<bool, RunFileError> {
        let journal = sha256(&attempt.join(JOURNAL))?;
        Ok(journal == self.journal && sha256(&attempt.join(PACK))? == self.logs)
    }
}

impl RunFolder {
    /// Makes the folder of an attempt at a shard of a run with this master seed.
    ///
    /// # Errors
    /// The folder is there already, or cannot be written.
    pub fn create_attempt(
        path: &Path,
        plan: &Plan,
        seed: u64,
        stamp: Stamp,
    ) -> Result<Self, RunFileError> {
        if let Some(above) = path.parent() {
            fs::create_dir_all(above).map_err(RunFileError::at(above, RunFileProblem::Make))?;
        }
        fs::create_dir(path).map_err(RunFileError::at(path, RunFileProblem::Make))?;
        Ok(Self {
            path: path.to_owned(),
            journal: Journal::create(path, plan.seats())?,
            keep: plan.keep_logs,
            durability: Durability::default(),
            seed,
            done: DoneGames::default(),
            stamp,
            sources: Sources::default(),
            pack: Some(Arc::new(Pack::create(path)?)),
            lock: None,
        })
    }

    /// Copies the complete games of an earlier attempt that this one lacks, and returns their number.
    ///
    /// # Errors
    /// The games cannot be written, or one of them is not of this plan.
    pub fn adopt(&mut self, earlier: &Path, plan: &Plan) -> Result<u64, RunFileError> {
        let journal = earlier.join(JOURNAL);
        if Rows::open_whole(&journal, plan.each_game()).is_err() {
            // It was killed before it had a journal.
            return Ok(0);
        }
        let mut files = HashMap::new();
        each_member(earlier, &mut |name, bytes| {
            files.insert(name.to_owned(), digest_of_bytes(bytes));
            Ok(())
        })?;
        // A game that was played twice has two members of one name: the digest in its row selects one.
        let mut wanted = HashMap::new();
        let mut whole = Ids::default();
        for row in Rows::open_whole(&journal, plan.each_game())?.map_while(Result::ok) {
            let mut expected = row.files.by_name(row.game, row.id);
            let is_there = |(name, digest): (PathBuf, &str)| {
                files.get(&name).is_some_and(|found| found == digest)
            };
            if !self.done.contains(row.id) && expected.all(is_there) {
                let expected = row.files.by_name(row.game, row.id);
                wanted.extend(expected.map(|(name, digest)| (name, digest.to_owned())));
                whole.insert(row.id);
            }
        }
        if let Some(pack) = &self.pack {
            each_member(earlier, &mut |name, bytes| {
                if wanted.get(name) == Some(&digest_of_bytes(bytes)) {
                    wanted.remove(name);
                    pack.add(name, bytes)
                } else {
                    Ok(())
                }
            })?;
        }
        let index = PlanIndex::of_plan(plan);
        let mut adopted = 0;
        let mut rows = Rows::open_whole(&journal, plan.each_game())?;
        while let Some(Ok(row)) = rows.next() {
            if !whole.contains(row.id) || self.done.contains(row.id) {
                continue;
            }
            let done = index.done(&row).map_err(|problem| rows.refuse(problem))?;
            self.journal.append(&row.line())?;
            self.done.insert(row.id, done);
            adopted += 1;
        }
        Ok(adopted)
    }

    /// Ends an attempt of `plan`: sorts its rows by game number, and syncs all files to the disk.
    ///
    /// # Errors
    /// The files cannot be read or written.
    pub fn end_attempt(self, plan: &Plan) -> Result<AttemptDigests, RunFileError> {
        let journal = self.path.join(JOURNAL);
        let mut count = 0;
        write_whole(&journal, &mut |file| {
            file.write_all(&GameRow::header(self.journal.seats()))?;
            let mut written = Ok(());
            games_in_order(&journal, plan.each_game(), &mut |row| {
                count += 1;
                if written.is_ok() {
                    written = file.write_all(&row.line());
                }
            })
            .map_err(io::Error::other)?;
            written
        })?;
        if let Some(pack) = &self.pack {
            pack.end()?;
        }
        // The folder is synced too, so that the renamed journal is in it after a power cut.
        let synced = File::open(&journal).and_then(|file| file.sync_all());
        synced
            .and_then(|()| File::open(&self.path)?.sync_all())
            .map_err(RunFileError::at(&journal, RunFileProblem::Sync))?;
        Ok(AttemptDigests {
            rows: count,
            set_aside: set_aside::read(&self.path)?.len() as u64,
            journal: sha256(&journal)?,
            logs: sha256(&self.path.join(PACK))?,
        })
    }
}
