//! A check in progress: its games, its chance, and its report so far.

use super::CheckPlan;
use super::conversation::Played;
use super::problems::{Check, HELLO_CHANGES};
use super::report::Report;
use super::session::{RulesSession, StepFailure};
use crate::game::Chance;
use crate::random::Stream;
use crate::rules::NewGame;

pub struct Progress<'a> {
    pub plan: &'a CheckPlan,
    pub tell: &'a mut dyn FnMut(&str),
    pub report: Report,
    pub options: Vec<(String, String)>,
    pub seats: (u8, u8),
    pub games: Vec<Played>,
    pub chance: Stream,
}

impl<'a> Progress<'a> {
    /// Makes a step, with a process of its own. A fault ends the step; the others go on.
    pub fn step(
        &mut self,
        check: Check,
        step: fn(&mut Self, &mut RulesSession) -> Result<(), StepFailure>,
    ) {
        (self.tell)(check.name());
        let done = RulesSession::start(self.plan, check, &[], None).and_then(|mut session| {
            self.compare_hello(&mut session);
            let done = step(self, &mut session);
            let findings = session.findings.into_iter();
            findings.for_each(|finding| self.report.add(finding));
            done
        });
        if let Err(finding) = done {
            self.report.add(*finding);
        }
    }

    /// Whether the hello of a session is the one of the first process.
    pub fn compare_hello(&self, session: &mut RulesSession) {
        if self.report.hello.as_ref() != Some(session.hello()) {
            let mut finding = session.finding(HELLO_CHANGES, &[]);
            finding.transcript.push("> rules 1".to_owned());
            session.findings.push(finding);
        }
    }

    /// The beginning of a game with a number: its seed and its number of seats follow from it.
    pub fn start_of(&self, game: u64) -> NewGame {
        let (least, most) = self.seats;
        let counts = u64::from(most - least) + 1;
        NewGame {
            // 53 bits, as the protocol has it.
            seed: Stream::new(self.plan.seed, game + 1).next_u64() >> 11,
            // Less than `counts`, which is at most 256.
            seats: least + (game % counts) as u8,
            options: self.options.clone(),
        }
    }

    /// Up to `count` positions of the games, as numbers of a game and a ply: the first, one that is one ply before
    /// the end, and others at random.
    pub fn positions(&mut self, count: usize) -> Vec<(usize, usize)> {
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

    pub fn below(&mut self, bound: usize) -> usize {
        let bound = u32::try_from(bound).unwrap_or(u32::MAX).max(1);
        self.chance.below(bound) as usize
    }
}
