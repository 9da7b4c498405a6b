//! `waves/0001.csv`: the games of a wave, played before the next wave is known. `waves/end` marks that no wave
//! follows.

use std::fs::{self, File};
use std::path::{Path, PathBuf};

use crate::config::BoundedRows;
use crate::game::{PerSeat, Seat, Seats};
use crate::runner::QueuedGame;
use crate::runs::{RowProblem, RunFileError, RunFileProblem, player_column, write_whole};
use crate::schedule::Ticket;

const WAVES: &str = "waves";
const END: &str = "end";

fn path(plan: &Path, wave: u32) -> PathBuf {
    plan.join(WAVES).join(format!("{wave:04}.csv"))
}

pub(in crate::shards) fn count(plan: &Path) -> u32 {
    // A network file system may show a new wave late; the caller looks again.
    (1..).take_while(|wave| path(plan, *wave).exists()).count() as u32
}

pub(in crate::shards) fn are_over(plan: &Path) -> bool {
    plan.join(WAVES).join(END).exists()
}

/// Writes the games of a wave atomically.
pub(in crate::shards) fn write(
    plan: &Path,
    wave: u32,
    games: &[QueuedGame],
) -> Result<(), RunFileError> {
    let seats = games.first().map_or(2, |game| game.ticket.players.count());
    let path = path(plan, wave);
    put(&path, &mut |file| {
        let mut writer = csv::Writer::from_writer(file);
        writer.write_record(
            COLUMNS
                .into_iter()
                .chain(Seat::all(seats).map(player_column)),
        )?;
        games
            .iter()
            .try_for_each(|game| writer.write_record(row(game)))?;
        writer.flush()
    })
}

/// The columns before a column for the player of each seat.
const COLUMNS: [&str; 5] = ["id", "game", "number", "block", "round"];

fn row(game: &QueuedGame) -> Vec<String> {
    let QueuedGame { id, ticket, .. } = game;
    let round = ticket
        .round
        .map_or(String::new(), |round| round.to_string());
    let players = ticket.players.values().map(ToString::to_string);
    let before = [*id, game.game as u64, ticket.id, ticket.block].map(|number| number.to_string());
    before.into_iter().chain([round]).chain(players).collect()
}

fn parse(row: &csv::StringRecord) -> Result<QueuedGame, String> {
    let numbers = row.iter().map(|text| match text {
        "" => Ok(None),
        text => text
            .parse::<u64>()
            .map(Some)
            .map_err(|error| format!("`{text}`: {error}")),
    });
    let numbers = numbers.collect::<Result<Vec<_>, _>>()?;
    let [
        Some(id),
        Some(game),
        Some(number),
        Some(block),
        round,
        players @ ..,
    ] = &numbers[..]
    else {
        return Err(format!(
            "it has {} fields, expected {} or more",
            row.len(),
            COLUMNS.len() + 2
        ));
    };
    let players: Option<PerSeat<usize>> =
        players.iter().map(|it| it.map(|it| it as usize)).collect();
    Ok(QueuedGame {
        id: *id,
        game: *game as usize,
        ticket: Ticket {
            id: *number,
            block: *block,
            round: *round,
            players: players.ok_or("a seat has no player")?,
        },
        voids: 0,
        suspects: Seats::default(),
        delayed_by: None,
    })
}

/// Writes the mark that no wave follows.
pub(in crate::shards) fn end(plan: &Path) -> Result<(), RunFileError> {
    put(&plan.join(WAVES).join(END), &mut |_| Ok(()))
}

fn put(
    path: &Path,
    write: &mut dyn FnMut(&mut dyn std::io::Write) -> std::io::Result<()>,
) -> Result<(), RunFileError> {
    let failed = |problem: fn(std::io::Error) -> RunFileProblem| {
        let path = path.to_owned();
        move |error| RunFileError {
            path,
            problem: problem(error),
        }
    };
    if let Some(folder) = path.parent() {
        fs::create_dir_all(folder).map_err(failed(RunFileProblem::Make))?;
    }
    write_whole(path, write)?;
    let synced = File::open(path).and_then(|file| file.sync_all());
    synced.map_err(failed(RunFileProblem::Write))
}

pub(in crate::shards) fn read(plan: &Path, wave: u32) -> Result<Vec<QueuedGame>, RunFileError> {
    let path = path(plan, wave);
    let bad = |line: u64, words: String| {
        let problem = RowProblem::Malformed(words);
        RunFileError::new(&path, RunFileProblem::Row { line, problem })
    };
    let mut reader = File::open(&path)
        .map(|file| csv::Reader::from_reader(BoundedRows::new(file)))
        .map_err(|error| bad(1, error.to_string()))?;
    let rows = reader.records().zip(2..);
    rows.map(|(row, line)| {
        let row = row.map_err(|error| bad(line, error.to_string()))?;
        parse(&row).map_err(|words| bad(line, words))
    })
    .collect()
}
