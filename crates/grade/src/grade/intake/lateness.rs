//! Lateness of a submission and its penalty: "two marks a working day or part of one".

use jiff::civil::{Date, DateTime, Weekday};
use jiff::tz::TimeZone;
use jiff::{SignedDuration, Timestamp};
use serde::Deserialize;

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum DayKind {
    /// All except Saturdays, Sundays and holidays.
    #[default]
    Working,
    Calendar,
}

#[derive(Debug, Clone, PartialEq)]
pub struct Deadline {
    pub at: Timestamp,
    pub zone: TimeZone,
    /// Whether the zone is a place's. A bare offset does not tell when clocks change.
    pub is_of_a_place: bool,
}

/// Rule for late submissions, and the price of each day.
///
/// A submission's due time is the deadline, or its extension if that is later. It is late if it comes after the
/// due time plus the grace. Then each day begun since the due time counts, without the grace. A day ends when
/// the zone's clock shows the time of the due time again, also if the clock was changed in between. With
/// [`DayKind::Working`], time stands still on Saturdays, Sundays and holidays, from 00:00 to 24:00 in the zone.
/// After a deadline on Friday at 23:59, Saturday, Sunday and Monday until 23:59 are one day late. After a
/// deadline on a weekend, a submission on that weekend is zero days late.
#[derive(Debug, Clone, PartialEq)]
pub struct Lateness {
    pub deadline: Timestamp,
    pub zone: TimeZone,
    pub per_day: f64,
    pub days: DayKind,
    pub holidays: Vec<Date>,
    /// Grace period after the due time; a submission within it is not late.
    pub grace: SignedDuration,
    /// Maximum number of days late for a submission to be marked.
    pub most_days: Option<u32>,
}

/// Upper bound of days late: a hundred years.
const MOST_DAYS: u32 = 36_525;
const MOST_TIME: SignedDuration = SignedDuration::from_hours(24 * MOST_DAYS as i64);

impl Lateness {
    /// Counts working days that cost nothing.
    pub fn without_cost(deadline: &Deadline) -> Self {
        Self {
            deadline: deadline.at,
            zone: deadline.zone.clone(),
            per_day: 0.0,
            days: DayKind::default(),
            holidays: Vec::new(),
            grace: SignedDuration::ZERO,
            most_days: None,
        }
    }

    pub fn due(&self, extension_until: Option<Timestamp>) -> Timestamp {
        extension_until.map_or(self.deadline, |until| until.max(self.deadline))
    }

    pub fn days_late(&self, submitted: Timestamp, extension_until: Option<Timestamp>) -> u32 {
        let due = self.due(extension_until);
        let late = submitted.duration_since(due);
        if late <= self.grace.max(SignedDuration::ZERO) {
            return 0;
        }
        begun_days(self.time_on_the_clock(due, submitted))
    }

    /// Whether it costs anything to be late.
    pub fn has_cost(&self) -> bool {
        self.per_day > 0.0 || self.most_days.is_some()
    }

    pub fn is_marked(&self, days: u32) -> bool {
        self.most_days.is_none_or(|most| days <= most)
    }

    fn time_on_the_clock(&self, from: Timestamp, to: Timestamp) -> SignedDuration {
        let [mut from, to] = [from, to].map(|at| self.zone.to_datetime(at));
        let mut time = SignedDuration::ZERO;
        while from < to && time < MOST_TIME {
            let date = from.date();
            let midnight = date.tomorrow().map(|date| date.at(0, 0, 0, 0));
            let next = midnight.map_or(to, |midnight: DateTime| midnight.min(to));
            if self.counts(date) {
                time = time.saturating_add(next.duration_since(from));
            }
            from = next;
        }
        // A clock put back may show an earlier time than the due time, so that the sum is zero.
        if self.counts(to.date()) {
            time.max(SignedDuration::from_nanos(1))
        } else {
            time
        }
    }

    fn counts(&self, date: Date) -> bool {
        match self.days {
            DayKind::Calendar => true,
            DayKind::Working => {
                !matches!(date.weekday(), Weekday::Saturday | Weekday::Sunday)
                    && !self.holidays.contains(&date)
            }
        }
    }
}

fn begun_days(late: SignedDuration) -> u32 {
    const DAY: i64 = 24 * 60 * 60;
    let seconds = late.as_secs() + i64::from(late.subsec_nanos() > 0);
    let days = (seconds + DAY - 1) / DAY;
    u32::try_from(days).map_or(MOST_DAYS, |days| days.min(MOST_DAYS))
}

#[cfg(test)]
mod tests {
    use super::*;
    use jiff::civil::date;

    fn at(text: &str) -> Timestamp {
        text.parse().expect(text)
    }

    fn rule(zone: &str, deadline: &str, days: DayKind) -> Lateness {
        Lateness {
            deadline: at(deadline),
            zone: TimeZone::get(zone).expect("a zone"),
            per_day: 2.0,
            days,
            holidays: Vec::new(),
            grace: SignedDuration::ZERO,
            most_days: None,
        }
    }

    /// A zone, a deadline, a submission, and how many working and calendar days it is late.
    const DAYS: &str = "\
        Etc/GMT-10 2026-05-11T17+10 2026-05-01T00+10 0 0
        Etc/GMT-10 2026-05-11T17+10 2026-05-11T17+10 0 0
        Etc/GMT-10 2026-05-11T17+10 2026-05-11T17:00:00.001+10 1 1
        Etc/GMT-10 2026-05-11T17+10 2026-05-12T17+10 1 1
        Etc/GMT-10 2026-05-11T17+10 2026-05-12T17:00:01+10 2 2
        Etc/GMT-10 2026-05-11T17+10 2026-05-12T07Z 1 1
        Etc/GMT-10 2026-05-15T23:59+10 2026-05-16T00:10+10 1 1
        Etc/GMT-10 2026-05-15T23:59+10 2026-05-17T23:59+10 1 2
        Etc/GMT-10 2026-05-15T23:59+10 2026-05-18T10+10 1 3
        Etc/GMT-10 2026-05-15T23:59+10 2026-05-19T00+10 2 4
        Etc/GMT-10 2026-05-15T23:59+10 2026-05-25T10+10 6 10
        Etc/GMT-10 2026-05-15T23:59+10 9999-12-30T00Z 36525 36525
        Etc/GMT-10 2026-05-15T17+10 2026-05-17T18+10 1 3
        Etc/GMT-10 2026-05-15T17+10 2026-05-18T17+10 1 3
        Etc/GMT-10 2026-05-15T17+10 2026-05-18T17:00:01+10 2 4
        Etc/GMT-10 2026-05-16T02+10 2026-05-17T20+10 0 2
        Etc/GMT-10 2026-05-16T02+10 2026-05-17T15Z 1 2
        America/New_York 2026-10-30T23:59-04 2026-11-02T23:30-05 1 3
        America/New_York 2026-10-30T23:59-04 2026-11-03T00:00-05 2 4
        America/New_York 2027-03-12T23:59-05 2027-03-15T23:59:00.5-04 2 4
        Australia/Melbourne 2027-04-02T17:00+11 2027-04-04T16:59+10 1 2
        Australia/Melbourne 2027-04-03T17:00+11 2027-04-05T16:59+10 1 2
        Europe/Berlin 2026-10-25T02:30+02 2026-10-25T02:10+01 0 1";

    #[test]
    fn each_begun_day_counts_on_the_clock_of_the_zone_which_stands_still_on_a_weekend() {
        for row in DAYS.lines() {
            let words: Vec<&str> = row.split_whitespace().collect();
            let days = [(DayKind::Working, words[3]), (DayKind::Calendar, words[4])];
            for (days, expected) in days {
                let late = rule(words[0], words[1], days).days_late(at(words[2]), None);
                assert_eq!(late.to_string(), expected, "{row} {days:?}");
            }
        }
    }

    #[test]
    fn holidays_extensions_and_a_grace_take_days_off() {
        let mut rule = rule("Etc/GMT-10", "2026-05-15T23:59:00+10:00", DayKind::Working);
        let days = |rule: &Lateness, submitted: &str, until: Option<&str>| {
            rule.days_late(at(submitted), until.map(at))
        };
        assert_eq!(days(&rule, "2026-05-19T10+10", None), 2);
        assert_eq!(days(&rule, "2026-05-19T10+10", Some("2026-05-19T23+10")), 0);
        assert_eq!(days(&rule, "2026-05-19T10+10", Some("2026-05-18T23+10")), 1);
        // An extension never moves the due time back.
        assert_eq!(days(&rule, "2026-05-19T10+10", Some("2026-05-01T23+10")), 2);
        rule.holidays = vec![date(2026, 5, 18)];
        assert_eq!(days(&rule, "2026-05-19T10+10", None), 1);
        // The grace decides whether a submission is late, but not the number of days.
        rule.grace = SignedDuration::from_mins(10);
        assert_eq!(days(&rule, "2026-05-16T00:09+10", None), 0);
        assert_eq!(days(&rule, "2026-05-16T00:09:01+10", None), 1);
        assert_eq!(days(&rule, "2026-05-20T00:05+10", None), 2);
        rule.most_days = Some(5);
        assert_eq!([5, 6].map(|days| rule.is_marked(days)), [true, false]);
    }
}
