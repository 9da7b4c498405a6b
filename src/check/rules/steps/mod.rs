//! The steps of a check, in their order. Each drives a process and adds to the report.

mod games;
mod options;
mod positions;
mod refusals;
mod replays;
mod secrets;
mod symmetry;
mod exits;
mod perft;
mod turns;

use std::time::Duration;

use super::played::Played;
use super::report::{Check, Report};
use super::request::Start;
use super::session::{Broken, Session, Surroundings};
use super::{CheckPlan, Step};
use crate::game::Chance;
use crate::random::Stream;

/// Limits on the games that are kept for the later steps.
const KEPT_GAMES: usize = 400;
const KEPT_PLIES: usize = 20_000;

/// A check in progress.
pub struct Progress<'a> {
    plan: &'a CheckPlan,
    tell: &'a mut dyn FnMut(Step),
    pub report: Report,
    /// Values of all options.
    options: Vec<(String, String)>,
    /// Fewest and most seats.
    seats: (u8, u8),
    /// Games that were played to their end.
    games: Vec<Played>,
    kept_plies: usize,
    chance: Stream,
}

impl<'a> Progress<'a> {
    pub fn new(
        plan: &'a CheckPlan,
        options: Vec<(String, String)>,
        seats: (u8, u8),
        tell: &'a mut dyn FnMut(Step),
    ) -> Self {
        Self {
            plan,
            tell,
            report: Report::default(),
            options,
            seats,
            games: Vec::new(),
            kept_plies: 0,
            chance: Stream::new(plan.seed, 0),
        }
    }

    /// All steps. A fault ends its step; the others go on.
    pub fn run(&mut self, session: Session<'a>) {
        let has = session.hello().has;
        let can_play = has.legal || has.offers;
        if can_play {
            self.step(|progress| games::play(progress, session));
            self.step(options::check);
        } else {
            self.step(|progress| games::only_begin(progress, session));
            for check in [Check::Games, Check::Options, Check::End, Check::Time] {
                self.report.miss(
                    check,
                    "`has legal` or `has offers`: without it no game can be played here",
                );
            }
        }
        self.step(exits::check);
        self.check_games(has.legal);
        if self.plan.perft > 0 && has.legal {
            (self.tell)(Step::Perft);
            self.step(perft::count);
        }
    }

    /// The steps that need games that ended.
    fn check_games(&mut self, has_legal: bool) {
        const GAMES: [Check; 6] = [
            Check::Accepted,
            Check::Refused,
            Check::Replay,
            Check::Twin,
            Check::Secrets,
            Check::Symmetry,
        ];
        if self.games.is_empty() {
            for check in GAMES {
                self.report
                    .miss(check, "a random game that came to its end");
            }
            return;
        }
        (self.tell)(Step::Replays);
        self.step(replays::check);
        let is_equal = self.report.of(Check::Replay).next().is_none();
        if !is_equal {
            for check in [
                Check::Twin,
                Check::Accepted,
                Check::Refused,
                Check::Secrets,
                Check::Symmetry,
            ] {
                self.report
                    .miss(check, "a program that gives the same answers again");
            }
            return;
        }
        (self.tell)(Step::Positions);
        if has_legal {
            self.step(positions::check);
        } else {
            self.report.miss(Check::Legal, "`has legal`");
            self.report.miss(Check::Accepted, "`has legal`");
        }
        self.step(refusals::check);
        (self.tell)(Step::Secrets);
        self.step(secrets::check);
        self.step(symmetry::check);
    }

    fn step(&mut self, step: impl FnOnce(&mut Self) -> Result<(), Broken>) {
        if let Err(finding) = step(self) {
            self.report.add(*finding);
        }
    }

    /// A new process in ordinary surroundings.
    fn start(&self, check: Check) -> Result<Session<'a>, Broken> {
        Session::start(self.plan, &Surroundings::default(), check)
    }

    /// The beginning of a game with a number: its seed and its number of seats follow from it.
    fn start_of(&self, game: u64) -> Start {
        let (least, most) = self.seats;
        let counts = u64::from(most - least) + 1;
        Start {
            // 53 bits, as the protocol has it.
            seed: Stream::new(self.plan.seed, game + 1).next_u64() >> 11,
            // Less than `counts`, which is at most 256.
            seats: least + (game % counts) as u8,
            options: self.options.clone(),
        }
    }

    /// Keeps a game for the later steps.
    fn keep(&mut self, game: Played) {
        if self.games.len() < KEPT_GAMES && self.kept_plies + game.steps.len() <= KEPT_PLIES {
            self.kept_plies += game.steps.len();
            self.games.push(game);
        }
    }

    /// Up to `count` positions of the kept games, as numbers of a game and a ply: the first, one that is one ply
    /// before the end, and others at random.
    fn positions(&mut self, count: usize) -> Vec<(usize, usize)> {
        let mut positions = vec![(0, 0)];
        for index in 1..count {
            let game = self.below(self.games.len());
            let plies = self.games[game].steps.len();
            let ply = match index {
                1 => plies.saturating_sub(1),
                _ => self.below(plies),
            };
            positions.push((game, ply));
        }
        positions.sort_unstable();
        positions.dedup();
        positions.retain(|(game, ply)| *ply < self.games[*game].steps.len());
        positions
    }

    /// A random number below `bound`; 0 if that is 0.
    fn below(&mut self, bound: usize) -> usize {
        let bound = u32::try_from(bound).unwrap_or(u32::MAX).max(1);
        self.chance.below(bound) as usize
    }
}

/// Whether a step has used its time.
struct Budget {
    left: Duration,
}

impl Budget {
    fn new(plan: &CheckPlan) -> Self {
        Self { left: plan.time }
    }

    /// Charges the time that the program took since the last call. Returns whether some is left.
    fn charge(&mut self, session: &mut Session<'_>) -> bool {
        self.left = self.left.saturating_sub(session.take_time());
        !self.left.is_zero()
    }
}
