//! The steps of a check, in their order. Each drives a process and adds to the report.

mod drop;
mod games;
mod options;
mod positions;
mod progress;
mod refusals;
mod replays;
mod secrets;
mod symmetry;
mod exits;
mod perft;

use super::Step;
use super::report::Check;
use super::session::{RulesSession, StepFailure};
pub use progress::Progress;

impl<'a> Progress<'a> {
    /// All steps. A fault ends its step; the others go on.
    pub fn run(&mut self, session: RulesSession<'a>) {
        let has = session.hello().has;
        let can_play = has.legal || has.offers;
        if can_play {
            self.step(|progress| games::play(progress, session));
            // A program that begins no game with its defaults is not asked for others.
            if self.report.of(Check::Games).next().is_none() {
                self.step(options::check);
            } else {
                self.report
                    .miss(Check::Options, "a game with the default values");
            }
        } else {
            self.step(|progress| games::only_begin(progress, session));
            for check in [
                Check::Games,
                Check::Options,
                Check::Legal,
                Check::End,
                Check::Time,
            ] {
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
        const GAMES: [Check; 7] = [
            Check::Accepted,
            Check::Refused,
            Check::Replay,
            Check::Twin,
            Check::Secrets,
            Check::Symmetry,
            Check::Drop,
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
                Check::Drop,
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
        self.step(drop::check);
    }

    fn step(&mut self, step: impl FnOnce(&mut Self) -> Result<(), StepFailure>) {
        if let Err(finding) = step(self) {
            self.report.add(*finding);
        }
    }
}
