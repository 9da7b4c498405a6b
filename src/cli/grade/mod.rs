//! `referee grade CONFIG`: grades a class.

mod check;
mod fill;
mod submission;
mod progress;
mod screen;

use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use fill::fill_sheet;
use progress::GradeProgress;
use screen::{appeal_text, ending, returned_text, table};
use submission::PlatformName;

use super::arguments::known_games;
use crate::bot::Supervisor;
use crate::cli::arguments::{MachineArgs, parse_shard, parse_time, signals, supervisor};
use crate::cli::exit::{Exit, Failure};
use crate::cli::output::say;
use crate::grade::{
    Class, FeedbackOptions, FeedbackWriter, GradeError, GradeFolder, GradeOptions, GradeRequest,
    Graded, Grading, Listen, Platform, Step, write_class_page, write_graded, write_returned,
};
use crate::runner::Interrupt;

pub(super) fn run(args: &GradeArgs) -> Result<Exit, Failure> {
    if let (Some(submission), Some(results)) = (&args.submission, &args.results) {
        return submission::run(args, submission, results);
    }
    let grading = Grading::load(&args.config, known_games())?;
    if args.check {
        return check::check(args, &grading);
    }
    let folder = args.folder(&grading);
    let options = GradeOptions {
        host: args.machine.options(),
        only: args.only.clone(),
        shard: args.shard,
        until: None,
        checks: None,
    };
    let session = GradeSession::begin()?;
    let progress = GradeProgress::new(args.quiet, Some(session.interrupt.clone()));
    let listen = |step: Step<'_>| progress.tell(&step);
    let (grading, notes) = grading.with_kept_rules(&folder)?;
    let request = session.request(&grading, &folder, &options, &listen);
    if let (Some(student), true) = (&args.only, args.again) {
        notes.iter().for_each(|note| listen(Step::Problem(note)));
        let appeal = request.appeal(student)?;
        drop(progress);
        say(&appeal_text(&grading, &appeal))?;
        return Ok(Exit::Done);
    }
    let mut class = Class::read(&grading)?;
    class.problems.extend(notes);
    let mut graded = request.grade(class)?;
    if args.shard.is_some() {
        return Ok(Exit::Done);
    }
    if args.only.is_none() {
        for dropped in write_graded(&grading, &folder, &mut graded)? {
            listen(Step::Problem(&dropped));
        }
    }
    let feedback = write_feedback(args, &request, &graded);
    if args.only.is_none() {
        // Its links lead to the feedback.
        write_class_page(&grading, &folder, &graded)?;
    }
    drop(progress);
    say(&results(args, &grading, &folder, &graded)?)?;
    // The marks and tables are written by now, so a failed feedback loses no result of the lecturer.
    feedback?;
    Ok(Exit::Done)
}

fn write_feedback(
    args: &GradeArgs,
    request: &GradeRequest<'_>,
    graded: &Graded,
) -> Result<(), GradeError> {
    let options = FeedbackOptions {
        platform: args.platform.map(Platform::from),
        ..FeedbackOptions::default()
    };
    let writer = FeedbackWriter {
        grading: request.grading,
        folder: request.folder,
        graded,
        options: &options,
    };
    if args.only.is_none() {
        writer.remove_others()?;
    }
    writer.write_all(lanes(args), request.interrupt)
}

fn lanes(args: &GradeArgs) -> usize {
    let jobs = args.machine.jobs;
    jobs.map_or_else(submission::lanes, NonZeroUsize::get)
}

/// Writes the feedback archive and the sheet. Returns the final text for the screen.
fn results(
    args: &GradeArgs,
    grading: &Grading,
    folder: &GradeFolder,
    graded: &Graded,
) -> Result<String, Failure> {
    let mut text = if args.only.is_some() {
        table(graded, usize::MAX, true)
    } else {
        let marks = folder.marks();
        let text = ending(graded, &marks, args.verbose);
        let page = folder.class_page();
        format!(
            "{text}marks in {}\nthe class, for teaching staff alone: {}\n",
            marks.display(),
            page.display()
        )
    };
    if args.only.is_none()
        && let Some(returned) = write_returned(grading, folder, graded)?
    {
        text.push_str(&returned_text(&returned, grading.layout));
    }
    if let (Some(sheet), Some(key), Some(column)) = (&args.fill, &args.key, &args.column) {
        text.push_str(&fill_sheet(
            sheet,
            [key, column],
            graded,
            grading.most_marks(),
        )?);
    }
    Ok(text)
}

/// Grade a class of student agents: marks with their confidence, and feedback
///
/// Unpacks, builds and checks the submissions, plays the tests of the configuration, and writes marks.csv with a row
/// per student. Only new games are played: after one resubmission, only that student's. See `referee docs grading`.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct GradeArgs {
    /// The configuration of the grading; see configs/grade-minimal.toml
    ///
    /// Paths in it start at its folder; --out starts at the current folder.
    #[arg(value_name = "CONFIG")]
    pub config: PathBuf,
    /// The folder of the marks; results/ and the name of the grading if not given
    #[arg(long, value_name = "DIR")]
    pub out: Option<PathBuf>,
    #[command(flatten)]
    pub machine: MachineArgs,
    /// Play nothing: report problems of configuration, roster and submissions, and the number of games
    #[arg(long)]
    pub check: bool,
    /// Grade only this student (id) or team (name), and show the mark; marks.csv stays as it is
    #[arg(long, value_name = "ID")]
    pub only: Option<String>,
    /// With --only: play the games once more, and show which differ, and both marks
    #[arg(long, requires = "only")]
    pub again: bool,
    /// Fill the marks into this sheet that a learning-management system exported: into --column, by the ids or
    /// addresses in --key; every other byte stays as it is
    #[arg(long, value_name = "SHEET", requires = "key", requires = "column", conflicts_with_all = ["only", "shard", "check"])]
    pub fill: Option<PathBuf>,
    /// The column of the sheet with the ids or addresses
    #[arg(long, value_name = "COLUMN", requires = "fill")]
    pub key: Option<String>,
    /// The column of the sheet for the marks
    #[arg(long, value_name = "COLUMN", requires = "fill")]
    pub column: Option<String>,
    /// Play only the part I of K of the class, from 0/K to K-1/K, as other machines play the other parts into the same
    /// folder; the same command without this option then writes the marks
    #[arg(long, value_name = "I/K", value_parser = parse_shard, conflicts_with = "only")]
    pub shard: Option<(u32, u32)>,
    /// Write results.json into the feedback of each student, as this platform reads it
    #[arg(long = "for", value_enum, value_name = "PLATFORM")]
    platform: Option<PlatformName>,
    /// Grade the submission in this folder alone, as in the container of an autograder: without roster, by processor
    /// time, one game at a time. Gradescope's submission_metadata.json beside it says when it was handed in
    #[arg(long, value_name = "DIR", requires = "results", conflicts_with_all = ["check", "only", "shard", "again_below"])]
    pub submission: Option<PathBuf>,
    /// Play as many games as there is time for, such as 9m. Fewer games make a wider interval
    #[arg(long, value_name = "TIME", value_parser = parse_time, requires = "submission")]
    pub budget: Option<Duration>,
    /// Where the results of --submission go, for gradescope if --for is not given. They are written whatever
    /// happens, and the exit code is 0
    #[arg(long, value_name = "FILE", requires = "submission")]
    pub results: Option<PathBuf>,
    /// Show no progress
    #[arg(short, long)]
    pub quiet: bool,
    /// Show at the end all marks with their notes
    #[arg(short, long)]
    pub verbose: bool,
}

const EXAMPLES: &str = "\
Examples:
  referee grade configs/grade-minimal.toml --check
  referee grade spring.toml -j 8
  referee grade spring.toml --only s1234567 --again
  referee grade spring.toml --fill canvas.csv --key ID --column \"Project part B\"
  referee grade spring.toml --submission submission --budget 9m --results results/results.json";

impl GradeArgs {
    pub fn folder(&self, grading: &Grading) -> GradeFolder {
        let out = self.out.clone();
        GradeFolder::new(&out.unwrap_or_else(|| PathBuf::from("results").join(&grading.name)))
    }
}

struct GradeSession {
    supervisor: Supervisor,
    pub interrupt: Arc<Interrupt>,
}

impl GradeSession {
    /// From here on, signals interrupt the grading.
    pub fn begin() -> Result<Self, Failure> {
        Ok(Self {
            interrupt: signals()?,
            supervisor: supervisor()?,
        })
    }

    pub fn request<'a>(
        &'a self,
        grading: &'a Grading,
        folder: &'a GradeFolder,
        options: &'a GradeOptions,
        listen: &'a Listen<'a>,
    ) -> GradeRequest<'a> {
        GradeRequest {
            grading,
            folder,
            options,
            supervisor: &self.supervisor,
            interrupt: &self.interrupt,
            listen,
        }
    }
}
