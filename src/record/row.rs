//! A row of the journal.

use std::path::Path;
use std::time::{Duration, SystemTime};

use serde::{Deserialize, Serialize};

use super::RecordError;
use super::game_log::micros;
use super::results::{ResultRow, forfeits};
use crate::game::{Game, Seat};
use crate::referee::{Blame, GameEnd};

/// One finished game. The fields are the columns of `games.csv`, in their order.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct GameRow {
    /// The number of the game in its run, from 0.
    pub id: u64,
    /// The name of the game played.
    pub game: String,
    /// Its options as `key=value`, separated by spaces.
    pub options: String,
    /// The number of the game pair; games of a pair begin from the same start.
    pub pair: u64,
    /// The player in the first seat.
    pub first: String,
    /// The player in the second seat.
    pub second: String,
    /// The seat that won, `draw`, or `none` where both players forfeited.
    pub winner: String,
    /// Points of the first player: 1, 0.5 or 0.
    pub first_points: f64,
    /// Points of the second player.
    pub second_points: f64,
    /// In which way the game ended.
    pub termination: String,
    /// The player who forfeited, `both`, or empty.
    pub forfeited_by: String,
    /// By which rule of the game it ended, where it ended by one.
    pub reason: String,
    /// What a player did wrong, where one did.
    pub detail: String,
    /// How many plies were played, the opening included.
    pub plies: u32,
    /// A digest of all actions and what became public by them: games in which the same was played
    /// have the same. Empty where nothing was played.
    pub actions_digest: String,
    /// When the game ended, UTC.
    pub date: String,
    /// How long the game took on the wall, in microseconds.
    pub game_us: u64,
    /// Time of the first player on the wall, in microseconds.
    pub first_wall_us: u64,
    /// Time of the first player on a processor.
    pub first_cpu_us: u64,
    /// Time of the second player on the wall.
    pub second_wall_us: u64,
    /// Time of the second player on a processor.
    pub second_cpu_us: u64,
    /// The most memory that the first player's processes held in this game, in KiB, if it is known.
    #[serde(default)]
    pub first_peak_kib: Option<u64>,
    /// The most memory that the second player's processes held.
    #[serde(default)]
    pub second_peak_kib: Option<u64>,
}

impl GameRow {
    /// The row as the ratings read it; `source` tells runs apart.
    pub fn result(&self, source: u64) -> ResultRow<'_> {
        let names = [self.first.as_str(), self.second.as_str()];
        ResultRow {
            source,
            game: &self.game,
            options: &self.options,
            pair: Some(self.pair),
            names,
            points: [self.first_points, self.second_points],
            forfeited: forfeits(names, &self.forfeited_by),
            termination: &self.termination,
            digest: &self.actions_digest,
            date: &self.date,
        }
    }

    /// Whether a player forfeited, or both did.
    pub fn is_forfeited(&self) -> bool {
        !self.forfeited_by.is_empty()
    }

    /// The row of a game that ended; `None` for a void game, which counts for nothing.
    pub fn new(
        (id, pair): (u64, u64),
        (game, options): (Game, &str),
        names: [&str; 2],
        end: &GameEnd,
        actions_digest: String,
        took: Duration,
    ) -> Option<Self> {
        let [first_points, second_points] = end.points()?;
        Some(Self {
            id,
            game: game.name().to_owned(),
            options: options.to_owned(),
            pair,
            first: names[0].to_owned(),
            second: names[1].to_owned(),
            winner: end.winner_name(game).to_owned(),
            first_points,
            second_points,
            termination: end.termination.name().to_owned(),
            forfeited_by: match end.blame {
                Blame::Nobody => String::new(),
                Blame::Of(seat) => names[seat.index()].to_owned(),
                Blame::Both => "both".to_owned(),
            },
            reason: end.reason.map_or("", |reason| reason.name()).to_owned(),
            detail: end.detail.clone(),
            plies: end.plies,
            actions_digest,
            date: humantime::format_rfc3339_seconds(SystemTime::now()).to_string(),
            game_us: micros(took),
            first_wall_us: micros(end.spent[Seat::First.index()].wall),
            first_cpu_us: micros(end.spent[Seat::First.index()].cpu),
            second_wall_us: micros(end.spent[Seat::Second.index()].wall),
            second_cpu_us: micros(end.spent[Seat::Second.index()].cpu),
            first_peak_kib: None,
            second_peak_kib: None,
        })
    }
}

/// The names of the columns, in their order.
const COLUMNS: [&str; 23] = [
    "id",
    "game",
    "options",
    "pair",
    "first",
    "second",
    "winner",
    "first_points",
    "second_points",
    "termination",
    "forfeited_by",
    "reason",
    "detail",
    "plies",
    "actions_digest",
    "date",
    "game_us",
    "first_wall_us",
    "first_cpu_us",
    "second_wall_us",
    "second_cpu_us",
    "first_peak_kib",
    "second_peak_kib",
];

/// How many of them were there from the beginning. Journals without the others can be read.
const REQUIRED: usize = 20;

/// The header line of the journal.
pub(super) fn header() -> Vec<u8> {
    let mut header = COLUMNS.join(",").into_bytes();
    header.push(b'\n');
    header
}

/// A row as one line of bytes.
pub(super) fn line(row: &GameRow) -> Vec<u8> {
    let mut writer = csv::WriterBuilder::new()
        .has_headers(false)
        .from_writer(Vec::with_capacity(256));
    // Neither error can come about: memory takes the bytes, and the row is a flat record.
    let _ = writer.serialize(row);
    writer.into_inner().unwrap_or_default()
}

/// Reads a whole journal.
pub fn read_games(path: &Path) -> Result<Vec<GameRow>, RecordError> {
    let mut rows = Vec::new();
    each_game(path, &mut |row| {
        rows.push(row);
        Ok(())
    })?;
    Ok(rows)
}

/// Reads a journal row by row, and holds one at a time. What `each` refuses is named by its line.
pub fn each_game(
    path: &Path,
    each: &mut dyn FnMut(GameRow) -> Result<(), String>,
) -> Result<(), RecordError> {
    let mut reader = csv::Reader::from_path(path)
        .map_err(|error| RecordError::new(path, format!("cannot be read: {error}")))?;
    let header = reader
        .headers()
        .map_err(|error| RecordError::new(path, format!("cannot be read: {error}")))?
        .clone();
    if let Some(column) = COLUMNS[..REQUIRED]
        .iter()
        .find(|column| header.iter().all(|name| name != **column))
    {
        return Err(RecordError::new(
            path,
            format!("line 1 is not the header of a games.csv: it has no column `{column}`"),
        ));
    }
    for record in reader.records() {
        let bad = |error: csv::Error| {
            let line = error.position().map_or(0, |position| position.line());
            (line, words(&error))
        };
        let row = record.map_err(bad).and_then(|record| {
            let row: GameRow = record.deserialize(Some(&header)).map_err(bad)?;
            let line = record.position().map_or(0, |position| position.line());
            match nonsense(&row) {
                Some(problem) => Err((line, problem.to_owned())),
                None => each(row).map_err(|problem| (line, problem)),
            }
        });
        row.map_err(|(line, problem)| {
            RecordError::new(
                path,
                format!("line {line} is not a row of games.csv: {problem}"),
            )
        })?;
    }
    Ok(())
}

/// Why a row that has the right form is none of a game that can have been played.
fn nonsense(row: &GameRow) -> Option<&'static str> {
    match [row.first_points, row.second_points] {
        [1.0, 0.0] | [0.0, 1.0] | [0.5, 0.5] | [0.0, 0.0] => {}
        _ => return Some("expected points of 1 and 0, 0.5 each, or 0 each"),
    }
    (row.first == row.second).then_some("expected two players")
}

/// What is wrong with a row, without the position that the message names already.
fn words(error: &csv::Error) -> String {
    match error.kind() {
        csv::ErrorKind::Deserialize { err, .. } => err.to_string(),
        csv::ErrorKind::Utf8 { err, .. } => err.to_string(),
        csv::ErrorKind::UnequalLengths {
            expected_len, len, ..
        } => format!("it has {len} fields, expected {expected_len}"),
        _ => error.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::clock::Spent;
    use crate::game::Reason;
    use crate::referee::Termination;

    #[test]
    fn a_row_survives_a_round_trip_and_fits_the_header() {
        let end = GameEnd {
            winner: Some(Seat::Second),
            termination: Termination::IllegalAction,
            blame: Blame::Of(Seat::First),
            reason: Some(Reason::Connection),
            detail: "played `a1`, \"quoted\"\nover two lines".to_owned(),
            plies: 3,
            spent: [Spent::default(); 2],
        };
        let row = GameRow::new(
            (7, 3),
            (Game::Cachex, "size=9"),
            ["alice", "bob"],
            &end,
            "00ff".to_owned(),
            Duration::from_micros(1500),
        )
        .expect("not void");
        let mut bytes = header();
        bytes.extend(line(&row));
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("games.csv");
        std::fs::write(&path, bytes).expect("written");
        assert_eq!(read_games(&path).expect("read"), [row]);
    }

    #[test]
    fn a_bad_row_is_named_by_its_line() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("games.csv");
        let mut bytes = header();
        bytes.extend(b"1,cachex\n");
        std::fs::write(&path, bytes).expect("written");
        let error = read_games(&path).expect_err("bad").to_string();
        assert!(error.contains("games.csv: line 2 is not a row"), "{error}");
    }
}
