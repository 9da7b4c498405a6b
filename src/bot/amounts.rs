//! Amounts of time and memory as text.

use std::time::Duration;

use crate::protocol::Millis;

/// Formats a duration for people: seconds with three decimals.
pub(crate) fn seconds(duration: Duration) -> String {
    format!("{:.3} s", duration.as_secs_f64())
}

/// A time in the protocol's unit: whole milliseconds, rounded down.
pub(crate) fn millis(time: Option<Duration>) -> Millis {
    Millis(time.map(|time| time.as_millis().try_into().unwrap_or(u64::MAX)))
}

/// Formats an amount of memory for people, in MiB.
pub(crate) fn mebibytes(bytes: u64) -> String {
    format!("{:.1} MiB", bytes as f64 / f64::from(1 << 20))
}
