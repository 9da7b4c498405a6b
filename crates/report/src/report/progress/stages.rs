//! Progress of work in stages on stderr: work done, time left, and the slowest participant.

use std::time::{Duration, Instant};

use super::Count;
use super::line::{Display, ProgressLine};
use crate::schedule::GameCount;
use crate::text::visible;

/// Minimum time at work of a participant that is named.
const SLOW: Duration = Duration::from_secs(5);

#[derive(Debug)]
pub struct Stages {
    line: ProgressLine,
    stage: Option<Stage>,
}

#[derive(Debug)]
struct Stage {
    name: String,
    /// Unit of its count, such as `games`.
    unit: &'static str,
    count: Count,
    begun: Instant,
    /// Names at work, with the start of the work, oldest first.
    at_work: Vec<(String, Instant)>,
}

impl Stages {
    /// Unit of a stage that counts games, and not participants.
    pub const GAMES: &str = "games";

    /// Progress on stderr, or only messages if it is `quiet`.
    pub fn new(quiet: bool) -> Self {
        Self {
            line: ProgressLine::new(quiet),
            stage: None,
        }
    }

    /// Progress of a single stage, until it is dropped.
    pub fn of_one(quiet: bool, name: &str, unit: &'static str, all: u64) -> Self {
        let mut one = Self::new(quiet);
        one.begin(name, unit, all, None);
        one
    }

    /// Begins a stage of `all` units. A log gets the `message`, if there is one.
    pub fn begin(&mut self, name: &str, unit: &'static str, all: u64, message: Option<&str>) {
        self.end();
        if let Some(message) = message.filter(|_| self.line.display == Display::Lines) {
            self.line.say(message);
        }
        let count = Count {
            all: GameCount::Exactly(all),
            ..Count::none()
        };
        let stage = Stage {
            name: name.to_owned(),
            unit,
            count,
            begun: Instant::now(),
            at_work: Vec::new(),
        };
        let parts = stage.parts();
        self.line.begin(count, &parts);
        self.stage = Some(stage);
    }

    pub fn work_begins(&mut self, who: &str) {
        if let Some(stage) = &mut self.stage {
            stage.at_work.push((who.to_owned(), Instant::now()));
        }
    }

    pub fn work_ends(&mut self, who: &str) {
        if let Some(stage) = &mut self.stage {
            let at = stage.at_work.iter().position(|(name, _)| name == who);
            at.map(|at| stage.at_work.remove(at));
        }
        if !self.counts_games() {
            self.done();
        }
    }

    pub fn counts_games(&self) -> bool {
        let stage = self.stage.as_ref();
        stage.is_some_and(|stage| stage.unit == Self::GAMES)
    }

    pub fn done(&mut self) {
        if let Some(stage) = &mut self.stage {
            stage.count.done += 1;
        }
    }

    /// A unit is done, which is shown if it is due.
    pub fn step(&mut self) {
        self.done();
        self.show_if_due();
    }

    pub fn show_if_due(&mut self) {
        if let Some(stage) = self.stage.as_ref().filter(|it| self.line.is_due(it.count)) {
            let parts = stage.parts();
            self.line.show(stage.count, &parts);
        }
    }

    pub fn say(&self, message: &str) {
        self.line.say(message);
    }

    /// Ends the stage, and clears the terminal's line.
    pub fn end(&mut self) {
        self.stage = None;
        self.line.clear();
    }
}

impl Drop for Stages {
    fn drop(&mut self) {
        self.end();
    }
}

impl Stage {
    fn parts(&self) -> [String; 3] {
        let all = self.count.most().unwrap_or_default();
        let (name, done, unit) = (&self.name, self.count.done, self.unit);
        let slowest = self
            .at_work
            .first()
            .map(|(who, since)| (who, since.elapsed()));
        let slowest = slowest
            .filter(|(_, time)| *time >= SLOW)
            .map(|(who, time)| {
                let time = humantime::format_duration(Duration::from_secs(time.as_secs()));
                format!("{} for {time}", visible(who))
            });
        [
            format!("{name}: {done}/{all} {unit}"),
            self.count
                .time_left(self.begun.elapsed())
                .unwrap_or_default(),
            slowest.unwrap_or_default(),
        ]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_says_what_is_done_what_is_left_and_who_is_slow() {
        let mut stages = Stages::new(true);
        stages.begin("round 1", Stages::GAMES, 40, Some("round 1: 40 games"));
        for who in ["ada", "bob", "cleo"] {
            stages.work_begins(who);
        }
        stages.work_ends("ada");
        for _ in 0..10 {
            stages.done();
        }
        let stage = stages.stage.as_mut().expect("a stage");
        let ago = |seconds| Instant::now().checked_sub(Duration::from_secs(seconds));
        stage.begun = ago(100).expect("a time");
        assert_eq!(stage.parts()[2], "", "nobody is slow");
        stage.at_work[0].1 = ago(62).expect("a time");
        let parts = stage.parts();
        assert_eq!(
            parts,
            ["round 1: 10/40 games", "5m 1s left", "bob for 1m 2s"]
        );
        stages.begin("checking", "bots", 2, None);
        stages.work_begins("ada");
        stages.work_ends("ada");
        let stage = stages.stage.as_ref().expect("a stage");
        assert_eq!(stage.parts()[0], "checking: 1/2 bots");
    }
}
