//! Values of options, and what to say of a wrong one.

use std::time::Duration;

use crate::clock::TimeControl;
use crate::units::parse_bytes;

/// The longest wait that can be asked for.
const LONGEST: Duration = Duration::from_secs(30 * 24 * 3600);

/// What is expected instead of a wrong value.
#[derive(Debug, thiserror::Error)]
pub(super) enum ValueError {
    #[error("expected a time of at most 30 days, such as 500ms or 10s")]
    Time,
    #[error("expected a size from 1MiB with its unit, such as 100MiB")]
    Memory,
    #[error("expected a number, or none")]
    Nodes,
}

/// How long to wait for something.
pub(super) fn parse_time(text: &str) -> Result<Duration, ValueError> {
    humantime::parse_duration(text)
        .ok()
        .filter(|time| !time.is_zero() && *time <= LONGEST)
        .ok_or(ValueError::Time)
}

/// How much memory a bot may hold, in bytes.
pub(super) fn parse_memory(text: &str) -> Result<u64, ValueError> {
    parse_bytes(text)
        .filter(|bytes| *bytes >= 1 << 20)
        .map(|bytes| bytes as u64)
        .ok_or(ValueError::Memory)
}

/// How many positions a house bot may look at.
pub(super) fn parse_nodes(text: &str) -> Result<u64, ValueError> {
    match text {
        "none" => Ok(u64::MAX),
        number => number.parse().map_err(|_| ValueError::Nodes),
    }
}

/// A time control that counts time on the wall alone.
pub(super) fn wall_time(
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
