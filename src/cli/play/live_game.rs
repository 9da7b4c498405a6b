//! Shared state of the game in play, so that a person can try actions and take them back.

use std::io;
use std::sync::{Mutex, MutexGuard, PoisonError};

use super::Keyboard;
use crate::cli::drawing;
use crate::config::PlannedGame;
use crate::game::{ActError, Actors, AnyPosition, Drawing, Game, News, PerSeat, RulesFault, Seat};

/// The game in play, and its actions so far.
#[derive(Debug)]
pub(super) struct LiveGame {
    planned: PlannedGame,
    seed: u64,
    undo: Undo,
    is_human: PerSeat<bool>,
    so_far: Mutex<SoFar>,
    /// Input of persons, if one plays.
    keyboard: Option<Mutex<Keyboard>>,
}

/// Actions that a person may take back.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Undo {
    /// None.
    None,
    /// The person's last action, with all after it.
    Own,
    /// The last action of any player.
    Last,
}

#[derive(Debug, Default)]
struct SoFar {
    /// Number of the block; seeds all randomness of the game.
    block: u64,
    actions: Vec<String>,
    /// Each seat's view of the position that was drawn last.
    views: Option<PerSeat<Drawing>>,
    /// Whether actions were just taken back.
    is_taken_back: bool,
}

impl LiveGame {
    /// A game for these players, before the first game.
    pub fn new(
        planned: PlannedGame,
        seed: u64,
        is_human: PerSeat<bool>,
        is_kept: bool,
    ) -> io::Result<Self> {
        let keyboard = is_human.contains(&true).then(Keyboard::new).transpose()?;
        Ok(Self {
            planned,
            seed,
            undo: match (is_kept, is_human.contains(&false)) {
                (true, _) => Undo::None,
                (false, false) => Undo::Last,
                (false, true) => Undo::Own,
            },
            is_human,
            so_far: Mutex::default(),
            keyboard: keyboard.map(Mutex::new),
        })
    }

    pub fn game(&self) -> Game {
        self.planned.game()
    }

    /// Goal of the game, for a person.
    pub fn goal(&self) -> &'static str {
        self.planned.setup.goal()
    }

    /// Asks for the next line from a person; `None` if the person has gone.
    pub fn line(&self, prompt: &str) -> io::Result<Option<String>> {
        match &self.keyboard {
            Some(keyboard) => locked(keyboard).line(prompt),
            None => Ok(None),
        }
    }

    /// Begins a game of this block.
    pub fn begin(&self, block: u64) {
        *locked(&self.so_far) = SoFar {
            block,
            ..SoFar::default()
        };
    }

    /// Records an action.
    pub fn played(&self, action: &str) {
        locked(&self.so_far).actions.push(action.to_owned());
    }

    /// Seats whose views are drawn: a person's own, or the seat to act at a keyboard for several.
    pub fn seats_to_show(&self, to_act: Actors) -> Vec<Seat> {
        let persons = self.is_human.iter().filter(|(_, is_human)| **is_human);
        let persons: Vec<Seat> = persons.map(|(seat, _)| seat).collect();
        match (persons.len(), to_act) {
            (0, _) => self.is_human.seats().collect(),
            (1, _) => persons,
            (_, Actors::One(seat)) if persons.contains(&seat) => vec![seat],
            _ => persons,
        }
    }

    /// Views of the next position, with the cells that changed since the last one.
    pub fn next_views(&self, now: PerSeat<Drawing>) -> PerSeat<Drawing> {
        let before = locked(&self.so_far).views.replace(now.clone());
        match before {
            Some(before) => drawing::changed_since(now, &before),
            None => now,
        }
    }

    /// Actions of the game so far.
    pub fn actions(&self) -> Vec<String> {
        locked(&self.so_far).actions.clone()
    }

    /// Current position.
    ///
    /// # Errors
    /// The rules failed.
    pub fn position(&self) -> Result<Box<dyn AnyPosition>, RulesFault> {
        self.follow(usize::MAX, &mut |_, _| {})
    }

    /// Takes back actions for the person in a seat, or tells why not. The caller then breaks off the game in
    /// play and continues from the remaining actions.
    pub fn undo(&self, seat: Seat) -> Result<(), String> {
        let (mut count, mut own) = (0, None);
        self.follow(usize::MAX, &mut |at, actor| {
            count = at + 1;
            own = if actor == seat { Some(at) } else { own };
        })
        .map_err(|fault| fault.to_string())?;
        let left = match self.undo {
            Undo::None => {
                let why = "a game that is kept has no undo: play without --out and --games";
                return Err(why.to_owned());
            }
            Undo::Own => own,
            Undo::Last => count.checked_sub(1),
        };
        let start = self.planned.start(self.seed, 0);
        let opening = start.map_err(|fault| fault.to_string())?.opening_plies as usize;
        let left = left.filter(|left| *left >= opening);
        let left = left.ok_or("there is nothing to take back")?;
        // The board is drawn again with the action before.
        let before = self.follow(left.saturating_sub(1), &mut |_, _| {});
        let views = before.and_then(|position| drawing::views(position.as_ref()));
        let mut so_far = locked(&self.so_far);
        so_far.views = Some(views.map_err(|fault| fault.to_string())?);
        so_far.actions.truncate(left);
        so_far.is_taken_back = true;
        Ok(())
    }

    /// Whether actions were taken back since the last call.
    pub fn was_taken_back(&self) -> bool {
        std::mem::take(&mut locked(&self.so_far).is_taken_back)
    }

    /// Replays the first `plies` actions. `tell` gets the index and the seat of each.
    fn follow(
        &self,
        plies: usize,
        tell: &mut dyn FnMut(usize, Seat),
    ) -> Result<Box<dyn AnyPosition>, RulesFault> {
        let so_far = locked(&self.so_far);
        let mut position = self.planned.start(self.seed, so_far.block)?.position;
        for (at, action) in so_far.actions.iter().take(plies).enumerate() {
            for seat in position.to_act().seats() {
                tell(at, seat);
            }
            // Legal, because the game had it.
            if let Err(ActError::Rules(fault)) = position.play(action, &mut News::default()) {
                return Err(fault);
            }
        }
        Ok(position)
    }
}

fn locked<T>(what: &Mutex<T>) -> MutexGuard<'_, T> {
    what.lock().unwrap_or_else(PoisonError::into_inner)
}
