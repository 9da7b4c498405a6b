//! Arguments of `referee rate`.

use std::path::PathBuf;

use clap::ValueEnum;

use super::values::{Plan, parse_openings, parse_plan, parse_sprt};
use crate::cli::arguments::GameFilter;
use crate::rating::{Openings, Sprt};
use crate::report::DEFAULT_K;

/// Rate the players of any number of files of results together
///
/// Reads the games.csv of runs, plain tables (first player, second player, score of the first, with
/// or without a header) and PGN headers, also compressed by gzip. Players with the same name are the same player. The order
/// of files and games matters only for the table `history`. docs/ratings.md explains all figures.
#[derive(Debug, clap::Args)]
pub(in crate::cli) struct RateArgs {
    /// Files of results, folders of runs, or `-` for stdin
    #[arg(required = true, value_name = "FILE")]
    pub files: Vec<PathBuf>,
    /// Set the Elo of this player to 0, or to ELO; if not given, the mean of all players is 0
    #[arg(long, value_name = "NAME[=ELO]")]
    pub anchor: Option<String>,
    /// Give several players their Elo, exactly or with a margin: a CSV file with the columns player, elo and margin
    ///
    /// The margin is half the width of the 95 % interval, as in ratings.csv; where it is empty, the Elo is exact. With
    /// a column `game`, an anchor is for the ratings of that game.
    #[arg(long, value_name = "FILE", conflicts_with = "anchor")]
    pub anchors: Option<PathBuf>,
    /// Assume that the first seat has no advantage
    #[arg(long)]
    pub equal_seats: bool,
    /// Whether the openings are a sample of many, or all that there are: then intervals count blocks and not openings
    ///
    /// A run says it by `openings-are` in its configuration; others are taken for samples.
    #[arg(long, value_name = "WHAT", value_parser = parse_openings)]
    pub openings: Option<Openings>,
    /// Tell players apart with 95 % confidence in all comparisons together, and not in each one
    #[arg(long)]
    pub familywise: bool,
    /// Count a game once if the same players repeated it action by action
    #[arg(long)]
    pub once: bool,
    /// The K of sequential Elo, in the table `history`
    #[arg(long, value_name = "K", default_value_t = DEFAULT_K)]
    pub k: f64,
    /// Test whether this player is stronger than its opponents by ELO1 rather than by ELO0
    ///
    /// All games count. With `,normalized` at the end, the differences are in normalized Elo. The decision of a run
    /// with kind = "sprt" is in verdict.csv in its folder.
    #[arg(long, value_name = "NAME,ELO0,ELO1[,ALPHA,BETA][,normalized]", value_parser = parse_sprt)]
    pub sprt: Option<(String, Sprt)>,
    /// Say how many games it takes to tell players apart who differ by ELO: two equal ones, or the two named
    #[arg(long, value_name = "ELO[,NAME,NAME]", value_parser = parse_plan)]
    #[arg(num_args = 0..=1, require_equals = true, default_missing_value = "20")]
    pub plan: Option<Plan>,
    /// How to print
    #[arg(long, value_enum, default_value_t = RateFormat::Terminal)]
    pub(super) format: RateFormat,
    /// Print only these tables; CSV has one table, the ratings if none is given
    #[arg(long, value_enum, value_name = "TABLE")]
    pub(super) table: Vec<RateTable>,
    /// Leave out rows that are not results, with a warning for each, instead of stopping at the first
    #[arg(long)]
    pub skip_bad_rows: bool,
    #[command(flatten)]
    pub filter: GameFilter,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(super) enum RateFormat {
    /// For people: aligned, in colour on a terminal
    Terminal,
    /// One table for programs
    Csv,
    /// For programs: the notes and these tables, or ratings, standings, crosstable and match
    Json,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, ValueEnum)]
pub(super) enum RateTable {
    Ratings,
    Standings,
    Crosstable,
    Pairings,
    Superiority,
    Match,
    History,
    Covariance,
}
