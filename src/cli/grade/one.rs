//! `referee grade CONFIG --submission DIR`: one submission, in the container of an autograder.

use std::fs;
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::thread;
use std::time::{Duration, Instant};

use super::super::launch::{signals, supervisor};
use super::super::{Exit, Failure};
use crate::grade::{
    Alone, Asked, FeedbackOptions, GradeError, GradeFolder, Graded, Grading, Listen, Platform,
    grade_class, results_path, shortfall, write_all_feedback,
};
use crate::player::supervise::make_temporary_folder;
use crate::record::{RecordError, RecordProblem, make_parent, remove_folder, write_whole};
use crate::report::print_to_stderr;
use crate::runner::{HostOptions, Interrupt};

/// What stands in the file of results until there are others.
const UNFINISHED: &str =
    "The grading did not finish. Hand in again; if it happens again, tell the staff.";

/// What stands there if the grading failed. The reason tells of the machine, and is not for the student.
const FAILED: &str = "The grading failed, and not through your program: you have no mark yet, and lose none. Tell the \
                      staff, who can see why.";

/// Checking a submission may take one part in so many of the time: marks come from games.
const CHECK_SHARE: u32 = 4;

/// The platforms that read results.
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

/// How many students' feedback is written at a time, where nobody says.
pub(super) fn lanes() -> usize {
    thread::available_parallelism().map_or(1, NonZeroUsize::get)
}

/// What is graded, and where the results go.
pub(super) struct One<'a> {
    pub config: &'a Path,
    pub submission: &'a Path,
    pub results: &'a Path,
    pub platform: Platform,
    pub budget: Option<Duration>,
    pub host: HostOptions,
    /// The folder of the grading; a temporary one if not given.
    pub out: Option<&'a Path>,
}

/// Grades the submission. The file of results is written whatever happens, so only a file that cannot be written
/// is a failure.
pub(super) fn run(
    one: &One<'_>,
    listen: &Listen<'_>,
    show: &dyn Fn(&Graded) -> Result<(), Failure>,
) -> Result<Exit, Failure> {
    let begin = Instant::now();
    make_parent(one.results)?;
    write_results(one, &one.platform.without_mark(UNFINISHED, None))?;
    let results = grade(one, begin, listen, show).unwrap_or_else(|failure| {
        print_to_stderr(&format!("referee: {}", failure.message));
        one.platform.without_mark(FAILED, Some(&failure.message))
    });
    write_results(one, &results)?;
    Ok(Exit::Done)
}

fn write_results(one: &One<'_>, text: &str) -> Result<(), Failure> {
    Ok(write_whole(one.results, &mut |file| {
        file.write_all(text.as_bytes())
    })?)
}

/// The results of the submission.
fn grade(
    one: &One<'_>,
    begin: Instant,
    listen: &Listen<'_>,
    show: &dyn Fn(&Graded) -> Result<(), Failure>,
) -> Result<String, Failure> {
    let mut grading = Grading::load_alone(one.config)?;
    let Alone { class, mut notes } = Alone::new(&mut grading, one.submission);
    let until = one.budget.map(|budget| begin + budget);
    let interrupt = signals()?;
    if let Some(until) = until {
        break_off_at(until, &interrupt)?;
    }
    let checks = one.budget.map(|budget| {
        let checks = Arc::new(interruptible()?);
        break_off_at(begin + budget / CHECK_SHARE, &checks)?;
        Ok::<_, Failure>(checks)
    });
    let work = WorkFolder::new(one.out)?;
    let folder = GradeFolder::new(&work.path);
    let asked = Asked {
        host: HostOptions {
            jobs: Some(one.host.jobs.unwrap_or(NonZeroUsize::MIN)),
            ..one.host
        },
        only: None,
        shard: None,
        until,
        checks: checks.transpose()?,
    };
    let supervisor = supervisor()?;
    let graded = grade_class(
        &grading,
        class,
        &folder,
        &asked,
        &supervisor,
        &interrupt,
        listen,
    )
    .map_err(|error| stopped(one, begin, error))?;
    show(&graded)?;
    let mark = graded.marks.first();
    notes.extend(mark.and_then(|mark| shortfall(&grading, mark, graded.fitness.get(&mark.key))));
    let options = FeedbackOptions {
        platform: Some(one.platform),
        notes,
        seconds: Some(begin.elapsed().as_secs()),
    };
    // The end of the time for games does not end what is done with them.
    let interrupt = interruptible()?;
    write_all_feedback(&grading, &folder, &graded, &options, 1, &interrupt)?;
    let key = mark.map_or("", |mark| mark.key.as_str());
    let path = results_path(&folder, key);
    let text = fs::read_to_string(&path).map_err(RecordError::at(&path, RecordProblem::Read))?;
    Ok(text)
}

/// A failure in words that hold where the folder of the grading is a temporary one: no command goes on with it.
fn stopped(one: &One<'_>, begin: Instant, error: GradeError) -> Failure {
    match (error, one.out) {
        (GradeError::Stopped, None) => {
            let is_over = one.budget.is_some_and(|budget| begin.elapsed() >= budget);
            let text = match is_over {
                true => {
                    "the time of --budget was over before the first game could begin: give it more"
                }
                false => "the grading was stopped",
            };
            Failure::new(Exit::Failed, text.to_owned())
        }
        (error, _) => error.into(),
    }
}

/// Something that can be interrupted, and is not yet.
fn interruptible() -> Result<Interrupt, Failure> {
    Interrupt::new().map_err(|error| Failure::new(Exit::Failed, format!("no pipe: {error}")))
}

/// Breaks off all games at a moment.
fn break_off_at(until: Instant, interrupt: &Arc<Interrupt>) -> Result<(), Failure> {
    let interrupt = Arc::clone(interrupt);
    let wait = move || {
        thread::sleep(until.saturating_duration_since(Instant::now()));
        interrupt.break_off_games();
    };
    let thread = thread::Builder::new().name("budget".to_owned()).spawn(wait);
    let thread = thread.map_err(|error| Failure::new(Exit::Failed, format!("no thread: {error}")));
    thread.map(|_| ())
}

/// The folder of the grading. A temporary one goes with this value.
struct WorkFolder {
    path: PathBuf,
    is_temporary: bool,
}

impl WorkFolder {
    fn new(out: Option<&Path>) -> Result<Self, Failure> {
        if let Some(out) = out {
            return Ok(Self {
                path: out.to_owned(),
                is_temporary: false,
            });
        }
        // It must be new: what another user made there could be anything.
        let path = make_temporary_folder("referee-grade-")
            .map_err(RecordError::at(&std::env::temp_dir(), RecordProblem::Make))?;
        Ok(Self {
            path,
            is_temporary: true,
        })
    }
}

impl Drop for WorkFolder {
    fn drop(&mut self) {
        if self.is_temporary {
            // What is left of it goes with the container.
            let _ = remove_folder(&self.path);
        }
    }
}
