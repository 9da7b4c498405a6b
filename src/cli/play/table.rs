//! The game that is being played, for a person to try actions on and take them back.

use std::io;
use std::sync::{Mutex, MutexGuard, PoisonError};

use super::keyboard::Keyboard;
use crate::config::PlannedGame;
use crate::game::{AnyPosition, Game, Seat};

/// What is played, and how far it is.
#[derive(Debug)]
pub(super) struct Table {
    planned: PlannedGame,
    seed: u64,
    undo: Undo,
    so_far: Mutex<SoFar>,
    /// The input of people, where one plays.
    keyboard: Option<Mutex<Keyboard>>,
}

/// The actions that a person may take back.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Undo {
    /// Nothing.
    None,
    /// The own last action, with all after it.
    Own,
    /// The last action of any player.
    Last,
}

#[derive(Debug, Default)]
struct SoFar {
    /// The number of the game pair, from which all chance of the game comes.
    pair: u64,
    actions: Vec<String>,
    /// Whether actions were just taken back.
    is_taken_back: bool,
}

impl Table {
    /// A table for these players.
    pub fn new(
        planned: PlannedGame,
        seed: u64,
        is_human: [bool; 2],
        is_kept: bool,
    ) -> io::Result<Self> {
        let keyboard = is_human.contains(&true).then(Keyboard::new).transpose()?;
        Ok(Self {
            planned,
            seed,
            undo: match (is_kept, is_human) {
                (true, _) => Undo::None,
                (false, [true, true]) => Undo::Last,
                (false, _) => Undo::Own,
            },
            so_far: Mutex::default(),
            keyboard: keyboard.map(Mutex::new),
        })
    }

    pub fn game(&self) -> Game {
        self.planned.game()
    }

    /// Who wins.
    pub fn goal(&self) -> &'static str {
        self.planned.setup.goal()
    }

    /// Asks for the next line that a person types; `None` if the person went away.
    pub fn line(&self, prompt: &str) -> io::Result<Option<String>> {
        match &self.keyboard {
            Some(keyboard) => locked(keyboard).line(prompt),
            None => Ok(None),
        }
    }

    /// A game of this pair begins.
    pub fn begin(&self, pair: u64) {
        *locked(&self.so_far) = SoFar {
            pair,
            ..SoFar::default()
        };
    }

    /// An action was played.
    pub fn played(&self, action: &str) {
        locked(&self.so_far).actions.push(action.to_owned());
    }

    /// The actions of the game so far.
    pub fn actions(&self) -> Vec<String> {
        locked(&self.so_far).actions.clone()
    }

    /// The position of the game as it is now.
    pub fn position(&self) -> Box<dyn AnyPosition> {
        self.follow(&mut |_, _| {})
    }

    /// Takes actions back for the person in a seat, or says why not. The game that is played is to be broken off, and
    /// goes on from the actions that are left.
    pub fn undo(&self, seat: Seat) -> Result<(), &'static str> {
        let (mut count, mut own) = (0, None);
        self.follow(&mut |at, actor| {
            count = at + 1;
            own = if actor == seat { Some(at) } else { own };
        });
        let left = match self.undo {
            Undo::None => {
                return Err("a game that is kept has no undo: play without --out and --games");
            }
            Undo::Own => own,
            Undo::Last => count.checked_sub(1),
        };
        let opening = self.planned.start(self.seed, 0).opening_plies as usize;
        let left = left.filter(|left| *left >= opening);
        let mut so_far = locked(&self.so_far);
        so_far
            .actions
            .truncate(left.ok_or("there is nothing to take back")?);
        so_far.is_taken_back = true;
        Ok(())
    }

    /// Whether actions were taken back since this was last asked.
    pub fn was_taken_back(&self) -> bool {
        std::mem::take(&mut locked(&self.so_far).is_taken_back)
    }

    /// Plays the actions so far again, and tells the number and the seat of each.
    fn follow(&self, tell: &mut dyn FnMut(usize, Seat)) -> Box<dyn AnyPosition> {
        let so_far = locked(&self.so_far);
        let mut position = self.planned.start(self.seed, so_far.pair).position;
        for (at, action) in so_far.actions.iter().enumerate() {
            if let Some(seat) = position.to_act() {
                tell(at, seat);
            }
            // It is legal here, since it was in the game.
            let _ = position.act(action, &mut String::new());
        }
        position
    }
}

fn locked<T>(what: &Mutex<T>) -> MutexGuard<'_, T> {
    what.lock().unwrap_or_else(PoisonError::into_inner)
}
