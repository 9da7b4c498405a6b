//! `set-aside.csv`: games of a run that could not be played, not even when retried alone. They have no
//! result, so they are not in the journal.

use std::fs::OpenOptions;
use std::io::Write;
use std::path::{Path, PathBuf};

use super::rows::Rows;
use super::{Ids, player_column};
use crate::config::read_text;
use crate::game::{Game, PerSeat, Seat};
use crate::runs::JOURNAL;
use crate::runs::error::{RowProblem, RunFileError, RunFileProblem};
use crate::runs::files::{csv_line, csv_words};

pub const SET_ASIDE: &str = "set-aside.csv";

/// A game that could not be played. Pairings that depend on results count it as drawn.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SetAsideGame {
    pub id: u64,
    pub game: String,
    pub block: u64,
    pub round: Option<u64>,
    pub players: PerSeat<String>,
    /// The only seat that had acted when the rules failed.
    pub after: Option<Seat>,
    pub cause: String,
}

pub(in crate::runs) fn path(run: &Path) -> PathBuf {
    run.join(SET_ASIDE)
}

impl SetAsideGame {
    pub fn player_before(&self) -> Option<&String> {
        self.after.map(|seat| &self.players[seat])
    }

    fn line(&self) -> Vec<u8> {
        let round = self.round.map(|round| round.to_string());
        let [id, block] = [self.id, self.block].map(|number| number.to_string());
        let mut fields = vec![&id, &self.game, &block];
        let none = String::new();
        fields.push(round.as_ref().unwrap_or(&none));
        fields.extend(self.players.values());
        fields.push(self.player_before().unwrap_or(&none));
        fields.push(&self.cause);
        csv_line(fields)
    }
}

fn header(seats: usize) -> Vec<u8> {
    let players = Seat::all(seats).map(player_column);
    let columns = ["id", "game", "block", "round"].into_iter();
    csv_line(columns.chain(players).chain(["after", "cause"]))
}

/// Adds a game in one write, and syncs it. This is rare, so the sync costs little.
pub(in crate::runs) fn append(run: &Path, game: &SetAsideGame) -> Result<(), RunFileError> {
    let path = path(run);
    let written = OpenOptions::new()
        .create(true)
        .append(true)
        .open(&path)
        .and_then(|mut file| {
            let mut text = match file.metadata()?.len() {
                0 => header(game.players.count()),
                _ => Vec::new(),
            };
            text.extend(game.line());
            file.write_all(&text)?;
            file.sync_data()
        });
    written.map_err(|error| RunFileError::new(path, RunFileProblem::Write(error)))
}

/// All games set aside. A torn last row is left out.
pub(in crate::runs) fn read(run: &Path) -> Result<Vec<SetAsideGame>, RunFileError> {
    let path = path(run);
    let mut text = match read_text(&path) {
        Ok(text) => text,
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(Vec::new()),
        Err(error) => return Err(RunFileError::new(path, RunFileProblem::Read(error))),
    };
    text.truncate(text.rfind('\n').map_or(0, |end| end + 1));
    let refuse = |line, words| {
        let problem = RowProblem::Malformed(words);
        RunFileError::new(&path, RunFileProblem::Row { line, problem })
    };
    let mut reader = csv::Reader::from_reader(text.as_bytes());
    let rows = reader.records().zip(2..).map(|(row, line)| {
        let row = row.map_err(|error| refuse(line, csv_words(error)))?;
        parse(&row).map_err(|words| refuse(line, words))
    });
    rows.collect()
}

/// The games set aside that no row of the journal, of these games, has: they were not played since.
pub(in crate::runs) fn unplayed(
    run: &Path,
    games: impl IntoIterator<Item = Game>,
) -> Result<Vec<SetAsideGame>, RunFileError> {
    let mut aside = read(run)?;
    if !aside.is_empty() {
        let mut played = Ids::default();
        for row in Rows::open_whole(&run.join(JOURNAL), games)? {
            played.insert(row?.id);
        }
        aside.retain(|game| !played.contains(&game.id));
    }
    Ok(aside)
}

fn parse(row: &csv::StringRecord) -> Result<SetAsideGame, String> {
    let number = |column: &str, text: &str| {
        let number = text.parse::<u64>();
        number.map_err(|error| format!("`{column}`: {error}"))
    };
    let fields: Vec<&str> = row.iter().collect();
    let [id, game, block, round, players @ .., after, cause] = &fields[..] else {
        return Err(format!("it has {} fields, expected 8", fields.len()));
    };
    Ok(SetAsideGame {
        id: number("id", id)?,
        game: (*game).to_owned(),
        block: number("block", block)?,
        round: match *round {
            "" => None,
            round => Some(number("round", round)?),
        },
        players: players.iter().map(ToString::to_string).collect(),
        after: Seat::all(players.len())
            .zip(players)
            .find(|(_, player)| *player == after)
            .map(|(seat, _)| seat),
        cause: (*cause).to_owned(),
    })
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
