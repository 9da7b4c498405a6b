//! `referee grade CONFIG`: marks for a class.

use std::collections::BTreeMap;
use std::fs;
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::time::Duration;

use super::grade_one::{self, One, PlatformName};
use super::launch::{signals, supervisor};
use super::values::{parse_jobs, parse_time, parse_whole};
use super::{Exit, Failure, print};
use crate::grade::{
    Appeal, Asked, Class, FeedbackOptions, GradeFolder, Graded, Grading, Mark, Platform, Problem,
    Status, Step, appeal, changed_marks, earlier_marks, given_marks, grade, sheet,
    write_all_feedback, write_graded,
};
use crate::record::write_whole;
use crate::report::print_to_stderr;
use crate::runner::HostOptions;
use crate::text::{counted, excerpt, visible};

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
    /// Paths in it start at the current folder, not at the folder of the file.
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
    /// Grade only this student or team, and show the mark; marks.csv stays as it is
    #[arg(long, value_name = "ID")]
    only: Option<String>,
    /// With --only: play the same games once more beside the first, and say which differ; both marks
    #[arg(long, requires = "only")]
    again: bool,
    /// With --only: play as many games from this other seed beside the first; both marks
    #[arg(long, value_name = "N", requires = "only", value_parser = parse_whole, conflicts_with = "again", allow_negative_numbers = true)]
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
}

const EXAMPLES: &str = "\
Examples:
  referee grade configs/grade-minimal.toml --check
  referee grade spring.toml -j 8
  referee grade spring.toml --only s1234567 --again
  referee grade spring.toml --fill canvas.csv --key ID --column \"Project part B\"
  referee grade spring.toml --submission submission --budget 9m --results results/results.json";

/// How many rows of marks are shown.
const SHOWN: usize = 40;

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
        pin: args.pin,
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
        let quiet = args.quiet;
        return grade_one::run(&one, &mut |step| tell(quiet, &step), &|graded| {
            print(&table(&graded.marks))
        });
    }
    let grading = Grading::load(&args.config)?;
    if args.check {
        return check(args, &grading);
    }
    let out = args.out.clone();
    let out = out.unwrap_or_else(|| PathBuf::from("results").join(&grading.name));
    let folder = GradeFolder::new(&out);
    let asked = Asked {
        host,
        only: args.only.clone(),
        shard: args.shard,
        until: None,
    };
    if let Some(since) = &args.changes {
        return show_changes(&folder, since.as_deref());
    }
    let interrupt = signals()?;
    let supervisor = supervisor()?;
    if let (Some(student), true) = (&args.only, args.again || args.seed.is_some()) {
        let appeal = appeal(
            &grading,
            &folder,
            &asked,
            student,
            args.seed,
            &supervisor,
            &interrupt,
            &mut |step| tell(args.quiet, &step),
        )?;
        print(&appeal_text(&grading, &appeal))?;
        return Ok(Exit::Done);
    }
    let graded = grade(
        &grading,
        &folder,
        &asked,
        &supervisor,
        &interrupt,
        &mut |step| {
            tell(args.quiet, &step);
        },
    )?;
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
    let lanes = args.jobs.map_or_else(grade_one::lanes, NonZeroUsize::get);
    write_all_feedback(&grading, &folder, &graded, &options, lanes, &interrupt)?;
    let mut text = table(&graded.marks);
    if args.only.is_none() {
        text.push_str(&summary(&graded));
        text.push_str(&format!("marks in {}\n", folder.marks().display()));
    }
    if let (Some(sheet), Some(key), Some(column)) = (&args.fill, &args.key, &args.column) {
        text.push_str(&fill_sheet(sheet, key, column, &graded)?);
    }
    print(&text)?;
    Ok(Exit::Done)
}

/// Fills the marks into a sheet, and says what was filled.
fn fill_sheet(path: &Path, key: &str, column: &str, graded: &Graded) -> Result<String, Failure> {
    let failed =
        |problem: String| Failure::new(Exit::File, format!("{}: {problem}", path.display()));
    let sheet = fs::read(path).map_err(|error| failed(format!("cannot be read: {error}")))?;
    // Those that a person has to look at have no mark yet.
    let certain = graded
        .marks
        .iter()
        .filter(|mark| mark.status != Status::Held);
    let marks: BTreeMap<String, String> = certain
        .flat_map(|mark| {
            mark.members
                .iter()
                .map(move |student| (student, mark.total))
        })
        .flat_map(|(student, total)| {
            let keys = [student.id.clone(), student.email.clone()].into_iter();
            keys.filter(|key| !key.is_empty())
                .map(move |key| (key, format!("{total:.2}")))
        })
        .collect();
    let filled =
        sheet::fill(&sheet, key, column, &marks).map_err(|error| failed(error.to_string()))?;
    write_whole(path, &mut |file| file.write_all(&filled.bytes))?;
    let mut text = format!(
        "{} filled into {}\n",
        counted(filled.filled, "mark", "marks"),
        path.display()
    );
    if !filled.without_mark.is_empty() {
        text.push_str(&format!(
            "in the sheet and without a mark: {}\n",
            filled.without_mark.join(", ")
        ));
    }
    Ok(text)
}

/// What changed since an earlier grading, and for whom.
fn show_changes(folder: &GradeFolder, since: Option<&Path>) -> Result<Exit, Failure> {
    let since = match since {
        Some(since) => since.to_owned(),
        None => earlier_marks(folder)?,
    };
    let changed = changed_marks(&since, &folder.marks())?;
    let mut text = String::new();
    for mark in &changed {
        let [was, is] = &mark.totals;
        let same = if mark.same_submission {
            "the same submission"
        } else {
            "another submission"
        };
        let shown = |value: &String| match value.as_str() {
            "" => "nothing".to_owned(),
            value => excerpt(&visible(value), 60),
        };
        let columns = mark
            .columns
            .iter()
            .filter(|(name, _)| name != "total" && name != "digest");
        let columns = columns
            .map(|(name, [was, is])| format!("{} {} -> {}", visible(name), shown(was), shown(is)));
        let columns: Vec<String> = columns.collect();
        text.push_str(&format!(
            "{}: {} -> {} ({same}): {}\n",
            mark.id,
            shown(was),
            shown(is),
            columns.join(", ")
        ));
    }
    text.push_str(&format!(
        "{} changed since {}\n",
        counted(changed.len() as u64, "student", "students"),
        since.display()
    ));
    print(&text)?;
    Ok(Exit::Done)
}

/// Both marks of an appeal, and the games that went otherwise.
fn appeal_text(grading: &Grading, appeal: &Appeal) -> String {
    let mut text = String::new();
    for (words, mark) in ["first", "again"].iter().zip(&appeal.marks) {
        let tests = grading.tests.iter().zip(&mark.tests);
        let tests = tests.map(|(test, own)| {
            format!(
                "{} {:.2} of {} in {} games",
                test.name, own.marks, test.marks, own.games
            )
        });
        let tests: Vec<String> = tests.collect();
        text.push_str(&format!(
            "{words}: {:.2} marks ({})\n",
            mark.total,
            tests.join("; ")
        ));
    }
    if appeal.compared > 0 {
        text.push_str(&format!(
            "{} of {} differ\n",
            appeal.different.len(),
            counted(appeal.compared, "game", "games")
        ));
    }
    for game in appeal.different.iter().take(SHOWN) {
        let [was, is] = &game.ends;
        let place = match &game.first_ply {
            Some((ply, player)) => format!("first at ply {ply}, of {}", visible(player)),
            None => "all actions are the same".to_owned(),
        };
        text.push_str(&format!(
            "  {} game {}: {}; again: {}; {place}\n",
            grading.tests[game.test].name,
            game.id,
            excerpt(&visible(was), 120),
            excerpt(&visible(is), 120)
        ));
    }
    text.push_str(&format!("the games are in {}\n", appeal.folder.display()));
    text
}

/// Says what is wrong, and what there is to do.
fn check(args: &GradeArgs, grading: &Grading) -> Result<Exit, Failure> {
    let class = Class::read(grading)?;
    let (_, of_marks) = given_marks(grading);
    let problems = || class.problems.iter().chain(&of_marks);
    let handed_in = class.candidates.iter().filter(|it| it.path.is_some());
    let handed_in = handed_in.count() as u64;
    let [least, most] = grading.games();
    let mut text = format!(
        "{}{}: valid; {}, {handed_in} handed in; {} to {} games\n",
        problems().map(line).collect::<String>(),
        args.config.display(),
        counted(
            class.candidates.len() as u64,
            "student or team",
            "students or teams"
        ),
        least * handed_in,
        most * handed_in,
    );
    if let Some(longest) = grading.longest() {
        let cores = || std::thread::available_parallelism().unwrap_or(NonZeroUsize::MIN);
        let jobs = args.jobs.unwrap_or_else(cores);
        let seconds = longest.as_secs_f64() * handed_in as f64 / jobs.get() as f64;
        let longest = Duration::from_secs(seconds.min(1e9) as u64);
        text.push_str(&format!(
            "{} games take at most {} at -j {jobs}, if every bot uses all of its clock\n",
            least * handed_in,
            humantime::format_duration(longest),
        ));
    }
    print(&text)?;
    Ok(match problems().next() {
        None => Exit::Done,
        Some(_) => Exit::Failed,
    })
}

fn line(problem: &Problem) -> String {
    format!("{problem}\n")
}

fn tell(quiet: bool, step: &Step<'_>) {
    let text = match step {
        Step::Problem(problem) => problem.to_string(),
        Step::Warning(warning) => format!("warning: {warning}"),
        Step::Round(_, 0) | Step::Tournament(_) => return,
        _ if quiet => return,
        Step::Preparing { submissions } => format!(
            "unpacking and building {}",
            counted(*submissions as u64, "submission", "submissions")
        ),
        Step::Checking { bots } => {
            format!("checking {}", counted(*bots as u64, "bot", "bots"))
        }
        Step::Round(round, games) => format!(
            "round {}{}: {} of {}",
            round.number,
            if round.is_extra {
                ", where marks are unsure"
            } else {
                ""
            },
            counted(*games, "game", "games"),
            counted(round.students as u64, "student", "students"),
        ),
    };
    print_to_stderr(&text);
}

/// The marks for a screen.
fn table(marks: &[Mark]) -> String {
    let mut text = String::new();
    let width = marks
        .iter()
        .map(|mark| mark.key.chars().count())
        .max()
        .unwrap_or(0)
        .clamp(7, 24);
    text.push_str(&format!(
        "{:<width$}  status   marks   low  high  change  note\n",
        "student"
    ));
    for mark in marks.iter().take(SHOWN) {
        let (low, high, change) = match &mark.change {
            Some(change) => (
                format!("{:.1}", change.low),
                format!("{:.1}", change.high),
                format!("{:.0} %", 100.0 * change.probability),
            ),
            None => (String::new(), String::new(), String::new()),
        };
        text.push_str(&format!(
            "{:<width$}  {:<6} {:>7.2} {low:>5} {high:>5} {change:>7}  {}\n",
            excerpt(&visible(&mark.key), width),
            mark.status.name(),
            mark.total,
            excerpt(&visible(&mark.notes.join("; ")), 100),
        ));
    }
    if marks.len() > SHOWN {
        text.push_str(&format!("and {} more\n", marks.len() - SHOWN));
    }
    text
}

fn summary(graded: &Graded) -> String {
    let statuses = [
        Status::Graded,
        Status::None,
        Status::Late,
        Status::Broken,
        Status::Held,
    ];
    let counts = statuses.map(|status| {
        let count = graded
            .marks
            .iter()
            .filter(|mark| mark.status == status)
            .count();
        format!("{count} {}", status.name())
    });
    format!("{}\n", counts.join(", "))
}
