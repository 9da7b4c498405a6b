//! Reads the input of `referee rate`: games from files, and the settings of their rating.

use std::collections::{BTreeSet, HashMap};
use std::path::{Path, PathBuf};

use super::args::{RateArgs, RateFormat, RateTable};
use super::error::RateError;
use crate::cli::arguments::{Passed, known_games};
use crate::config::did_you_mean;
use crate::rating::{MAX_EXACT_PLAYERS, Model, Sprt, Standings};
use crate::report::{self, Cell, History, Mixtures};
use crate::results::{
    self, AnchorFile, BadRows, ByResults, Encoding, ResultRow, Results, Settings, read_results,
};
use crate::runs::{JOURNAL, Run, RunFileError, RunFileProblem};
use crate::text::{self, DisplayNames, counted, visible};

/// What was read from the files.
pub(super) struct Games {
    pub results: Results,
    /// Rows of the table `history`, if it is printed.
    pub history: Vec<Vec<Cell>>,
    /// Names of the players of runs on screens.
    pub display_names: DisplayNames,
    pub mixtures: Mixtures,
    /// Program of each player, if there is a single file and it is of a run.
    pub programs: HashMap<String, String>,
    /// The challenger and the sequential test of a run, if all its games and no others are read.
    pub run_test: Option<(String, Sprt)>,
}

pub(super) fn read(args: &RateArgs) -> Result<Games, RateError> {
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
        run_test: None,
    };
    let mut history = History::new(args.k);
    let with_history = args.table.contains(&RateTable::History);
    let bad = match args.skip_bad_rows {
        true => BadRows::Skip,
        false => BadRows::Refuse,
    };
    let mut unseen = args.filter.unseen();
    let mut not_seen: BTreeSet<&str> = args.filter.players().collect();
    let mut names: BTreeSet<String> = BTreeSet::new();
    let mut passed = Passed::default();
    let mut all = args.files.len() == 1 && !args.once && !args.skip_bad_rows;
    let mut seen = BTreeSet::new();
    for (source, file) in args.files.iter().enumerate() {
        let file = &results_file(file)?;
        // A missing file is reported when it is read.
        if let Ok(real) = file.canonicalize()
            && !seen.insert(real)
        {
            return Err(RateError::Twice(file.clone()));
        }
        // Only journals have a run.
        let run = file
            .parent()
            .and_then(|folder| Run::open(folder, known_games()).ok());
        let mut programs = HashMap::new();
        if let Some(run) = &run {
            games.display_names.extend(run.manifest().display_names());
            let by_results = ByResults::of(run.format());
            if let Some(stopping) = report::stopping(by_results, run.player_names().len()) {
                let run = visible(&run.path().display().to_string());
                report::print_to_stderr(&format!("note: {run}: {stopping}"));
            }
            programs = results::programs(run.manifest());
            games.run_test = results::run_test(run);
        }
        let mut results = games.results.many();
        let mut add = |row: &ResultRow<'_>| {
            unseen.see(row);
            if !not_seen.is_empty() {
                for name in row.names {
                    not_seen.remove(name);
                    if !names.contains(name) {
                        names.insert(name.to_owned());
                    }
                }
            }
            if passed.add(&args.filter, row) {
                results.add(row);
                games.mixtures.add(row, &programs);
                if with_history {
                    games.history.extend(history.add(row));
                }
            } else {
                all = false;
            }
        };
        let found = read_results(file, source as u64, bad, &mut add, &mut |warning| {
            report::print_to_stderr(&format!("referee: {warning}; left out"));
        })?;
        let shown = visible(&file.display().to_string());
        if found.unfinished > 0 {
            let games = counted(found.unfinished, "game is", "games are");
            report::print_to_stderr(&format!(
                "note: {shown}: {games} not finished (`*`), and left out"
            ));
        }
        if found.encoding == Encoding::Windows1252 {
            report::print_to_stderr(&format!(
                "note: {shown} is not UTF-8: its names are read as Windows-1252, which includes Latin-1"
            ));
        }
        games
            .mixtures
            .end_file(&file.display().to_string(), &programs);
        if args.files.len() == 1 {
            games.programs = programs;
        }
    }
    if !all {
        games.run_test = None;
    }
    unseen.none_left()?;
    if let Some(name) = not_seen.first() {
        return Err(RateError::UnknownPlayer {
            name: (*name).to_owned(),
            hint: did_you_mean(name, names.iter().map(String::as_str)),
        });
    }
    for note in passed.notes(&args.filter) {
        report::print_to_stderr(&format!("note: {note}"));
    }
    Ok(games)
}

/// File that an argument names: a file, the journal of a run's folder, or stdin.
fn results_file(path: &Path) -> Result<PathBuf, RunFileError> {
    if path == Path::new("-") {
        return Ok(PathBuf::from("/dev/stdin"));
    }
    let journal = path.join(JOURNAL);
    match path.is_dir() {
        true if journal.exists() => Ok(journal),
        true => Err(RunFileError {
            path: path.to_owned(),
            problem: RunFileProblem::NotARun,
        }),
        false => Ok(path.to_owned()),
    }
}

pub(super) fn settings(args: &RateArgs, results: &Results) -> Result<Settings, RateError> {
    let known = |name: &str| results.games().any(|(_, one)| one.find(name).is_some());
    let anchor = args
        .anchor
        .as_ref()
        .map(|text| text::name(text).into_owned());
    let (anchor, anchor_elo) = match &anchor {
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
