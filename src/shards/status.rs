//! How far the shards of a plan are.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use super::attempts::{ALIVE, Attempt, Unit};
use super::folder::PlanFolder;
use crate::record::{RecordError, Rows};
use crate::runner::count_portion;

/// How long an attempt shows nothing before it looks dead. Network file systems may show a change a minute later, and
/// the clocks of machines differ by as much: a sign that is further in the future says nothing.
const SILENCE: Duration = Duration::from_secs(180);

/// How far a shard is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ShardState {
    /// It was never begun.
    Open,
    /// An attempt is going on.
    Playing,
    /// All its attempts ended early, as far as time stamps tell.
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
            && let Some(attempt) = attempts.last()
        {
            // Of an attempt that began in the future, the speed is not known.
            let age = age(attempt);
            all.playing_for += age;
            all.played_meanwhile += if age.is_zero() { 0 } else { played };
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
    let shard = folder.unit_path(unit);
    let now = SystemTime::now();
    let is_recent = |path: &Path| modified(path).is_some_and(|at| away(at, now) < SILENCE);
    let state = if attempts.iter().any(|attempt| attempt.done.is_some()) {
        ShardState::Done
    } else if signs(&shard).iter().any(|sign| is_recent(sign)) {
        ShardState::Playing
    } else if !shard.exists() {
        ShardState::Open
    } else if attempts.is_empty() && is_recent(&shard) {
        // Somebody took it this moment, and has made nothing else yet.
        ShardState::Playing
    } else {
        ShardState::Dead
    };
    Ok((state, attempts))
}

/// The entries of a shard's folder, by name.
pub(super) type Traces = BTreeMap<OsString, Vec<u8>>;

/// All that is seen of attempts at a shard: their names, and what is in the signs of those that are going on. It changes
/// as long as one of them is, whatever the clocks of machines say.
pub(super) fn traces(folder: &PlanFolder, unit: Unit) -> Traces {
    let entries = fs::read_dir(folder.unit_path(unit)).into_iter().flatten();
    let trace = |entry: fs::DirEntry| {
        let name = entry.file_name();
        // Opening a file has a network file system look for its newest content.
        let content = match name.to_string_lossy().starts_with(ALIVE) {
            true => fs::read(entry.path()).unwrap_or_default(),
            false => Vec::new(),
        };
        (name, content)
    };
    entries.flatten().map(trace).collect()
}

/// The files by which attempts at a shard show that they are going on.
fn signs(shard: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(shard).into_iter().flatten().flatten();
    let is_sign = |entry: &fs::DirEntry| entry.file_name().to_string_lossy().starts_with(ALIVE);
    entries.filter(is_sign).map(|entry| entry.path()).collect()
}

/// How many rows the journal of an attempt has.
fn rows(attempt: &Attempt) -> u64 {
    let rows = Rows::open(&attempt.path.join(crate::record::JOURNAL));
    rows.map_or(0, |rows| rows.filter(Result::is_ok).count() as u64)
}

fn age(attempt: &Attempt) -> Duration {
    let began = fs::metadata(&attempt.path).and_then(|it| it.created());
    began.map_or(Duration::ZERO, |at| {
        SystemTime::now().duration_since(at).unwrap_or_default()
    })
}

fn modified(path: &Path) -> Option<SystemTime> {
    fs::metadata(path).and_then(|it| it.modified()).ok()
}

/// The distance of a time from now, in the past or in the future.
fn away(at: SystemTime, now: SystemTime) -> Duration {
    now.duration_since(at)
        .unwrap_or_else(|error| error.duration())
}
