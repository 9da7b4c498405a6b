//! Replay of a recorded game: its positions, and the lines sent to its players.

use std::path::PathBuf;

use crate::game::{Actors, AnyPosition, Drawing, Game, PerSeat, RulesFault, RulesPoints, Seat};
use crate::referee::Termination;
use crate::runs::{BotOutput, Difference, Recording, Run, RunFileError};
use crate::text::DisplayNames;

mod transcript;

pub use transcript::{transcripts, unplayed};

/// A recorded game with verified records and all its positions.
#[derive(Debug, Clone)]
pub struct ReplayedGame {
    /// Folder of the run.
    pub run: PathBuf,
    /// Display names of the players.
    pub display_names: DisplayNames,
    /// The records of the game.
    pub recording: Recording,
    /// The output of the bots.
    pub outputs: PerSeat<BotOutput>,
    /// The initial position, and the position after each ply.
    pub positions: Vec<ReplayedPosition>,
    /// All legal actions of each seat in the last position.
    pub legal: PerSeat<Vec<String>>,
}

/// A position of a recorded game.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ReplayedPosition {
    /// The view of each seat, with the cells that the last action changed.
    pub views: PerSeat<Drawing>,
    /// The points of the seats; `None` in a game without points.
    pub rules_points: Option<PerSeat<RulesPoints>>,
    /// The seats to act.
    pub to_act: Actors,
}

/// Why a game cannot be replayed.
#[derive(Debug, thiserror::Error)]
#[expect(missing_docs, reason = "the messages say what the fields are")]
pub enum ReplayError {
    /// The run cannot be read.
    #[error(transparent)]
    RunFile(#[from] RunFileError),
    /// The run has no such game.
    #[error("there is no game {id} in {}: {}", run.display(), ranges(there.clone()))]
    NoGame {
        id: u64,
        run: PathBuf,
        there: Vec<u64>,
    },
    /// A record of the game is inconsistent with a replay.
    #[error("the records of game {id} do not fit: {difference}; see `referee verify`")]
    Untrue {
        id: u64,
        #[source]
        difference: Difference,
    },
    /// The rules of the game failed, so nothing is known about its records.
    #[error("game {id} cannot be played again: {fault}")]
    Rules {
        id: u64,
        #[source]
        fault: RulesFault,
    },
    /// The game has no such seat or player.
    #[error("there is no seat or player `{name}` in this game: {seated}")]
    NoSeat { name: String, seated: String },
    /// The game has no such ply.
    #[error("--ply {ply}: this game has {plies} plies")]
    NoPly { ply: u32, plies: u32 },
}

impl ReplayedGame {
    /// Replays game `id` of a run.
    ///
    /// # Errors
    /// The run has no such game, or its records cannot be read or are inconsistent.
    pub fn read(run: &Run, id: u64) -> Result<Self, ReplayError> {
        let Some(recording) = run.recording(id)? else {
            let rows = run.rows()?;
            let there: Result<Vec<u64>, RunFileError> = rows.map(|row| Ok(row?.id)).collect();
            return Err(ReplayError::NoGame {
                id,
                run: run.path().to_owned(),
                there: there?,
            });
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

    /// The kind of game.
    pub fn game(&self) -> Game {
        self.recording.game()
    }

    /// The seat with this name, or with a player of this name.
    ///
    /// # Errors
    /// No seat or player has this name.
    pub fn seat(&self, name: &str) -> Result<Seat, ReplayError> {
        let players = self.recording.row.names();
        let seated = || players.find(|player| *player == name);
        let seat = self.game().seat_from_name(name).or_else(seated);
        seat.ok_or_else(|| ReplayError::NoSeat {
            name: name.to_owned(),
            seated: seated_words(self.game(), &players),
        })
    }

    /// Index of the position after this number of plies.
    ///
    /// # Errors
    /// The game has fewer plies.
    pub fn index(&self, ply: u32) -> Result<usize, ReplayError> {
        let plies = self.recording.row.end.plies;
        if ply <= plies {
            Ok(ply as usize)
        } else {
            Err(ReplayError::NoPly { ply, plies })
        }
    }

    /// The seats to act in the position at `index`.
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

/// The player of each seat.
fn seated_words(game: Game, players: &PerSeat<&str>) -> String {
    let seated = players.iter();
    let seated = seated.map(|(seat, player)| format!("{} is {player}", game.seat_name(seat)));
    seated.collect::<Vec<_>>().join(", ")
}

/// Formats ids as ranges: `it has games 0 to 5, 7`.
fn ranges(mut ids: Vec<u64>) -> String {
    ids.sort_unstable();
    let mut ranges: Vec<(u64, u64)> = Vec::new();
    for id in ids {
        match ranges.last_mut() {
            Some((_, last)) if id <= last.saturating_add(1) => *last = id,
            _ => ranges.push((id, id)),
        }
    }
    let words: Vec<String> = ranges
        .iter()
        .map(|(first, last)| {
            if first == last {
                first.to_string()
            } else {
                format!("{first} to {last}")
            }
        })
        .collect();
    match words.len() {
        0 => "it has no games yet".to_owned(),
        _ => format!("it has games {}", words.join(", ")),
    }
}

#[cfg(test)]
mod tests {
    use super::ranges;

    #[test]
    fn the_games_there_are_in_words() {
        assert_eq!(ranges(vec![]), "it has no games yet");
        assert_eq!(ranges(vec![3]), "it has games 3");
        assert_eq!(ranges(vec![7, 0, 2, 1]), "it has games 0 to 2, 7");
    }
}
