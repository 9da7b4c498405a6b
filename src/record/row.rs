//! A row of the journal.

use std::fs::File;
use std::path::{Path, PathBuf};
use std::time::Duration;

use serde::{Deserialize, Serialize};

use super::error::RowProblem;
use super::game_log::micros;
use super::results::ResultRow;
use super::{RecordError, RecordProblem};
use crate::clock::Spent;
use crate::game::{Blame, Game, GameResult, Reason};
use crate::referee::{GameEnd, Termination};

/// One finished game.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(into = "Columns")]
pub struct GameRow {
    /// The number of the game in its run, from 0.
    pub id: u64,
    /// The game played.
    pub game: Game,
    /// Its options as `key=value`, separated by spaces.
    pub options: String,
    /// The number of the game pair; games of a pair begin from the same start.
    pub pair: u64,
    /// The names of the players, by seat.
    pub players: [String; 2],
    /// How the game ended. Times are whole microseconds, and those off turn are not kept.
    pub end: GameEnd,
    /// A digest of all actions and what became public by them: games in which the same was played
    /// have the same. Empty where nothing was played.
    pub actions_digest: String,
    /// When the game ended, UTC.
    pub date: String,
    /// How long the game took on the wall, in whole microseconds.
    pub took: Duration,
    /// The most memory that each player's processes held in this game, in KiB, if it is known.
    pub peak_kib: [Option<u64>; 2],
}

impl GameRow {
    /// The names of the players, by seat.
    pub fn names(&self) -> [&str; 2] {
        self.players.each_ref().map(String::as_str)
    }

    /// The row as the ratings read it; `source` tells runs apart.
    pub fn result(&self, source: u64) -> ResultRow<'_> {
        ResultRow {
            source,
            game: self.game.name(),
            options: &self.options,
            pair: Some(self.pair),
            names: self.names(),
            result: self.end.result,
            blame: self.end.blame,
            termination: self.end.termination.name(),
            digest: &self.actions_digest,
            date: &self.date,
        }
    }

    /// Who forfeited, as the column of that name has it.
    pub fn forfeited_by(&self) -> &str {
        self.end.blame.name(self.names())
    }

    /// What the players did wrong, as the column of that name has it.
    pub fn detail(&self) -> String {
        self.end.detail(self.game)
    }

    /// Whether a player forfeited, or both did.
    pub fn is_forfeited(&self) -> bool {
        self.end.blame != Blame::Nobody
    }
}

/// How many characters of a bad value are quoted.
const QUOTED: usize = 40;

/// How the names of columns end that older journals do not have.
const OPTIONAL: &str = "_peak_kib";

/// The columns of `games.csv`, in their order.
#[derive(Debug, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Columns {
    id: u64,
    game: String,
    options: String,
    pair: u64,
    first: String,
    second: String,
    winner: String,
    first_points: f64,
    second_points: f64,
    termination: String,
    forfeited_by: String,
    reason: String,
    detail: String,
    plies: u32,
    actions_digest: String,
    date: String,
    game_us: u64,
    first_wall_us: u64,
    first_cpu_us: u64,
    second_wall_us: u64,
    second_cpu_us: u64,
    #[serde(default)]
    first_peak_kib: Option<u64>,
    #[serde(default)]
    second_peak_kib: Option<u64>,
}

/// Why a row has the right form, and is not the record of a game that was played.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum RowError {
    /// Both seats have one player.
    #[error("expected two players")]
    OnePlayer,
    /// A word that stands for nothing in this column.
    #[error("`{column}` is `{value}`: {expected}")]
    Unknown {
        /// The name of the column.
        column: &'static str,
        /// What it holds.
        value: String,
        /// What it can hold.
        expected: String,
    },
    /// Two columns contradict each other.
    #[error("`{column}` is `{is}`, and should be `{should}`")]
    Contradiction {
        /// The name of the column.
        column: &'static str,
        /// What it holds.
        is: String,
        /// What follows from the other columns.
        should: String,
    },
}

impl RowError {
    fn unknown(column: &'static str, value: &str, expected: impl Into<String>) -> Self {
        Self::Unknown {
            column,
            value: quotable(value),
            expected: expected.into(),
        }
    }

    /// An error unless a column holds what it should.
    pub(super) fn unless_equal(
        column: &'static str,
        is: impl ToString,
        should: impl ToString,
    ) -> Result<(), Self> {
        let (is, should) = (is.to_string(), should.to_string());
        match is == should {
            true => Ok(()),
            false => Err(Self::Contradiction {
                column,
                is: quotable(&is),
                should: quotable(&should),
            }),
        }
    }
}

/// The beginning of what a file has, for a message of one line.
fn quotable(text: &str) -> String {
    let begin: String = text.chars().take(QUOTED).collect();
    begin.escape_debug().to_string()
}

impl From<GameRow> for Columns {
    fn from(row: GameRow) -> Self {
        let end = &row.end;
        let [first_points, second_points] = end.result.points();
        let [first_time, second_time] = end.spent;
        Self {
            id: row.id,
            game: row.game.name().to_owned(),
            options: row.options.clone(),
            pair: row.pair,
            winner: end.result.name(row.game).to_owned(),
            first_points,
            second_points,
            termination: end.termination.name().to_owned(),
            forfeited_by: row.forfeited_by().to_owned(),
            reason: end.reason.map_or("", Reason::name).to_owned(),
            detail: row.detail(),
            plies: end.plies,
            actions_digest: row.actions_digest,
            date: row.date,
            game_us: micros(row.took),
            first_wall_us: micros(first_time.wall),
            first_cpu_us: micros(first_time.cpu),
            second_wall_us: micros(second_time.wall),
            second_cpu_us: micros(second_time.cpu),
            first_peak_kib: row.peak_kib[0],
            second_peak_kib: row.peak_kib[1],
            first: row.players[0].clone(),
            second: row.players[1].clone(),
        }
    }
}

impl TryFrom<Columns> for GameRow {
    type Error = RowError;

    fn try_from(columns: Columns) -> Result<Self, RowError> {
        if columns.first == columns.second {
            return Err(RowError::OnePlayer);
        }
        let game = Game::from_name(&columns.game).ok_or_else(|| {
            let names = Game::ALL.map(Game::name).join(", ");
            RowError::unknown("game", &columns.game, format!("expected one of {names}"))
        })?;
        let end = columns.end(game)?;
        Ok(Self {
            id: columns.id,
            game,
            options: columns.options,
            pair: columns.pair,
            players: [columns.first, columns.second],
            end,
            actions_digest: columns.actions_digest,
            date: columns.date,
            took: Duration::from_micros(columns.game_us),
            peak_kib: [columns.first_peak_kib, columns.second_peak_kib],
        })
    }
}

impl Columns {
    /// The end of the game, in which no two columns contradict each other.
    fn end(&self, game: Game) -> Result<GameEnd, RowError> {
        let names = [self.first.as_str(), self.second.as_str()];
        let termination = Termination::from_name(&self.termination).ok_or_else(|| {
            RowError::unknown("termination", &self.termination, "expected a way to end")
        })?;
        let blame = Blame::from_name(names, &self.forfeited_by).ok_or_else(|| {
            RowError::unknown(
                "forfeited_by",
                &self.forfeited_by,
                "expected a player, both, or nothing",
            )
        })?;
        let reason = match self.reason.as_str() {
            "" => None,
            name => Some(Reason::from_name(name).ok_or_else(|| {
                RowError::unknown("reason", name, "expected the name of a rule, or nothing")
            })?),
        };
        let result = self.result(game, blame)?;
        let details = GameEnd::split_detail(game, blame, &self.detail).ok_or_else(|| {
            let expected = "expected what the player in `forfeited_by` did wrong";
            RowError::unknown("detail", &self.detail, expected)
        })?;
        let time = |wall: u64, cpu: u64| Spent {
            wall: Duration::from_micros(wall),
            cpu: Duration::from_micros(cpu),
            idle_cpu: Duration::ZERO,
        };
        Ok(GameEnd {
            result,
            termination,
            blame,
            reason,
            details,
            plies: self.plies,
            spent: [
                time(self.first_wall_us, self.first_cpu_us),
                time(self.second_wall_us, self.second_cpu_us),
            ],
        })
    }

    /// Who won: the winner, the points and the forfeits must agree.
    fn result(&self, game: Game, blame: Blame) -> Result<GameResult, RowError> {
        let result = GameResult::from_name(game, &self.winner).ok_or_else(|| {
            let [one, other] = game.seat_names();
            let expected = format!("expected {one}, {other}, draw or none");
            RowError::unknown("winner", &self.winner, expected)
        })?;
        let due = match blame {
            Blame::Of(seat) => GameResult::Won(seat.other()),
            Blame::Both => GameResult::Nobody,
            Blame::Nobody if result == GameResult::Nobody => {
                return RowError::unless_equal("forfeited_by", "", Blame::Both.name(["", ""]))
                    .map(|()| result);
            }
            Blame::Nobody => result,
        };
        RowError::unless_equal("winner", &self.winner, due.name(game))?;
        let [first, second] = result.points();
        RowError::unless_equal("first_points", self.first_points, first)?;
        RowError::unless_equal("second_points", self.second_points, second)?;
        Ok(result)
    }
}

/// The header line of the journal.
pub(super) fn header() -> Vec<u8> {
    csv_header(&Columns::default())
}

/// The header line of a table of such rows.
pub(super) fn csv_header(row: &impl Serialize) -> Vec<u8> {
    let mut writer = csv::Writer::from_writer(Vec::new());
    // Neither error can happen: memory takes the bytes, and the row is a flat record.
    let _ = writer.serialize(row);
    let mut bytes = writer.into_inner().unwrap_or_default();
    let end = bytes.iter().position(|byte| *byte == b'\n');
    bytes.truncate(end.map_or(0, |end| end + 1));
    bytes
}

/// A row as one line of bytes.
pub(super) fn line(row: &GameRow) -> Vec<u8> {
    let mut writer = csv::WriterBuilder::new()
        .has_headers(false)
        .from_writer(Vec::with_capacity(256));
    // Neither error can happen: memory takes the bytes, and the row is a flat record.
    let _ = writer.serialize(row);
    writer.into_inner().unwrap_or_default()
}

/// What is wrong with a record of a CSV file, without its place, which the message names already.
pub(super) fn csv_words(error: csv::Error) -> String {
    match error.into_kind() {
        csv::ErrorKind::Deserialize { err, .. } => err.to_string(),
        csv::ErrorKind::Utf8 { err, .. } => err.to_string(),
        csv::ErrorKind::UnequalLengths {
            expected_len, len, ..
        } => format!("it has {len} fields, expected {expected_len}"),
        other => format!("{other:?}"),
    }
}

/// The rows of a journal, of which one is held at a time.
pub struct Rows {
    path: PathBuf,
    reader: csv::Reader<File>,
    header: csv::StringRecord,
    record: csv::StringRecord,
}

impl Rows {
    /// Opens a journal.
    ///
    /// # Errors
    /// The file cannot be read, or its first line is not the header of a journal.
    pub fn open(path: &Path) -> Result<Self, RecordError> {
        let file = File::open(path).map_err(RecordError::at(path, RecordProblem::Read))?;
        let mut reader = csv::Reader::from_reader(file);
        let found = reader.headers().map_err(|error| Self::bad(path, error))?;
        let found = found.clone();
        let header = header();
        let mut required = std::str::from_utf8(&header)
            .unwrap_or_default()
            .trim_end()
            .split(',')
            .filter(|column| !column.ends_with(OPTIONAL));
        if let Some(column) = required.find(|column| found.iter().all(|name| name != *column)) {
            let column = column.to_owned();
            return Err(RecordError::new(
                path,
                RecordProblem::NotAJournal { column },
            ));
        }
        Ok(Self {
            path: path.to_owned(),
            reader,
            header: found,
            record: csv::StringRecord::new(),
        })
    }

    /// The error of a row that was read last, or of a file that ends in the middle of a character.
    fn bad(path: &Path, error: csv::Error) -> RecordError {
        let line = error.position().map_or(0, csv::Position::line);
        if let csv::ErrorKind::Io(_) = error.kind() {
            let error = std::io::Error::from(error);
            return RecordError::new(path, RecordProblem::Read(error));
        }
        let words = csv_words(error);
        let problem = RowProblem::Malformed(words);
        RecordError::new(path, RecordProblem::Row { line, problem })
    }

    /// An error that names the row which was read last.
    pub fn refuse(&self, problem: RowProblem) -> RecordError {
        let line = self.record.position().map_or(0, csv::Position::line);
        RecordError::new(&self.path, RecordProblem::Row { line, problem })
    }
}

impl Iterator for Rows {
    type Item = Result<GameRow, RecordError>;

    fn next(&mut self) -> Option<Self::Item> {
        match self.reader.read_record(&mut self.record) {
            Ok(true) => {}
            Ok(false) => return None,
            Err(error) => return Some(Err(Self::bad(&self.path, error))),
        }
        let columns = self.record.deserialize::<Columns>(Some(&self.header));
        Some(match columns {
            Ok(columns) => GameRow::try_from(columns).map_err(|error| self.refuse(error.into())),
            Err(error) => Err(Self::bad(&self.path, error)),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::Seat;

    fn read(lines: &[&[u8]]) -> Result<Vec<GameRow>, RecordError> {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("games.csv");
        std::fs::write(&path, lines.concat()).expect("written");
        Rows::open(&path)?.collect()
    }

    #[test]
    fn a_row_survives_a_round_trip_and_fits_the_header() {
        let row = GameRow {
            id: 7,
            game: Game::Cachex,
            options: "size=9".to_owned(),
            pair: 3,
            players: ["alice".to_owned(), "bob".to_owned()],
            end: GameEnd {
                result: GameResult::Won(Seat::Second),
                termination: Termination::IllegalAction,
                blame: Blame::Of(Seat::First),
                reason: Some(Reason::Connection),
                details: [
                    "played `a1`, \"quoted\"\nover two lines".to_owned(),
                    String::new(),
                ],
                plies: 3,
                spent: [Spent::default(); 2],
            },
            actions_digest: "00ff".to_owned(),
            date: "2026-01-02T03:04:05Z".to_owned(),
            took: Duration::from_micros(1500),
            peak_kib: [Some(5), None],
        };
        assert_eq!(read(&[&header(), &line(&row)]).expect("read"), [row]);
    }

    #[test]
    fn a_bad_row_is_named_by_its_line() {
        let error = read(&[&header(), b"1,cachex\n"])
            .expect_err("bad")
            .to_string();
        assert!(error.contains("games.csv: line 2 is not a row"), "{error}");
    }

    #[test]
    fn columns_that_contradict_each_other_are_refused() {
        const RIGHT: &str =
            "0,cachex,size=3,0,a,b,red,1.0,0.0,rules,,connection,,5,00,,1,1,1,1,1,,\n";
        assert_eq!(
            read(&[&header(), RIGHT.as_bytes()]).expect("right").len(),
            1
        );
        for (right, wrong, said) in [
            (
                "red",
                "green",
                "`winner` is `green`: expected red, blue, draw or none",
            ),
            (
                "1.0,0.0",
                "0.0,1.0",
                "`first_points` is `0`, and should be `1`",
            ),
            (
                "rules,,",
                "crash,a,",
                "`winner` is `red`, and should be `blue`",
            ),
            ("rules,,", "crash,c,", "`forfeited_by` is `c`"),
            ("rules,,", "ruins,,", "`termination` is `ruins`"),
            (
                "red,1.0",
                "none,0.0",
                "`forfeited_by` is ``, and should be `both`",
            ),
            ("connection", "luck", "`reason` is `luck`"),
            ("a,b", "a,a", "expected two players"),
            ("0,cachex", "0,chess", "`game` is `chess`"),
        ] {
            let row = RIGHT.replace(right, wrong);
            let error = read(&[&header(), row.as_bytes()]).expect_err(wrong);
            assert!(error.to_string().contains(said), "{error}");
        }
    }
}
