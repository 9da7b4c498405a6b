//! Shared state of the game in play, so that a person can try actions.

use std::io;
use std::sync::{Mutex, MutexGuard, PoisonError};

use super::Keyboard;
use crate::cli::drawing;
use crate::config::PlannedGame;
use crate::game::{ActError, Actors, AnyPosition, Drawing, Game, News, PerSeat, RulesFault, Seat};

#[derive(Debug)]
pub(super) struct LiveGame {
    planned: PlannedGame,
    seed: u64,
    is_human: PerSeat<bool>,
    so_far: Mutex<SoFar>,
    keyboard: Mutex<Keyboard>,
}

#[derive(Debug, Default)]
struct SoFar {
    actions: Vec<String>,
    /// Each seat's view of the position that was drawn last.
    views: Option<PerSeat<Drawing>>,
}

impl LiveGame {
    pub fn new(
        planned: PlannedGame,
        seed: u64,
        is_human: PerSeat<bool>,
        keyboard: Keyboard,
    ) -> Self {
        Self {
            planned,
            seed,
            is_human,
            so_far: Mutex::default(),
            keyboard: Mutex::new(keyboard),
        }
    }

    pub fn game(&self) -> Game {
        self.planned.game()
    }

    pub fn goal(&self) -> &'static str {
        self.planned.setup.goal()
    }

    /// Asks for the next line from a person; `None` if the person has gone.
    pub fn line(&self, prompt: &str) -> io::Result<Option<String>> {
        locked(&self.keyboard).line(prompt)
    }

    /// Begins the game, which is played again where the machine broke it off.
    pub fn begin(&self) {
        *locked(&self.so_far) = SoFar::default();
    }

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

    pub fn position(&self) -> Result<Box<dyn AnyPosition>, RulesFault> {
        let so_far = locked(&self.so_far);
        let mut position = self.planned.start(self.seed, 0)?.position;
        for action in &so_far.actions {
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
