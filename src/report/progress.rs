//! A run's progress on stderr: games done, rate, time left, who leads or how far a test is. On a terminal it
//! is one line that is drawn again and again; elsewhere, such as in a log file, a line now and then.

use std::collections::BTreeMap;
use std::io::{IsTerminal, stderr};
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

use super::count::Count;
use super::stderr::stderr_width;
use super::text::{in_lines, shortened, width};
use super::{Forfeits, Results, is_dumb, print_to_stderr};
use crate::record::GameRow;
use crate::runner::Event;
use crate::schedule::TestState;
use crate::text::{DisplayNames, visible};

/// How often the terminal is drawn at most, per second.
const HZ: u8 = 8;

/// How much time lies between two lines in a log at least, and how much at most while games end.
const LINE_EARLIEST: Duration = Duration::from_secs(10);
const LINE_LATEST: Duration = Duration::from_secs(60);

/// A line in a log comes whenever so many percent more of the games are done.
const LINE_PERCENT: u64 = 10;

/// The line on a terminal; with a bar if the number of games has a limit.
const LINE: &str = "{wide_msg}";
const LINE_WITH_BAR: &str = "[{bar:10}] {wide_msg}";

/// How many columns the bar takes.
const BAR: usize = 13;

/// The most columns of the name of who leads.
const NAME: usize = 24;

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
    /// Whether it is told who leads.
    tells_leader: bool,
    /// How far the sequential test is that was heard of last, and of which game.
    test: Option<(&'static str, TestState)>,
    /// When progress was last shown, and how many games were done then.
    shown: (Instant, u64),
    /// How many games were void for each cause.
    void: BTreeMap<String, u64>,
    /// The line on the terminal. It is hidden where progress is not shown as one.
    bar: ProgressBar,
}

impl Progress {
    /// Progress on stderr, with these names of players, or only warnings if it is `quiet`.
    pub fn new(quiet: bool, names: DisplayNames) -> Self {
        let now = Instant::now();
        Self {
            display: match (quiet, stderr().is_terminal() && !is_dumb()) {
                (true, _) => Display::Quiet,
                (false, true) => Display::Bar,
                (false, false) => Display::Lines,
            },
            results: Results::default(),
            forfeits: Forfeits::default(),
            names,
            begun: now,
            count: Count::none(),
            leader: String::new(),
            tells_leader: true,
            test: None,
            shown: (now, 0),
            void: BTreeMap::new(),
            bar: ProgressBar::hidden(),
        }
    }

    /// The same without who leads, of a format that ranks players by more than their points: players who met others
    /// cannot be compared by these.
    #[must_use]
    pub fn without_leader(self) -> Self {
        Self {
            tells_leader: false,
            ..self
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
                self.count.all = *games;
                self.begun = Instant::now();
                self.shown = (self.begun, self.count.done);
                if self.display == Display::Bar {
                    self.draw_bar();
                }
            }
            Event::Finished(row) => {
                self.add(row);
                self.show_if_due(row.game.name());
            }
            Event::Tested { game, test } => {
                self.test = Some((game, *test));
            }
            Event::Building { players, command } if self.display == Display::Bar => {
                let players: Vec<String> =
                    players.iter().map(|name| self.names.shown(name)).collect();
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
                let cause = cause.to_string();
                let games = self.void.entry(cause.clone()).or_default();
                *games += 1;
                if *games == 1 {
                    self.warn(&format!("game {id} was void and is played again: {cause}"));
                }
            }
            Event::SetAside { id, cause } => {
                // Nothing is left to be done with it.
                self.count.done += 1;
                self.warn(&format!(
                    "game {id} was void once more, with the machine to itself, and is set aside: {cause}"
                ));
            }
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
            false => self
                .bar
                .println(in_lines(&visible(warning), stderr_width())),
        }
    }

    /// Clears the terminal's line, and gives the results and the forfeits of all games that ended.
    pub fn finish(self) -> (Results, Forfeits) {
        self.bar.finish_and_clear();
        for (cause, games) in self.void.iter().filter(|(_, games)| **games > 1) {
            print_to_stderr(&format!("void and played again: {cause} ({games} times)"));
        }
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
                let step = |done: u64| Some(done * 100 / self.count.most()?.max(1) / LINE_PERCENT);
                let is_step = step(done) != step(self.count.done);
                (at.elapsed() >= LINE_EARLIEST && is_step) || at.elapsed() >= LINE_LATEST
            }
        }
    }

    fn show_if_due(&mut self, game: &str) {
        if self.is_time_to_show() {
            self.shown = (Instant::now(), self.count.done);
            if self.tells_leader {
                self.leader = self.leader(game);
            }
            self.show();
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
        let most = self.count.most();
        let template = match most {
            Some(_) => LINE_WITH_BAR,
            None => LINE,
        };
        // Both templates are right; a wrong one would be drawn as the library has it.
        let style = ProgressStyle::with_template(template);
        let style = style.unwrap_or_else(|_| ProgressStyle::default_bar());
        let target = ProgressDrawTarget::stderr_with_hz(HZ);
        self.bar = ProgressBar::with_draw_target(most, target)
            .with_style(style.progress_chars("#-."))
            .with_message(self.line());
        self.show();
    }

    /// How many columns a terminal has for the line, beside the bar.
    fn room(&self) -> Option<usize> {
        let bar = self.count.most().map_or(0, |_| BAR);
        stderr_width()
            .filter(|_| self.display == Display::Bar)
            .map(|width| width.saturating_sub(bar))
    }

    fn line(&self) -> String {
        // A test is about its own ratio, and not about who leads.
        let test = self
            .test
            .map(|(game, state)| format!("{game}: {}", test_ratio(&state)));
        let leader = match test {
            Some(_) => "",
            None => &self.leader,
        };
        let speed = self.count.speed(self.begun.elapsed());
        let test = test.unwrap_or_default();
        let games = self.count.games();
        in_room(&[&games, &test, &speed, leader], self.room())
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
                    shortened(&self.names.shown(&player.name), NAME),
                    player.tally.points(),
                    player.tally.games()
                ))
            });
        leader.unwrap_or_default()
    }
}

/// The parts for which there is room, the first ones first: none is cut, but for the first.
pub(super) fn in_room(parts: &[&str], room: Option<usize>) -> String {
    let room = room.unwrap_or(usize::MAX);
    let mut line = String::new();
    for part in parts.iter().filter(|part| !part.is_empty()) {
        if line.is_empty() {
            line = shortened(part, room);
        } else if width(&line) + 2 + width(part) <= room {
            line = format!("{line}  {part}");
        }
    }
    line
}

/// The ratio of a test, with the bounds at which it ends.
pub fn test_ratio(state: &TestState) -> String {
    let [low, high] = state.bounds();
    format!("LLR {:.2} ({low:.2} to {high:.2})", state.llr)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rating::{EloModel, Sprt, SprtVerdict};
    use crate::schedule::GameCount;

    fn progress() -> Progress {
        let mut progress = Progress::new(true, DisplayNames::default());
        progress.count = Count {
            before: 0,
            done: 123,
            all: GameCount::Exactly(840),
        };
        progress
    }

    #[test]
    fn a_test_shows_its_ratio_with_the_bounds() {
        let mut progress = progress();
        progress.leader = "a leads".to_owned();
        let begin = progress.line();
        assert!(begin.starts_with("123/840 games  ") && begin.ends_with("  a leads"));
        let test = TestState {
            challenger: 0,
            test: Sprt {
                elo0: 0.0,
                elo1: 20.0,
                alpha: 0.05,
                beta: 0.05,
                model: EloModel::Logistic,
            },
            pairs: [0, 1, 20, 3, 0],
            left_out: 0,
            llr: 1.234,
            verdict: SprtVerdict::Undecided,
            end: None,
        };
        progress.event(&Event::Tested {
            game: "cachex",
            test,
        });
        let line = progress.line();
        assert!(
            line.starts_with("123/840 games  cachex: LLR 1.23 (-2.81 to 2.81)  "),
            "{line}"
        );
        assert!(!line.contains("leads"), "{line}");
        progress.event(&Event::Tested {
            game: "dark-chess",
            test,
        });
        let line = progress.line();
        assert!(
            line.contains("  dark-chess: LLR 1.23 (-2.81 to 2.81)"),
            "{line}"
        );
    }

    #[test]
    fn a_narrow_terminal_gets_fewer_parts_and_no_part_of_one() {
        let parts = [
            "123/840 games",
            "",
            "2.0/s  10s left",
            "cachex: 小明 leads with 12/20",
        ];
        let whole = parts.join("  ").replace("    ", "  ");
        assert_eq!(in_room(&parts, None), whole);
        for room in 1..=width(&whole) {
            let line = in_room(&parts, Some(room));
            assert!(width(&line) <= room, "{room}: {line}");
            let is_part = |part: &str| parts.iter().any(|whole| whole.contains(part));
            assert!(room < 13 || line.split("  ").all(is_part), "{room}: {line}");
            assert!(room < 13 || line.starts_with(parts[0]), "{room}: {line}");
        }
        assert_eq!(in_room(&parts, Some(40)), "123/840 games  2.0/s  10s left");
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
