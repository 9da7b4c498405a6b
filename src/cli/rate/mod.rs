//! `referee rate FILES…`: ratings from results.

mod read;

use std::collections::BTreeSet;
use std::path::PathBuf;

use clap::ValueEnum;
use read::{GamesRead, read, settings};

use crate::cli::arguments::GameFilter;
use crate::cli::exit::{Exit, Failure};
use crate::cli::output::{print, style};
use crate::rating::{EloModel, Openings, Sprt};
use crate::report::{self, NotesOn, ReportTable};
use crate::results::{Rated, Settings};
use crate::text::{self, escaped_json};

pub(super) fn run(args: &RateArgs) -> Result<Exit, Failure> {
    let GamesRead {
        mut results,
        display_names,
        by_results,
        run_test,
        all_openings,
    } = read(args)?;
    let settings = Settings {
        display_names,
        by_results,
        sprt: args.sprt.clone().or_else(|| run_test.clone()),
        run_test,
        familywise: args.familywise,
        all_openings: match args.openings {
            Some(Openings::All) => results.games().map(|(game, _)| game.to_owned()).collect(),
            Some(Openings::Sample) => BTreeSet::new(),
            None => all_openings,
        },
        ..settings(args, &results)?
    };
    let rated = results.rate(&settings);
    let mut by_chance = rated.iter().filter(|one| one.standings.totals().has_chance);
    if args.once
        && let Some(one) = by_chance.next()
    {
        return Err(Failure::usage(format!(
            "--once: {}: games with equal actions had different results, so chance decides them and none repeats another; \
             expected all games",
            one.game
        )));
    }
    if let Some((name, _)) = &args.sprt
        && rated.iter().all(|one| one.tested_games().is_none())
    {
        return Err(Failure::usage(format!(
            "--sprt: `{name}` plays games with more than two seats alone, and the test is for games of two"
        )));
    }
    let tables = tables(args, &rated)?;
    match args.format {
        RateFormat::Terminal if tables.is_empty() => {
            print(&report::summary(&results, &rated, style()))?;
        }
        RateFormat::Terminal => {
            for table in tables {
                let shown = table.with_display_names(&settings.display_names);
                print(&report::plain(&shown, style()))?;
            }
        }
        RateFormat::Csv => {
            for table in &tables {
                print(&String::from_utf8_lossy(&table.csv()))?;
            }
        }
        RateFormat::Json => {
            let json = format!("{:#}\n", report::json(&rated, &tables, NotesOn::Screen));
            print(&escaped_json(&json))?;
        }
    }
    Ok(Exit::Done)
}

/// Rate the players of any number of files of results together
///
/// Reads the games.csv of runs, plain tables (first player, second player, score of the first, with
/// or without a header) and PGN headers, also compressed by gzip. Players with the same name are the same player.
/// `referee docs ratings` explains all figures.
#[derive(Debug, clap::Args)]
pub(super) struct RateArgs {
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
    /// Test whether this player is stronger than its opponents by ELO1 rather than by ELO0
    ///
    /// All games count. With `,normalized` at the end, the differences are in normalized Elo. The decision of a run
    /// with kind = "sprt" is in verdict.csv in its folder.
    #[arg(long, value_name = "NAME,ELO0,ELO1[,ALPHA,BETA][,normalized]", value_parser = parse_sprt)]
    pub sprt: Option<(String, Sprt)>,
    /// How to print
    #[arg(long, value_enum, default_value_t = RateFormat::Terminal)]
    format: RateFormat,
    /// Print only these tables; CSV has one table, the ratings if none is given
    #[arg(long, value_enum, value_name = "TABLE")]
    table: Vec<RateTable>,
    /// Leave out rows that are not results, with a warning for each, instead of stopping at the first
    #[arg(long)]
    pub skip_bad_rows: bool,
    #[command(flatten)]
    pub filter: GameFilter,
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

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, ValueEnum)]
enum RateTable {
    Ratings,
    Standings,
    Crosstable,
    Superiority,
    Match,
}

impl RateTable {
    const DEFAULT: [RateTable; 4] = [
        RateTable::Ratings,
        RateTable::Standings,
        RateTable::Crosstable,
        RateTable::Match,
    ];

    fn table(self, rated: &[Rated<'_>]) -> ReportTable {
        match self {
            RateTable::Ratings => report::ratings(rated),
            RateTable::Standings => report::standings(rated),
            RateTable::Crosstable => report::crosstable(rated).collect(),
            RateTable::Superiority => report::superiority(rated).collect(),
            RateTable::Match => report::matches(rated),
        }
    }
}

/// The tables to print. None stands for the summary on a terminal.
fn tables(args: &RateArgs, rated: &[Rated<'_>]) -> Result<Vec<ReportTable>, Failure> {
    let names = match (args.table.as_slice(), args.format) {
        ([], RateFormat::Terminal) => &[],
        ([], RateFormat::Csv) => &[RateTable::Ratings][..],
        ([], RateFormat::Json) => &RateTable::DEFAULT,
        (names, _) => names,
    };
    let mut more = rated.iter().filter(|one| one.order.len() > 2);
    if args.table.contains(&RateTable::Match)
        && let Some(one) = more.next()
    {
        return Err(Failure::usage(format!(
            "--table match: {} has {} players, more than 2: choose some with --player and --among",
            one.game,
            one.order.len()
        )));
    }
    Ok(names.iter().map(|name| name.table(rated)).collect())
}

fn parse_openings(text: &str) -> Result<Openings, &'static str> {
    let mut all = Openings::ALL.into_iter();
    let found = all.find(|openings| openings.name() == text);
    found.ok_or("expected `sample` or `all`")
}

fn parse_sprt(text: &str) -> Result<(String, Sprt), String> {
    let (text, model) = EloModel::ALL
        .into_iter()
        .find_map(|model| {
            let rest = text.strip_suffix(model.name())?;
            Some((rest.trim_end().strip_suffix(',')?, model))
        })
        .unwrap_or((text, EloModel::default()));
    let mut parts = text.split(',').map(str::trim);
    let name = text::name(parts.next().unwrap_or_default()).into_owned();
    let numbers: Option<Vec<f64>> = parts.map(|part| part.parse().ok()).collect();
    let (elo0, elo1, alpha, beta) = match numbers.as_deref() {
        Some([elo0, elo1]) => (*elo0, *elo1, 0.05, 0.05),
        Some([elo0, elo1, alpha, beta]) => (*elo0, *elo1, *alpha, *beta),
        _ => {
            return Err(
                "expected a name, two numbers or four, and perhaps `normalized`".to_owned(),
            );
        }
    };
    let most = model.most_elo();
    if !(elo0 < elo1 && elo0.abs() <= most && elo1.abs() <= most) {
        return Err(format!("expected ELO0 below ELO1, both within {most}"));
    }
    if ![alpha, beta].iter().all(|rate| *rate > 0.0 && *rate < 0.5) {
        return Err("expected ALPHA and BETA between 0 and 0.5".to_owned());
    }
    let test = Sprt {
        elo0,
        elo1,
        alpha,
        beta,
        model,
    };
    Ok((name, test))
}
