//! Reads the input of `referee rate`: games from files, and the settings of their rating.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use super::{RateArgs, RateFormat};
use crate::cli::arguments::{UnmatchedFilters, known_games};
use crate::cli::exit::Failure;
use crate::config::{Encoding, TextLines, did_you_mean, in_brackets, open_text};
use crate::game::BUILT_IN;
use crate::rating::{MAX_EXACT_PLAYERS, Model, Sprt};
use crate::report::{self, NotesOn, print_to_stderr};
use crate::results::{
    self, AnchorFile, BadRows, ByResults, GameLabels, ReadResults, ResultRow, Results, Settings,
    read_results,
};
use crate::runs::{JOURNAL, PGN, Run, RunFileError, RunFileProblem};
use crate::text::{self, DisplayNames, counted, visible};

pub(super) struct GamesRead {
    pub results: Results,
    pub display_names: DisplayNames,
    pub by_results: ByResults,
    /// The challenger and the sequential test of a run, if all its games and no others are read.
    pub run_test: Option<(String, Sprt)>,
    /// The games whose openings are all that there are, if there is a single file and it is of a run.
    pub all_openings: BTreeSet<String>,
}

/// Reads all files, and checks that each filter and each name fits some game.
pub(super) fn read(args: &RateArgs) -> Result<GamesRead, Failure> {
    if args.format == RateFormat::Csv && args.table.len() > 1 {
        return Err(Failure::usage("CSV has one table: give one --table"));
    }
    let mut reader = Reader::new(args);
    let files = args.files.iter().map(|file| results_file(file));
    let files = files.collect::<Result<Vec<_>, _>>()?;
    // A PGN file of one run has the display names of another.
    let runs: Vec<_> = files.iter().map(|file| reader.read_run(file)).collect();
    for (source, (file, run)) in (0..).zip(files.iter().zip(runs)) {
        reader.read_file(source, file, run.as_ref())?;
    }
    reader.finish()
}

struct Reader<'a> {
    args: &'a RateArgs,
    games: GamesRead,
    /// Values of filters that no row had yet.
    unseen: UnmatchedFilters<'a>,
    /// Players of filters who played in no row yet, and the players of all rows so far while there are any.
    unseen_players: BTreeSet<&'a str>,
    names: BTreeSet<String>,
    passed: u64,
    read: u64,
    all: bool,
    files: Vec<PathBuf>,
}

impl<'a> Reader<'a> {
    fn new(args: &'a RateArgs) -> Self {
        Self {
            args,
            read: 0,
            games: GamesRead {
                results: if args.once {
                    Results::without_duplicates()
                } else {
                    Results::default()
                },
                display_names: DisplayNames::default(),
                by_results: ByResults::Nothing,
                run_test: None,
                all_openings: BTreeSet::new(),
            },
            unseen: args.filter.unseen(),
            unseen_players: args.filter.players().collect(),
            names: BTreeSet::new(),
            passed: 0,
            all: args.files.len() == 1 && !args.once && !args.skip_bad_rows,
            files: Vec::new(),
        }
    }

    fn read_file(&mut self, source: u64, file: &Path, run: Option<&Run>) -> Result<(), Failure> {
        // A missing file is reported when it is read.
        if let Ok(real) = file.canonicalize() {
            let files = files_of_games(real);
            let is_given = |file: &PathBuf| self.files.iter().any(|other| are_alike(other, file));
            if files.iter().any(is_given) {
                return Err(Failure::usage(format!(
                    "{}: its games are given already, and would count twice: leave one out",
                    visible(&file.display().to_string())
                )));
            }
            self.files.extend(files);
        }
        let mut labels = GameLabels::new(BUILT_IN, run);
        let summary = self.read_rows(source, file, &mut labels)?;
        let shown = visible(&file.display().to_string());
        if summary.unfinished > 0 {
            let games = counted(summary.unfinished, "game is", "games are");
            print_to_stderr(&format!(
                "note: {shown}: {games} not finished (`*`), and left out"
            ));
        }
        if summary.encoding == Encoding::Windows1252 {
            print_to_stderr(&format!(
                "note: {shown} is not UTF-8: its names are read as Windows-1252, which includes Latin-1"
            ));
        }
        if summary.lacks_openings {
            print_to_stderr(&format!(
                "note: {shown}: rounds have both colours, and no game has a tag FEN to say that both had one opening: no \
                 game pairs are counted"
            ));
        }
        if self.args.files.len() == 1 {
            self.games.all_openings = run.map(results::all_openings).unwrap_or_default();
        }
        Ok(())
    }

    /// Takes in the manifest of the run whose journal the file is, if it is one, and returns the run.
    fn read_run(&mut self, file: &Path) -> Option<Run> {
        let run = Run::open(file.parent()?, known_games()).ok()?;
        let games = &mut self.games;
        games.display_names.extend(run.manifest().display_names());
        let by_results = ByResults::of(run.format());
        let stopping = report::stopping(by_results, run.player_names().len(), NotesOn::Screen);
        let is_of_pairings = by_results == ByResults::Pairings;
        if is_of_pairings {
            games.by_results = by_results;
        }
        // The whole report has the note with the games.
        let is_whole = self.args.format == RateFormat::Terminal && self.args.table.is_empty();
        if let Some(stopping) = stopping.filter(|_| !(is_of_pairings && is_whole)) {
            let path = visible(&run.path().display().to_string());
            print_to_stderr(&format!("note: {path}: {stopping}"));
        }
        games.run_test = results::run_test(&run);
        Some(run)
    }

    fn read_rows(
        &mut self,
        source: u64,
        file: &Path,
        labels: &mut GameLabels,
    ) -> Result<ReadResults, Failure> {
        let args = self.args;
        let bad = if args.skip_bad_rows {
            BadRows::Skip
        } else {
            BadRows::Refuse
        };
        let names = &self.games.display_names;
        let is_journal = file.ends_with(JOURNAL);
        let mut add = |row: &ResultRow<'_>| {
            self.read += 1;
            let mut row = labels.labelled(row);
            if !is_journal {
                row.names = row.names.map(|name| names.named(name));
            }
            let row = &row;
            self.unseen.see(row);
            if !self.unseen_players.is_empty() {
                for name in row.names.values() {
                    self.unseen_players.remove(*name);
                    if !self.names.contains(*name) {
                        self.names.insert((*name).to_owned());
                    }
                }
            }
            if args.filter.keeps(row) {
                self.passed += 1;
                self.games.results.add(row);
            } else {
                self.all = false;
            }
        };
        let summary = read_results(file, source, bad, &mut add, &mut |warning| {
            print_to_stderr(&format!("referee: {warning}; left out"));
        })?;
        Ok(summary)
    }

    fn finish(mut self) -> Result<GamesRead, Failure> {
        if !self.all {
            self.games.run_test = None;
        }
        self.unseen.none_left()?;
        if let Some(name) = self.unseen_players.first() {
            let hint = in_brackets(did_you_mean(name, self.names.iter().map(String::as_str)));
            return Err(Failure::usage(format!(
                "--player {name}: nobody of that name plays{hint}"
            )));
        }
        if self.passed == 0 && self.read > 0 {
            let games = counted(self.read, "game", "games");
            print_to_stderr(&format!(
                "note: no game is left of {games}: none passes all filters"
            ));
        }
        Ok(self.games)
    }
}

/// The file itself, and where it is of a run, both that have its games: its PGN file may have a copy elsewhere.
fn files_of_games(file: PathBuf) -> Vec<PathBuf> {
    let files = [JOURNAL, PGN].map(|name| file.with_file_name(name));
    match files.contains(&file) && files.iter().all(|file| file.is_file()) {
        true => files.into(),
        false => vec![file],
    }
}

/// Whether two paths are one file, or files of the same lines.
fn are_alike(first: &Path, second: &Path) -> bool {
    if first == second {
        return true;
    }
    let lines = |path: &Path| open_text(path).ok().map(TextLines::new);
    let files = [first, second].iter().all(|path| path.is_file());
    let Some((mut first, mut second)) = files.then(|| lines(first).zip(lines(second))).flatten()
    else {
        return false;
    };
    loop {
        match (first.next_line(), second.next_line()) {
            (Ok(None), Ok(None)) => return true,
            (Ok(Some(one)), Ok(Some(other))) if one == other => {}
            _ => return false,
        }
    }
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

pub(super) fn settings(args: &RateArgs, results: &Results) -> Result<Settings, Failure> {
    let known = |name: &str| results.games().any(|(_, games)| games.has_player(name));
    let anchor = args.anchor.as_ref();
    let anchor = anchor.map(|text| text::name(text).into_owned());
    let (anchor, anchor_elo) = match &anchor {
        None => (None, 0.0),
        Some(name) if known(name) => (Some(name.clone()), 0.0),
        Some(text) => {
            let (name, elo) = text
                .rsplit_once('=')
                .and_then(|(name, elo)| Some((name, elo.parse::<f64>().ok()?)))
                .filter(|(name, elo)| known(name) && elo.is_finite())
                .ok_or_else(|| {
                    Failure::usage(format!(
                        "--anchor {text}: expected the name of a player of these games, or NAME=ELO"
                    ))
                })?;
            (Some(name.to_owned()), elo)
        }
    };
    if let Some((name, _)) = args.sprt.as_ref().filter(|(name, _)| !known(name)) {
        return Err(Failure::usage(format!(
            "--sprt: `{name}` plays none of these games"
        )));
    }
    Ok(Settings {
        anchors: anchors(args, results)?,
        model: Model {
            first_mover: !args.equal_seats,
        },
        anchor,
        anchor_elo,
        ..Settings::default()
    })
}

fn anchors(args: &RateArgs, results: &Results) -> Result<Option<AnchorFile>, Failure> {
    let Some(path) = &args.anchors else {
        return Ok(None);
    };
    let file = AnchorFile::read(path)?;
    let plays = |name: &str, game: Option<&str>| {
        let mut games = results.games();
        games.any(|(own, one)| game.is_none_or(|game| game == own) && one.has_player(name))
    };
    let players = results.games().flat_map(|(_, one)| one.players());
    file.check(plays, players.map(|player| player.name.as_str()))?;
    match results
        .games()
        .find(|(_, one)| one.players().len() > MAX_EXACT_PLAYERS)
    {
        Some((game, one)) => Err(Failure::usage(format!(
            "--anchors: {game} has {} players, more than {MAX_EXACT_PLAYERS}: choose some with --player and --among",
            one.players().len()
        ))),
        None => Ok(Some(file)),
    }
}
