//! `waves/0001.csv`: the games of a wave, played before the next wave is known. `waves/end` marks that no wave
//! follows.

use std::fs::{self, File};
use std::path::{Path, PathBuf};

use crate::config::BoundedRows;
use crate::game::{Seat, Seats};
use crate::runner::QueuedGame;
use crate::runs::{
    RowProblem, RunFileError, RunFileProblem, csv_words, player_column, write_whole,
};
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
        let mut writer = csv::WriterBuilder::new()
            .has_headers(false)
            .from_writer(file);
        writer.write_record(
            COLUMNS
                .into_iter()
                .chain(Seat::all(seats).map(player_column)),
        )?;
        for game in games {
            let it = &game.ticket;
            let players: Vec<&usize> = it.players.values().collect();
            writer.serialize((game.id, game.game, it.id, it.block, it.round, players))?;
        }
        writer.flush()
    })
}

/// The columns before a column for the player of each seat.
const COLUMNS: [&str; 5] = ["id", "game", "number", "block", "round"];

type Columns = (u64, usize, u64, u64, Option<u64>, Vec<usize>);

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
    let reader = File::open(&path)
        .map(|file| csv::Reader::from_reader(BoundedRows::new(file)))
        .map_err(|error| bad(1, error.to_string()))?;
    let rows = reader.into_deserialize::<Columns>().zip(2..);
    rows.map(|(row, line)| {
        let (id, game, number, block, round, players) =
            row.map_err(|error| bad(line, csv_words(error)))?;
        Ok(QueuedGame {
            id,
            game,
            ticket: Ticket {
                id: number,
                block,
                round,
                players: players.into_iter().collect(),
                values: None,
            },
            voids: 0,
            suspects: Seats::default(),
            delayed_by: None,
        })
    })
    .collect()
}
