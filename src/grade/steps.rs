//! The steps of a grading, and who hears of them.

use super::intake::Problem;
use crate::runner::{Event, HostWarning};

/// What happens in a grading.
#[derive(Debug)]
pub enum Step<'a> {
    /// What is wrong with roster or submissions.
    Problem(&'a Problem),
    /// What the user should know of the machine.
    Warning(HostWarning),
    /// The change in packages that bots load since the last grading, in words.
    Loaded(&'a str),
    /// Submissions are unpacked and built.
    Preparing {
        /// How many.
        submissions: usize,
    },
    /// Bots are checked.
    Checking {
        /// How many.
        bots: usize,
    },
    /// A round begins, with so many games that are not played yet.
    Round(Round, u64),
    /// Work on what somebody handed in begins, by key: it is made or checked, or plays a test.
    Begun(&'a str),
    /// That work has ended.
    Ended(&'a str),
    /// A game of the round has ended.
    Game,
    /// Something happened in the class tournament.
    Tournament(&'a Event<'a>),
}

/// Hears of each step, in any thread.
pub type Listen<'a> = dyn Fn(Step<'_>) + Sync + 'a;

/// What a round is about to play.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Round {
    /// Its number, from 1.
    pub number: u32,
    /// How many students play.
    pub students: usize,
    /// Whether it is played because marks are unsure.
    pub is_extra: bool,
}
