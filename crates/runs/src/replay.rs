//! Replay of a recorded game: its positions, and the lines sent to its players.

use std::collections::VecDeque;
use std::path::PathBuf;
use std::time::Duration;

use crate::bot::{Double, Fault, Player, Reply};
use crate::clock::{Measure, TimeControl};
use crate::game::{
    Actors, AnyPosition, Drawing, Game, PerSeat, RulesFault, RulesPoints, Seat, Seats,
};
use crate::protocol::{Hello, READY, RESIGN, ToBot};
use crate::referee::{FaultKind, Participant, PlayerFault, SeatTerms, Termination, play_recorded};
use crate::runs::{BotOutput, Difference, Recording, Run, RunFileError};
use crate::text::DisplayNames;

#[derive(Debug, Clone)]
pub struct ReplayedGame {
    pub run: PathBuf,
    pub display_names: DisplayNames,
    pub recording: Recording,
    pub outputs: PerSeat<BotOutput>,
    pub positions: Vec<ReplayedPosition>,
    pub legal: PerSeat<Vec<String>>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ReplayedPosition {
    /// The view of each seat, with the cells that the last action changed.
    pub views: PerSeat<Drawing>,
    /// The points of the seats; `None` in a game without points.
    pub rules_points: Option<PerSeat<RulesPoints>>,
    pub to_act: Actors,
}

#[derive(Debug, thiserror::Error)]
pub enum ReplayError {
    #[error(transparent)]
    RunFile(#[from] RunFileError),
    #[error("there is no game {id} in {}: `referee games` lists its games", run.display())]
    NoGame { id: u64, run: PathBuf },
    #[error("the records of game {id} do not fit: {difference}; see `referee verify`")]
    Untrue {
        id: u64,
        #[source]
        difference: Difference,
    },
    #[error("game {id} cannot be played again: {fault}")]
    Rules {
        id: u64,
        #[source]
        fault: RulesFault,
    },
    #[error("there is no seat or player `{name}` in this game: {seated}")]
    NoSeat { name: String, seated: String },
    #[error("--ply {ply}: this game has {plies} plies")]
    NoPly { ply: u32, plies: u32 },
}

impl ReplayedGame {
    pub fn read(run: &Run, id: u64) -> Result<Self, ReplayError> {
        let Some(recording) = run.recording(id)? else {
            let run = run.path().to_owned();
            return Err(ReplayError::NoGame { id, run });
        };
        let mut positions: Vec<ReplayedPosition> = Vec::new();
        let seats = recording.game().seat_count();
        let mut legal = PerSeat::defaults(seats);
        recording
            .play_again(
                &Seat::all(seats).map(Some).collect::<Vec<_>>(),
                &mut |position| {
                    let is_last = positions.len() == recording.plies.len();
                    let now = ReplayedPosition::new(position, positions.last())?;
                    positions.push(now);
                    if is_last {
                        legal = PerSeat::try_of(seats, |seat| position.listed(seat))?;
                    }
                    Ok(())
                },
            )
            .map_err(|difference| match difference {
                Difference::Rules(fault) => ReplayError::Rules { id, fault },
                difference => ReplayError::Untrue { id, difference },
            })?;
        let adjudicated = recording.row.end.termination == Termination::Adjudication;
        if let Some(last) = positions.last_mut().filter(|_| adjudicated) {
            // The rules alone would let the game continue.
            last.to_act = Actors::Nobody;
            legal = PerSeat::defaults(seats);
        }
        Ok(Self {
            run: run.path().to_owned(),
            display_names: run.manifest().display_names(),
            outputs: run.outputs_of(&recording.row),
            recording,
            positions,
            legal,
        })
    }

    pub fn game(&self) -> Game {
        self.recording.game()
    }

    pub fn seat(&self, name: &str) -> Result<Seat, ReplayError> {
        let players = self.recording.row.names();
        let seated = || players.find(|player| *player == name);
        let seat = self.game().seat_from_name(name).or_else(seated);
        seat.ok_or_else(|| ReplayError::NoSeat {
            name: name.to_owned(),
            seated: seated_words(self.game(), &players),
        })
    }

    pub fn index(&self, ply: u32) -> Result<usize, ReplayError> {
        let plies = self.recording.row.end.plies;
        if ply <= plies {
            Ok(ply as usize)
        } else {
            Err(ReplayError::NoPly { ply, plies })
        }
    }

    pub fn actors(&self, index: usize) -> Actors {
        let position = self.positions.get(index);
        position.map_or(Actors::Nobody, |position| position.to_act)
    }

    /// The seats asked for an action that was never played, if the game ended so.
    pub fn asked_in_vain(&self) -> Actors {
        match self.recording.row.end.termination {
            Termination::Rules | Termination::Adjudication | Termination::Handshake => {
                Actors::Nobody
            }
            Termination::IllegalAction
            | Termination::ProtocolError
            | Termination::Time
            | Termination::Stall
            | Termination::Crash
            | Termination::Memory
            | Termination::Left => self.actors(self.recording.plies.len()),
        }
    }

    /// Path of the log of the bot in that seat (stderr and debug lines), if there is one.
    pub fn bot_log(&self, seat: Seat) -> Option<PathBuf> {
        let name = self.game().seat_name(seat);
        let path = crate::runs::bot_log_path(&self.run, self.recording.row.id, name);
        path.exists().then_some(path)
    }
}

impl ReplayedPosition {
    fn new(position: &dyn AnyPosition, before: Option<&Self>) -> Result<Self, RulesFault> {
        let view = |seat| {
            let drawing = position.drawing(Some(seat))?;
            Ok::<_, RulesFault>(match before {
                Some(before) => drawing.changed_since(&before.views[seat]),
                None => drawing,
            })
        };
        Ok(Self {
            views: PerSeat::try_of(position.seats(), view)?,
            rules_points: position.rules_points(),
            to_act: position.to_act(),
        })
    }
}

fn seated_words(game: Game, players: &PerSeat<&str>) -> String {
    let seated = players.iter();
    let seated = seated.map(|(seat, player)| format!("{} is {player}", game.seat_name(seat)));
    seated.collect::<Vec<_>>().join(", ")
}

/// Stands for an answer that was not played, and is not in the log. The referee does not judge it either, as seats leave first.
const UNPLAYED: &str = "unplayed";

/// The lines sent to each bot, up to `quit`, as if its process had played only this game.
///
/// A record does not tell whether a handshake failed before or after `start` was sent; the transcript of such a game
/// omits `start`.
pub fn transcripts(recording: &Recording) -> Result<PerSeat<Vec<String>>, RulesFault> {
    let unplayed = unplayed(recording)?;
    let mut participants = recording.game().per_seat(|seat| {
        let mut answers = answers(recording, seat, &unplayed);
        let player = Double::new(move |_: &[String]| match answers.pop_front() {
            Some(reply) => reply,
            None => Reply::Fault(Fault::Left),
        });
        let mut participant = Participant::new(player);
        participant.is_told_legal = recording.told_legal[seat];
        participant.options = recording.languages[seat].told();
        participant
    });
    let mut start = recording.start()?;
    let terms = recording.times.each_ref().map(|time| SeatTerms {
        time,
        handshake: Duration::MAX,
        start: Duration::MAX,
    });
    play_recorded(
        &start.spec(terms),
        start.position.as_mut(),
        participants
            .each_mut()
            .map(|participant| participant as &mut Participant<dyn Player>),
        &mut start.opening,
        &recording.row.end,
    );
    Ok(participants.map(|participant| {
        let mut lines = participant.player.received.clone();
        lines.push(ToBot::Quit.to_string());
        lines
    }))
}

/// For each ply that seats left, the others whose answers were not played for it. Of a log without such a ply
/// nothing is played again.
pub fn unplayed(recording: &Recording) -> Result<Vec<Seats>, RulesFault> {
    if recording.left().is_empty() {
        return Ok(vec![Seats::default(); recording.plies.len()]);
    }
    let mut acting = Vec::new();
    let played = recording.play_again(&[], &mut |position| {
        acting.push(position.to_act().set());
        Ok(())
    });
    if let Err(Difference::Rules(fault)) = played {
        return Err(fault);
    }
    let plies = recording.plies.iter();
    let plies = plies.zip(acting.iter().zip(acting.iter().skip(1)));
    let unplayed = plies.map(|(ply, (before, after))| {
        let left = ply.actors();
        let others = before.iter().filter(|seat| !left.includes(*seat));
        let others: Seats = others.collect();
        match ply.is_drop() && ply.is_chosen() && others != *after {
            true => others,
            false => Seats::default(),
        }
    });
    Ok(unplayed.collect())
}

/// The reply of a bot whose seat left: it had no answer, or a wrong one.
fn failure(recording: &Recording, seat: Seat) -> Reply {
    match recording.row.end.fault(seat).map(|fault| fault.kind) {
        None => Reply::Line(RESIGN.to_owned(), Duration::ZERO),
        Some(FaultKind::Illegal | FaultKind::NoAction | FaultKind::NotAnAction) => {
            Reply::Line(String::new(), Duration::ZERO)
        }
        Some(_) => Reply::Fault(Fault::HungUp),
    }
}

/// The answers of the bot in a seat, each with the time subtracted from its clock. `unplayed` are the seats whose answers
/// were not played, by ply.
fn answers(recording: &Recording, seat: Seat, unplayed: &[Seats]) -> VecDeque<Reply> {
    let mut answers = VecDeque::new();
    let end = &recording.row.end;
    if end.termination.is_before_play() {
        return answers;
    }
    let left = recording.left();
    let has_left = left.iter().any(|set| set.contains(seat));
    let failed_early = |fault: &PlayerFault| fault.termination.is_before_play();
    if has_left && end.fault(seat).is_some_and(failed_early) {
        answers.push_back(Reply::Fault(Fault::HungUp));
        return answers;
    }
    let hello = Hello {
        name: "recorded".to_owned(),
        eager: false,
        tunes: true,
    };
    answers.push_back(Reply::Line(hello.to_string(), Duration::ZERO));
    answers.push_back(Reply::Line(READY.to_owned(), Duration::ZERO));
    let time = &recording.times[seat];
    let (mut left, mut played) = (time.per_game, 0);
    for (index, plies) in recording.plies.iter().enumerate() {
        if unplayed
            .get(index)
            .is_some_and(|seats| seats.contains(seat))
        {
            answers.push_back(Reply::Line(UNPLAYED.to_owned(), Duration::ZERO));
        }
        let Some(ply) = plies.of(seat) else {
            continue;
        };
        let Some(spent) = ply.spent else {
            continue;
        };
        if plies.is_drop() {
            answers.push_back(failure(recording, seat));
            continue;
        }
        // Recorded times are rounded down, so the time used is computed from the recorded clock. That reproduces the
        // clock shown at each request.
        let used = match (left, ply.left) {
            (Some(before), Some(after)) => (before + time.gain(played))
                .saturating_sub(after)
                .min(most(time)),
            _ => match time.measure {
                Measure::Wall => spent.wall,
                Measure::Cpu => spent.cpu,
            },
        };
        left = ply.left;
        played += 1;
        answers.push_back(Reply::Line(ply.action.clone(), used));
    }
    answers
}

/// Maximum time of an action within the limits.
fn most(time: &TimeControl) -> Duration {
    let limit = time.per_move.unwrap_or(Duration::MAX);
    limit.saturating_add(time.margin)
}
