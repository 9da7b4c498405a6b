//! Amounts as text, as configurations and manifests have them: `10s`, `64KiB`, `none`.
//!
//! The inner modules are for serde's `with`.

use std::time::Duration;

use serde::de::{Deserializer, Error};
use serde::{Deserialize, Serializer};

/// What stands for no limit.
pub const NONE: &str = "none";

/// A duration with its unit, such as `1m 30s`.
pub fn duration_text(duration: Duration) -> String {
    humantime::format_duration(duration).to_string()
}

/// Reads a number with its unit, such as `64KiB`.
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

fn read<'de, D: Deserializer<'de>, T>(
    deserializer: D,
    expected: &str,
    parse: impl Fn(&str) -> Option<T>,
) -> Result<T, D::Error> {
    let text = String::deserialize(deserializer)?;
    parse(&text).ok_or_else(|| D::Error::custom(format!("`{text}`: expected {expected}")))
}

/// What `parse` reads, or nothing for `none`.
fn or_none<T>(text: &str, parse: impl Fn(&str) -> Option<T>) -> Option<Option<T>> {
    match text {
        NONE => Some(None),
        text => parse(text).map(Some),
    }
}

fn parse_duration(text: &str) -> Option<Duration> {
    humantime::parse_duration(text).ok()
}

/// A duration.
pub mod duration {
    use std::time::Duration;

    use serde::{Deserializer, Serializer};

    use crate::units::{duration_text, parse_duration, read};

    /// Writes `10s`.
    pub fn serialize<S: Serializer>(value: &Duration, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&duration_text(*value))
    }

    /// Reads `10s`.
    pub fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Duration, D::Error> {
        read(deserializer, "a time such as 10s", parse_duration)
    }
}

/// A duration, or `none`.
pub mod duration_limit {
    use std::time::Duration;

    use serde::{Deserializer, Serializer};

    use crate::units::{NONE, duration_text, or_none, parse_duration, read};

    /// Writes `10s` or `none`.
    pub fn serialize<S: Serializer>(
        value: &Option<Duration>,
        serializer: S,
    ) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&value.map_or_else(|| NONE.to_owned(), duration_text))
    }

    /// Reads `10s` or `none`.
    pub fn deserialize<'de, D: Deserializer<'de>>(
        deserializer: D,
    ) -> Result<Option<Duration>, D::Error> {
        read(deserializer, "a time such as 10s, or none", |text| {
            or_none(text, parse_duration)
        })
    }
}

/// A whole number with a unit behind it, or `none`.
fn write_limit<S: Serializer>(
    value: Option<u64>,
    unit: &str,
    serializer: S,
) -> Result<S::Ok, S::Error> {
    match value {
        Some(value) => serializer.serialize_str(&format!("{value}{unit}")),
        None => serializer.serialize_str(NONE),
    }
}

fn read_limit<'de, D: Deserializer<'de>>(
    deserializer: D,
    unit: &str,
) -> Result<Option<u64>, D::Error> {
    let expected = format!("a whole number, such as 64{unit}, or none");
    read(deserializer, &expected, |text| {
        or_none(text, |text| text.strip_suffix(unit)?.parse().ok())
    })
}

/// Bytes, or `none`.
pub mod bytes_limit {
    use serde::{Deserializer, Serializer};

    use crate::units::{read_limit, write_limit};

    /// Writes `64B` or `none`.
    pub fn serialize<S: Serializer>(value: &Option<u64>, serializer: S) -> Result<S::Ok, S::Error> {
        write_limit(*value, "B", serializer)
    }

    /// Reads `64B` or `none`.
    pub fn deserialize<'de, D: Deserializer<'de>>(
        deserializer: D,
    ) -> Result<Option<u64>, D::Error> {
        read_limit(deserializer, "B")
    }
}

/// Whole seconds, or `none`.
pub mod seconds_limit {
    use serde::{Deserializer, Serializer};

    use crate::units::{read_limit, write_limit};

    /// Writes `5s` or `none`.
    pub fn serialize<S: Serializer>(value: &Option<u64>, serializer: S) -> Result<S::Ok, S::Error> {
        write_limit(*value, "s", serializer)
    }

    /// Reads `5s` or `none`.
    pub fn deserialize<'de, D: Deserializer<'de>>(
        deserializer: D,
    ) -> Result<Option<u64>, D::Error> {
        read_limit(deserializer, "s")
    }
}

/// A number of things, or `none`.
pub mod count_limit {
    use serde::{Deserializer, Serializer};

    use crate::units::{read_limit, write_limit};

    /// Writes `64` or `none`.
    pub fn serialize<S: Serializer>(value: &Option<u64>, serializer: S) -> Result<S::Ok, S::Error> {
        write_limit(*value, "", serializer)
    }

    /// Reads `64` or `none`.
    pub fn deserialize<'de, D: Deserializer<'de>>(
        deserializer: D,
    ) -> Result<Option<u64>, D::Error> {
        read_limit(deserializer, "")
    }
}
