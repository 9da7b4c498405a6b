//! Arguments of `referee grade`.

use std::path::PathBuf;
use std::time::Duration;

use super::submission::PlatformName;
use crate::cli::arguments::{MachineArgs, parse_seed, parse_time};
use crate::grade::{GradeFolder, Grading};

/// Grade a class of student agents: marks with their confidence, and feedback
///
/// Unpacks, builds and checks the submissions, plays the tests of the configuration, and writes marks.csv with a row
/// per student. Only new games are played: after one resubmission, only that student's. See docs/grading.md.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(in crate::cli) struct GradeArgs {
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
    /// With --only: play as many games again from this other seed, and show both marks
    #[arg(long, value_name = "N", requires = "only", value_parser = parse_seed, conflicts_with = "again", allow_negative_numbers = true)]
    pub seed: Option<u64>,
    /// Show for whom marks changed since an earlier grading: since that marks.csv, or since the grading before the
    /// last; plays nothing
    #[arg(long, value_name = "MARKS", num_args = 0..=1, conflicts_with_all = ["only", "shard", "check"])]
    pub changes: Option<Option<PathBuf>>,
    /// Fill the marks into this sheet that a learning-management system exported: into --column, by the ids or
    /// addresses in --key; every other byte stays as it is
    #[arg(long, value_name = "SHEET", requires = "key", requires = "column", conflicts_with_all = ["only", "shard", "check", "changes"])]
    pub fill: Option<PathBuf>,
    /// The column of the sheet with the ids or addresses
    #[arg(long, value_name = "COLUMN", requires = "fill")]
    pub key: Option<String>,
    /// The column of the sheet for the marks
    #[arg(long, value_name = "COLUMN", requires = "fill")]
    pub column: Option<String>,
    /// The column of the sheet for a comment on each mark; other comments in it stay
    #[arg(long, value_name = "COLUMN", requires = "fill")]
    pub comment: Option<String>,
    /// Play only the part I of K of the class, from 0/K to K-1/K, as other machines play the other parts into the same
    /// folder; the same command without this option then writes the marks
    #[arg(long, value_name = "I/K", value_parser = parse_shard, conflicts_with = "only")]
    pub shard: Option<(usize, usize)>,
    /// Write results.json into the feedback of each student, as this platform reads it
    #[arg(long = "for", value_enum, value_name = "PLATFORM")]
    pub(super) platform: Option<PlatformName>,
    /// Grade the submission in this folder alone, as in the container of an autograder: without roster, by processor
    /// time, one game at a time. Gradescope's submission_metadata.json beside it says when it was handed in
    #[arg(long, value_name = "DIR", requires = "results", conflicts_with_all = ["check", "only", "shard"])]
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

fn parse_shard(text: &str) -> Result<(usize, usize), &'static str> {
    let parts = text.split_once('/');
    let parts = parts.and_then(|(shard, shards)| Some((shard.parse().ok()?, shards.parse().ok()?)));
    match parts {
        Some((shard, shards)) if shard < shards && shards <= 10_000 => Ok((shard, shards)),
        _ => Err("expected I/K with I less than K, such as 0/4"),
    }
}

impl GradeArgs {
    /// Folder of a grading.
    pub fn folder(&self, grading: &Grading) -> GradeFolder {
        let out = self.out.clone();
        GradeFolder::new(&out.unwrap_or_else(|| PathBuf::from("results").join(&grading.name)))
    }
}
