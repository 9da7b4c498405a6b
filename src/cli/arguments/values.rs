//! Parsers for the values of options.

use std::num::NonZeroUsize;
use std::str::FromStr;
use std::time::Duration;

use crate::clock::TimeControl;
use crate::opponents;
use crate::units::parse_bytes;

/// Maximum time that an option accepts.
const LONGEST: Duration = Duration::from_secs(30 * 24 * 3600);

/// Expected form of a rejected value.
#[derive(Debug, thiserror::Error)]
pub enum ValueError {
    #[error("expected a time above 0s and of at most 30 days, such as 500ms or 10s")]
    Time,
    #[error("expected a size from 1MiB with its unit, such as 100MiB")]
    Memory,
    #[error("expected a number, or none")]
    Nodes,
    #[error("expected a whole number from 0 to {0}")]
    Whole(u64),
    #[error("expected how many games to play at a time, from 1 to {MOST_JOBS}")]
    Jobs,
}

/// Upper bound of jobs.
const MOST_JOBS: usize = 10_000;

/// Number of games at a time.
pub fn parse_jobs(text: &str) -> Result<NonZeroUsize, ValueError> {
    let jobs = text.parse::<NonZeroUsize>().ok();
    jobs.filter(|jobs| jobs.get() <= MOST_JOBS)
        .ok_or(ValueError::Jobs)
}

/// A whole number, for example a ply.
pub fn parse_whole(text: &str) -> Result<u64, ValueError> {
    u64::from_str(text).map_err(|_| ValueError::Whole(u64::MAX))
}

/// A seed of at most 63 bits: TOML integers are signed.
pub fn parse_seed(text: &str) -> Result<u64, ValueError> {
    let seed = u64::from_str(text).ok();
    seed.filter(|seed| i64::try_from(*seed).is_ok())
        .ok_or(ValueError::Whole(i64::MAX as u64))
}

/// A whole number of at most 32 bits.
pub fn parse_small(text: &str) -> Result<u32, ValueError> {
    u32::from_str(text).map_err(|_| ValueError::Whole(u32::MAX.into()))
}

/// A time above zero, up to the maximum.
pub fn parse_time(text: &str) -> Result<Duration, ValueError> {
    humantime::parse_duration(text)
        .ok()
        .filter(|time| !time.is_zero() && *time <= LONGEST)
        .ok_or(ValueError::Time)
}

/// Memory limit of a bot in bytes, at least 1 MiB.
pub fn parse_memory(text: &str) -> Result<u64, ValueError> {
    parse_bytes(text)
        .filter(|bytes| *bytes >= 1 << 20)
        .map(|bytes| bytes as u64)
        .ok_or(ValueError::Memory)
}

/// Node budget of a house bot.
pub fn parse_nodes(text: &str) -> Result<u64, ValueError> {
    opponents::parse_nodes(text).ok_or(ValueError::Nodes)
}

/// A time control in wall time only.
pub fn wall_time(
    per_game: Option<Duration>,
    per_move: Option<Duration>,
    wall_cap: Duration,
) -> TimeControl {
    TimeControl {
        per_game,
        per_move,
        wall_cap,
        ..TimeControl::default()
    }
}
