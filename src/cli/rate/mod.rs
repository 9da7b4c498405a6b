//! `referee rate FILES…`: ratings from results.

use std::path::PathBuf;

use clap::ValueEnum;

mod read;
mod tables;
mod values;

use super::arguments::{FilterError, GameFilter};
use super::{Exit, Failure, print, style};
use crate::config::in_brackets;
use crate::rating::{MAX_EXACT_PLAYERS, Sprt};
use crate::report::{self, DEFAULT_K, ReportTable};
use crate::results::{AnchorsError, ResultsError, Settings};
use crate::runs::RecordError;
use crate::text::{escaped_json, visible};
use read::{Games, read, settings};
use tables::{RateTable, tables};
use values::{Plan, parse_plan, parse_sprt};

/// Rate the players of any number of files of results together
///
/// Reads the games.csv of runs, plain tables (first player, second player, score of the first, with
/// or without a header) and PGN headers, also compressed by gzip. Players with the same name are the same player. The order
/// of files and games matters only for the table `history`. docs/ratings.md explains all figures.
#[derive(Debug, clap::Args)]
pub(super) struct RateArgs {
    /// Files of results, folders of runs, or `-` for stdin
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
    /// Set the Elo of this player to 0, or to ELO; if not given, the mean of all players is 0
    #[arg(long, value_name = "NAME[=ELO]")]
    anchor: Option<String>,
    /// Give several players their Elo, exactly or with a margin: a CSV file with the columns player, elo and margin
    ///
    /// The margin is half the width of the 95 % interval, as in ratings.csv; where it is empty, the Elo is exact. With
    /// a column `game`, an anchor is for the ratings of that game.
    #[arg(long, value_name = "FILE", conflicts_with = "anchor")]
    anchors: Option<PathBuf>,
    /// Assume that the first seat has no advantage
    #[arg(long)]
    equal_seats: bool,
    /// Count a game once if the same players repeated it action by action
    #[arg(long)]
    once: bool,
    /// The K of sequential Elo, in the table `history`
    #[arg(long, value_name = "K", default_value_t = DEFAULT_K)]
    k: f64,
    /// Test whether this player is stronger than its opponents by ELO1 rather than by ELO0
    ///
    /// All games count. With `,normalized` at the end, the differences are in normalized Elo. What a run with
    /// kind = "sprt" decided is in verdict.csv in its folder.
    #[arg(long, value_name = "NAME,ELO0,ELO1[,ALPHA,BETA][,normalized]", value_parser = parse_sprt)]
    sprt: Option<(String, Sprt)>,
    /// Say how many games it takes to tell players apart who differ by ELO: two equal ones, or the two named
    #[arg(long, value_name = "ELO[,NAME,NAME]", value_parser = parse_plan)]
    #[arg(num_args = 0..=1, require_equals = true, default_missing_value = "20")]
    plan: Option<Plan>,
    /// How to print
    #[arg(long, value_enum, default_value_t = RateFormat::Terminal)]
    format: RateFormat,
    /// Print only these tables; CSV has one table, the ratings if none is given
    #[arg(long, value_enum, value_name = "TABLE")]
    table: Vec<RateTable>,
    /// Sort by a column, given by its name in CSV: greatest number first, or last with `-` before the
    /// name
    #[arg(long, value_name = "COLUMN", allow_hyphen_values = true)]
    sort: Option<String>,
    /// Leave out rows that are not results, with a warning for each, instead of stopping at the first
    #[arg(long)]
    skip_bad_rows: bool,
    #[command(flatten)]
    filter: GameFilter,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum RateFormat {
    /// For people: aligned, in colour on a terminal
    Terminal,
    /// One table for programs
    Csv,
    /// For programs: the notes and these tables, or ratings, standings, crosstable and match
    Json,
}

/// Why games could not be rated.
#[derive(Debug, thiserror::Error)]
pub(super) enum RateError {
    #[error("CSV has one table: give one --table")]
    SeveralTables,
    #[error("{}: is given twice, and its games would count twice: leave one out", visible(&.0.display().to_string()))]
    Twice(PathBuf),
    #[error("--k {0}: expected a number above 0")]
    K(f64),
    #[error("--player {name}: nobody of that name plays{}", in_brackets(.hint.clone()))]
    UnknownPlayer { name: String, hint: Option<String> },
    #[error("--anchor {0}: expected the name of a player of these games, or NAME=ELO")]
    Anchor(String),
    #[error(
        "--anchors: {game} has {players} players, more than {MAX_EXACT_PLAYERS}: choose some with --player and --among"
    )]
    AnchoredPlayers { game: String, players: usize },
    #[error("--sprt: `{0}` plays none of these games")]
    SprtPlayer(String),
    #[error("--plan: `{0}` plays none of these games")]
    PlanPlayer(String),
    #[error(
        "--table {table}: {game} has {players} players, more than {most}: choose some with --player and --among"
    )]
    TablePlayers {
        table: String,
        game: String,
        players: usize,
        most: usize,
    },
    #[error("--sort {0}: no table has that column")]
    UnknownColumn(String),
    #[error(transparent)]
    Filter(#[from] FilterError),
    #[error(transparent)]
    Run(#[from] RecordError),
    #[error(transparent)]
    Results(#[from] ResultsError),
    #[error(transparent)]
    Anchors(#[from] AnchorsError),
}

pub(super) fn run(args: &RateArgs) -> Result<Exit, Failure> {
    let Games {
        results,
        mut history,
        display_names,
        mixtures,
        programs,
        run_test,
    } = read(args)?;
    for note in mixtures.notes() {
        report::print_to_stderr(&format!("note: {note}"));
    }
    let settings = Settings {
        display_names,
        programs,
        sprt: args.sprt.clone().or_else(|| run_test.clone()),
        run_test,
        ..settings(args, &results)?
    };
    let rated = results.rate(&settings);
    let mut tables = tables(args, &rated, &mut history)?;
    if args.format == RateFormat::Terminal {
        let shown = |table: ReportTable| table.with_display_names(&settings.display_names);
        tables = tables.into_iter().map(shown).collect();
    }
    match args.format {
        RateFormat::Terminal if tables.is_empty() => {
            let sort = args.sort.as_deref();
            print(&report::summary(&results, &rated, sort, style()))?;
        }
        RateFormat::Terminal => {
            for table in &tables {
                print(&report::plain(table, style()))?;
            }
        }
        RateFormat::Csv => {
            for table in &tables {
                print(&String::from_utf8_lossy(&table.csv()))?;
            }
        }
        RateFormat::Json => {
            let json = format!("{:#}\n", report::json(&rated, &tables));
            print(&escaped_json(&json))?;
        }
    }
    Ok(Exit::Done)
}
