//! Order of games. The class plays in rounds, so that a night that ends early has marked everybody alike.

use std::collections::BTreeMap;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use super::{Conditions, TestRun};
use crate::config::Entry;
use crate::grade::class::Candidate;
use crate::grade::config::Test;
use crate::grade::error::GradeError;
use crate::grade::marks::{Mark, Outcome, Status, mark, outcome};
use crate::grade::{Listen, Round, Step, in_lanes};
use crate::runner::Host;
use crate::runs::SetAsideGame;

/// Maximum number of rounds for the games that everybody plays, and minimum number of games per test in a
/// round, because a round starts all bots anew.
const MOST_ROUNDS: u32 = 4;
const FEWEST_GAMES: u32 = 20;

pub struct Player<'a> {
    pub candidate: &'a Candidate,
    pub bot: &'a Entry,
    pub digest: String,
    pub runs: Vec<TestRun<'a>>,
    pub wanted: Vec<u32>,
    pub outcomes: Vec<Outcome>,
}

impl Player<'_> {
    fn games_left(&self) -> u64 {
        let runs = self.runs.iter().zip(&self.wanted);
        runs.map(|(run, wanted)| run.games_left(*wanted)).sum()
    }
}

pub struct Rounds<'a> {
    pub of: Conditions<'a>,
    pub listen: &'a Listen<'a>,
}

impl Rounds<'_> {
    fn rounds(&self) -> u32 {
        let games = self.of.grading.tests.iter().map(|test| test.games);
        (games.max().unwrap_or(0) / FEWEST_GAMES).clamp(1, MOST_ROUNDS)
    }

    pub fn play_all(&self, players: &mut [Player<'_>]) -> Result<(), GradeError> {
        let rounds = self.rounds();
        for number in 1..=rounds {
            for player in players.iter_mut() {
                let tests = self.of.grading.tests.iter();
                let wanted = tests.map(|test| part(test, test.games, number, rounds));
                player.wanted = wanted.collect();
            }
            let round = Round {
                number,
                students: players.len(),
            };
            let everybody = (0..players.len()).collect::<Vec<_>>();
            self.play_round(round, players, &everybody)?;
        }
        Ok(())
    }

    /// Plays as many games as time allows: rounds of a block per seating in all tests. No round begins that
    /// would exceed the deadline if it took as long as the longest so far. The caller interrupts games still in play at the deadline.
    pub fn play_until(&self, players: &mut [Player<'_>], until: Instant) -> Result<(), GradeError> {
        let mut longest = Duration::ZERO;
        for number in 1.. {
            let begin = Instant::now();
            let mut who = Vec::new();
            for (at, player) in players.iter_mut().enumerate() {
                let tests = player.wanted.iter_mut().zip(&self.of.grading.tests);
                let short = tests.filter(|(wanted, test)| **wanted < test.games);
                let count = short
                    .map(|(wanted, test)| *wanted += test.seats() as u32)
                    .count();
                if count > 0 {
                    who.push(at);
                }
            }
            if who.is_empty() || begin + longest > until {
                return Ok(());
            }
            let round = Round {
                number,
                students: who.len(),
            };
            match self.play_round(round, players, &who) {
                Ok(()) => {}
                Err(GradeError::Stopped) if Instant::now() >= until => {
                    return self.read(players);
                }
                Err(error) => return Err(error),
            }
            longest = longest.max(begin.elapsed());
        }
        Ok(())
    }

    pub fn read(&self, players: &mut [Player<'_>]) -> Result<(), GradeError> {
        for player in players {
            for test in 0..player.runs.len() {
                let problem = player.outcomes[test].problem.take();
                let outcome = self.outcome(player, test)?;
                let problem = problem.or(outcome.problem);
                player.outcomes[test] = Outcome { problem, ..outcome };
            }
        }
        Ok(())
    }

    fn outcome(&self, player: &Player<'_>, test: usize) -> Result<Outcome, GradeError> {
        let (path, grading) = (&player.runs[test].path, self.of.grading);
        let outcome = outcome(grading, path, &player.candidate.key, player.wanted[test]);
        Ok(
            GradeError::apart(outcome)?.unwrap_or_else(|problem| Outcome {
                problem: Some(problem),
                ..Outcome::default()
            }),
        )
    }

    /// Retries games that could not be played, or for which the machine was too busy, one at a time.
    pub fn play_left(&self, players: &mut [Player<'_>]) -> Result<(), GradeError> {
        let below = self.of.host.again_below;
        let is_left = |player: &Player<'_>| {
            let is_short = |run: &TestRun<'_>| below.is_some() && run.is_below(below);
            player.outcomes.iter().any(|it| it.set_aside > 0) || player.runs.iter().any(is_short)
        };
        let left: Vec<usize> = (0..players.len())
            .filter(|at| is_left(&players[*at]))
            .collect();
        if left.is_empty() {
            Ok(())
        } else {
            self.play(players, &left, 1, below)
        }
    }

    /// Ends the runs of players. Tables and digests are written once here, not after each round.
    pub fn end(&self, players: &[Player<'_>]) -> Result<(), GradeError> {
        let runs = players.iter().flat_map(|player| &player.runs).collect();
        let lanes = self.of.host.jobs.get();
        in_lanes(lanes, runs, self.of.interrupt, |_, run: &TestRun<'_>| {
            // A mark whose run cannot be read is held already.
            GradeError::apart(run.end()).map(drop)
        })
        .map(drop)
    }

    pub fn mark(&self, player: &Player<'_>) -> Mark {
        let status = match player.outcomes.iter().any(Outcome::is_held) {
            false => Status::Graded,
            true => Status::Held,
        };
        mark(
            self.of.grading,
            player.candidate,
            status,
            player.digest.clone(),
            &player.outcomes,
        )
    }

    pub fn play_round(
        &self,
        round: Round,
        players: &mut [Player<'_>],
        who: &[usize],
    ) -> Result<(), GradeError> {
        let left: u64 = who.iter().map(|at| players[*at].games_left()).sum();
        (self.listen)(Step::Round(round, left));
        self.play(players, who, self.of.host.jobs.get(), None)
    }

    fn play(
        &self,
        players: &mut [Player<'_>],
        who: &[usize],
        lanes: usize,
        again_below: Option<f64>,
    ) -> Result<(), GradeError> {
        let tests = 0..self.of.grading.tests.len();
        let items = tests.flat_map(|test| who.iter().map(move |player| (*player, test)));
        // `play` restores the bot's folder first, so a bot must not play in two tests at a time.
        let folders = who.iter().map(|player| &players[*player].bot.launch.dir);
        let folders: BTreeMap<_, Mutex<()>> = folders.map(|dir| (dir, Mutex::default())).collect();
        let work = |lane: usize, (player, test): (usize, usize)| {
            let player = &players[player];
            let folder = folders.get(&player.bot.launch.dir);
            let _held = folder.map(|folder| folder.lock().unwrap_or_else(PoisonError::into_inner));
            (self.listen)(Step::Begun(&player.candidate.key));
            let run = &player.runs[test];
            let host = Host {
                again_below,
                ..self.of.host.lane(lane)
            };
            let each = &mut |set_aside: Option<&SetAsideGame>| {
                if let Some(game) = set_aside {
                    (self.listen)(Step::SetAside(&player.candidate.key, game));
                }
                (self.listen)(Step::Game);
            };
            // A failure with one student's games does not stop the others.
            let played = run.play(player.wanted[test], &host, each);
            let problem = GradeError::apart(played)?.err();
            (self.listen)(Step::Ended(&player.candidate.key));
            let outcome = self.outcome(player, test)?;
            let problem = problem.or(outcome.problem);
            Ok(Outcome { problem, ..outcome })
        };
        let items: Vec<(usize, usize)> = items.collect();
        let ended = in_lanes(lanes, items.clone(), self.of.interrupt, work)?;
        for ((player, test), outcome) in items.into_iter().zip(ended) {
            players[player].outcomes[test] = outcome;
        }
        Ok(())
    }
}

/// Cumulative number of games after this many of `parts` rounds of a test, rounded up to blocks.
fn part(test: &Test, games: u32, number: u32, parts: u32) -> u32 {
    let seats = test.seats() as u32;
    (games * number).div_ceil(seats * parts) * seats
}
