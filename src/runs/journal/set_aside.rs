//! `set-aside.csv`: games of a run that could not be played, not even when retried alone. They have no
//! result, so they are not in the journal.

use std::fs::OpenOptions;
use std::io::Write;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use crate::config::read_text;
use crate::runs::error::journal::{JournalError, JournalProblem, RowProblem};
use crate::runs::error::{RunFileError, RunFileProblem};
use crate::runs::files::csv_text::{csv_header, csv_words};

/// The file's name.
pub const SET_ASIDE: &str = "set-aside.csv";

/// A game that could not be played. Pairings that depend on results count it as drawn.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct SetAsideGame {
    /// Its number.
    pub id: u64,
    /// The name of the game that was to be played.
    pub game: String,
    /// The number of its game pair.
    pub pair: u64,
    /// The number of the round, if the format has rounds.
    pub round: Option<u64>,
    /// The player of the first seat.
    pub first: String,
    /// The player of the second seat.
    pub second: String,
    /// Why it could not be played.
    pub cause: String,
}

pub(in crate::runs) fn path(run: &Path) -> PathBuf {
    run.join(SET_ASIDE)
}

/// Adds a game in one write, and syncs it. This is rare, so the sync costs little.
pub(in crate::runs) fn append(run: &Path, game: &SetAsideGame) -> Result<(), RunFileError> {
    let path = path(run);
    let mut writer = csv::WriterBuilder::new()
        .has_headers(false)
        .from_writer(Vec::new());
    // Memory takes the bytes, and the row is a flat record.
    let _ = writer.serialize(game);
    let row = writer.into_inner().unwrap_or_default();
    let written = OpenOptions::new()
        .create(true)
        .append(true)
        .open(&path)
        .and_then(|mut file| {
            let mut text = match file.metadata()?.len() {
                0 => csv_header(&SetAsideGame::default()),
                _ => Vec::new(),
            };
            text.extend_from_slice(&row);
            file.write_all(&text)?;
            file.sync_data()
        });
    written.map_err(|error| RunFileError::new(path, RunFileProblem::Write(error)))
}

/// All games set aside. A torn last row is left out.
pub(in crate::runs) fn read(run: &Path) -> Result<Vec<SetAsideGame>, JournalError> {
    let path = path(run);
    let mut text = match read_text(&path) {
        Ok(text) => text,
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(Vec::new()),
        Err(error) => return Err(JournalError::new(path, JournalProblem::Read(error))),
    };
    text.truncate(text.rfind('\n').map_or(0, |end| end + 1));
    let mut reader = csv::Reader::from_reader(text.as_bytes());
    let rows = reader.deserialize::<SetAsideGame>().zip(2..);
    rows.map(|(row, line)| {
        row.map_err(|error| {
            let problem = RowProblem::Malformed(csv_words(error));
            JournalError::new(&path, JournalProblem::Row { line, problem })
        })
    })
    .collect()
}

/// Rewrites the file with these games, or removes it if there are none.
pub(in crate::runs) fn write(run: &Path, games: &[SetAsideGame]) -> Result<(), RunFileError> {
    let path = path(run);
    match std::fs::remove_file(&path) {
        Err(error) if error.kind() != std::io::ErrorKind::NotFound => {
            return Err(RunFileError::new(path, RunFileProblem::Write(error)));
        }
        _ => {}
    }
    games.iter().try_for_each(|game| append(run, game))
}
