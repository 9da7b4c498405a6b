//! `waves/0001.csv`: the games of a wave, played before the next wave is known. `waves/end` marks that no wave
//! follows.

use std::fs::{self, File};
use std::path::{Path, PathBuf};

use crate::config::BoundedRows;
use crate::game::{PerSeat, Seat};
use crate::runner::QueuedGame;
use crate::runs::{
    RowProblem, RunFileError, RunFileProblem, csv_words, player_column, seat_column, write_whole,
};
use crate::schedule::{Ticket, Values, values_of_text, values_text};
use crate::text::visible;

const WAVES: &str = "waves";
const END: &str = "end";

fn path(plan: &Path, wave: u32) -> PathBuf {
    plan.join(WAVES).join(format!("{wave:04}.csv"))
}

pub(super) fn count(plan: &Path) -> u32 {
    // A network file system may show a new wave late; the caller looks again.
    (1..).take_while(|wave| path(plan, *wave).exists()).count() as u32
}

pub(super) fn are_over(plan: &Path) -> bool {
    plan.join(WAVES).join(END).exists()
}

/// Writes the games of a wave atomically.
pub(super) fn write(plan: &Path, wave: u32, games: &[QueuedGame]) -> Result<(), RunFileError> {
    let seats = games.first().map_or(2, |game| game.ticket.players.count());
    let path = path(plan, wave);
    put(&path, &mut |file| {
        let mut writer = csv::WriterBuilder::new()
            .has_headers(false)
            .from_writer(file);
        let header = COLUMNS.into_iter().map(str::to_owned);
        let header = header.chain(Seat::all(seats).map(|seat| player_column(seat).to_owned()));
        writer
            .write_record(header.chain(Seat::all(seats).map(|seat| seat_column(seat, "values"))))?;
        for game in games {
            let it = &game.ticket;
            let players: Vec<&usize> = it.players.values().collect();
            let values = |seat| it.values.as_deref().map(|all| values_text(&all[seat]));
            let values: Vec<_> = Seat::all(seats).map(values).collect();
            writer.serialize((
                game.id, game.game, it.id, it.block, it.round, players, values,
            ))?;
        }
        writer.flush()
    })
}

/// The columns before a column for the player of each seat, and one for the values of its parameters.
const COLUMNS: [&str; 5] = ["id", "game", "number", "block", "round"];

type Columns = (u64, usize, u64, u64, Option<u64>, Vec<String>);

/// Writes the mark that no wave follows.
pub(super) fn end(plan: &Path) -> Result<(), RunFileError> {
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

pub(super) fn read(plan: &Path, wave: u32) -> Result<Vec<QueuedGame>, RunFileError> {
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
        let (id, game, number, block, round, texts) =
            row.map_err(|error| bad(line, csv_words(error)))?;
        let (players, values) = texts.split_at(texts.len() / 2);
        let bad_text = |text: &String| bad(line, format!("it has `{}`", visible(text)));
        let player = |text: &String| text.parse::<usize>().map_err(|_| bad_text(text));
        let values = values.iter().filter(|text| !text.is_empty());
        let values = values.map(|text| values_of_text(text).ok_or_else(|| bad_text(text)));
        let values: PerSeat<Values> = values.collect::<Result<_, _>>()?;
        Ok(QueuedGame {
            id,
            game,
            ticket: Ticket {
                id: number,
                block,
                round,
                players: players.iter().map(player).collect::<Result<_, _>>()?,
                values: (values.count() == players.len()).then(|| Box::new(values)),
            },
            voids: 0,
            delayed_by: None,
        })
    })
    .collect()
}
