//! Parses times and sizes with their units.

use std::ops::RangeInclusive;
use std::time::Duration;

use toml::{Spanned, Value};

use super::{Amount, in_brackets};
use crate::config::Flaw;
use crate::units::parse_bytes;

pub fn duration(key: &str, value: &Spanned<Amount>) -> Result<Duration, Flaw> {
    humantime::parse_duration(&value.get_ref().0)
        .ok()
        .filter(|duration| *duration <= Duration::from_secs(30 * 24 * 3600))
        .ok_or_else(|| {
            let problem = format!(
                "`{key}` cannot be `{}`: expected a time of at most 30 days with its unit, \
                     such as \"500ms\", \"10s\" or \"2m\"",
                value.get_ref().0
            );
            Flaw::of(value, problem)
        })
}

pub fn duration_or(
    key: &str,
    value: Option<&Spanned<Amount>>,
    default: Duration,
) -> Result<Duration, Flaw> {
    value.map_or(Ok(default), |value| duration(key, value))
}

/// A time, or `none` for no limit.
pub fn limit(key: &str, value: Option<&Spanned<Amount>>) -> Result<Option<Duration>, Flaw> {
    match value {
        None => Ok(None),
        Some(value) if value.get_ref().0 == "none" => Ok(None),
        Some(value) => match duration(key, value)? {
            Duration::ZERO => Err(Flaw::of(
                value,
                format!("`{key}` is zero: expected some time, or \"none\" for no limit"),
            )),
            time => Ok(Some(time)),
        },
    }
}

pub fn size(key: &str, value: Option<&Spanned<Amount>>, default: usize) -> Result<usize, Flaw> {
    value.map_or(Ok(default), |value| bytes(key, value, 1..=1 << 30))
}

pub fn bytes(
    key: &str,
    value: &Spanned<Amount>,
    range: RangeInclusive<usize>,
) -> Result<usize, Flaw> {
    let parsed = parse_bytes(&value.get_ref().0);
    let (expected, example) = match (range.start() >> 20, range.end() >> 30) {
        (1.., most) => (format!("from 1MiB to {most}GiB"), "64MiB"),
        (0, most) => (format!("up to {most}GiB"), "64KiB"),
    };
    parsed.filter(|bytes| range.contains(bytes)).ok_or_else(|| {
        let text = &value.get_ref().0;
        let hint = in_brackets(binary_unit(text).map(|it| format!("did you mean `{it}`?")));
        Flaw::of(value,
            format!(
                "`{key}` cannot be `{text}`{hint}: expected a size {expected} with its unit, such as \"{example}\""
            ),
        )
    })
}

/// A size whose unit was written without its `i` or its `B`, such as `500MB`, as it may have been meant.
fn binary_unit(text: &str) -> Option<String> {
    let number = text.trim_end_matches(|c: char| c.is_ascii_alphabetic());
    let unit = text[number.len()..].chars().next()?.to_ascii_uppercase();
    let meant = format!("{number}{unit}iB");
    (parse_bytes(text).is_none() && parse_bytes(&meant).is_some()).then_some(meant)
}

/// A whole number, also as text, which a grid and the command line have.
pub fn whole_number(
    key: &str,
    value: &Spanned<Value>,
    range: RangeInclusive<i64>,
) -> Result<i64, Flaw> {
    let number = match value.get_ref() {
        Value::Integer(number) => Some(*number),
        Value::String(text) => text.parse().ok(),
        _ => None,
    };
    number
        .filter(|number| range.contains(number))
        .ok_or_else(|| {
            let (found, least) = (value.get_ref(), range.start());
            let most = match range.end() {
                &i64::MAX => String::new(),
                most => format!(" to {most}"),
            };
            let problem =
                format!("`{key}` cannot be {found}: expected a whole number from {least}{most}");
            Flaw::of(value, problem)
        })
}
