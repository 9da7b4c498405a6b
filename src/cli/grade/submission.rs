//! `referee grade CONFIG --submission DIR`: grades one submission in an autograder's container.

use std::num::NonZeroUsize;
use std::path::Path;
use std::sync::Arc;
use std::time::Instant;
use std::{fs, thread};

use super::progress::GradeProgress;
use super::screen::table;
use super::{GradeArgs, GradeSession};
use crate::cli::arguments::{TemporaryFolder, known_games};
use crate::cli::exit::{Exit, Failure};
use crate::cli::output::say;
use crate::grade::{
    Alone, FeedbackOptions, FeedbackWriter, GradeError, GradeFolder, GradeOptions, Grading,
    Platform, Step, results_path, shortfall,
};
use crate::report::print_to_stderr;
use crate::runner::{HostOptions, Interrupt};
use crate::runs::{RunFileError, RunFileProblem, make_parent, write_bytes};

const UNFINISHED: &str =
    "The grading did not finish. Hand in again; if it happens again, tell the staff.";

/// Contents of the results file if the grading failed. The reason concerns the machine, not the student.
const FAILED: &str = "The grading failed, and not through your program: you have no mark yet, and lose none. Tell the \
                      staff, who can see why.";

/// Divisor of the time budget: the part that checking a submission may take. Marks come from games.
const CHECK_SHARE: u32 = 4;

#[derive(Debug, Clone, Copy, clap::ValueEnum)]
pub(super) enum PlatformName {
    Gradescope,
    #[value(name = "prairielearn")]
    PrairieLearn,
}

impl From<PlatformName> for Platform {
    fn from(name: PlatformName) -> Self {
        match name {
            PlatformName::Gradescope => Self::Gradescope,
            PlatformName::PrairieLearn => Self::PrairieLearn,
        }
    }
}

pub(super) fn lanes() -> usize {
    thread::available_parallelism().map_or(1, NonZeroUsize::get)
}

/// Grades the submission. The results file is written in any case, so only a failed write of it is a failure.
pub(super) fn run(args: &GradeArgs, submission: &Path, results: &Path) -> Result<Exit, Failure> {
    let begin = Instant::now();
    let platform = args.platform.map_or(Platform::Gradescope, Platform::from);
    make_parent(results)?;
    write_bytes(results, platform.without_mark(UNFINISHED, None))?;
    let text = grade(args, submission, platform, begin).unwrap_or_else(|failure| {
        print_to_stderr(&format!("referee: {}", failure.message));
        platform.without_mark(FAILED, Some(&failure.message))
    });
    write_bytes(results, &text)?;
    Ok(Exit::Done)
}

fn grade(
    args: &GradeArgs,
    submission: &Path,
    platform: Platform,
    begin: Instant,
) -> Result<String, Failure> {
    let mut grading = Grading::load_alone(&args.config, known_games())?;
    let Alone { class, mut notes } = Alone::new(&mut grading, submission);
    let until = args.budget.map(|budget| begin + budget);
    let session = GradeSession::begin()?;
    if let Some(until) = until {
        break_off_at(until, &session.interrupt)?;
    }
    let checks = args.budget.map(|budget| {
        let checks = Arc::new(interruptible()?);
        break_off_at(begin + budget / CHECK_SHARE, &checks)?;
        Ok::<_, Failure>(checks)
    });
    // A temporary folder is removed on drop.
    let temporary = match &args.out {
        Some(_) => None,
        None => Some(TemporaryFolder::new("referee-grade-")?),
    };
    let temporary = temporary.as_ref().map(TemporaryFolder::path);
    let folder = GradeFolder::new(args.out.as_deref().or(temporary).unwrap_or(Path::new("")));
    let host = args.machine.options();
    let options = GradeOptions {
        host: HostOptions {
            jobs: Some(host.jobs.unwrap_or(NonZeroUsize::MIN)),
            ..host
        },
        only: None,
        shard: None,
        until,
        checks: checks.transpose()?,
    };
    let progress = GradeProgress::new(args.quiet, None);
    let listen = |step: Step<'_>| progress.tell(&step);
    let request = session.request(&grading, &folder, &options, &listen);
    let graded = request
        .grade(class)
        .map_err(|error| stopped(args, begin, error))?;
    progress.clear();
    say(&table(&graded, 1, true))?;
    let one = graded.students.first();
    notes.extend(one.and_then(|one| shortfall(&grading, &one.mark, one.fitness.as_ref())));
    let options = FeedbackOptions {
        platform: Some(platform),
        notes,
        seconds: Some(begin.elapsed().as_secs()),
    };
    let writer = FeedbackWriter {
        grading: &grading,
        folder: &folder,
        graded: &graded,
        options: &options,
    };
    // A fresh interrupt: the deadline for games must not cut the feedback short.
    writer.write_all(1, &interruptible()?)?;
    let key = one.map_or("", |one| one.mark.key.as_str());
    let path = results_path(&folder, key);
    let text = fs::read_to_string(&path).map_err(RunFileError::at(&path, RunFileProblem::Read))?;
    Ok(text)
}

/// Rewords a failure for a temporary folder: no command can continue it.
fn stopped(args: &GradeArgs, begin: Instant, error: GradeError) -> Failure {
    match (error, &args.out) {
        (GradeError::Stopped, None) => {
            let is_over = args.budget.is_some_and(|budget| begin.elapsed() >= budget);
            let text = if is_over {
                "the time of --budget was over before the first game could begin: give it more"
            } else {
                "the grading was stopped"
            };
            Failure::failed(text.to_owned())
        }
        (error, _) => error.into(),
    }
}

fn interruptible() -> Result<Interrupt, Failure> {
    Interrupt::new().map_err(|error| Failure::failed(format!("no pipe: {error}")))
}

fn break_off_at(until: Instant, interrupt: &Arc<Interrupt>) -> Result<(), Failure> {
    let interrupt = Arc::clone(interrupt);
    let wait = move || {
        thread::sleep(until.saturating_duration_since(Instant::now()));
        interrupt.break_off_games();
    };
    let thread = thread::Builder::new().name("budget".to_owned()).spawn(wait);
    let thread = thread.map_err(|error| Failure::failed(format!("no thread: {error}")));
    thread.map(|_| ())
}
