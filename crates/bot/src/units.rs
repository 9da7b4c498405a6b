//! Amounts as text, in the form used by configurations and manifests: `10s`, `64KiB`, `none`.
//!
//! The inner modules are for serde's `with`.

use std::fmt;
use std::time::Duration;

use serde::ser::{Serialize, SerializeTuple, Serializer};

use crate::game::{PerSeat, RulesPoints};

const NONE: &str = "none";

/// A duration with its unit, such as `1m 30s`.
fn duration_text(duration: Duration) -> String {
    humantime::format_duration(duration).to_string()
}

/// A duration in whole microseconds, rounded down; `u64::MAX` if it is longer.
pub fn micros(duration: Duration) -> u64 {
    duration.as_micros().try_into().unwrap_or(u64::MAX)
}

/// Writes a number of the smallest units as a decimal fraction, as in `0.05` for 5 with 2 decimals. Each ply has two, so
/// they are spared the formatter.
pub fn write_decimal(number: u64, decimals: usize, out: &mut impl fmt::Write) -> fmt::Result {
    let mut digits = itoa::Buffer::new();
    let digits = digits.format(number);
    let (whole, fraction) = digits.split_at(digits.len().saturating_sub(decimals));
    out.write_str(if whole.is_empty() { "0" } else { whole })?;
    out.write_str(".")?;
    for _ in fraction.len()..decimals {
        out.write_str("0")?;
    }
    out.write_str(fraction)
}

/// The points of the seats as JSON numbers, without a decimal point where they are whole.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SeatPoints(pub PerSeat<RulesPoints>);

impl Serialize for SeatPoints {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        let mut all = to.serialize_tuple(self.0.count())?;
        for (_, points) in self.0.iter() {
            match points.whole() {
                Some(whole) => all.serialize_element(&whole)?,
                None => all.serialize_element(&points.approximate())?,
            }
        }
        all.end()
    }
}

/// Parses a number with its unit, such as `64KiB`. `None` if it is malformed or overflows.
pub fn parse_bytes(text: &str) -> Option<usize> {
    const UNITS: [(&str, usize); 4] = [
        ("KiB", 1 << 10),
        ("MiB", 1 << 20),
        ("GiB", 1 << 30),
        ("B", 1),
    ];
    UNITS.iter().find_map(|(unit, factor)| {
        let number = text.strip_suffix(unit)?.trim_end();
        number.parse::<usize>().ok()?.checked_mul(*factor)
    })
}

/// Formats bytes in the largest unit that divides them: `64 KiB`.
pub fn bytes_text(bytes: u64) -> String {
    let units = [(1 << 30, "GiB"), (1 << 20, "MiB"), (1 << 10, "KiB")];
    let whole = units
        .iter()
        .find(|(unit, _)| bytes > 0 && bytes.is_multiple_of(*unit));
    match whole {
        Some((unit, name)) => format!("{} {name}", bytes / unit),
        None => format!("{bytes} B"),
    }
}

/// Defines a module for serde's `with`: how a kind of amount is written and parsed.
macro_rules! amount {
    ($(#[$doc:meta])* $name:ident: $type:ty, $write:expr, $expected:literal, $parse:expr) => {
        $(#[$doc])*
        pub mod $name {
            use serde::de::Error;
            use serde::{Deserialize, Deserializer, Serializer};

            use crate::units::*;

            pub fn serialize<S: Serializer>(value: &$type, to: S) -> Result<S::Ok, S::Error> {
                let write: fn(&$type) -> String = $write;
                to.serialize_str(&write(value))
            }

            pub fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<$type, D::Error> {
                let parse: fn(&str) -> Option<$type> = $parse;
                let text = String::deserialize(from)?;
                parse(&text).ok_or_else(|| {
                    D::Error::custom(format!(concat!("`{}`: expected ", $expected), text))
                })
            }
        }
    };
}

amount!(
    /// A duration: `10s`.
    duration: Duration,
    |duration| duration_text(*duration),
    "a time such as 10s",
    parse_duration
);
amount!(
    /// A duration, or `none`.
    duration_limit: Option<Duration>,
    |limit| or_none(*limit, duration_text),
    "a time such as 10s, or none",
    |text| parse_or_none(text, parse_duration)
);
amount!(
    /// Bytes: `64 KiB`.
    bytes: usize,
    |bytes| bytes_text(*bytes as u64),
    "a number with a unit, such as 64 KiB",
    parse_bytes
);
amount!(
    /// Bytes, or `none`: `64 KiB`.
    bytes_limit: Option<u64>,
    |limit| or_none(*limit, bytes_text),
    "a number with a unit, such as 64 KiB, or none",
    |text| parse_or_none(text, |text| parse_bytes(text).map(|bytes| bytes as u64))
);
amount!(
    /// Whole seconds, or `none`: `64s`.
    seconds_limit: Option<u64>,
    |limit| or_none(*limit, |seconds| format!("{seconds}s")),
    "a whole number, such as 64s, or none",
    |text| parse_or_none(text, |text| text.strip_suffix('s')?.parse().ok())
);

fn parse_duration(text: &str) -> Option<Duration> {
    humantime::parse_duration(text).ok()
}

fn or_none<T>(limit: Option<T>, write: impl Fn(T) -> String) -> String {
    limit.map_or_else(|| NONE.to_owned(), write)
}

/// Parses a limit by `parse`; `none` gives no limit.
fn parse_or_none<T>(text: &str, parse: impl Fn(&str) -> Option<T>) -> Option<Option<T>> {
    match text {
        NONE => Some(None),
        text => parse(text).map(Some),
    }
}
