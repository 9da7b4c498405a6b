//! One game of a run as its files tell it.

use std::path::{Path, PathBuf};
use std::time::Duration;

use super::super::verify::{play_again, setup};
use super::super::{Exit, Failure, drawing};
use crate::game::{AnyPosition, Game, Seat, Setup};
use crate::record::{
    Conditions, Entrant, GameRow, JOURNAL, LoggedPly, Recorded, read_games, read_log,
};
use crate::referee::Termination;
use crate::runner::Seeds;

/// A position of the game, as it is shown.
pub(super) struct Shown {
    pub picture: String,
    /// The board in one string, with `/` between the rows.
    pub rows: String,
    pub to_act: Option<Seat>,
    /// All legal actions.
    pub legal: Vec<String>,
}

/// A game that was played, and whose log is true.
pub(super) struct Recording {
    pub run: PathBuf,
    pub game: Game,
    pub row: GameRow,
    pub plies: Vec<LoggedPly>,
    /// The position at the start, and those after each ply.
    pub positions: Vec<Shown>,
    pub conditions: Conditions,
    setup: Setup,
    seed: u64,
}

impl Recording {
    /// Reads the game number `id` and plays it again.
    pub fn read(run: &Path, id: u64) -> Result<Self, Failure> {
        let file = |error| Failure::new(Exit::File, error);
        if !run.join(JOURNAL).exists() {
            return Err(Failure::new(
                Exit::File,
                format!(
                    "there is no run in `{}`: expected a folder with a {JOURNAL}, such as the one \
                     that `referee run` names at its end",
                    run.display()
                ),
            ));
        }
        let recorded = Recorded::read(run).map_err(file)?;
        let conditions = Conditions::read(run).map_err(file)?;
        let rows = read_games(&run.join(JOURNAL)).map_err(file)?;
        let ids: Vec<u64> = rows.iter().map(|row| row.id).collect();
        let row = rows.into_iter().find(|row| row.id == id).ok_or_else(|| {
            let there = ranges(ids);
            let path = run.join(JOURNAL);
            Failure::new(
                Exit::Usage,
                format!("there is no game {id} in {}: {there}", path.display()),
            )
        })?;
        let plies = read_log(run, id).map_err(file)?;
        let mut positions = Vec::new();
        play_again(&recorded, &row, &plies, &mut |position| {
            positions.push(Shown {
                picture: drawing::picture(position),
                rows: position.rows(Seat::First),
                to_act: position.to_act(),
                legal: position.legal(),
            });
        })
        .map_err(|problem| {
            Failure::new(
                Exit::Failed,
                format!("the records of game {id} do not fit: {problem}; see `referee verify`"),
            )
        })?;
        let (_, setup) =
            setup(&recorded, &row).map_err(|problem| Failure::new(Exit::Failed, problem))?;
        let setup = setup.clone();
        Ok(Self {
            run: run.to_owned(),
            game: setup.game(),
            row,
            plies,
            positions,
            conditions,
            setup,
            seed: recorded.seed,
        })
    }

    /// The names of the players, by seat.
    pub fn names(&self) -> [&str; 2] {
        self.row.names()
    }

    /// The seat of that name, or that a player of that name had.
    pub fn seat(&self, name: &str) -> Result<Seat, Failure> {
        let seats = self.game.seat_names();
        let place = |names: [&str; 2]| names.iter().position(|known| *known == name);
        match place(seats).or_else(|| place(self.names())) {
            Some(index) => Ok(Seat::BOTH[index]),
            None => Err(Failure::new(
                Exit::Usage,
                format!(
                    "there is no seat or player `{name}` in this game: {} is {}, {} is {}",
                    seats[0], self.row.players[0], seats[1], self.row.players[1]
                ),
            )),
        }
    }

    /// Who acted in the ply with `index` others before it, or is to act there.
    pub fn actor(&self, index: usize) -> Option<Seat> {
        self.positions.get(index)?.to_act
    }

    /// The index of the position after so many plies.
    pub fn index(&self, ply: u32) -> Result<usize, Failure> {
        if ply <= self.row.end.plies {
            return Ok(ply as usize);
        }
        Err(Failure::new(
            Exit::Usage,
            format!("--ply {ply}: this game has {} plies", self.row.end.plies),
        ))
    }

    /// What was left on both clocks after so many plies; `None` without a limit per game.
    pub fn clocks(&self, index: usize) -> Option<[Duration; 2]> {
        let mut left = [self.conditions.per_game?; 2];
        for (ply, position) in self.plies.iter().zip(&self.positions).take(index) {
            if let (Some(seat), Some(after)) = (position.to_act, ply.left) {
                left[seat.index()] = after;
            }
        }
        Some(left)
    }

    /// Whether the player of a seat is to blame for the end.
    pub fn blamed(&self, seat: Seat) -> bool {
        self.row.end.blame.includes(seat)
    }

    /// Who was asked for a last action that was never played, where the game broke off in play.
    pub fn asked_in_vain(&self) -> Option<Seat> {
        match self.row.end.termination {
            Termination::Rules | Termination::Adjudication | Termination::Handshake => None,
            Termination::IllegalAction
            | Termination::ProtocolError
            | Termination::Time
            | Termination::Stall
            | Termination::Crash
            | Termination::Memory => self.actor(self.plies.len()),
        }
    }

    /// The seeds that the bots were given, by seat.
    pub fn bot_seeds(&self) -> [u64; 2] {
        Seeds::new(self.seed, self.game, self.row.pair).bots
    }

    /// The options of the game, as bots are told them.
    pub fn options(&self) -> Vec<(&'static str, String)> {
        self.setup.public_options()
    }

    /// The position after so many plies.
    pub fn position(&self, index: usize) -> Box<dyn AnyPosition> {
        let mut seeds = Seeds::new(self.seed, self.game, self.row.pair);
        let mut position = self.setup.start(&mut seeds.chance);
        let mut public = String::new();
        for ply in &self.plies[..index.min(self.plies.len())] {
            // They were legal when the game was read.
            let _ = position.act(&ply.action, &mut public);
        }
        position
    }

    /// How the player in that seat was entered.
    pub fn entrant(&self, seat: Seat) -> Option<&Entrant> {
        let name = self.names()[seat.index()];
        let mut players = self.conditions.players.iter();
        players.find(|player| player.name == name)
    }

    /// The file with what the bot in that seat wrote besides its answers, where it wrote anything.
    pub fn bot_log(&self, seat: Seat) -> Option<PathBuf> {
        Some(crate::record::bot_log_path(
            &self.run,
            self.row.id,
            self.game.seat_name(seat),
        ))
        .filter(|path| path.exists())
    }
}

/// `it has games 0 to 5, 7`.
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
        .map(|(first, last)| match first == last {
            true => first.to_string(),
            false => format!("{first} to {last}"),
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
