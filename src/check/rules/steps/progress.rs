//! A check in progress: its games, its chance, and its report so far.

use std::time::Duration;

use crate::check::rules::played::Played;
use crate::check::rules::report::{Check, Report};
use crate::check::rules::request::Start;
use crate::check::rules::session::{RulesSession, StepFailure, Surroundings};
use crate::check::rules::{CheckPlan, Step};
use crate::game::Chance;
use crate::random::Stream;

/// Limits on the games that are kept for the later steps.
const KEPT_GAMES: usize = 400;
const KEPT_PLIES: usize = 20_000;

/// A check in progress.
pub struct Progress<'a> {
    pub(super) plan: &'a CheckPlan,
    pub(super) tell: &'a mut dyn FnMut(Step),
    pub report: Report,
    /// Values of all options.
    pub(super) options: Vec<(String, String)>,
    /// Fewest and most seats.
    pub(super) seats: (u8, u8),
    /// Games that were played to their end.
    pub(super) games: Vec<Played>,
    kept_plies: usize,
    pub(super) chance: Stream,
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

    /// A new process in ordinary surroundings.
    pub(super) fn start(&self, check: Check) -> Result<RulesSession<'a>, StepFailure> {
        RulesSession::start(self.plan, &Surroundings::default(), check)
    }

    /// The beginning of a game with a number: its seed and its number of seats follow from it.
    pub(super) fn start_of(&self, game: u64) -> Start {
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
    pub(super) fn keep(&mut self, game: Played) {
        if self.games.len() < KEPT_GAMES && self.kept_plies + game.steps.len() <= KEPT_PLIES {
            self.kept_plies += game.steps.len();
            self.games.push(game);
        }
    }

    /// Up to `count` positions of the kept games, as numbers of a game and a ply: the first, one that is one ply
    /// before the end, and others at random.
    pub(super) fn positions(&mut self, count: usize) -> Vec<(usize, usize)> {
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
    pub(super) fn below(&mut self, bound: usize) -> usize {
        let bound = u32::try_from(bound).unwrap_or(u32::MAX).max(1);
        self.chance.below(bound) as usize
    }
}

/// Whether a step has used its time.
pub(super) struct Budget {
    pub(super) left: Duration,
}

impl Budget {
    pub(super) fn new(plan: &CheckPlan) -> Self {
        Self { left: plan.time }
    }

    /// Charges the time that the program took since the last call. Returns whether some is left.
    pub(super) fn charge(&mut self, session: &mut RulesSession<'_>) -> bool {
        self.left = self.left.saturating_sub(session.take_time());
        !self.left.is_zero()
    }
}
