//! How far the shards of a plan are.

use std::fs;
use std::time::{Duration, SystemTime};

use super::attempts::{Attempt, Unit};
use super::folder::PlanFolder;
use crate::record::{RecordError, Rows};
use crate::runner::count_portion;

/// How long an attempt shows nothing before it counts as dead. Network file systems may show a change a
/// minute later.
const SILENCE: Duration = Duration::from_secs(180);

/// How far a shard is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ShardState {
    /// It was never begun.
    Open,
    /// An attempt is going on.
    Playing,
    /// All its attempts ended early.
    Dead,
    /// It is done.
    Done,
}

/// How far a plan is.
#[derive(Debug, Clone)]
pub struct Status {
    /// The shards, and how many of their games have been played.
    pub shards: Vec<(Unit, ShardState, u64)>,
    /// How many games there are in all shards.
    pub games: u64,
    /// How long the attempts that are going on have been, together.
    pub playing_for: Duration,
    /// How many games were played in that time.
    pub played_meanwhile: u64,
}

/// Looks how far the shards of a plan are.
///
/// # Errors
/// A folder cannot be read.
pub fn status(folder: &PlanFolder) -> Result<Status, RecordError> {
    let mut all = Status {
        shards: Vec::new(),
        games: 0,
        playing_for: Duration::ZERO,
        played_meanwhile: 0,
    };
    for unit in folder.waves()?.flat_map(|wave| folder.units(wave)) {
        let (state, attempts) = state_of(folder, unit)?;
        let count = |attempt: &Attempt| match &attempt.done {
            Some(done) => done.files.rows,
            None => rows(attempt),
        };
        // The newest attempt has taken over what earlier ones had.
        let played = attempts.iter().map(count).max().unwrap_or(0);
        if state == ShardState::Playing
            && let Some(attempt) = attempts.iter().rfind(|attempt| is_alive(attempt))
        {
            all.playing_for += age(attempt);
            all.played_meanwhile += played;
        }
        all.shards.push((unit, state, played));
        let size = count_portion(&folder.plan, folder.portion(unit)?);
        all.games += size.exactly().unwrap_or(0);
    }
    Ok(all)
}

/// How far a shard is, with its attempts.
pub(super) fn state_of(
    folder: &PlanFolder,
    unit: Unit,
) -> Result<(ShardState, Vec<Attempt>), RecordError> {
    let attempts = folder.attempts(unit)?;
    let state = if attempts.iter().any(|attempt| attempt.done.is_some()) {
        ShardState::Done
    } else if attempts.iter().any(is_alive) {
        ShardState::Playing
    } else if attempts.is_empty() {
        // Somebody may have taken it this moment, and have made nothing else yet.
        match modified(&folder.unit_path(unit)) {
            None => ShardState::Open,
            Some(at) if age_of(at) < SILENCE => ShardState::Playing,
            Some(_) => ShardState::Dead,
        }
    } else {
        ShardState::Dead
    };
    Ok((state, attempts))
}

/// How many rows the journal of an attempt has.
fn rows(attempt: &Attempt) -> u64 {
    let rows = Rows::open(&attempt.path.join(crate::record::JOURNAL));
    rows.map_or(0, |rows| rows.filter(Result::is_ok).count() as u64)
}

fn is_alive(attempt: &Attempt) -> bool {
    modified(&Attempt::alive(&attempt.path)).is_some_and(|at| age_of(at) < SILENCE)
}

fn age(attempt: &Attempt) -> Duration {
    let began = fs::metadata(&attempt.path).and_then(|it| it.created());
    began.map_or(Duration::ZERO, age_of)
}

fn modified(path: &std::path::Path) -> Option<SystemTime> {
    fs::metadata(path).and_then(|it| it.modified()).ok()
}

/// How long ago something was. The clock of the machine that wrote it may be ahead of this one's.
fn age_of(at: SystemTime) -> Duration {
    SystemTime::now().duration_since(at).unwrap_or_default()
}
