//! Progress on stderr: of a run, and of work in stages.

mod line;
mod match_state;
mod run;
mod stages;

use std::time::Duration;

pub use match_state::elo_and_los;
pub use run::Progress;
pub use stages::Stages;

use crate::schedule::GameCount;

#[derive(Debug, Clone, Copy)]
pub struct Count {
    /// Games played before the run was resumed.
    pub before: u64,
    pub done: u64,
    pub all: GameCount,
}

impl Count {
    /// Nothing is done yet, of a number that is not known yet.
    pub fn none() -> Self {
        Self {
            before: 0,
            done: 0,
            all: GameCount::Unknown,
        }
    }

    /// Upper bound on the games, if it is known.
    pub fn most(self) -> Option<u64> {
        match self.all {
            GameCount::Exactly(games) | GameCount::AtMost(games) => Some(games),
            GameCount::Unknown => None,
        }
    }

    /// Sign before figures that are upper bounds.
    fn sign(self) -> &'static str {
        match self.all {
            GameCount::AtMost(_) => "≤",
            GameCount::Exactly(_) | GameCount::Unknown => "",
        }
    }

    pub fn games(self) -> String {
        match self.most() {
            Some(most) => format!("{}/{}{most} games", self.done, self.sign()),
            None => format!("{} games", self.done),
        }
    }

    /// Games a second, and the time left.
    pub fn speed(self, elapsed: Duration) -> String {
        let played = self.done - self.before;
        let seconds = elapsed.as_secs_f64();
        if played == 0 || seconds == 0.0 {
            return String::new();
        }
        let rate = played as f64 / seconds;
        let mut words = match rate {
            rate if rate >= 0.1 => format!("{rate:.1}/s"),
            rate => format!("{:.1}/min", 60.0 * rate),
        };
        if let Some(left) = self.time_left(elapsed) {
            words.push_str(&format!("  {left}"));
        }
        words
    }

    pub fn time_left(self, elapsed: Duration) -> Option<String> {
        let played = (self.done - self.before) as f64;
        let left = self.most()?.checked_sub(self.done)?;
        if played == 0.0 {
            return None;
        }
        let seconds = (left as f64 * elapsed.as_secs_f64() / played).ceil();
        // Longer than a duration can be is no help to anybody.
        let left = Duration::try_from_secs_f64(seconds).ok()?;
        Some(format!("{}{} left", self.sign(), rough(left)))
    }
}

/// A time in words: seconds are enough below an hour, and minutes above.
pub fn rough(time: Duration) -> humantime::FormattedDuration {
    let seconds = time.as_secs();
    let seconds = match seconds {
        0..3600 => seconds,
        _ => seconds / 60 * 60,
    };
    humantime::format_duration(Duration::from_secs(seconds))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_count_in_words() {
        let cases = [
            (10, GameCount::Exactly(40), 5, "10/40 games", ""),
            (
                20,
                GameCount::Exactly(40),
                5,
                "20/40 games",
                "2.0/s  10s left",
            ),
            (
                11,
                GameCount::Exactly(40),
                400,
                "11/40 games",
                "0.1/min  3h 13m left",
            ),
            (
                20,
                GameCount::AtMost(40),
                5,
                "20/≤40 games",
                "2.0/s  ≤10s left",
            ),
            (20, GameCount::Unknown, 5, "20 games", "2.0/s"),
        ];
        for (done, all, seconds, games, speed) in cases {
            let before = 10;
            let count = Count { before, done, all };
            assert_eq!(count.games(), games);
            assert_eq!(count.speed(Duration::from_secs(seconds)), speed);
        }
    }
}
