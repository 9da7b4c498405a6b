//! `referee games RUN`: lists the games of a run, filtered.

use std::borrow::Cow;
use std::io;
use std::path::{Path, PathBuf};

use clap::builder::PossibleValuesParser;
use serde::Serialize;

use super::arguments::{GameFilter, known_games};
use super::run::RESULTS;
use crate::bot::LateCause;
use crate::cli::exit::{Exit, Failure};
use crate::cli::output::{json_line, print, print_part, style};
use crate::config::PlannedGame;
use crate::game::chess::MoveNotation;
use crate::game::{Game, GameResult, Reason};
use crate::pgn::{self, Extra, PgnStyle};
use crate::report::{self, Cell, Column, ReportTable, print_to_stderr, warn};
use crate::results::ResultRow;
use crate::runs::{GameRow, JOURNAL, LOG_HEADER, PGN, Run, RunFileError, write_whole};
use crate::text::counted;
use crate::verify::is_complete;

/// List the games of a run: who played, who won, why, and how to see one
///
/// Games are in the order of their numbers. All filters that are given must fit.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct GamesArgs {
    /// The folder of the run; the runs in it are listed if it is a folder of runs
    #[arg(default_value = RESULTS)]
    run: PathBuf,
    /// Only games that a player of --player won: was first alone
    #[arg(long, requires = "player", group = "end")]
    won: bool,
    /// Only games that a player of --player lost: was not first
    #[arg(long, requires = "player", group = "end")]
    lost: bool,
    /// Only drawn games: several were first, with --player that player among them
    #[arg(long, group = "end")]
    drawn: bool,
    /// Only games that were forfeited; with --player, by that player
    #[arg(long)]
    forfeited: bool,
    /// Print one JSON object per game
    #[arg(long)]
    json: bool,
    /// Print the logs of these games as one CSV: a row per ply, with the game's number in the column `id`
    ///
    /// The other columns are as in games/…/ID.csv: see `referee docs formats`. Games without a log are left out.
    #[arg(long, conflicts_with = "json")]
    plies: bool,
    /// Print the values that bots reported in these games as one CSV: a row per value
    ///
    /// The columns are id, ply, seat, player, name, number: see `referee docs formats`. Games without a log are left out.
    #[arg(long, conflicts_with_all = ["json", "plies"])]
    values: bool,
    /// Print these games of chess as PGN
    ///
    /// Each move has the time that it took, and a move of the opening is marked as `book`. Games without a log have no
    /// moves. See `referee docs formats`.
    #[arg(long, conflicts_with_all = ["json", "plies", "values"])]
    pgn: bool,
    /// Values in comments of PGN besides score, depth and time; a value that was not kept is left out
    #[arg(long, requires = "pgn", value_delimiter = ',', value_name = "WORD,…", value_parser = PossibleValuesParser::new(Extra::NAMES))]
    with: Vec<String>,
    /// The notation of moves in PGN
    #[arg(long, requires = "pgn", value_name = "NOTATION", value_parser = PossibleValuesParser::new(MoveNotation::NAMES))]
    moves: Option<String>,
    /// Print the final positions of these games of chess as EPD, with the results; games without a log are left out
    #[arg(long, conflicts_with_all = ["json", "plies", "values", "pgn"])]
    epd: bool,
    #[command(flatten)]
    filter: GameFilter,
}

const EXAMPLES: &str = "\
Examples:
  referee games                                           the runs below results/
  referee games results/demo --player greedy --lost       what greedy lost
  referee games results/demo --forfeited                  every forfeit
  referee games results/demo --termination time --json    for a script
  referee games results/demo --plies > plies.csv          every ply, for pandas or DuckDB
  referee games results/demo --values > values.csv        all that bots reported
  referee games results/chess --pgn > games.pgn           games of chess, for a chess program";

pub(super) fn run(args: &GamesArgs) -> Result<Exit, Failure> {
    let runs = runs_in(&args.run);
    if !runs.is_empty() {
        return list(&runs);
    }
    let run = open(args)?;
    if args.plies {
        let header = "id,".to_owned() + LOG_HEADER;
        return print_logs(args, &run, &header, rows_of_plies);
    }
    if args.values {
        return print_logs(args, &run, VALUES_HEADER, rows_of_values);
    }
    if args.pgn || args.epd {
        return print_chess(args, &run);
    }
    let mut rows = Vec::new();
    each_row(args, &run, &mut |row| rows.push(row.clone()))?;
    if args.json {
        let text = rows.iter().map(|row| json_line(&ListedGame::from(row)));
        let text: String = text.collect();
        return print(&text).map(|()| Exit::Done);
    }
    let mut text = if rows.is_empty() {
        "no games\n".to_owned()
    } else {
        report::plain(
            &report::games(rows.iter(), &run.manifest().display_names()),
            style(),
        )
    };
    if let Some(row) = rows.first() {
        let run = report::shell_word(&args.run);
        text.push_str(&format!(
            "see one of them: referee replay {run} {}\n",
            row.id
        ));
    }
    print(&text)?;
    Ok(Exit::Done)
}

fn runs_in(folder: &Path) -> Vec<Run> {
    if folder.join(JOURNAL).exists() {
        return Vec::new();
    }
    let entries = folder.read_dir().into_iter().flatten().flatten();
    let opened = entries.map(|entry| Run::open(&entry.path(), known_games()));
    let mut runs: Vec<Run> = opened.filter_map(Result::ok).collect();
    runs.sort_by(|one, other| other.manifest().created.cmp(&one.manifest().created));
    runs
}

fn list(runs: &[Run]) -> Result<Exit, Failure> {
    let row = |run: &Run| {
        let state = match is_complete(run).unwrap_or(false) {
            true => "ended",
            false => "not ended",
        };
        Ok(vec![
            Cell::text(run.path().to_string_lossy()),
            Cell::Count(run.rows_about()?),
            Cell::text(run.player_names().join(", ")),
            Cell::text(&run.manifest().created),
            Cell::text(state),
        ])
    };
    let columns = vec![
        Column::text("run", "run"),
        Column::number("games", "games"),
        Column::text("players", "players").rank(2),
        Column::text("begun", "begun").rank(1),
        Column::text("state", "state"),
    ];
    let rows: Vec<_> = runs.iter().map(row).collect::<Result<_, Failure>>()?;
    let table = ReportTable::new("runs", columns, rows);
    let newest = runs.first().map(|run| report::shell_word(run.path()));
    let next = newest.map(|run| format!("games of one of them: referee games {run}\n"));
    let text = report::plain(&table, style()) + &next.unwrap_or_default();
    print(&text).map(|()| Exit::Done)
}

fn open(args: &GamesArgs) -> Result<Run, Failure> {
    let run = Run::open(&args.run, known_games())?;
    let known = run.player_names();
    if let Some(name) = args.filter.players().find(|name| !known.contains(name)) {
        return Err(Failure::usage(format!(
            "--player {name}: nobody of that name plays in this run: expected one of {}",
            known.join(", ")
        )));
    }
    Ok(run)
}

fn each_row(args: &GamesArgs, run: &Run, each: &mut dyn FnMut(&GameRow)) -> Result<(), Failure> {
    let mut unseen = args.filter.unseen();
    run.rows_in_order(&mut |row| {
        unseen.see(&ResultRow::from(row));
        if args.filter.keeps(&ResultRow::from(row)) && keeps(args, row) {
            each(row);
        }
    })?;
    unseen.none_left()
}

type TextOf<'a> = dyn Fn(&GameRow) -> Option<Result<String, Failure>> + 'a;

const VALUES_HEADER: &str = "id,ply,seat,player,name,number\n";

/// Prints a text of each game one after another, with one in memory at a time, and a note on the games without one.
fn print_each(
    args: &GamesArgs,
    run: &Run,
    text_of: &TextOf<'_>,
    note: &dyn Fn(u64) -> String,
) -> Result<Exit, Failure> {
    let (mut printed, mut others) = (Ok(true), 0);
    each_row(args, run, &mut |row| {
        if !matches!(printed, Ok(true)) {
            return;
        }
        match text_of(row) {
            Some(text) => {
                printed = text.and_then(|text| print_part(&text));
            }
            None => others += 1,
        }
    })?;
    printed?;
    if others > 0 {
        print_to_stderr(&format!("note: {}", note(others)));
    }
    Ok(Exit::Done)
}

fn print_logs(
    args: &GamesArgs,
    run: &Run,
    header: &str,
    rows_of: fn(&Run, &GameRow) -> Result<String, RunFileError>,
) -> Result<Exit, Failure> {
    print(header)?;
    let text_of = |row: &GameRow| run.keeps_log(row).then(|| Ok(rows_of(run, row)?));
    print_each(args, run, &text_of, &|games| {
        let games = counted(games, "game", "games");
        format!("{games} left no log, as the plan has it")
    })
}

fn rows_of_plies(run: &Run, row: &GameRow) -> Result<String, RunFileError> {
    let log = run.log_text(row.id)?;
    let log = String::from_utf8_lossy(&log);
    // No field of a log has a line end, so each line is a row.
    let lines = log.lines().skip(1);
    Ok(lines.map(|line| format!("{},{line}\n", row.id)).collect())
}

fn rows_of_values(run: &Run, row: &GameRow) -> Result<String, RunFileError> {
    let recording = run.recording_of(row.clone())?;
    let mut writer = csv::WriterBuilder::new()
        .has_headers(false)
        .from_writer(Vec::new());
    for (index, ply) in recording.plies.iter().enumerate() {
        for (seat, logged) in ply.actions() {
            let (seat, player) = (row.game.seat_name(seat), row.names()[seat]);
            for (name, number) in logged.values.iter() {
                // Writing to memory cannot fail, and the row is a flat record.
                let number = number.to_string();
                let _ = writer.serialize((row.id, index + 1, seat, player, name, number));
            }
        }
    }
    // Only the last flush can fail, and it goes to memory.
    let bytes = writer.into_inner().unwrap_or_default();
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}

fn print_chess(args: &GamesArgs, run: &Run) -> Result<Exit, Failure> {
    check_chess(run)?;
    let with = args.with.iter().filter_map(|word| Extra::from_name(word));
    let moves = args.moves.as_deref().and_then(MoveNotation::from_name);
    let style = PgnStyle::new(moves.unwrap_or_default(), &with.collect::<Vec<_>>());
    let text_of = |row: &GameRow| match args.epd {
        true => epd_of(run, row),
        false => pgn_of(run, row, &style),
    };
    print_each(args, run, &text_of, &|games| {
        let games = counted(games, "game is", "games are");
        let kept = if args.epd {
            " whose logs were kept"
        } else {
            ""
        };
        format!("{games} left out: only games of chess{kept} can be written")
    })
}

fn check_chess(run: &Run) -> Result<(), Failure> {
    let games = run.games().iter().map(PlannedGame::game);
    match games.clone().any(pgn::is_writable) {
        true => Ok(()),
        false => {
            let names: Vec<&str> = games.map(Game::name).collect();
            Err(Failure::usage(format!(
                "PGN is for chess, and the games of this run are of {}",
                names.join(", ")
            )))
        }
    }
}

fn pgn_of(run: &Run, row: &GameRow, style: &PgnStyle) -> Option<Result<String, Failure>> {
    let recording = || match run.keeps_log(row) {
        true => run.recording_of(row.clone()),
        false => run.recording_without_log(row.clone()),
    };
    let text = || {
        let manifest = run.manifest();
        let names = manifest.display_names();
        Ok(pgn::text(&manifest.name, &names, &recording()?, style)?)
    };
    pgn::is_writable(row.game).then(text)
}

fn epd_of(run: &Run, row: &GameRow) -> Option<Result<String, Failure>> {
    let text = || {
        Ok(pgn::epd(
            &run.manifest().name,
            &run.recording_of(row.clone())?,
        )?)
    };
    (pgn::is_writable(row.game) && run.keeps_log(row)).then(text)
}

/// At the end of a run: writes its games of chess into its folder, and says where they are.
pub(super) fn pgn_at_end(run: &Path, style: &PgnStyle, quiet: bool) -> Result<(), Failure> {
    write_at_end(run, &run.join(PGN), quiet, |run, row| {
        pgn_of(run, row, style)
    })
}

pub(super) fn epd_at_end(run: &Path, file: &Path, quiet: bool) -> Result<(), Failure> {
    write_at_end(run, file, quiet, epd_of)
}

fn write_at_end(
    run: &Path,
    file: &Path,
    quiet: bool,
    text_of: impl Fn(&Run, &GameRow) -> Option<Result<String, Failure>>,
) -> Result<(), Failure> {
    match write_games(run, file, text_of) {
        Ok(()) => say_games_in(file, quiet),
        Err(Failure { message, .. }) => {
            let file = file.display();
            warn(&format!(
                "{file}: the games could not be written: {message}"
            ));
            Ok(())
        }
    }
}

pub(super) fn say_games_in(file: &Path, quiet: bool) -> Result<(), Failure> {
    match quiet {
        true => Ok(()),
        false => print(&format!("games in {}\n", file.display())),
    }
}

fn write_games(
    run: &Path,
    file: &Path,
    text_of: impl Fn(&Run, &GameRow) -> Option<Result<String, Failure>>,
) -> Result<(), Failure> {
    let run = Run::open(run, known_games())?;
    check_chess(&run)?;
    let mut problem = None;
    let written = write_whole(file, &mut |file| {
        let mut written = Ok(());
        run.rows_in_order(&mut |row| {
            if written.is_err() || problem.is_some() {
                return;
            }
            match text_of(&run, row) {
                Some(Ok(text)) => written = file.write_all(text.as_bytes()),
                Some(Err(error)) => problem = Some(error),
                None => {}
            }
        })
        .map_err(io::Error::other)?;
        match problem {
            Some(_) => Err(io::Error::other("a game could not be written")),
            None => written,
        }
    });
    match problem {
        Some(problem) => Err(problem),
        None => Ok(written?),
    }
}

fn keeps(args: &GamesArgs, row: &GameRow) -> bool {
    let is_named = |name: &str| args.filter.players().any(|player| player == name);
    let names = row.names();
    let is_of_all = args.filter.players().next().is_none();
    // As in standings: first alone, first with others, and all others.
    let (result, winners) = (row.end.result, row.end.result.winners());
    let ended = |wanted: fn(bool, bool) -> bool| {
        names.iter().any(|(seat, name)| {
            let is_first = result == GameResult::Drawn || winners.contains(seat);
            let is_alone = result != GameResult::Drawn && winners.only() == Some(seat);
            (is_of_all || is_named(name)) && wanted(is_first, is_alone)
        })
    };
    let forfeited = match is_of_all {
        true => row.is_forfeited(),
        false => {
            let mut forfeiters = row.end.forfeiters().iter();
            forfeiters.any(|seat| is_named(names[seat]))
        }
    };
    (!args.won || ended(|_, is_alone| is_alone))
        && (!args.lost || ended(|is_first, _| !is_first))
        && (!args.drawn || ended(|is_first, is_alone| is_first && !is_alone))
        && (!args.forfeited || forfeited)
}

#[derive(Serialize)]
pub(super) struct ListedGame<'a> {
    id: u64,
    game: &'static str,
    options: &'a str,
    block: u64,
    seats: &'static [&'static str],
    players: Vec<&'a str>,
    winner: Cow<'a, str>,
    /// The place of each seat, of more than two.
    #[serde(skip_serializing_if = "Option::is_none")]
    places: Option<Vec<u8>>,
    termination: &'static str,
    forfeited_by: Cow<'a, str>,
    reason: &'static str,
    faults: Vec<Option<FaultObject<'a>>>,
    plies: u32,
    date: &'a str,
}

#[derive(Serialize)]
struct FaultObject<'a> {
    kind: &'static str,
    detail: &'a str,
    late: Option<&'static str>,
}

impl<'a> From<&'a GameRow> for ListedGame<'a> {
    fn from(row: &'a GameRow) -> Self {
        let faults = row.end.faults.values().map(|fault| {
            fault.as_ref().map(|fault| FaultObject {
                kind: fault.kind.name(),
                detail: &fault.detail,
                late: fault.late.map(LateCause::name),
            })
        });
        Self {
            id: row.id,
            game: row.game.name(),
            options: &row.options,
            block: row.block,
            seats: row.game.seat_names(),
            players: row.names().into_values().collect(),
            winner: row.game.result_name(row.end.result),
            places: row.game.places(row.end.result),
            termination: row.end.termination.name(),
            forfeited_by: row.forfeited_by(),
            reason: row.end.reason.map_or("", Reason::name),
            faults: faults.collect(),
            plies: row.end.plies,
            date: &row.date,
        }
    }
}
