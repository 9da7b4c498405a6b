//! The steps of a grading, and their listener.

use super::intake::IntakeIssue;
use crate::runner::{Event, HostWarning};

/// A step of a grading.
#[derive(Debug)]
pub enum Step<'a> {
    /// A problem with roster or submissions.
    Problem(&'a IntakeIssue),
    /// A warning about the machine.
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
    /// A round begins, with its number of unplayed games.
    Round(Round, u64),
    /// Work on a submission begins, by key: a build, a check, or the games of a test.
    Begun(&'a str),
    /// That work has ended.
    Ended(&'a str),
    /// A game of the round has ended.
    Game,
    /// An event of the class tournament.
    Tournament(&'a Event<'a>),
}

/// Listener that is called at each step, in any thread.
pub type Listen<'a> = dyn Fn(Step<'_>) + Sync + 'a;

/// A round of games.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Round {
    /// Its number, from 1.
    pub number: u32,
    /// Number of students who play.
    pub students: usize,
    /// Whether it is extra, because marks are unsure.
    pub is_extra: bool,
}
