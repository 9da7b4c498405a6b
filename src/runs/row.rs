//! A row of the journal.

use std::time::Duration;

use serde::{Deserialize, Serialize};

use super::results::ResultRow;
use super::{FileDigests, GameStart};
use crate::bot::LateCause;
use crate::clock::Spent;
use crate::game::{BOTH_PLAYERS, Blame, Game, GameResult, Games, PerSeat, Reason};
use crate::referee::{FaultKind, GameEnd, PlayerFault, Termination};
use crate::units::micros;

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
    /// Digests of the files that the game left.
    pub files: FileDigests,
    /// How the game began.
    pub start: GameStart,
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
            id: Some(self.id),
            game: self.game.name(),
            options: &self.options,
            pair: Some(self.pair),
            alike: None,
            opening: &self.start.opening,
            names: self.names(),
            result: self.end.result,
            blame: self.end.blame(),
            termination: self.end.termination.name(),
            digest: &self.actions_digest,
            date: &self.date,
        }
    }

    /// Who forfeited, as the column of that name has it.
    pub fn forfeited_by(&self) -> &str {
        self.end.blame().name(self.names())
    }

    /// The players' faults in words.
    pub fn detail(&self) -> String {
        self.end.detail(self.game)
    }

    /// Whether a player forfeited, or both did.
    pub fn is_forfeited(&self) -> bool {
        self.end.blame() != Blame::Nobody
    }
}

/// How many characters of a bad value are quoted.
const QUOTED: usize = 40;

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
    first_fault: String,
    second_fault: String,
    first_detail: String,
    second_detail: String,
    first_late: String,
    second_late: String,
    plies: u32,
    actions_digest: String,
    date: String,
    game_us: u64,
    first_wall_us: u64,
    first_cpu_us: u64,
    second_wall_us: u64,
    second_cpu_us: u64,
    first_peak_kib: Option<u64>,
    second_peak_kib: Option<u64>,
    log_digest: String,
    first_stderr_digest: String,
    second_stderr_digest: String,
    round: Option<u64>,
    opening: String,
    first_seed: u64,
    second_seed: u64,
}

/// Why a row has the right form, and is not the record of a game that was played.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[expect(missing_docs, reason = "the messages say what the fields are")]
pub enum RowError {
    /// Both seats have one player.
    #[error("expected two players")]
    OnePlayer,
    /// A word that stands for nothing in this column.
    #[error("`{column}` is `{value}`: {expected}")]
    Unknown {
        column: String,
        value: String,
        expected: String,
    },
    /// Two columns contradict each other.
    #[error("`{column}` is `{is}`, and should be `{should}`")]
    Contradiction {
        column: &'static str,
        is: String,
        should: String,
    },
}

impl RowError {
    fn unknown(column: &str, value: &str, expected: impl Into<String>) -> Self {
        Self::Unknown {
            column: column.to_owned(),
            value: quoted(value),
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
            false => Err(Self::contradiction(column, &is, &should)),
        }
    }

    /// The error for a column that does not hold what it should.
    pub(super) fn contradiction(column: &'static str, is: &str, should: &str) -> Self {
        Self::Contradiction {
            column,
            is: quoted(is),
            should: quoted(should),
        }
    }
}

/// The beginning of what a file has, for a message of one line.
pub(super) fn quoted(text: &str) -> String {
    let begin: String = text.chars().take(QUOTED).collect();
    begin.escape_debug().to_string()
}

impl From<GameRow> for Columns {
    fn from(row: GameRow) -> Self {
        let end = &row.end;
        let [first_points, second_points] = end.result.points();
        let [first_time, second_time] = end.spent.into_array();
        let [first_stderr_digest, second_stderr_digest] = row.files.stderr.clone();
        let [(first_fault, first_detail, first_late), second] =
            end.faults.clone().map(fault_columns).into_array();
        let (second_fault, second_detail, second_late) = second;
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
            first_fault,
            first_detail,
            first_late,
            second_fault,
            second_detail,
            second_late,
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
            log_digest: row.files.log,
            first_stderr_digest,
            second_stderr_digest,
            round: row.start.round,
            opening: row.start.opening,
            first_seed: row.start.seeds[0],
            second_seed: row.start.seeds[1],
            first: row.players[0].clone(),
            second: row.players[1].clone(),
        }
    }
}

impl GameRow {
    /// The row in these columns, of one of these games.
    pub(super) fn from_columns(columns: Columns, games: Games) -> Result<Self, RowError> {
        if columns.first == columns.second {
            return Err(RowError::OnePlayer);
        }
        let game = games.named(&columns.game).ok_or_else(|| {
            let expected = format!("expected one of {}", games.names());
            RowError::unknown("game", &columns.game, expected)
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
            files: FileDigests {
                log: columns.log_digest,
                stderr: [columns.first_stderr_digest, columns.second_stderr_digest],
            },
            start: GameStart {
                round: columns.round,
                opening: columns.opening,
                seeds: [columns.first_seed, columns.second_seed],
            },
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
        let reason = match self.reason.as_str() {
            "" => None,
            name => Some(game.reason_from_name(name).ok_or_else(|| {
                RowError::unknown("reason", name, "expected the name of a rule, or nothing")
            })?),
        };
        let [first, second] = ["first", "second"];
        let faults = [
            fault(
                first,
                &self.first_fault,
                &self.first_detail,
                &self.first_late,
            )?,
            fault(
                second,
                &self.second_fault,
                &self.second_detail,
                &self.second_late,
            )?,
        ];
        let time = |wall: u64, cpu: u64| Spent {
            wall: Duration::from_micros(wall),
            cpu: Duration::from_micros(cpu),
            idle_cpu: Duration::ZERO,
        };
        let mut end = GameEnd {
            result: GameResult::Nobody,
            termination,
            reason,
            faults: faults.into(),
            plies: self.plies,
            spent: PerSeat::from([
                time(self.first_wall_us, self.first_cpu_us),
                time(self.second_wall_us, self.second_cpu_us),
            ]),
        };
        end.result = self.result(game, end.blame())?;
        RowError::unless_equal("forfeited_by", &self.forfeited_by, end.blame().name(names))?;
        Ok(end)
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
                return Err(RowError::contradiction("forfeited_by", "", BOTH_PLAYERS));
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

/// The columns of what a player did wrong: `fault`, `detail` and `late`.
fn fault_columns(fault: Option<PlayerFault>) -> (String, String, String) {
    fault.map_or_else(Default::default, |fault| {
        let late = fault.late.map_or("", LateCause::name);
        (fault.kind.name().to_owned(), fault.detail, late.to_owned())
    })
}

/// Reads a player's fault from its columns, which are empty without one.
fn fault(
    seat: &str,
    fault: &str,
    detail: &str,
    late: &str,
) -> Result<Option<PlayerFault>, RowError> {
    let unknown = |column: &str, value: &str, expected: &str| {
        RowError::unknown(&format!("{seat}_{column}"), value, expected)
    };
    if fault.is_empty() {
        let beside = [("detail", detail), ("late", late)];
        return match beside.into_iter().find(|(_, value)| !value.is_empty()) {
            None => Ok(None),
            Some((column, value)) => {
                Err(unknown(column, value, "expected nothing without a fault"))
            }
        };
    }
    let kind = FaultKind::from_name(fault)
        .ok_or_else(|| unknown("fault", fault, "expected a kind of fault, or nothing"))?;
    let late =
        match late {
            "" => None,
            name => Some(LateCause::from_name(name).ok_or_else(|| {
                unknown("late", name, "expected slow, buffered, unended or nothing")
            })?),
        };
    Ok(Some(PlayerFault {
        kind,
        detail: detail.to_owned(),
        late,
    }))
}
