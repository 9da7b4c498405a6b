//! A run's progress on a terminal: games done, rate, time left, who leads.

use std::fmt;
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressState, ProgressStyle};

use super::{Results, print_to_stderr};
use crate::record::GameRow;
use crate::runner::Event;
use crate::text::{visible, visible_lines};

/// How often per second the terminal is drawn at most.
const HZ: u8 = 8;

/// Follows a run. Without a terminal it prints warnings only.
#[derive(Debug)]
pub struct Progress {
    bar: ProgressBar,
    results: Results,
    /// How many games were played before this run went on.
    before: u64,
    /// When the leader was last shown.
    shown: Option<Instant>,
}

impl Default for Progress {
    /// Progress on stderr.
    fn default() -> Self {
        Self {
            bar: ProgressBar::with_draw_target(None, ProgressDrawTarget::stderr_with_hz(HZ)),
            results: Results::default(),
            before: 0,
            shown: None,
        }
    }
}

impl Progress {
    /// Takes in a game that was played before this run went on.
    pub fn played_before(&mut self, row: &GameRow) {
        self.results.add(&row.result(0));
        self.before += 1;
    }

    /// Takes in what happened.
    pub fn event(&mut self, event: &Event<'_>) {
        match event {
            Event::Begun { games } => {
                // Both templates are constants and known to be right.
                let template = match games {
                    Some(games) => {
                        self.bar.set_length(*games);
                        "{bar:24} {pos}/{len} games  {rate}  {eta} left  {msg}"
                    }
                    None => "{spinner} {pos} games  {rate}  {msg}",
                };
                if let Ok(style) = ProgressStyle::with_template(template) {
                    self.bar.set_style(style.with_key("rate", rate));
                }
                self.bar.set_position(self.before);
                self.bar.reset_eta();
            }
            Event::Finished(row) => {
                self.results.add(&row.result(0));
                if self.is_time_to_name_the_leader() {
                    self.bar.set_message(self.leader(row.game.name()));
                }
                self.bar.inc(1);
            }
            // The bar is not drawn before the run has begun.
            Event::Building { players, command } if !self.bar.is_hidden() => {
                print_to_stderr(&format!("building {}: {command}", players.join(", ")));
            }
            Event::Building { .. } => {}
            Event::Unbuilt { player, problem } => {
                print_to_stderr(&format!(
                    "{player} could not be built and forfeits: {problem}"
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

    /// Prints a line, with and without a terminal.
    fn warn(&self, warning: &str) {
        if self.bar.is_hidden() {
            print_to_stderr(warning);
        } else {
            self.bar.println(visible_lines(warning));
        }
    }

    /// Clears the terminal's line, and gives the results of all games that ended.
    pub fn finish(self) -> Results {
        self.bar.finish_and_clear();
        self.results
    }

    /// Finding the leader looks at every player: too much after each of a thousand games a second, and
    /// useless where nobody sees it.
    fn is_time_to_name_the_leader(&mut self) -> bool {
        let pause = Duration::from_secs(1) / u32::from(HZ);
        let now = Instant::now();
        let recently = |shown: Instant| now.duration_since(shown) < pause;
        if self.bar.is_hidden() || self.shown.is_some_and(recently) {
            return false;
        }
        self.shown = Some(now);
        true
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
                    visible(&player.name),
                    player.tally.points(),
                    player.tally.games()
                ))
            });
        leader.unwrap_or_default()
    }
}

/// Games a second, with as many digits as mean something.
fn rate(state: &ProgressState, f: &mut dyn fmt::Write) {
    // This writes to a string, which cannot fail.
    let _ = write!(f, "{:.1}/s", state.per_sec());
}
