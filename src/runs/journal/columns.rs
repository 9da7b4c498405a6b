//! The columns of `games.csv`, borrowed from a row that is written or from a line that is read.

use std::borrow::Cow;
use std::time::Duration;

use serde::{Deserialize, Serialize, Serializer};

use super::game_start::GameStart;
use super::row::GameRow;
use crate::bot::LateCause;
use crate::clock::Spent;
use crate::game::{BOTH_PLAYERS, Blame, Game, GameResult, Games, PerSeat, Points, Reason, Seat};
use crate::referee::{FaultKind, GameEnd, PlayerFault, Termination};
use crate::runs::error::journal::RowError;
use crate::runs::logs::game_files::FileDigests;
use crate::units::micros;

/// The columns of `games.csv`, in their order.
#[derive(Debug, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Columns<'a> {
    id: u64,
    game: &'a str,
    options: &'a str,
    pair: u64,
    first: &'a str,
    second: &'a str,
    winner: &'a str,
    first_points: f64,
    second_points: f64,
    #[serde(borrow)]
    first_score: Cow<'a, str>,
    #[serde(borrow)]
    second_score: Cow<'a, str>,
    termination: &'a str,
    forfeited_by: &'a str,
    reason: &'a str,
    first_fault: &'a str,
    second_fault: &'a str,
    first_detail: &'a str,
    second_detail: &'a str,
    first_late: &'a str,
    second_late: &'a str,
    plies: u32,
    actions_digest: &'a str,
    answers: &'a str,
    date: &'a str,
    game_us: u64,
    first_wall_us: u64,
    first_cpu_us: u64,
    second_wall_us: u64,
    second_cpu_us: u64,
    first_peak_kib: Option<u64>,
    second_peak_kib: Option<u64>,
    log_digest: &'a str,
    first_stderr_digest: &'a str,
    second_stderr_digest: &'a str,
    round: Option<u64>,
    opening: &'a str,
    first_seed: u64,
    second_seed: u64,
}

impl<'a> From<&'a GameRow> for Columns<'a> {
    fn from(row: &'a GameRow) -> Self {
        let end = &row.end;
        let [first_points, second_points] = end.result.points();
        let score = |seat: Seat| end.points.map(|points| points[seat].to_string());
        let [first_score, second_score] = Seat::BOTH.map(|seat| score(seat).unwrap_or_default());
        let [first_time, second_time] = end.spent.into_array();
        let [first_fault, second_fault] = end.faults.each_ref().map(FaultColumns::new).into_array();
        Self {
            id: row.id,
            game: row.game.name(),
            options: &row.options,
            pair: row.pair,
            first: &row.players[Seat::FIRST],
            second: &row.players[Seat::SECOND],
            winner: end.result.name(row.game),
            first_points,
            second_points,
            first_score: first_score.into(),
            second_score: second_score.into(),
            termination: end.termination.name(),
            forfeited_by: row.forfeited_by(),
            reason: end.reason.map_or("", Reason::name),
            first_fault: first_fault.kind,
            second_fault: second_fault.kind,
            first_detail: first_fault.detail,
            second_detail: second_fault.detail,
            first_late: first_fault.late,
            second_late: second_fault.late,
            plies: end.plies,
            actions_digest: &row.actions_digest,
            answers: &row.answers,
            date: &row.date,
            game_us: micros(row.took),
            first_wall_us: micros(first_time.wall),
            first_cpu_us: micros(first_time.cpu),
            second_wall_us: micros(second_time.wall),
            second_cpu_us: micros(second_time.cpu),
            first_peak_kib: row.peak_kib[Seat::FIRST],
            second_peak_kib: row.peak_kib[Seat::SECOND],
            log_digest: &row.files.log,
            first_stderr_digest: &row.files.stderr[Seat::FIRST],
            second_stderr_digest: &row.files.stderr[Seat::SECOND],
            round: row.start.round,
            opening: &row.start.opening,
            first_seed: row.start.seeds[Seat::FIRST],
            second_seed: row.start.seeds[Seat::SECOND],
        }
    }
}

impl Serialize for GameRow {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        Columns::from(self).serialize(serializer)
    }
}

impl GameRow {
    /// The row in these columns, of one of these games.
    pub(super) fn from_columns(columns: Columns<'_>, games: Games) -> Result<Self, RowError> {
        if columns.first == columns.second {
            return Err(RowError::OnePlayer);
        }
        let game = games.named(columns.game).ok_or_else(|| {
            let expected = format!("expected one of {}", games.names());
            RowError::unknown("game", columns.game, expected)
        })?;
        let end = columns.end(game)?;
        Ok(Self {
            id: columns.id,
            game,
            options: columns.options.to_owned(),
            pair: columns.pair,
            players: [columns.first.to_owned(), columns.second.to_owned()].into(),
            end,
            actions_digest: columns.actions_digest.to_owned(),
            answers: columns.answers.to_owned(),
            date: columns.date.to_owned(),
            took: Duration::from_micros(columns.game_us),
            peak_kib: [columns.first_peak_kib, columns.second_peak_kib].into(),
            files: FileDigests {
                log: columns.log_digest.to_owned(),
                stderr: [columns.first_stderr_digest, columns.second_stderr_digest]
                    .map(str::to_owned)
                    .into(),
            },
            start: GameStart {
                round: columns.round,
                opening: columns.opening.to_owned(),
                seeds: [columns.first_seed, columns.second_seed].into(),
            },
        })
    }
}

impl Columns<'_> {
    /// The end of the game. Columns that contradict each other are refused.
    fn end(&self, game: Game) -> Result<GameEnd, RowError> {
        let names = [self.first, self.second];
        let termination = Termination::from_name(self.termination).ok_or_else(|| {
            RowError::unknown("termination", self.termination, "expected a way to end")
        })?;
        let reason = match self.reason {
            "" => None,
            name => Some(game.reason_from_name(name).ok_or_else(|| {
                RowError::unknown("reason", name, "expected the name of a rule, or nothing")
            })?),
        };
        let first = FaultColumns {
            kind: self.first_fault,
            detail: self.first_detail,
            late: self.first_late,
        };
        let second = FaultColumns {
            kind: self.second_fault,
            detail: self.second_detail,
            late: self.second_late,
        };
        let faults = [first.fault("first")?, second.fault("second")?];
        let time = |wall: u64, cpu: u64| Spent {
            wall: Duration::from_micros(wall),
            cpu: Duration::from_micros(cpu),
            idle_cpu: Duration::ZERO,
        };
        let mut end = GameEnd {
            result: GameResult::Nobody,
            termination,
            reason,
            points: self.scores()?,
            faults: faults.into(),
            plies: self.plies,
            spent: PerSeat::from([
                time(self.first_wall_us, self.first_cpu_us),
                time(self.second_wall_us, self.second_cpu_us),
            ]),
        };
        end.result = self.result(game, end.blame())?;
        RowError::unless_equal(
            "forfeited_by",
            self.forfeited_by,
            end.blame().name(names.into()),
        )?;
        Ok(end)
    }

    /// The points of the seats by the rules.
    fn scores(&self) -> Result<Option<PerSeat<Points>>, RowError> {
        let points = |column: &str, text: &str| {
            Points::parse(text).ok_or_else(|| {
                RowError::unknown(column, text, "expected a decimal number, or nothing")
            })
        };
        if self.first_score.is_empty() && self.second_score.is_empty() {
            return Ok(None);
        }
        let first = points("first_score", &self.first_score)?;
        let second = points("second_score", &self.second_score)?;
        Ok(Some([first, second].into()))
    }

    /// Who won: the winner, the points and the forfeits must agree.
    fn result(&self, game: Game, blame: Blame) -> Result<GameResult, RowError> {
        let result = GameResult::from_name(game, self.winner).ok_or_else(|| {
            let [one, other] = game.seat_names();
            let expected = format!("expected {one}, {other}, draw or none");
            RowError::unknown("winner", self.winner, expected)
        })?;
        let due = match blame {
            Blame::Of(seat) => GameResult::Won(seat.other()),
            Blame::Both => GameResult::Nobody,
            Blame::Nobody if result == GameResult::Nobody => {
                return Err(RowError::contradiction("forfeited_by", "", BOTH_PLAYERS));
            }
            Blame::Nobody => result,
        };
        RowError::unless_equal("winner", self.winner, due.name(game))?;
        let [first, second] = result.points();
        RowError::unless_equal("first_points", self.first_points, first)?;
        RowError::unless_equal("second_points", self.second_points, second)?;
        Ok(result)
    }
}

/// The columns of a player's fault, all empty without one.
#[derive(Default)]
struct FaultColumns<'a> {
    kind: &'a str,
    detail: &'a str,
    late: &'a str,
}

impl<'a> FaultColumns<'a> {
    fn new(fault: &'a Option<PlayerFault>) -> Self {
        fault.as_ref().map_or_else(Self::default, |fault| Self {
            kind: fault.kind.name(),
            detail: &fault.detail,
            late: fault.late.map_or("", LateCause::name),
        })
    }

    fn fault(&self, seat: &str) -> Result<Option<PlayerFault>, RowError> {
        let unknown = |column: &str, value: &str, expected: &str| {
            RowError::unknown(&format!("{seat}_{column}"), value, expected)
        };
        if self.kind.is_empty() {
            let beside = [("detail", self.detail), ("late", self.late)];
            return match beside.into_iter().find(|(_, value)| !value.is_empty()) {
                None => Ok(None),
                Some((column, value)) => {
                    Err(unknown(column, value, "expected nothing without a fault"))
                }
            };
        }
        let kind = FaultKind::from_name(self.kind)
            .ok_or_else(|| unknown("fault", self.kind, "expected a kind of fault, or nothing"))?;
        let late = match self.late {
            "" => None,
            name => Some(LateCause::from_name(name).ok_or_else(|| {
                unknown("late", name, "expected slow, buffered, unended or nothing")
            })?),
        };
        Ok(Some(PlayerFault {
            kind,
            detail: self.detail.to_owned(),
            late,
        }))
    }
}
