//! Grading: submissions, tests, marks, feedback.
//!
//! A class is graded in stages: submissions are unpacked and built, bots are checked, tests are played in
//! rounds over the whole class, and marks are written. Each stage reuses earlier results: an interrupted
//! grading continues, and a repeated one plays only changes.

mod appeal;
mod bots;
mod class;
mod class_page;
mod config;
mod error;
mod feedback;
mod folder;
mod games;
mod grader;
mod intake;
mod marks;
mod platforms;
mod precheck;
mod scheme;

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Instant;

pub use appeal::Appeal;
pub use bots::{BrokenBot, Builder, CommonCause, KIT, Kit, keep_bot, restore};
use bots::{Cause, Fitness};
pub use class::{Candidate, Class};
pub use class_page::write_class_page;
pub use config::{Grading, PartKind, PointScheme, Program, Test};
pub use error::GradeError;
pub use feedback::{
    FeedbackOptions, FeedbackWriter, Platform, ReturnedFeedback, results_path, write_returned,
};
pub use folder::GradeFolder;
pub use games::{TournamentRank, tournament_games};
pub use grader::GradeRequest;
pub use intake::{
    Entrant, IntakeIssue, Layout, Matched, MatchedSubmission, Roster, Student, UnpackError,
    UnpackLimits, Unpacked, submissions, unpack, without_ending,
};
pub use marks::{Mark, Status, mark_text, write_graded};
pub use platforms::{Alone, sheet, shortfall};
pub use precheck::ClassCheck;
pub use scheme::{
    Change, MarkedBlock, MarkedGame, Reliability, SIMULATIONS, Scheme, SchemeTest, TestGames,
    curve, fraction,
};

use crate::bot::Supervisor;
use crate::clock::TimeControl;
use crate::parallel::{self, Failed};
use crate::runner::{Demands, Event, Host, HostOptions, Interrupt, program_launches, turns_of};
use crate::runs::{RunFileError, RunFileProblem, SetAsideGame, draw_seed, write_whole};
use crate::text::counted;

/// The master seed: the configuration's, or one that is drawn once for the class.
fn seed(grading: &Grading, work: &Path) -> Result<u64, GradeError> {
    if let Some(seed) = grading.seed {
        return Ok(seed);
    }
    let path = work.join("seed");
    let known = fs::read_to_string(&path).ok();
    if let Some(seed) = known.and_then(|text| text.trim().parse().ok()) {
        return Ok(seed);
    }
    let seed = draw_seed().map_err(RunFileError::at(&path, RunFileProblem::Seed))?;
    write_whole(&path, &mut |file| writeln!(file, "{seed}"))?;
    Ok(seed)
}

/// Host of the games on this machine. `work` is a folder with bots besides the references.
fn host(
    grading: &Grading,
    folder: &GradeFolder,
    options: HostOptions,
    supervisor: &Supervisor,
) -> Result<(Host, Vec<String>), GradeError> {
    let references = &grading.references;
    let own_times = references.iter().filter_map(|it| it.terms.time.as_ref());
    let of_tests = grading.tests.iter().map(|test| &test.game);
    let games = of_tests.chain([&grading.game]);
    let demands = Demands {
        turns: turns_of(games),
        bots: program_launches(references),
        folders: vec![folder.work()],
        builds: references.iter().any(|it| it.build.is_some()),
        is_limited: own_times
            .chain([&grading.time])
            .any(TimeControl::is_limited),
        time: &grading.time,
        limits: &grading.limits,
    };
    Ok(Host::new(&demands, supervisor.clone(), options)?)
}

#[derive(Debug)]
pub enum Step<'a> {
    Problem(&'a IntakeIssue),
    Warning(String),
    Preparing {
        submissions: usize,
    },
    Checking {
        bots: usize,
    },
    Round(Round, u64),
    /// Work on a submission begins, by key: a build, a check, or the games of a test.
    Begun(&'a str),
    Ended(&'a str),
    Game,
    /// A game of a submission, by key, could not be played; [`Step::Game`] follows.
    SetAside(&'a str, &'a SetAsideGame),
    Tournament(&'a Event<'a>),
}

pub type Listen<'a> = dyn Fn(Step<'_>) + Sync + 'a;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Round {
    pub number: u32,
    pub students: usize,
}

/// Runs `work` on each item, as [`parallel::on_threads`] does, until it is interrupted.
fn in_lanes<T: Send, R: Send>(
    lanes: usize,
    items: Vec<T>,
    interrupt: &Interrupt,
    work: impl Fn(usize, T) -> Result<R, GradeError> + Sync,
) -> Result<Vec<R>, GradeError> {
    let count = items.len();
    let is_over = || interrupt.level().is_some();
    match parallel::in_lanes(lanes, items, &is_over, work) {
        Ok(done) if done.len() < count => Err(GradeError::Stopped),
        Ok(done) => Ok(done),
        Err(Failed::Error(error)) => Err(error),
        Err(Failed::Panic(panic)) => Err(GradeError::Worker(parallel::message(panic.as_ref()))),
    }
}

#[derive(Debug, Clone)]
pub struct GradeOptions {
    pub host: HostOptions,
    /// Grade only this student or team; marks of others stay as they are.
    pub only: Option<String>,
    /// Only play the games of a part of the class: index of the part, and number of parts.
    pub shard: Option<(u32, u32)>,
    /// Play as many games as fit before this moment, instead of the configured number.
    pub until: Option<Instant>,
    /// Cancels the checks of bots, if they have a shorter deadline than the games.
    pub checks: Option<Arc<Interrupt>>,
}

#[derive(Debug)]
pub struct Graded {
    pub students: Vec<GradedStudent>,
    pub problems: Vec<IntakeIssue>,
}

impl Graded {
    pub fn marks(&self) -> impl Iterator<Item = &Mark> + Clone {
        self.students.iter().map(|student| &student.mark)
    }

    pub fn busy_machine(&self) -> Option<String> {
        let starved = self.marks().filter(|mark| mark.is_starved).count() as u64;
        (starved > 0).then(|| {
            format!(
                "the machine was busy: the programs of {} had in some games less than half of the processor time that they \
                 wanted. On a quiet machine, --again-below 50% plays these games again, one at a time",
                counted(starved, "student or team", "students and teams")
            )
        })
    }

    pub fn common_causes(&self) -> Vec<CommonCause> {
        let causes = self.students.iter();
        CommonCause::among(causes.filter_map(|it| Some((&*it.mark.key, it.cause.as_ref()?))))
    }
}

#[derive(Debug)]
pub struct GradedStudent {
    pub mark: Mark,
    pub submission: Option<PathBuf>,
    /// Other entries of its members in the folder of submissions.
    pub others: Vec<PathBuf>,
    pub broken: Option<String>,
    pub cause: Option<Cause>,
    pub fitness: Option<Fitness>,
    /// The other students and teams that hand in the same program, by key.
    pub equal: Vec<String>,
    /// Folders of the runs, in the order of the tests; empty without a bot.
    pub runs: Vec<PathBuf>,
}
