//! Timestamps of records, in UTC.

use std::time::SystemTime;

use jiff::{RoundMode, Timestamp, TimestampRound, Unit};

/// A time in UTC to the second, such as `2026-01-02T03:04:05Z`. Times out of range are clamped to the earliest
/// or latest timestamp.
pub fn utc(time: SystemTime) -> String {
    utc_with(time, 0)
}

/// A time in UTC to the millisecond.
pub fn utc_millis(time: SystemTime) -> String {
    utc_with(time, 3)
}

fn utc_with(time: SystemTime, digits: u8) -> String {
    let nearest = if time < SystemTime::UNIX_EPOCH {
        Timestamp::MIN
    } else {
        Timestamp::MAX
    };
    let time = Timestamp::try_from(time).unwrap_or(nearest);
    let unit = if digits == 0 {
        Unit::Second
    } else {
        Unit::Millisecond
    };
    // Rounded down: rounding up would give a time in the future.
    let round = TimestampRound::new().smallest(unit).mode(RoundMode::Floor);
    format!("{:.*}", digits.into(), time.round(round).unwrap_or(nearest))
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    #[test]
    fn any_clock_shows_a_time() {
        let (day, epoch) = (Duration::from_secs(86_400), SystemTime::UNIX_EPOCH);
        for (time, seconds, millis) in [
            (epoch, "1970-01-01T00:00:00Z", "1970-01-01T00:00:00.000Z"),
            (
                epoch + day - Duration::from_nanos(1),
                "1970-01-01T23:59:59Z",
                "1970-01-01T23:59:59.999Z",
            ),
            (
                epoch - Duration::from_millis(1),
                "1969-12-31T23:59:59Z",
                "1969-12-31T23:59:59.999Z",
            ),
        ] {
            assert_eq!([utc(time), utc_millis(time)], [seconds, millis]);
        }
        for years in [1, 100, 8_000, 1_000_000, 100_000_000] {
            for time in [
                epoch.checked_add(day * 365 * years),
                epoch.checked_sub(day * 365 * years),
            ] {
                let [seconds, millis] = [utc, utc_millis].map(|utc| time.map(utc));
                assert!(seconds.is_none_or(|it| it.ends_with('Z')), "{years}");
                assert!(millis.is_none_or(|it| it.ends_with('Z')), "{years}");
            }
        }
    }
}
