//! The request of a grading, and its result.

use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Instant;

use super::bots::{Cause, Fitness};
use super::games::TournamentRank;
use super::marks::{Hold, Mark};
use super::scheme::TestGames;
use super::{Candidate, IntakeIssue};
use crate::runner::{HostOptions, Interrupt};

/// Options of a grading.
#[derive(Debug, Clone)]
pub struct GradeOptions {
    /// Options for the host of games.
    pub host: HostOptions,
    /// Grade only this student or team; marks of others stay as they are.
    pub only: Option<String>,
    /// Only play the games of a part of the class: index of the part, and number of parts.
    pub shard: Option<(usize, usize)>,
    /// Play as many games as fit before this moment, instead of the configured number.
    pub until: Option<Instant>,
    /// Cancels the checks of bots, if they have a shorter deadline than the games.
    pub checks: Option<Arc<Interrupt>>,
}

/// Results of a grading.
#[derive(Debug)]
pub struct Graded {
    /// Marks in the order of the roster.
    pub marks: Vec<Mark>,
    /// Places in the class tournament, by key.
    pub ranks: BTreeMap<String, TournamentRank>,
    /// Check of each bot, by key.
    pub fitness: BTreeMap<String, Fitness>,
    /// Reason why there is no bot, by key.
    pub broken: BTreeMap<String, String>,
    /// Causes of failing bots, from checks or before, by key in the order of the roster.
    pub causes: Vec<(String, Cause)>,
    /// Reasons why a mark from games is held, by key.
    pub holds: BTreeMap<String, BTreeSet<Hold>>,
    /// Games of each student as marks see them, in the order of the tests, by key.
    pub games: BTreeMap<String, Vec<TestGames>>,
    /// Folders of each student's runs, in the order of the tests, by key.
    pub runs: BTreeMap<String, Vec<PathBuf>>,
    /// Problems with roster and submissions.
    pub problems: Vec<IntakeIssue>,
    /// All candidates of the class, including those not graded now.
    pub class: Vec<Candidate>,
}
