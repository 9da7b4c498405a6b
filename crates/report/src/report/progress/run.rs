//! Progress of a run on stderr: games done, rate, time left, and the leader or the state of a test.

use std::collections::BTreeMap;
use std::time::{Duration, Instant};

use super::line::{Display, ProgressLine};
use super::match_state::{MatchState, elo_and_los, figures};
use super::{Count, rough};
use crate::game::{GameResult, Seat};
use crate::referee::Termination;
use crate::report::notes::nothing_known;
use crate::report::text::shortened;
use crate::report::{CpuShares, Forfeits, print_to_stderr};
use crate::results::{ResultRow, Results};
use crate::runner::Event;
use crate::runs::GameRow;
use crate::schedule::{TestState, TuningProgress, values_text};
use crate::text::{DisplayNames, counted};

/// Maximum display width of the leader's name.
const NAME: usize = 24;

#[derive(Debug)]
pub struct Progress {
    line: ProgressLine,
    results: Results,
    forfeits: Forfeits,
    shares: CpuShares,
    names: DisplayNames,
    begun: Instant,
    count: Count,
    leader: String,
    /// Not for formats that rank by more than points: players with different opponents are not comparable by points.
    pub tells_leader: bool,
    /// The match of the player whose state is shown.
    state: Option<MatchState>,
    /// The number of game pairs after which its state is printed each time.
    every: Option<u64>,
    /// Whether each game that ends has a line of its own.
    pub prints_games: bool,
    /// State of the most recent sequential test, and its game.
    test: Option<(&'static str, TestState)>,
    tuning: Option<TuningProgress>,
    void: BTreeMap<String, u64>,
    /// Number of games that were set aside because the rules failed on an action, by its player.
    failed_after: BTreeMap<String, u64>,
}

impl Progress {
    /// Progress on stderr, with these names of players, or only warnings if it is `quiet`.
    pub fn new(quiet: bool, names: DisplayNames) -> Self {
        Self {
            line: ProgressLine::new(quiet),
            results: Results::default(),
            forfeits: Forfeits::default(),
            shares: CpuShares::default(),
            names,
            begun: Instant::now(),
            count: Count::none(),
            leader: String::new(),
            tells_leader: true,
            state: None,
            every: None,
            prints_games: false,
            test: None,
            tuning: None,
            void: BTreeMap::new(),
            failed_after: BTreeMap::new(),
        }
    }

    /// Shows the state of this player's match instead of the leader, and prints it each time so many game pairs end.
    #[must_use]
    pub fn with_state_of(self, player: &str, every: Option<u32>) -> Self {
        Self {
            state: Some(MatchState::of(player.to_owned())),
            every: every.map(u64::from),
            ..self
        }
    }

    pub fn played_before(&mut self, row: &GameRow) {
        self.add(row);
        self.count.before += 1;
    }

    fn add(&mut self, row: &GameRow) {
        self.results.add(&ResultRow::from(row));
        self.forfeits.add(row);
        self.shares.add(row);
        if let Some(state) = &mut self.state {
            state.add(row);
        }
        self.count.done += 1;
    }

    pub fn event(&mut self, event: &Event<'_>) {
        match event {
            Event::Begun { games } => {
                self.count.all = *games;
                self.begun = Instant::now();
                let parts = self.parts();
                self.line.begin(self.count, &parts);
            }
            Event::Finished(row) => {
                let pairs = |progress: &Self| progress.state.as_ref().map_or(0, |it| it.pairs);
                let before = pairs(self);
                self.add(row);
                if self.prints_games {
                    self.print_game(row);
                }
                let now = pairs(self);
                if now > before && self.every.is_some_and(|every| now.is_multiple_of(every)) {
                    self.print_state();
                }
                self.show_if_due(row.game.label());
            }
            Event::Tested { game, test } => {
                self.test = Some((game, test.clone()));
            }
            Event::Tuned(tuning) => self.tuning = Some(tuning.clone()),
            Event::Building { players, command } if self.line.display == Display::Bar => {
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
                    self.line
                        .say(&format!("game {id} was void and is played again: {cause}"));
                }
            }
            Event::SetAside(game) => {
                if let Some(player) = game.player_before() {
                    *self.failed_after.entry(player.clone()).or_default() += 1;
                }
                // Nothing is left to be done with it.
                self.count.done += 1;
                let players: Vec<String> = game
                    .players
                    .values()
                    .map(|name| self.names.shown(name))
                    .collect();
                self.line.say(&format!(
                    "game {}, {}, was void each time, at last with the machine to itself, and is set aside: {}",
                    game.id,
                    players.join(" against "),
                    game.cause
                ));
            }
            // The command prints the one with the results, and writes the other.
            Event::Concluded { .. } | Event::Pgn { .. } => {}
            Event::Lasting { in_play, turn } => self.line.say(&format!(
                "no game has ended for a minute, and {} in play: without a clock, as --tc or --st sets it, a turn may last {}",
                counted(*in_play as u64, "is", "are"),
                rough(*turn)
            )),
            Event::Stopping { in_play } => self.line.say(&format!(
                "stopping when the games in play ({in_play}) are over; once more to break them off"
            )),
            Event::BreakingOff { in_play } => self.line.say(&format!(
                "breaking off the games in play ({in_play}); once more to be killed"
            )),
        }
    }

    /// Clears the terminal's line, and gives the results, the forfeits and the low shares of the processor of all games that
    /// ended.
    pub fn finish(mut self) -> (Results, Forfeits, Vec<String>) {
        self.line.clear();
        let printed = |it: &MatchState| match self.every {
            Some(every) => it.pairs.is_multiple_of(every),
            // The tables have a match of two, and no player against a field.
            None => it.opponents.len() < 2 || self.line.display == Display::Quiet,
        };
        if self.state.as_ref().is_some_and(|state| !printed(state)) {
            self.print_state();
        }
        for (cause, games) in self.void.iter().filter(|(_, games)| **games > 1) {
            print_to_stderr(&format!("void and played again: {cause} ({games} times)"));
        }
        for (player, games) in &self.failed_after {
            print_to_stderr(&format!(
                "{} set aside: the rules failed each time on an action of {}",
                counted(*games, "game was", "games were"),
                self.names.shown(player)
            ));
        }
        (self.results, self.forfeits, self.shares.low(&self.names))
    }

    /// Finding the leader looks at every player: too much after each of a thousand games a second, and useless where
    /// nobody sees it.
    fn show_if_due(&mut self, game: &str) {
        if self.line.is_due(self.count) {
            if self.tells_leader {
                self.leader = self.leader(game);
            }
            let parts = self.parts();
            self.line.show(self.count, &parts);
        }
    }

    fn print_state(&self) {
        let Some(state) = &self.state else { return };
        let others = match (state.opponents.first(), state.opponents.len()) {
            (Some(other), 1) => self.names.shown(other),
            (_, many) => format!("{many} others"),
        };
        for (game, games) in &state.games {
            let test = self.test.as_ref().filter(|(tested, _)| tested == game);
            let player = self.names.shown(&state.player);
            self.line.say(&format!("Results of {player} vs {others}:"));
            let lines = match games.is_any_played {
                true => figures(games.tally, &games.score, test.map(|(_, state)| state)),
                false => vec![nothing_known(games.forfeited)],
            };
            for line in lines {
                self.line.say(&line);
            }
        }
        let late = self.forfeits.0.iter();
        let late = late.filter(|((_, termination), _)| *termination == Termination::Time.name());
        let late: Vec<(String, u64)> = late
            .map(|((player, _), forfeits)| (self.names.shown(player), forfeits.count))
            .collect();
        let by = late
            .iter()
            .map(|(player, count)| format!("{player} {count}"));
        let by = match late.is_empty() {
            true => String::new(),
            false => format!(" ({})", by.collect::<Vec<_>>().join(", ")),
        };
        let elapsed = self.begun.elapsed();
        let played = (self.count.done - self.count.before) as f64;
        let left = self.count.time_left(elapsed);
        self.line.say(&format!(
            "Time losses: {}{by}, {:.0} games an hour{}",
            late.iter().map(|(_, count)| count).sum::<u64>(),
            3600.0 * played / elapsed.as_secs_f64().max(0.001),
            left.map_or_else(String::new, |left| format!(", {left}"))
        ));
    }

    fn print_game(&self, row: &GameRow) {
        let players = row.players.values().map(|name| self.names.shown(name));
        let players = players.collect::<Vec<_>>().join(" vs ");
        let result = match row.end.result {
            GameResult::Won(Seat::FIRST) => "1-0".to_owned(),
            GameResult::Won(Seat::SECOND) => "0-1".to_owned(),
            GameResult::Drawn => "1/2-1/2".to_owned(),
            result => row.game.result_name(result).into_owned(),
        };
        let left = row.end.left.values().map(|left| {
            let left = left.as_ref().map(Duration::as_secs_f64);
            left.map(|seconds| format!("{seconds:.2} s"))
        });
        let left = left.collect::<Option<Vec<String>>>();
        let left = left.map_or_else(String::new, |left| format!(", {} left", left.join(" and ")));
        let opening = match row.start.opening.as_str() {
            "" => String::new(),
            // A position is one word there.
            opening => {
                let opening = opening.trim_start_matches("start=").replace('_', " ");
                format!(", opening {opening}")
            }
        };
        self.line.say(&format!(
            "Finished game {} ({players}): {result} {{{}}}, {}{left}{opening}",
            row.id,
            row.end.why(row.game),
            counted(row.end.plies.into(), "ply", "plies"),
        ));
    }

    fn parts(&self) -> [String; 4] {
        // A test shows its ratio instead of the leader.
        let test = self.test.as_ref().map(|(game, state)| {
            let [low, high] = state.bounds();
            format!("{game}: LLR {:.2} ({low:.2} to {high:.2})", state.llr)
        });
        let test = test.or(self.tuning.as_ref().map(values));
        let leader = match test {
            Some(_) if self.state.is_none() => String::new(),
            _ => self.leader.clone(),
        };
        let speed = self.count.speed(self.begun.elapsed());
        [self.count.games(), test.unwrap_or_default(), speed, leader]
    }

    fn leader(&self, game: &str) -> String {
        if let Some(state) = &self.state {
            let games = state.games.get(game);
            return games.map_or_else(String::new, |games| {
                let name = shortened(&self.names.shown(&state.player), NAME);
                match games.is_any_played {
                    true => format!("{name}: {}", elo_and_los(&games.score)),
                    false => format!("{name}: only forfeits"),
                }
            });
        }
        let mut games = self.results.games();
        let players = games.find(|(name, _)| *name == game);
        let players = players.map_or(&[][..], |(_, games)| games.players());
        // A challenger plays more games than each opponent, and a few games lead nothing.
        let most = players.iter().map(|player| player.tally.games()).max();
        let compared = || {
            let most = most.unwrap_or_default();
            players
                .iter()
                .filter(move |player| 2 * player.tally.games() > most)
        };
        let leader = compared().max_by(|a, b| {
            let by_score = a.score().total_cmp(&b.score());
            by_score
                .then(a.points().total_cmp(&b.points()))
                .then(b.name.cmp(&a.name))
        });
        let verb = match compared().nth(1) {
            Some(_) => "leads with",
            None => "has",
        };
        leader.map_or_else(String::new, |player| {
            format!(
                "{game}: {} {verb} {}/{}",
                shortened(&self.names.shown(&player.name), NAME),
                (10.0 * player.points()).round() / 10.0,
                player.tally.games()
            )
        })
    }
}

fn values(tuning: &TuningProgress) -> String {
    let TuningProgress {
        over, iterations, ..
    } = tuning;
    format!(
        "iteration {over}/{iterations}: {}",
        values_text(&tuning.values)
    )
}

#[cfg(test)]
mod tests {
    use super::super::line::in_room;
    use super::*;
    use crate::rating::{BlockScores, EloModel, Sprt, SprtVerdict};
    use crate::results::{BadRows, read_results};
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
    fn a_few_games_of_an_opponent_lead_nothing() {
        let leader = |rows: &str| {
            let mut progress = progress();
            let file = tempfile::NamedTempFile::new().expect("a file");
            let table = format!("game,first,second,first_points\n{rows}");
            std::fs::write(file.path(), table).expect("written");
            let mut add = |row: &ResultRow<'_>| progress.results.add(row);
            read_results(file.path(), 0, BadRows::Refuse, &mut add, &mut |_| {}).expect("rows");
            progress.leader("cachex")
        };
        let gauntlet = "cachex,a,b,1\ncachex,c,a,1\ncachex,a,d,0.5\n";
        assert_eq!(leader(gauntlet), "cachex: a has 1.5/3");
        let round = "cachex,b,c,0.5\n";
        assert_eq!(
            leader(&format!("{gauntlet}{round}")),
            "cachex: c leads with 1.5/2"
        );
    }

    #[test]
    fn a_test_shows_its_ratio_with_the_bounds() {
        let mut progress = progress();
        progress.leader = "a leads".to_owned();
        let begin = in_room(&progress.parts(), None);
        assert!(begin.starts_with("123/840 games  ") && begin.ends_with("  a leads"));
        let mut scores = BlockScores::new(2);
        for (half_points, pairs) in [(1, 1), (2, 20), (3, 3)] {
            (0..pairs).for_each(|_| scores.add(half_points));
        }
        let test = TestState {
            challenger: 0,
            test: Sprt {
                elo0: 0.0,
                elo1: 20.0,
                alpha: 0.05,
                beta: 0.05,
                model: EloModel::Logistic,
            },
            scores,
            left_out: 0,
            llr: 1.234,
            verdict: SprtVerdict::Undecided,
            end: None,
        };
        progress.event(&Event::Tested {
            game: "cachex",
            test,
        });
        let line = in_room(&progress.parts(), None);
        assert!(
            line.starts_with("123/840 games  cachex: LLR 1.23 (-2.81 to 2.81)  "),
            "{line}"
        );
        assert!(!line.contains("leads"), "{line}");
    }
}
