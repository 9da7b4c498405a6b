//! `referee rate FILES…`: ratings from results.

use std::collections::BTreeSet;
use std::path::PathBuf;

use clap::ValueEnum;

use super::filter::Filter;
use super::{Exit, Failure, print, style};
use crate::rating::{Model, Sprt};
use crate::record::{BadRows, read_results};
use crate::report::{self, Cell, DEFAULT_K, History, Rated, ReportTable, Results, Settings};

/// Ratings from any number of files of results together
///
/// Reads the games.csv of runs, plain tables (first player, second player, score of the first, with
/// or without a header) and PGN headers. Players with the same name are the same player. The order
/// of files and games matters for the table `history` only. docs/ratings.md explains every figure.
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// Files of results
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
    /// Elo is relative to this player, at 0 or at so many Elo; else to the mean of all players
    #[arg(long, value_name = "NAME[=ELO]")]
    anchor: Option<String>,
    /// Take seats to be equal, and fit no advantage of the first
    #[arg(long)]
    equal_seats: bool,
    /// Count games once that the same players played before action by action
    #[arg(long)]
    once: bool,
    /// The K of sequential Elo, in the table `history`
    #[arg(long, value_name = "K", default_value_t = DEFAULT_K)]
    k: f64,
    /// Test, in games of two players, whether this one is stronger by ELO1 rather than ELO0
    #[arg(long, value_name = "NAME,ELO0,ELO1[,ALPHA,BETA]", value_parser = sprt)]
    sprt: Option<(String, Sprt)>,
    /// How to print
    #[arg(long, value_enum, default_value_t = Format::Terminal)]
    format: Format,
    /// Print these tables only; CSV is of one table, by default the ratings
    #[arg(long, value_enum, value_name = "TABLE")]
    table: Vec<Table>,
    /// Sort by a column, by its name in CSV: the greatest number first, or last with `-` before it
    #[arg(long, value_name = "COLUMN", allow_hyphen_values = true)]
    sort: Option<String>,
    /// Leave rows out that are no results, with a warning each, instead of stopping at the first
    #[arg(long)]
    skip_bad_rows: bool,
    #[command(flatten)]
    filter: Filter,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Format {
    /// For people: aligned, in colour on a terminal
    Terminal,
    /// One table for programs
    Csv,
    /// For pages and messages
    Markdown,
    /// Everything for programs
    Json,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, ValueEnum)]
enum Table {
    Ratings,
    Standings,
    Crosstable,
    Superiority,
    Match,
    History,
}

impl Table {
    /// What a document shows that was not asked for certain tables.
    const USUAL: [Table; 4] = [
        Table::Ratings,
        Table::Standings,
        Table::Crosstable,
        Table::Match,
    ];

    fn sheet(self, rated: &[Rated<'_>], history: &mut Vec<Vec<Cell>>) -> ReportTable {
        match self {
            Table::Ratings => report::ratings(rated),
            Table::Standings => report::standings(rated),
            Table::Crosstable => report::crosstable(rated).collect(),
            Table::Superiority => report::superiority(rated).collect(),
            Table::Match => report::matches(rated),
            Table::History => ReportTable {
                name: "history",
                columns: History::columns(),
                rows: std::mem::take(history),
            },
        }
    }
}

pub(super) fn run(args: &Args) -> Result<Exit, Failure> {
    let usage = |message: String| Failure::new(Exit::Usage, message);
    if args.format == Format::Csv && args.table.len() > 1 {
        return Err(usage("CSV is of one table: name one --table".to_owned()));
    }
    if !(args.k.is_finite() && args.k > 0.0) {
        return Err(usage(format!("--k {}: expected a number above 0", args.k)));
    }
    let mut results = match args.once {
        true => Results::without_duplicates(),
        false => Results::default(),
    };
    let mut history = History::new(args.k);
    let mut followed = Vec::new();
    let with_history = args.table.contains(&Table::History);
    let bad = match args.skip_bad_rows {
        true => BadRows::Skip,
        false => BadRows::Refuse,
    };
    let mut unknown: BTreeSet<&str> = args.filter.players().collect();
    for (source, file) in args.files.iter().enumerate() {
        let mut each = |row: &crate::record::ResultRow<'_>| {
            if !unknown.is_empty() {
                for name in row.names {
                    unknown.remove(name);
                }
            }
            if args.filter.keeps(row) {
                results.add(row);
                if with_history {
                    followed.extend(history.add(row));
                }
            }
        };
        read_results(file, source as u64, bad, &mut each, &mut |warning| {
            report::say(&format!("referee: {warning}; left out"));
        })
        .map_err(|error| Failure::new(Exit::File, error))?;
    }
    if let Some(name) = unknown.first() {
        return Err(usage(format!("--player {name}: nobody of that name plays")));
    }
    let settings = settings(args, &results)?;
    let rated = results.rate(&settings);
    let mut sheets: Vec<ReportTable> = match (args.table.as_slice(), args.format) {
        ([], Format::Terminal) => Vec::new(),
        ([], Format::Csv) => vec![report::ratings(&rated)],
        ([], _) => Table::USUAL
            .map(|table| table.sheet(&rated, &mut followed))
            .into(),
        (tables, _) => tables
            .iter()
            .map(|table| table.sheet(&rated, &mut followed))
            .collect(),
    };
    if let Some(sort) = &args.sort {
        let mut sorted = sheets.is_empty() && report::ratings(&rated).sort(sort);
        for sheet in &mut sheets {
            sorted |= sheet.sort(sort);
        }
        if !sorted {
            return Err(usage(format!("--sort {sort}: no table has that column")));
        }
    }
    match args.format {
        Format::Terminal if sheets.is_empty() => {
            let sort = args.sort.as_deref();
            print(&report::summary(&results, &rated, sort, style()))?;
        }
        Format::Terminal => {
            for sheet in &sheets {
                print(&report::plain(sheet, style()))?;
            }
        }
        Format::Csv => {
            for sheet in &sheets {
                print(&String::from_utf8_lossy(&sheet.csv()))?;
            }
        }
        Format::Markdown => print(&report::markdown(&rated, &sheets))?,
        Format::Json => print(&format!("{:#}\n", report::json(&rated, &sheets)))?,
    }
    Ok(Exit::Done)
}

fn settings(args: &Args, results: &Results) -> Result<Settings, Failure> {
    let known = |name: &str| results.games().any(|(_, one)| one.find(name).is_some());
    let (anchor, anchor_elo) = match &args.anchor {
        None => (None, 0.0),
        Some(name) if known(name) => (Some(name.clone()), 0.0),
        Some(text) => {
            let parsed = text
                .rsplit_once('=')
                .and_then(|(name, elo)| Some((name, elo.parse::<f64>().ok()?)))
                .filter(|(name, elo)| known(name) && elo.is_finite());
            let Some((name, elo)) = parsed else {
                return Err(Failure::new(
                    Exit::Usage,
                    format!("--anchor {text}: expected the name of a player, or NAME=ELO"),
                ));
            };
            (Some(name.to_owned()), elo)
        }
    };
    if let Some((name, _)) = args.sprt.as_ref().filter(|(name, _)| !known(name)) {
        return Err(Failure::new(
            Exit::Usage,
            format!("--sprt: `{name}` plays none of these games"),
        ));
    }
    Ok(Settings {
        model: Model {
            first_mover: !args.equal_seats,
        },
        anchor,
        anchor_elo,
        sprt: args.sprt.clone(),
    })
}

fn sprt(text: &str) -> Result<(String, Sprt), String> {
    let mut parts = text.split(',').map(str::trim);
    let name = parts.next().unwrap_or_default().to_owned();
    let numbers: Option<Vec<f64>> = parts.map(|part| part.parse().ok()).collect();
    let (elo0, elo1, alpha, beta) = match numbers.as_deref() {
        Some([elo0, elo1]) => (*elo0, *elo1, 0.05, 0.05),
        Some([elo0, elo1, alpha, beta]) => (*elo0, *elo1, *alpha, *beta),
        _ => return Err("expected a name and two numbers, or four".to_owned()),
    };
    if !(elo0 < elo1 && elo0.abs() <= 1000.0 && elo1.abs() <= 1000.0) {
        return Err("expected ELO0 below ELO1, both within 1000".to_owned());
    }
    if ![alpha, beta].iter().all(|rate| *rate > 0.0 && *rate < 0.5) {
        return Err("expected ALPHA and BETA between 0 and 0.5".to_owned());
    }
    let test = Sprt {
        elo0,
        elo1,
        alpha,
        beta,
    };
    Ok((name, test))
}
