//! A run's progress on stderr: games done, rate, time left, who leads. On a terminal it is one line that
//! is drawn again and again; elsewhere, such as in a log file, a line now and then.

use std::io::{IsTerminal, stderr};
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

use super::{Forfeits, Results, print_to_stderr};
use crate::record::GameRow;
use crate::runner::Event;
use crate::text::{DisplayNames, visible};

/// How often the terminal is drawn at most, per second.
const HZ: u8 = 8;

/// How much time lies between two lines in a log at least, and how much at most while games end.
const LINE_EARLIEST: Duration = Duration::from_secs(10);
const LINE_LATEST: Duration = Duration::from_secs(60);

/// A line in a log comes whenever so many percent more of the games are done.
const LINE_PERCENT: u64 = 10;

/// The line on a terminal, which is cut where that ends; with a bar if the number of games is known.
const LINE: &str = "{wide_msg}";
const LINE_WITH_BAR: &str = "[{bar:20}] {wide_msg}";

/// How progress is shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Display {
    /// Not at all; warnings are.
    Quiet,
    /// As lines that stay.
    Lines,
    /// As one line at the bottom of a terminal.
    Bar,
}

/// Follows a run.
#[derive(Debug)]
pub struct Progress {
    display: Display,
    results: Results,
    forfeits: Forfeits,
    names: DisplayNames,
    begun: Instant,
    count: Count,
    leader: String,
    /// When progress was last shown, and how many games were done then.
    shown: (Instant, u64),
    /// The line on the terminal. It is hidden where progress is not shown as one.
    bar: ProgressBar,
}

/// How many games are done.
#[derive(Debug, Clone, Copy, Default)]
struct Count {
    /// Those that were played before this run went on.
    before: u64,
    /// All that are done.
    done: u64,
    /// All that are to be played, if that is known.
    total: Option<u64>,
}

impl Progress {
    /// Progress on stderr, with these names of players, or only warnings if it is `quiet`.
    pub fn new(quiet: bool, names: DisplayNames) -> Self {
        let now = Instant::now();
        Self {
            display: match (quiet, stderr().is_terminal()) {
                (true, _) => Display::Quiet,
                (false, true) => Display::Bar,
                (false, false) => Display::Lines,
            },
            results: Results::default(),
            forfeits: Forfeits::default(),
            names,
            begun: now,
            count: Count::default(),
            leader: String::new(),
            shown: (now, 0),
            bar: ProgressBar::hidden(),
        }
    }

    /// Takes in a game that was played before this run went on.
    pub fn played_before(&mut self, row: &GameRow) {
        self.add(row);
        self.count.before += 1;
    }

    fn add(&mut self, row: &GameRow) {
        self.results.add(&row.result(0));
        self.forfeits.add(row);
        self.count.done += 1;
    }

    /// Takes in what happened.
    pub fn event(&mut self, event: &Event<'_>) {
        match event {
            Event::Begun { games } => {
                self.count.total = *games;
                self.begun = Instant::now();
                self.shown = (self.begun, self.count.done);
                if self.display == Display::Bar {
                    self.draw_bar();
                }
            }
            Event::Finished(row) => {
                self.add(row);
                if self.is_time_to_show() {
                    self.shown = (Instant::now(), self.count.done);
                    self.leader = self.leader(row.game.name());
                    self.show();
                }
            }
            Event::Building { players, command } if self.display == Display::Bar => {
                let players: Vec<String> = players.iter().map(|name| self.names.shown(name)).collect();
                print_to_stderr(&format!("building {}: {command}", players.join(", ")));
            }
            Event::Building { .. } => {}
            Event::Unbuilt { player, problem } => {
                print_to_stderr(&format!(
                    "{} could not be built and forfeits: {problem}",
                    self.names.shown(player)
                ));
            }
            Event::Void { id, cause } => {
                self.warn(&format!("game {id} was void and is played again: {cause}"))
            }
            Event::SetAside { id, cause } => self.warn(&format!(
                "game {id} was void once more, with the machine to itself, and is set aside: {cause}"
            )),
            // The command prints it with the results.
            Event::Concluded { .. } => {}
            Event::Stopping { in_play } => self.warn(&format!(
                "stopping when the games in play ({in_play}) are over; once more to break them off"
            )),
            Event::BreakingOff { in_play } => self.warn(&format!(
                "breaking off the games in play ({in_play}); once more to be killed"
            )),
        }
    }

    /// Prints a line, however progress is shown.
    fn warn(&self, warning: &str) {
        match self.bar.is_hidden() {
            true => print_to_stderr(warning),
            false => self.bar.println(visible(warning)),
        }
    }

    /// Clears the terminal's line, and gives the results and the forfeits of all games that ended.
    pub fn finish(self) -> (Results, Forfeits) {
        self.bar.finish_and_clear();
        (self.results, self.forfeits)
    }

    /// Whether to show progress after a game. Finding the leader looks at every player: too much after
    /// each of a thousand games a second, and useless where nobody sees it.
    fn is_time_to_show(&self) -> bool {
        let (at, done) = self.shown;
        match self.display {
            Display::Quiet => false,
            Display::Bar => at.elapsed() >= Duration::from_secs(1) / u32::from(HZ),
            Display::Lines => {
                let step = |done: u64| Some(done * 100 / self.count.total?.max(1) / LINE_PERCENT);
                let is_step = step(done) != step(self.count.done);
                (at.elapsed() >= LINE_EARLIEST && is_step) || at.elapsed() >= LINE_LATEST
            }
        }
    }

    fn show(&self) {
        match self.display {
            Display::Quiet => {}
            Display::Lines => print_to_stderr(&self.line()),
            Display::Bar => {
                self.bar.set_position(self.count.done);
                self.bar.set_message(self.line());
            }
        }
    }

    /// Begins to draw the line at the bottom of the terminal.
    fn draw_bar(&mut self) {
        let template = match self.count.total {
            Some(_) => LINE_WITH_BAR,
            None => LINE,
        };
        // Both templates are right; a wrong one would be drawn as the library has it.
        let style = ProgressStyle::with_template(template);
        let style = style.unwrap_or_else(|_| ProgressStyle::default_bar());
        let target = ProgressDrawTarget::stderr_with_hz(HZ);
        self.bar = ProgressBar::with_draw_target(self.count.total, target)
            .with_style(style.progress_chars("#-."))
            .with_message(self.line());
        self.show();
    }

    fn line(&self) -> String {
        let count = self.count.words(self.begun.elapsed());
        match self.leader.is_empty() {
            true => count,
            false => format!("{count}  {}", self.leader),
        }
    }

    fn leader(&self, game: &str) -> String {
        let leader = self
            .results
            .games()
            .find(|(name, _)| *name == game)
            .and_then(|(_, standings)| {
                let player = &standings.players()[*standings.order().first()?];
                Some(format!(
                    "{game}: {} leads with {}/{}",
                    self.names.shown(&player.name),
                    player.tally.points(),
                    player.tally.games()
                ))
            });
        leader.unwrap_or_default()
    }
}

impl Count {
    /// Games done, games a second, and the time left.
    fn words(self, elapsed: Duration) -> String {
        let mut words = match self.total {
            Some(total) => format!("{}/{total} games", self.done),
            None => format!("{} games", self.done),
        };
        let played = self.done - self.before;
        let seconds = elapsed.as_secs_f64();
        if played == 0 || seconds == 0.0 {
            return words;
        }
        let rate = played as f64 / seconds;
        words.push_str(&match rate {
            rate if rate >= 0.1 => format!("  {rate:.1}/s"),
            rate => format!("  {:.1}/min", 60.0 * rate),
        });
        if let Some(left) = self.total.and_then(|total| total.checked_sub(self.done)) {
            // Seconds are enough below an hour, and minutes above.
            let seconds = (left as f64 / rate).ceil() as u64;
            let seconds = if seconds < 3600 {
                seconds
            } else {
                seconds / 60 * 60
            };
            let left = humantime::format_duration(Duration::from_secs(seconds));
            words.push_str(&format!("  {left} left"));
        }
        words
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn progress() -> Progress {
        let mut progress = Progress::new(true, DisplayNames::default());
        progress.count = Count {
            before: 0,
            done: 123,
            total: Some(840),
        };
        progress
    }

    #[test]
    fn the_count_in_words() {
        let words = |count: Count, seconds| count.words(Duration::from_secs(seconds));
        let count = Count {
            before: 10,
            done: 10,
            total: Some(40),
        };
        assert_eq!(words(count, 5), "10/40 games");
        assert_eq!(
            words(Count { done: 20, ..count }, 5),
            "20/40 games  2.0/s  10s left"
        );
        assert_eq!(
            words(Count { done: 11, ..count }, 400),
            "11/40 games  0.1/min  3h 13m left"
        );
        assert_eq!(
            words(
                Count {
                    total: None,
                    done: 20,
                    ..count
                },
                5
            ),
            "20 games  2.0/s"
        );
    }

    #[test]
    fn a_log_gets_a_line_now_and_then() {
        let mut progress = progress();
        progress.display = Display::Lines;
        let mut is_time = |done_then: u64, seconds| {
            let at = Instant::now()
                .checked_sub(Duration::from_secs(seconds))
                .expect("a time");
            progress.shown = (at, done_then);
            progress.is_time_to_show()
        };
        // 123 of 840 games are 14 %.
        assert!(!is_time(50, 5), "too early");
        assert!(is_time(50, 15), "10 % are done");
        assert!(!is_time(100, 15), "10 % were done before");
        assert!(is_time(122, 61), "a minute later");
    }
}
