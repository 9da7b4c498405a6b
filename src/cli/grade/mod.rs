//! `referee grade CONFIG`: grades a class.

use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::time::Duration;

mod check;
mod fill;
mod submission;
mod progress;
mod screen;

use super::arguments::{parse_jobs, parse_seed, parse_time, signals, supervisor};
use super::{Exit, Failure, say};
use crate::game::BUILT_IN;
use crate::grade::{
    Asked, FeedbackOptions, GradeFolder, Graded, Grading, Platform, Step, appeal, grade, publish,
    write_all_feedback, write_graded, write_returned,
};
use crate::runner::{HostOptions, Placing};
use fill::{Columns, fill_sheet};
use progress::GradeProgress;
use screen::{appeal_text, ending, returned_text, show_changes, table};
use submission::{One, PlatformName};

/// Grade a class of student agents: marks with their confidence, and feedback
///
/// Unpacks, builds and checks what was handed in, plays the tests of the configuration, and writes marks.csv with a
/// row per student. Games that were played before are not played again: after one resubmission, that student's are.
/// See docs/grading.md.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct GradeArgs {
    /// The configuration of the grading; see configs/grade-minimal.toml
    ///
    /// Paths in it start at its folder; --out starts at the current folder.
    #[arg(value_name = "CONFIG")]
    config: PathBuf,
    /// The folder of the marks; results/ and the name of the grading if not given
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// How many games to play at a time; the number of physical cores if not given
    #[arg(short, long, value_name = "N", value_parser = parse_jobs, allow_negative_numbers = true)]
    jobs: Option<NonZeroUsize>,
    /// Pin the bots of each game to a physical core of their own
    #[arg(long)]
    pin: bool,
    /// Play nothing: say what is wrong with configuration, roster and submissions, and how many games there are
    #[arg(long)]
    check: bool,
    /// Grade only this student (id) or team (name), and show the mark; marks.csv stays as it is
    #[arg(long, value_name = "ID")]
    only: Option<String>,
    /// With --only: play the same games once more beside the first, and say which differ; both marks
    #[arg(long, requires = "only")]
    again: bool,
    /// With --only: play as many games from this other seed beside the first; both marks
    #[arg(long, value_name = "N", requires = "only", value_parser = parse_seed, conflicts_with = "again", allow_negative_numbers = true)]
    seed: Option<u64>,
    /// Show for whom marks changed since an earlier grading: since that marks.csv, or since the grading before the
    /// last; plays nothing
    #[arg(long, value_name = "MARKS", num_args = 0..=1, conflicts_with_all = ["only", "shard", "check"])]
    changes: Option<Option<PathBuf>>,
    /// Fill the marks into this sheet that a learning-management system exported: into --column, by the ids or
    /// addresses in --key; every other byte stays as it is
    #[arg(long, value_name = "SHEET", requires = "key", requires = "column", conflicts_with_all = ["only", "shard", "check", "changes"])]
    fill: Option<PathBuf>,
    /// The column of the sheet with the ids or addresses
    #[arg(long, value_name = "COLUMN", requires = "fill")]
    key: Option<String>,
    /// The column of the sheet for the marks
    #[arg(long, value_name = "COLUMN", requires = "fill")]
    column: Option<String>,
    /// The column of the sheet for a comment on each mark; other comments in it stay
    #[arg(long, value_name = "COLUMN", requires = "fill")]
    comment: Option<String>,
    /// Play only the part I of K of the class, from 0/K to K-1/K, as other machines play the other parts into the same
    /// folder; the same command without this option then writes the marks
    #[arg(long, value_name = "I/K", value_parser = parse_shard, conflicts_with = "only")]
    shard: Option<(usize, usize)>,
    /// Write results.json into the feedback of each student, as this platform reads it
    #[arg(long = "for", value_enum, value_name = "PLATFORM")]
    platform: Option<PlatformName>,
    /// Grade the submission in this folder alone, as in the container of an autograder: without roster, by processor
    /// time, one game at a time. Gradescope's submission_metadata.json beside it says when it was handed in
    #[arg(long, value_name = "DIR", requires = "results", conflicts_with_all = ["check", "only", "shard"])]
    submission: Option<PathBuf>,
    /// Play as many games as there is time for, such as 9m. Fewer games make a wider interval
    #[arg(long, value_name = "TIME", value_parser = parse_time, requires = "submission")]
    budget: Option<Duration>,
    /// Where the results of --submission go, for gradescope if --for is not given. They are written whatever
    /// happens, and the exit code is 0
    #[arg(long, value_name = "FILE", requires = "submission")]
    results: Option<PathBuf>,
    /// Show no progress
    #[arg(short, long)]
    quiet: bool,
    /// Show at the end all marks with their notes
    #[arg(short, long)]
    verbose: bool,
}

const EXAMPLES: &str = "\
Examples:
  referee grade configs/grade-minimal.toml --check
  referee grade spring.toml -j 8
  referee grade spring.toml --only s1234567 --again
  referee grade spring.toml --fill canvas.csv --key ID --column \"Project part B\"
  referee grade spring.toml --submission submission --budget 9m --results results/results.json";

fn parse_shard(text: &str) -> Result<(usize, usize), &'static str> {
    let parts = text.split_once('/');
    let parts = parts.and_then(|(shard, shards)| Some((shard.parse().ok()?, shards.parse().ok()?)));
    match parts {
        Some((shard, shards)) if shard < shards && shards <= 10_000 => Ok((shard, shards)),
        _ => Err("expected I/K with I less than K, such as 0/4"),
    }
}

pub(super) fn run(args: &GradeArgs) -> Result<Exit, Failure> {
    let platform = args.platform.map(Platform::from);
    let host = HostOptions {
        jobs: args.jobs,
        placing: Placing::pinned(args.pin),
    };
    if let (Some(submission), Some(results)) = (&args.submission, &args.results) {
        let one = One {
            config: &args.config,
            submission,
            results,
            platform: platform.unwrap_or(Platform::Gradescope),
            budget: args.budget,
            host,
            out: args.out.as_deref(),
        };
        let progress = GradeProgress::new(args.quiet, None);
        return submission::run(&one, &|step| progress.tell(&step), &|graded| {
            progress.clear();
            say(&table(&graded.marks, 1, true))
        });
    }
    let grading = Grading::load(&args.config, BUILT_IN)?;
    if args.check {
        return check::check(args, &grading);
    }
    let folder = grade_folder(args, &grading);
    let asked = Asked {
        host,
        only: args.only.clone(),
        shard: args.shard,
        until: None,
        checks: None,
    };
    if let Some(since) = &args.changes {
        return show_changes(&folder, since.as_deref());
    }
    let interrupt = signals()?;
    let supervisor = supervisor()?;
    let progress = GradeProgress::new(args.quiet, Some(interrupt.clone()));
    let listen = |step: Step<'_>| progress.tell(&step);
    if let (Some(student), true) = (&args.only, args.again || args.seed.is_some()) {
        let appeal = appeal(
            &grading,
            &folder,
            &asked,
            student,
            args.seed,
            &supervisor,
            &interrupt,
            &listen,
        )?;
        drop(progress);
        say(&appeal_text(&grading, &appeal))?;
        return Ok(Exit::Done);
    }
    let graded = grade(&grading, &folder, &asked, &supervisor, &interrupt, &listen)?;
    if args.shard.is_some() {
        return Ok(Exit::Done);
    }
    if args.only.is_none() {
        write_graded(&grading, &folder, &graded)?;
    }
    let options = FeedbackOptions {
        platform,
        ..FeedbackOptions::default()
    };
    let lanes = args.jobs.map_or_else(submission::lanes, NonZeroUsize::get);
    let feedback = write_all_feedback(&grading, &folder, &graded, &options, lanes, &interrupt);
    drop(progress);
    say(&results(args, &grading, &folder, &graded)?)?;
    // The marks and tables are written by now, so a failed feedback loses no result of the lecturer.
    feedback?;
    if grading.publishes_standings && args.only.is_none() {
        publish(&grading, &folder, &graded)?;
    }
    Ok(Exit::Done)
}

/// Writes the feedback archive and the sheet. Returns the final text for the screen.
fn results(
    args: &GradeArgs,
    grading: &Grading,
    folder: &GradeFolder,
    graded: &Graded,
) -> Result<String, Failure> {
    let mut text = if args.only.is_some() {
        table(&graded.marks, usize::MAX, true)
    } else {
        let marks = folder.marks();
        let text = ending(graded, &marks, args.verbose);
        format!("{text}marks in {}\n", marks.display())
    };
    if args.only.is_none()
        && let Some(returned) = write_returned(grading, folder, graded)?
    {
        text.push_str(&returned_text(&returned, grading.layout));
    }
    if let (Some(sheet), Some(key), Some(column)) = (&args.fill, &args.key, &args.column) {
        let columns = Columns {
            key,
            marks: column,
            comments: args.comment.as_deref(),
        };
        text.push_str(&fill_sheet(sheet, &columns, grading, graded)?);
    }
    Ok(text)
}

fn grade_folder(args: &GradeArgs, grading: &Grading) -> GradeFolder {
    let out = args.out.clone();
    GradeFolder::new(&out.unwrap_or_else(|| PathBuf::from("results").join(&grading.name)))
}
