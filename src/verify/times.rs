//! Checks the times of a game: those in its log against its clock, and their sums against its row.

use std::time::Duration;

use crate::bot::seconds;
use crate::clock::{Clock, Overrun, Spent, TimeControl, Wait};
use crate::game::{Actors, Game, PerSeat, Reason, Seat};
use crate::referee::FaultKind;
use crate::runs::{GameRow, Recording, seat_column};

/// A contradiction in the times of a game.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[expect(missing_docs, reason = "the messages say what the fields are")]
pub enum TimeProblem {
    /// A ply took longer than the clock allows, and the game went on.
    #[error("ply {ply}: it took {}, and the clock allows {}", seconds(*used), seconds(*limit))]
    TooLong {
        ply: usize,
        used: Duration,
        limit: Duration,
    },
    /// The time left differs from the limit less the times before.
    #[error("ply {ply}: `left_us` is {}, and should be {}", in_micros(*found), in_micros(*due))]
    Left {
        ply: usize,
        found: Option<Duration>,
        due: Option<Duration>,
    },
    /// A time in the row differs from the sum over the log.
    #[error(
        "`{column}` is {}, and the plies of the log sum up to {}",
        found.as_micros(),
        sum.as_micros()
    )]
    Sum {
        column: String,
        found: Duration,
        sum: Duration,
    },
    /// The players' times exceed the duration of the game.
    #[error(
        "`game_us` is {}, and its players took {}",
        took.as_micros(),
        players.as_micros()
    )]
    Game { took: Duration, players: Duration },
    /// A player lost on time without overrunning its clock.
    #[error("the fault of {seat} is `overrun`, and its last answer did not overrun its clock")]
    InTime { seat: &'static str },
    /// A player lost by an answer that was too late to be considered.
    #[error("the last answer of {seat} took {}: longer than the clock allows", seconds(*took))]
    Late { seat: &'static str, took: Duration },
}

fn in_micros(time: Option<Duration>) -> String {
    time.map_or("empty".to_owned(), |time| time.as_micros().to_string())
}

/// Maximum rounding error of a sum of `parts` times, each rounded to a microsecond.
fn rounding(parts: usize) -> Duration {
    Duration::from_micros(parts as u64 + 1)
}

/// The sum of times, at most the longest duration.
fn sum(times: impl Iterator<Item = Duration>) -> Duration {
    times.fold(Duration::ZERO, Duration::saturating_add)
}

/// The part of times that began together for which others were running, too.
fn overlap(times: &[Duration]) -> Duration {
    let longest = times.iter().copied().max().unwrap_or_default();
    sum(times.iter().copied()).saturating_sub(longest)
}

/// Checks a row by itself. `overlap` is the time that players were asked beside another, where the log tells it.
pub(super) fn check_row(row: &GameRow, overlap: Option<Duration>) -> Result<(), TimeProblem> {
    let wall = || row.end.spent.values().map(|spent| spent.wall);
    let players = match overlap {
        Some(overlap) => sum(wall()).saturating_sub(overlap),
        None => wall().max().unwrap_or_default(),
    };
    match players <= row.took {
        true => Ok(()),
        false => Err(TimeProblem::Game {
            took: row.took,
            players,
        }),
    }
}

/// Times of a game by its log.
pub(super) struct LogTimes {
    /// The maximum wait for an answer at the end.
    pub waits: PerSeat<Wait>,
    /// How long players were asked beside another.
    pub overlap: Duration,
}

/// Checks the times of a log. `to_act` are the seats that were to act after its last ply.
pub(super) fn check_log(recording: &Recording, to_act: Actors) -> Result<LogTimes, TimeProblem> {
    let plies = recording.plies.len();
    let times = recording.times.each_ref().map(|time| TimeControl {
        margin: time.margin.saturating_add(rounding(plies)),
        ..time.clone()
    });
    let mut clocks = times.each_ref().map(Clock::new);
    let mut sums = recording.game().per_seat(|_| Spent::default());
    let actions = recording.plies.iter().zip(1..);
    let actions = actions.flat_map(|(plies, ply)| {
        let is_drop = plies.is_drop();
        plies.actions().map(move |it| (it, ply, is_drop))
    });
    for ((seat, logged), ply, is_drop) in actions {
        let clock = &mut clocks[seat];
        if is_drop {
            if let Some(spent) = logged.spent {
                check_last(recording, seat, clock, spent)?;
                sums[seat].wall = sums[seat].wall.saturating_add(spent.wall);
                sums[seat].cpu = sums[seat].cpu.saturating_add(spent.cpu);
            }
            continue;
        }
        if let Some(spent) = logged.spent {
            clock.charge(&times[seat], spent).map_err(|overrun| {
                let (Overrun::PerMove { limit, used } | Overrun::PerGame { left: limit, used }) =
                    overrun;
                TimeProblem::TooLong { ply, used, limit }
            })?;
            let sum = &mut sums[seat];
            sum.wall = sum.wall.saturating_add(spent.wall);
            sum.cpu = sum.cpu.saturating_add(spent.cpu);
        }
        let (found, due) = (logged.left, clock.left());
        let same = match (found, due) {
            (Some(found), Some(due)) => found.abs_diff(due) <= rounding(ply),
            (found, due) => found == due,
        };
        if !same {
            return Err(TimeProblem::Left { ply, found, due });
        }
    }
    let mut unlogged = recording.game().per_seat(|_| Duration::ZERO);
    for (seat, sum) in sums.iter() {
        // The last answer of a player that lost by it is not in the log, nor is one beside it.
        let end = &recording.row.end;
        let lost_by_it = !end.termination.is_by_rules() || end.reason == Some(Reason::RESIGNED);
        let open_end = lost_by_it && to_act.includes(seat);
        let more = check_sums(&recording.row, seat, *sum, open_end, rounding(plies))?;
        if open_end {
            unlogged[seat] = more.wall;
            check_last(recording, seat, &clocks[seat], more)?;
        }
    }
    // Those that left may have been asked beside the ones that act next.
    let mut walls = Vec::new();
    let mut at_once = Duration::ZERO;
    for ply in &recording.plies {
        let own = ply.actions();
        walls.extend(own.filter_map(|(_, logged)| Some(logged.spent?.wall)));
        if !ply.is_drop() {
            at_once = at_once.saturating_add(overlap(&std::mem::take(&mut walls)));
        }
    }
    walls.extend(unlogged.into_values());
    Ok(LogTimes {
        waits: PerSeat::of(clocks.count(), |seat| {
            clocks[seat].wait(&recording.times[seat])
        }),
        overlap: at_once.saturating_add(overlap(&walls)),
    })
}

/// Compares the times of a player in the row with the sums over the log. Returns the excess of the row, which only
/// a log with an open end may have.
fn check_sums(
    row: &GameRow,
    seat: Seat,
    sum: Spent,
    open_end: bool,
    rounding: Duration,
) -> Result<Spent, TimeProblem> {
    let found = row.end.spent[seat];
    let more = |kind: &str, found: Duration, sum: Duration| {
        let more = found.checked_sub(sum);
        match more.filter(|more| open_end || *more <= rounding) {
            Some(more) => Ok(more),
            None => Err(TimeProblem::Sum {
                column: seat_column(seat, &format!("{kind}_us")),
                found,
                sum,
            }),
        }
    };
    Ok(Spent {
        wall: more("wall", found.wall, sum.wall)?,
        cpu: more("cpu", found.cpu, sum.cpu)?,
        idle_cpu: Duration::ZERO,
    })
}

/// Checks the time of an answer that is not in the log, because the game was lost by it.
fn check_last(
    recording: &Recording,
    seat: Seat,
    clock: &Clock,
    spent: Spent,
) -> Result<(), TimeProblem> {
    let row = &recording.row;
    let rounding = rounding(recording.plies.len());
    let time = &recording.times[seat];
    let margin = time.margin;
    let charge = |margin: Duration| {
        let time = TimeControl {
            margin,
            ..time.clone()
        };
        clock.clone().charge(&time, spent)
    };
    let name = |game: Game| game.seat_name(seat);
    match row.end.fault(seat).map(|fault| fault.kind) {
        Some(FaultKind::Overrun) => {
            // The row's times are rounded down.
            match charge(margin.saturating_sub(rounding)) {
                Ok(()) => Err(TimeProblem::InTime {
                    seat: name(row.game),
                }),
                Err(_) => Ok(()),
            }
        }
        None | Some(FaultKind::Illegal | FaultKind::NoAction | FaultKind::NotAnAction) => {
            charge(margin.saturating_add(rounding)).map_err(|_| TimeProblem::Late {
                seat: name(row.game),
                took: spent.wall,
            })
        }
        _ => Ok(()),
    }
}
