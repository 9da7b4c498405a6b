//! Plays shards: a worker takes one after another and leaves attempts, whose state anybody can look up.

mod claim;
mod worker;

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

pub use worker::{Shards, Work, Worked, Worker};

use crate::config::Plan;
use crate::runner::{RunError, count_games};
use crate::runs::{Changes, Rows, RunFileError};
use crate::shards::plan::{ALIVE, Attempt, FolderError, FreezeError, PlanFolder, ShardUnit};

/// Why a shard was not played to the end.
#[derive(Debug, thiserror::Error)]
#[expect(missing_docs, reason = "the messages say what the fields are")]
pub enum WorkError {
    /// The plan cannot be used here.
    #[error(transparent)]
    Folder(#[from] FolderError),
    /// A frozen file has changed.
    #[error(transparent)]
    Frozen(#[from] FreezeError),
    /// Interrupted while it waited for the next wave, or watched a shard.
    #[error("it was stopped while it waited for games to play")]
    Interrupted,
    /// The plan has no shard of this number.
    #[error("there is no shard {shard}: expected one of 0 to {}", shards - 1)]
    NoShard { shard: u32, shards: u32 },
    /// The plan has another number of shards than the command says.
    #[error("this plan has {shards} shards, and not {named}: name one as 0/{shards} to {}/{shards}", shards - 1)]
    OtherShards { shards: u32, named: u32 },
    /// This machine differs from the planning machine.
    #[error(
        "on this machine {}: every machine needs the same programs; begin anew with `referee plan` if they are \
         to be these",
        .0.words.join("; ")
    )]
    OtherMachine(Changes),
    /// The speed of this machine is out of range for wall time.
    #[error(
        "this machine has {share:.2} times the speed of the one that planned, which is not within {low} to {high}"
    )]
    Speed { share: f64, low: f64, high: f64 },
    /// A file cannot be read or written.
    #[error(transparent)]
    RunFile(#[from] RunFileError),
    /// The games were not played to the end.
    #[error(transparent)]
    Run(#[from] RunError),
}

impl WorkError {
    /// Whether a retry may succeed, later or on another machine.
    pub fn is_worth_another_try(&self) -> bool {
        match self {
            Self::Speed { .. } | Self::RunFile(_) | Self::Run(_) | Self::Interrupted => true,
            Self::Folder(_)
            | Self::Frozen(_)
            | Self::NoShard { .. }
            | Self::OtherShards { .. }
            | Self::OtherMachine(_) => false,
        }
    }
}

/// Time without a heartbeat after which an attempt looks dead. Network file systems may show a change a minute
/// late, and clocks of machines differ: a timestamp further in the future is not trusted.
const SILENCE: Duration = Duration::from_secs(180);

/// State of a shard.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ShardState {
    /// No attempt has begun.
    Open,
    /// An attempt is going on.
    Playing,
    /// All attempts ended early, judged by timestamps.
    Dead,
    /// An attempt is done.
    Done,
}

/// State of all shards of a plan.
#[derive(Debug, Clone)]
pub struct Status {
    /// Each shard with its state and the number of games played.
    pub shards: Vec<(ShardUnit, ShardState, u64)>,
    /// Number of games in all shards.
    pub games: u64,
    /// Summed age of the attempts that are going on.
    pub playing_for: Duration,
    /// Number of games played in that time.
    pub played_meanwhile: u64,
}

/// Reads the state of all shards of a plan.
///
/// # Errors
/// A folder cannot be read.
pub fn status(folder: &PlanFolder) -> Result<Status, RunFileError> {
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
            None => rows(attempt, &folder.plan),
        };
        // The newest attempt has adopted the games of earlier ones, so the maximum is the total.
        let played = attempts.iter().map(count).max().unwrap_or(0);
        if state == ShardState::Playing
            && let Some(attempt) = attempts.last()
        {
            // An attempt with a birth time in the future has no known age, hence no rate.
            let age = age(attempt);
            all.playing_for += age;
            all.played_meanwhile += if age.is_zero() { 0 } else { played };
        }
        all.shards.push((unit, state, played));
        let size = count_games(&folder.plan, folder.portion(unit)?);
        all.games += size.exactly().unwrap_or(0);
    }
    Ok(all)
}

/// State of a shard, with its attempts.
fn state_of(
    folder: &PlanFolder,
    unit: ShardUnit,
) -> Result<(ShardState, Vec<Attempt>), RunFileError> {
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
        // Another process has just claimed it and has not created an attempt yet.
        ShardState::Playing
    } else {
        ShardState::Dead
    };
    Ok((state, attempts))
}

/// Entries of a shard's folder by name, with the contents of heartbeat files.
type Traces = BTreeMap<OsString, Vec<u8>>;

/// Snapshot of the attempts at a shard: names and heartbeats. It changes while any attempt is going on,
/// independent of the machines' clocks.
fn traces(folder: &PlanFolder, unit: ShardUnit) -> Traces {
    let entries = fs::read_dir(folder.unit_path(unit)).into_iter().flatten();
    let trace = |entry: fs::DirEntry| {
        let name = entry.file_name();
        // Open the file: close-to-open consistency makes a network file system fetch its newest contents.
        let content = if name.to_string_lossy().starts_with(ALIVE) {
            fs::read(entry.path()).unwrap_or_default()
        } else {
            Vec::new()
        };
        (name, content)
    };
    entries.flatten().map(trace).collect()
}

/// Heartbeat files of the attempts at a shard.
fn signs(shard: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(shard).into_iter().flatten().flatten();
    let is_sign = |entry: &fs::DirEntry| entry.file_name().to_string_lossy().starts_with(ALIVE);
    entries.filter(is_sign).map(|entry| entry.path()).collect()
}

/// Number of readable rows in the journal of an attempt.
fn rows(attempt: &Attempt, plan: &Plan) -> u64 {
    let rows = Rows::open(&attempt.path.join(crate::runs::JOURNAL), plan.each_game());
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

/// Absolute difference between a timestamp and now.
fn away(at: SystemTime, now: SystemTime) -> Duration {
    now.duration_since(at)
        .unwrap_or_else(|error| error.duration())
}
