//! Merges the attempts at a run's shards into the run.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BinaryHeap, HashMap};
use std::io;
use std::path::{Path, PathBuf};

use crate::game::Game;
use crate::runs::JOURNAL;
use crate::runs::error::{RowProblem, RunFileError, RunFileProblem};
use crate::runs::files::durability::Durability;
use crate::runs::files::lock::Lock;
use crate::runs::files::{digest_of_bytes, write_whole};
use crate::runs::journal::GameRow;
use crate::runs::journal::rows::Rows;
use crate::runs::journal::set_aside::{self, SetAsideGame};
use crate::runs::logs::game_files::{Logs, game_log_path};
use crate::runs::logs::game_log::{LoggedPly, read_plies};
use crate::runs::logs::pack::each_member;
use crate::runs::manifest::Manifest;
use crate::runs::seal::remove_digests;

/// A finished attempt, with rows in the order of their games.
#[derive(Debug, Clone)]
pub struct MergePart {
    /// Its folder.
    pub path: PathBuf,
    /// The games of the plan.
    pub games: Vec<Game>,
    /// The number of its shard.
    pub shard: u32,
    /// Whether its games count. Other games are only compared with them.
    pub counts: bool,
}

impl MergePart {
    /// Its rows.
    ///
    /// # Errors
    /// The journal cannot be read.
    pub fn rows(
        &self,
    ) -> Result<impl Iterator<Item = Result<GameRow, RunFileError>> + use<>, RunFileError> {
        let rows = Rows::open(&self.path.join(JOURNAL), self.games.iter().copied())?;
        Ok(rows.map(|row| Ok(row?)))
    }

    /// The games that could not be played.
    ///
    /// # Errors
    /// The file cannot be read.
    pub fn set_aside(&self) -> Result<Vec<SetAsideGame>, RunFileError> {
        Ok(set_aside::read(&self.path)?)
    }

    /// The plies of `games`. Games without a kept log are left out.
    ///
    /// # Errors
    /// The logs cannot be read.
    pub fn plies(
        &self,
        games: &BTreeMap<u64, Game>,
    ) -> Result<BTreeMap<u64, Vec<LoggedPly>>, RunFileError> {
        let names = games
            .keys()
            .map(|id| (game_log_path(Path::new(""), *id), *id));
        let names: HashMap<PathBuf, u64> = names.collect();
        let mut plies = BTreeMap::new();
        each_member(&self.path, &mut |name, bytes| {
            if let Some(id) = names.get(name) {
                plies.insert(*id, read_plies(bytes, &self.path.join(name), games[id])?);
            }
            Ok(())
        })?;
        Ok(plies)
    }

    /// An error about a game of this attempt that contradicts the plan.
    pub fn refuse(&self, id: u64, problem: RowProblem) -> RunFileError {
        RunFileError::new(&self.path, RunFileProblem::OfAttempt { id, problem })
    }
}

/// A row, and the index of its attempt.
struct Next {
    row: GameRow,
    part: usize,
}

/// Callback for each game: its row that counts, with its part, and its other rows.
pub type EachGame<'a> = dyn FnMut((&MergePart, &GameRow), &[(&MergePart, GameRow)]) + 'a;

/// Whether the game of this name, block and number belongs to a shard.
pub type Counts<'a> = dyn Fn(u32, &str, u64, u64) -> bool + 'a;

fn is_counted(counts: &Counts<'_>, part: &MergePart, row: &GameRow) -> bool {
    counts(part.shard, row.game.name(), row.block, row.id)
}

/// Rewrites the journal and the logs of a run of games of `seats` from the attempts at its shards. All games of a wave come before
/// the games of the next. Passes every game to `each`. Returns the number of games that could not be played.
///
/// # Errors
/// An attempt cannot be read or has changed since its end, or the run cannot be written.
pub fn merge_parts(
    run: &Path,
    seats: usize,
    waves: &[Vec<MergePart>],
    counts: &Counts<'_>,
    each: &mut EachGame<'_>,
) -> Result<u64, RunFileError> {
    let _lock = Lock::take(run)?;
    let keep = Manifest::read(run)?.record.logs;
    // Removed before any file changes: after a kill the run has no digests, rather than wrong ones.
    remove_digests(run)?;
    let logs = Logs::new(run, keep, Durability::System, None);
    let counted = || waves.iter().flatten().filter(|part| part.counts);
    // Logs come before the journal, so that no row ever lacks its log.
    for part in counted() {
        unpack(part, &logs, counts)?;
    }
    let mut aside = Vec::new();
    for part in counted() {
        let games = part.set_aside()?.into_iter();
        aside.extend(games.filter(|game| counts(part.shard, &game.game, game.block, game.id)));
    }
    aside.sort_by_key(|game| game.id);
    set_aside::write(run, &aside)?;
    write_whole(&run.join(JOURNAL), &mut |file| {
        file.write_all(&GameRow::header(seats))?;
        let mut written = Ok(());
        let mut each = |counted: (&MergePart, &GameRow), others: &[(&MergePart, GameRow)]| {
            if written.is_ok() {
                written = file.write_all(&counted.1.line());
            }
            each(counted, others);
        };
        for parts in waves {
            each_game(parts, counts, &mut each).map_err(io::Error::other)?;
        }
        written
    })?;
    Ok(aside.len() as u64)
}

/// K-way merge of the parts' rows by game number. One row of each part is in memory.
fn each_game(
    parts: &[MergePart],
    counts: &Counts<'_>,
    each: &mut EachGame<'_>,
) -> Result<(), RunFileError> {
    let mut readers = parts
        .iter()
        .map(MergePart::rows)
        .collect::<Result<Vec<_>, _>>()?;
    let mut ahead: Vec<Option<GameRow>> = Vec::with_capacity(parts.len());
    let mut order = BinaryHeap::new();
    for (part, reader) in readers.iter_mut().enumerate() {
        let row = reader.next().transpose()?;
        order.extend(row.as_ref().map(|row| Reverse((row.id, part))));
        ahead.push(row);
    }
    let mut same: Vec<Next> = Vec::new();
    while let Some(Reverse((id, part))) = order.pop() {
        let next = readers[part].next().transpose()?;
        order.extend(next.as_ref().map(|row| Reverse((row.id, part))));
        let row = std::mem::replace(&mut ahead[part], next);
        same.extend(row.map(|row| Next { row, part }));
        // All rows of one number come off the heap in succession.
        if order.peek().is_some_and(|Reverse((next, _))| *next == id) {
            continue;
        }
        let counted = |next: &Next| {
            let part = &parts[next.part];
            part.counts && is_counted(counts, part, &next.row)
        };
        if let Some(at) = same.iter().position(counted) {
            let Next { row, part } = same.swap_remove(at);
            let others = same.drain(..).map(|next| (&parts[next.part], next.row));
            let others: Vec<_> = others.collect();
            each((&parts[part], &row), &others);
        }
        same.clear();
    }
    Ok(())
}

/// Writes the files of a part's games that count.
fn unpack(part: &MergePart, logs: &Logs, counts: &Counts<'_>) -> Result<(), RunFileError> {
    let mut expected = HashMap::new();
    for row in part.rows()? {
        let row = row?;
        if is_counted(counts, part, &row) {
            let files = row.files.by_name(row.game, row.id);
            expected.extend(files.map(|(name, digest)| (name, digest.to_owned())));
        }
    }
    if expected.is_empty() {
        return Ok(());
    }
    each_member(&part.path, &mut |name, bytes| {
        let is_it = |digest: &String| *digest == digest_of_bytes(bytes);
        if expected.get(name).is_some_and(is_it) {
            logs.write_as(name, bytes)?;
            expected.remove(name);
        }
        Ok(())
    })?;
    match expected.into_keys().min() {
        None => Ok(()),
        Some(name) => Err(RunFileError::new(
            &part.path,
            RunFileProblem::NoLog(name.display().to_string()),
        )),
    }
}
