//! A run that is played in parts, each in a folder of its own, and then merged into one.

use std::fs;
use std::io;
use std::os::unix::fs::FileExt;
use std::path::{Path, PathBuf};

use super::resume::read_done;
use crate::config::Plan;
use crate::runs::error::{RowProblem, RunFileError, RunFileProblem};
use crate::runs::files::lock::Lock;
use crate::runs::files::{digest_of_bytes, write_whole};
use crate::runs::journal::done::{DoneGames, PlanIndex};
use crate::runs::journal::rows::Rows;
use crate::runs::journal::set_aside;
use crate::runs::journal::{GameRow, Ids};
use crate::runs::logs::game_files::Logs;
use crate::runs::manifest::changes::Changes;
use crate::runs::manifest::{Manifest, write_manifest};
use crate::runs::seal::remove_digests;
use crate::runs::{JOURNAL, MANIFEST};
use crate::schedule::Cut;

/// A part of the games of a plan, in the folder of a run, which [`RunFolder::resume`](crate::runs::RunFolder)
/// continues.
#[derive(Debug)]
pub struct RunPart<'a> {
    plan: &'a Plan,
    path: PathBuf,
    cut: Cut,
    number: u32,
}

impl<'a> RunPart<'a> {
    /// The part with this number of a plan that is cut, in a folder, which may not be there yet.
    pub fn new(plan: &'a Plan, path: PathBuf, cut: Cut, number: u32) -> Self {
        Self {
            plan,
            path,
            cut,
            number,
        }
    }

    pub fn begin(&self, run: &Path) -> Result<&Path, RunFileError> {
        if !self.path.join(MANIFEST).exists() {
            let of_run = run.join(MANIFEST);
            let text = fs::read_to_string(&of_run)
                .map_err(RunFileError::at(&of_run, RunFileProblem::Read))?;
            fs::create_dir_all(&self.path)
                .map_err(RunFileError::at(&self.path, RunFileProblem::Make))?;
            write_manifest(&self.path, &text)?;
        }
        Ok(&self.path)
    }

    fn is_begun(&self) -> bool {
        self.path.join(JOURNAL).exists()
    }

    fn rows(&self) -> Result<Rows, RunFileError> {
        let journal = self.path.join(JOURNAL);
        Rows::open_whole(&journal, self.plan.each_game())
    }

    /// The number of games that have ended.
    ///
    /// # Errors
    /// The folder is of another run, or of another part of this one.
    pub fn ended(&self, run: &Path) -> Result<u64, RunFileError> {
        if !self.is_begun() {
            return Ok(0);
        }
        let refuse = |problem: String| {
            let problem = format!(
                "{problem}; put the shard of this plan in its place, or remove it and let `referee work` play it"
            );
            RunFileError::new(&self.path, RunFileProblem::Malformed(problem))
        };
        let [own, planned] = [Manifest::read(&self.path)?, Manifest::read(run)?];
        let changes = Changes::between(&own, &planned, self.plan.seats())
            .map_err(RunFileError::at(run, RunFileProblem::from))?;
        if !changes.is_empty() {
            let words = changes.words.join("; ");
            return Err(refuse(format!(
                "is a shard of another plan: from the shard to the plan, {words}"
            )));
        }
        let mut ended = set_aside::unplayed(&self.path, self.plan.each_game())?.len() as u64;
        let (index, mut rows) = (PlanIndex::of_plan(self.plan), self.rows()?);
        while let Some(row) = rows.next().transpose()? {
            let game = index.done(&row).map_err(|problem| rows.refuse(problem))?;
            let (owner, own) = (self.cut.owner(game.game, game.block), self.number);
            if owner != own {
                let id = row.id;
                return Err(refuse(format!(
                    "is shard {own}, and has game {id} of shard {owner}"
                )));
            }
            ended += 1;
        }
        Ok(ended)
    }

    pub fn read_done(&self, done: &mut DoneGames) -> Result<(), RunFileError> {
        if self.is_begun() {
            read_done(&self.path, self.plan, done, &mut |_| {})?;
        }
        Ok(())
    }
}

struct Place {
    id: u64,
    part: u32,
    length: u32,
    start: u64,
}

/// Rewrites the journal and the logs of a run from its parts. Games that are `left_out`, by number, are no part of the run.
/// Passes every row to `each`. Returns the number of games that could not be played.
pub fn merge_parts(
    run: &Path,
    plan: &Plan,
    parts: &[RunPart<'_>],
    left_out: &dyn Fn(u64) -> bool,
    each: &mut dyn FnMut(&GameRow),
) -> Result<u64, RunFileError> {
    let _lock = Lock::take(run)?;
    let keep = Manifest::read(run)?.record.logs;
    // Removed before any file changes: after a kill the run has no digests, rather than wrong ones.
    remove_digests(run)?;
    let logs = Logs::new(run, keep);
    let (mut seen, mut places) = (Ids::default(), Vec::new());
    let (mut aside, mut journals) = (Vec::new(), Vec::new());
    for part in parts.iter().filter(|part| part.is_begun()) {
        let mut rows = part.rows()?;
        while let Some(row) = rows.next().transpose()? {
            if left_out(row.id) {
                continue;
            }
            if !seen.insert(row.id) {
                return Err(rows.refuse(RowProblem::twice(row.id)));
            }
            // Logs come before the journal, so that no row ever lacks its log.
            copy_files(&part.path, &row, &logs)?;
            let (start, length) = rows.place();
            places.push(Place {
                id: row.id,
                part: journals.len() as u32,
                length,
                start,
            });
            each(&row);
        }
        let path = part.path.join(JOURNAL);
        let journal = fs::File::open(&path);
        journals.push(journal.map_err(RunFileError::at(&path, RunFileProblem::Read))?);
        let unplayed = set_aside::unplayed(&part.path, plan.each_game())?;
        aside.extend(unplayed.into_iter().filter(|game| !left_out(game.id)));
    }
    aside.sort_by_key(|game| game.id);
    set_aside::write(run, &aside)?;
    places.sort_unstable_by_key(|place| place.id);
    let mut line = Vec::new();
    write_whole(&run.join(JOURNAL), &mut |file| {
        file.write_all(&GameRow::header(plan.row_shape()))?;
        for place in &places {
            line.resize(place.length as usize, 0);
            journals[place.part as usize].read_exact_at(&mut line, place.start)?;
            file.write_all(&line)?;
        }
        Ok(())
    })?;
    Ok(aside.len() as u64)
}

fn copy_files(part: &Path, row: &GameRow, logs: &Logs) -> Result<(), RunFileError> {
    for (name, digest) in row.files.by_name(row.game, row.id) {
        let path = part.join(&name);
        match fs::read(&path) {
            Ok(bytes) if digest_of_bytes(&bytes) == digest => logs.write_as(&name, &bytes)?,
            Err(error) if error.kind() != io::ErrorKind::NotFound => {
                return Err(RunFileError::new(path, RunFileProblem::Read(error)));
            }
            _ => return Err(RunFileError::new(path, RunFileProblem::NoLog)),
        }
    }
    Ok(())
}
