//! The game that is being played, for a person to try actions on.

use std::sync::{Mutex, PoisonError};

use crate::config::PlannedGame;
use crate::game::AnyPosition;

/// What is played, and how far it is.
#[derive(Debug)]
pub(super) struct Table {
    planned: PlannedGame,
    seed: u64,
    so_far: Mutex<SoFar>,
}

#[derive(Debug, Default)]
struct SoFar {
    /// The number of the game pair, from which all chance of the game comes.
    pair: u64,
    actions: Vec<String>,
}

impl Table {
    pub fn new(planned: PlannedGame, seed: u64) -> Self {
        Self {
            planned,
            seed,
            so_far: Mutex::default(),
        }
    }

    /// A game of this pair begins.
    pub fn begin(&self, pair: u64) {
        *self.so_far() = SoFar {
            pair,
            actions: Vec::new(),
        };
    }

    /// An action was played.
    pub fn played(&self, action: &str) {
        self.so_far().actions.push(action.to_owned());
    }

    /// The position of the game as it is now.
    pub fn position(&self) -> Box<dyn AnyPosition> {
        let so_far = self.so_far();
        let mut position = self.planned.start(self.seed, so_far.pair).position;
        for action in &so_far.actions {
            // It is legal here, since it was in the game.
            let _ = position.act(action, &mut String::new());
        }
        position
    }

    fn so_far(&self) -> std::sync::MutexGuard<'_, SoFar> {
        self.so_far.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
