//! `referee rate FILES…`: ratings from results.

use std::collections::{BTreeSet, HashMap};
use std::path::{Path, PathBuf};

use clap::ValueEnum;

use super::filter::{FilterError, GameFilter};
use super::{Exit, Failure, print, style};
use crate::rating::{EloModel, MAX_EXACT_PLAYERS, MOST_NASH_PLAYERS, Model, Sprt, Standings};
use crate::record::{
    AnchorFile, BadRows, Encoding, JOURNAL, RecordError, RecordProblem, ResultRow, Run,
    read_results,
};
use crate::report::{
    self, Cell, DEFAULT_K, EndedBy, History, Mixtures, Rated, ReportTable, Results, Settings,
};
use crate::text::{DisplayNames, escaped_json, visible};

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
    /// For pages and messages
    Markdown,
    /// For programs: the notes and these tables, or ratings, standings, crosstable and match
    Json,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, ValueEnum)]
enum RateTable {
    Ratings,
    Standings,
    Crosstable,
    Pairings,
    Superiority,
    Match,
    Openings,
    Nash,
    History,
}

impl RateTable {
    /// The tables of a document for which none were given.
    const DEFAULT: [RateTable; 4] = [
        RateTable::Ratings,
        RateTable::Standings,
        RateTable::Crosstable,
        RateTable::Match,
    ];

    /// This table. It takes the rows of `history`, which can be many.
    fn table(self, rated: &[Rated<'_>], history: &mut Vec<Vec<Cell>>) -> ReportTable {
        match self {
            RateTable::Ratings => report::ratings(rated),
            RateTable::Standings => report::standings(rated),
            RateTable::Crosstable => report::crosstable(rated).collect(),
            RateTable::Pairings => report::pairings(rated).collect(),
            RateTable::Superiority => report::superiority(rated).collect(),
            RateTable::Match => report::matches(rated),
            RateTable::Openings => report::openings(rated),
            RateTable::Nash => report::nash(rated),
            RateTable::History => ReportTable {
                name: "history",
                columns: History::columns(),
                rows: std::mem::take(history),
            },
        }
    }
}

/// Why games could not be rated.
#[derive(Debug, thiserror::Error)]
pub(super) enum RateError {
    #[error("CSV has one table: give one --table")]
    SeveralTables,
    #[error("--k {0}: expected a number above 0")]
    K(f64),
    #[error("--player {0}: nobody of that name plays")]
    UnknownPlayer(String),
    #[error("--anchor {0}: expected the name of a player, or NAME=ELO")]
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
        "--table nash: {game} has {players} players, more than {MOST_NASH_PLAYERS}: choose some with --player and --among"
    )]
    NashPlayers { game: String, players: usize },
    #[error("--sort {0}: no table has that column")]
    UnknownColumn(String),
    #[error(transparent)]
    Filter(#[from] FilterError),
    #[error(transparent)]
    File(#[from] RecordError),
}

pub(super) fn run(args: &RateArgs) -> Result<Exit, Failure> {
    let Games {
        results,
        mut history,
        display_names,
        mixtures,
        programs,
    } = read(args)?;
    for note in mixtures.notes() {
        report::print_to_stderr(&format!("note: {note}"));
    }
    let settings = Settings {
        display_names,
        programs,
        ..settings(args, &results)?
    };
    let rated = results.rate(&settings);
    let mut tables = tables(args, &rated, &mut history)?;
    if matches!(args.format, RateFormat::Terminal | RateFormat::Markdown) {
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
        RateFormat::Markdown => print(&report::markdown(&rated, &tables))?,
        RateFormat::Json => {
            let json = format!("{:#}\n", report::json(&rated, &tables));
            print(&escaped_json(&json))?;
        }
    }
    Ok(Exit::Done)
}

/// What was read from the files.
struct Games {
    results: Results,
    /// The rows of the table `history`, if it was asked for.
    history: Vec<Vec<Cell>>,
    /// What the players of runs are called on screens.
    display_names: DisplayNames,
    mixtures: Mixtures,
    /// What the players run, if they are of one run.
    programs: HashMap<String, String>,
}

fn read(args: &RateArgs) -> Result<Games, RateError> {
    if args.format == RateFormat::Csv && args.table.len() > 1 {
        return Err(RateError::SeveralTables);
    }
    if !(args.k.is_finite() && args.k > 0.0) {
        return Err(RateError::K(args.k));
    }
    let mut games = Games {
        results: match args.once {
            true => Results::without_duplicates(),
            false => Results::default(),
        },
        history: Vec::new(),
        display_names: DisplayNames::default(),
        mixtures: Mixtures::default(),
        programs: HashMap::new(),
    };
    let mut history = History::new(args.k);
    let with_history = args.table.contains(&RateTable::History);
    let bad = match args.skip_bad_rows {
        true => BadRows::Skip,
        false => BadRows::Refuse,
    };
    let mut unseen = args.filter.unseen();
    let mut not_seen: BTreeSet<&str> = args.filter.players().collect();
    for (source, file) in args.files.iter().enumerate() {
        let file = &results_file(file)?;
        // Other files than journals of runs have none.
        let run = file.parent().and_then(|folder| Run::open(folder).ok());
        let mut programs = HashMap::new();
        if let Some(run) = &run {
            games.display_names.extend(run.manifest().display_names());
            if let Some(stopping) = report::stopping(EndedBy::of(run.format())) {
                let run = visible(&run.path().display().to_string());
                report::print_to_stderr(&format!("note: {run}: {stopping}"));
            }
            programs = report::programs(run.manifest());
        }
        let mut results = games.results.many();
        let mut add = |row: &ResultRow<'_>| {
            unseen.see(row);
            for name in row.names {
                not_seen.remove(name);
            }
            if args.filter.keeps(row) {
                results.add(row);
                games.mixtures.add(row, &programs);
                if with_history {
                    games.history.extend(history.add(row));
                }
            }
        };
        let encoding = read_results(file, source as u64, bad, &mut add, &mut |warning| {
            report::print_to_stderr(&format!("referee: {warning}; left out"));
        })?;
        if encoding == Encoding::Windows1252 {
            let file = visible(&file.display().to_string());
            report::print_to_stderr(&format!(
                "note: {file} is not UTF-8: its names are read as Windows-1252, of which Latin-1 is a part"
            ));
        }
        games
            .mixtures
            .end_file(&file.display().to_string(), &programs);
        if args.files.len() == 1 {
            games.programs = programs;
        }
    }
    unseen.none_left()?;
    match not_seen.first() {
        Some(name) => Err(RateError::UnknownPlayer((*name).to_owned())),
        None => Ok(games),
    }
}

/// The file that an argument stands for: the journal of a run, or stdin.
fn results_file(path: &Path) -> Result<PathBuf, RecordError> {
    if path == Path::new("-") {
        return Ok(PathBuf::from("/dev/stdin"));
    }
    let journal = path.join(JOURNAL);
    match path.is_dir() {
        true if journal.exists() => Ok(journal),
        true => Err(RecordError {
            path: path.to_owned(),
            problem: RecordProblem::NotARun,
        }),
        false => Ok(path.to_owned()),
    }
}

/// The tables to print, sorted. None stands for the summary on a terminal.
fn tables(
    args: &RateArgs,
    rated: &[Rated<'_>],
    history: &mut Vec<Vec<Cell>>,
) -> Result<Vec<ReportTable>, RateError> {
    let names = match (args.table.as_slice(), args.format) {
        ([], RateFormat::Terminal) => &[],
        ([], RateFormat::Csv) => &[RateTable::Ratings][..],
        ([], RateFormat::Markdown | RateFormat::Json) => &RateTable::DEFAULT,
        (names, _) => names,
    };
    let too_many = rated.iter().find(|one| one.order.len() > MOST_NASH_PLAYERS);
    if let (true, Some(one)) = (names.contains(&RateTable::Nash), too_many) {
        return Err(RateError::NashPlayers {
            game: one.game.to_owned(),
            players: one.order.len(),
        });
    }
    let mut tables: Vec<ReportTable> = names
        .iter()
        .map(|name| name.table(rated, history))
        .collect();
    if let Some(sort) = &args.sort {
        let mut sorted = tables.is_empty() && report::ratings(rated).sort(sort);
        for table in &mut tables {
            sorted |= table.sort(sort);
        }
        if !sorted {
            return Err(RateError::UnknownColumn(sort.clone()));
        }
    }
    Ok(tables)
}

fn settings(args: &RateArgs, results: &Results) -> Result<Settings, RateError> {
    let known = |name: &str| results.games().any(|(_, one)| one.find(name).is_some());
    let (anchor, anchor_elo) = match &args.anchor {
        None => (None, 0.0),
        Some(name) if known(name) => (Some(name.clone()), 0.0),
        Some(text) => {
            let (name, elo) = text
                .rsplit_once('=')
                .and_then(|(name, elo)| Some((name, elo.parse::<f64>().ok()?)))
                .filter(|(name, elo)| known(name) && elo.is_finite())
                .ok_or_else(|| RateError::Anchor(text.clone()))?;
            (Some(name.to_owned()), elo)
        }
    };
    if let Some((name, _)) = args.sprt.as_ref().filter(|(name, _)| !known(name)) {
        return Err(RateError::SprtPlayer(name.clone()));
    }
    let planned = args.plan.iter().flat_map(|(_, players)| players).flatten();
    if let Some(name) = planned.into_iter().find(|name| !known(name)) {
        return Err(RateError::PlanPlayer(name.clone()));
    }
    Ok(Settings {
        anchors: anchors(args, results)?,
        plan: args.plan.clone(),
        model: Model {
            first_mover: !args.equal_seats,
        },
        anchor,
        anchor_elo,
        sprt: args.sprt.clone(),
        ..Settings::default()
    })
}

fn anchors(args: &RateArgs, results: &Results) -> Result<Option<AnchorFile>, RateError> {
    let Some(path) = &args.anchors else {
        return Ok(None);
    };
    let file = AnchorFile::read(path)?;
    let plays = |name: &str, game: Option<&str>| {
        let mut games = results.games();
        games.any(|(own, one)| game.is_none_or(|game| game == own) && one.find(name).is_some())
    };
    let players = results.games().flat_map(|(_, one)| one.players());
    file.check(plays, players.map(|player| player.name.as_str()))?;
    let too_many = |one: &Standings| one.players().len() > MAX_EXACT_PLAYERS;
    match results.games().find(|(_, one)| too_many(one)) {
        Some((game, one)) => Err(RateError::AnchoredPlayers {
            game: game.to_owned(),
            players: one.players().len(),
        }),
        None => Ok(Some(file)),
    }
}

/// A difference in Elo, and two players or none.
type Plan = (f64, Option<[String; 2]>);

/// What is wrong with the value of `--plan`.
#[derive(Debug, thiserror::Error)]
enum PlanError {
    #[error("expected a difference in Elo, or one and two names")]
    Parts,
    #[error("expected a difference from 0.1 to 1000 Elo")]
    Elo,
}

fn parse_plan(text: &str) -> Result<Plan, PlanError> {
    let mut parts = text.split(',').map(str::trim);
    let elo = parts.next().and_then(|elo| elo.parse::<f64>().ok());
    let elo = elo.ok_or(PlanError::Parts)?;
    if !(0.1..=1000.0).contains(&elo) {
        return Err(PlanError::Elo);
    }
    let names: Vec<String> = parts.map(str::to_owned).collect();
    match <[String; 2]>::try_from(names) {
        Ok([one, two]) if one != two => Ok((elo, Some([one, two]))),
        Err(names) if names.is_empty() => Ok((elo, None)),
        _ => Err(PlanError::Parts),
    }
}

/// What is wrong with the value of `--sprt`.
#[derive(Debug, thiserror::Error)]
enum SprtError {
    #[error("expected a name, two numbers or four, and perhaps `normalized`")]
    Parts,
    #[error("expected ELO0 below ELO1, both within {0}")]
    Elo(f64),
    #[error("expected ALPHA and BETA between 0 and 0.5")]
    Rates,
}

fn parse_sprt(text: &str) -> Result<(String, Sprt), SprtError> {
    let (text, model) = EloModel::ALL
        .into_iter()
        .find_map(|model| {
            let rest = text.strip_suffix(model.name())?;
            Some((rest.trim_end().strip_suffix(',')?, model))
        })
        .unwrap_or((text, EloModel::default()));
    let mut parts = text.split(',').map(str::trim);
    let name = parts.next().unwrap_or_default().to_owned();
    let numbers: Option<Vec<f64>> = parts.map(|part| part.parse().ok()).collect();
    let (elo0, elo1, alpha, beta) = match numbers.as_deref() {
        Some([elo0, elo1]) => (*elo0, *elo1, 0.05, 0.05),
        Some([elo0, elo1, alpha, beta]) => (*elo0, *elo1, *alpha, *beta),
        _ => return Err(SprtError::Parts),
    };
    let most = model.most_elo();
    if !(elo0 < elo1 && elo0.abs() <= most && elo1.abs() <= most) {
        return Err(SprtError::Elo(most));
    }
    if ![alpha, beta].iter().all(|rate| *rate > 0.0 && *rate < 0.5) {
        return Err(SprtError::Rates);
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
