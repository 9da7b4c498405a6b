//! `waves/0001.csv`: the games of a wave, played before the next wave is known. `waves/end` marks that no wave
//! follows.

use std::fs::{self, File};
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use crate::config::BoundedRows;
use crate::runner::QueuedGame;
use crate::runs::{JournalProblem, RowProblem, RunFileError, RunFileProblem, write_whole};
use crate::schedule::Ticket;

const WAVES: &str = "waves";
const END: &str = "end";

/// A game of a wave. Players and games are indices into the configuration.
#[derive(Debug, Serialize, Deserialize)]
struct Row {
    id: u64,
    game: usize,
    number: u64,
    pair: u64,
    round: Option<u64>,
    first: usize,
    second: usize,
}

fn path(plan: &Path, wave: u32) -> PathBuf {
    plan.join(WAVES).join(format!("{wave:04}.csv"))
}

/// Number of waves written.
pub(in crate::shards) fn count(plan: &Path) -> Result<u32, RunFileError> {
    // A network file system may show a new wave late; the caller looks again.
    Ok((1..).take_while(|wave| path(plan, *wave).exists()).count() as u32)
}

/// Whether no wave follows those written.
pub(in crate::shards) fn are_over(plan: &Path) -> bool {
    plan.join(WAVES).join(END).exists()
}

/// Writes the games of a wave atomically.
pub(in crate::shards) fn write(
    plan: &Path,
    wave: u32,
    games: &[QueuedGame],
) -> Result<(), RunFileError> {
    let rows = games.iter().map(|game| {
        let [first, second] = game.ticket.players.into_array();
        Row {
            id: game.id,
            game: game.game,
            number: game.ticket.id,
            pair: game.ticket.pair,
            round: game.ticket.round,
            first,
            second,
        }
    });
    let path = path(plan, wave);
    put(&path, &mut |file| {
        let mut writer = csv::Writer::from_writer(file);
        rows.clone().try_for_each(|row| writer.serialize(row))?;
        writer.flush()
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
    synced.map_err(failed(RunFileProblem::Sync))
}

/// Reads the games of a wave.
pub(in crate::shards) fn read(plan: &Path, wave: u32) -> Result<Vec<QueuedGame>, RunFileError> {
    let path = path(plan, wave);
    let bad = |line: u64, error: csv::Error| {
        let problem = RowProblem::Malformed(error.to_string());
        RunFileError::new(&path, JournalProblem::Row { line, problem })
    };
    let mut reader = File::open(&path)
        .map(|file| csv::Reader::from_reader(BoundedRows::new(file)))
        .map_err(|error| bad(1, error.into()))?;
    let rows = reader.deserialize::<Row>().zip(2..);
    rows.map(|(row, line)| {
        let row = row.map_err(|error| bad(line, error))?;
        Ok(QueuedGame {
            id: row.id,
            game: row.game,
            ticket: Ticket {
                id: row.number,
                pair: row.pair,
                round: row.round,
                players: [row.first, row.second].into(),
            },
            was_void: false,
        })
    })
    .collect()
}
