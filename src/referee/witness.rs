//! Observers of a game's plies.

use std::time::Duration;

use crate::bot::Values;
use crate::clock::Spent;
use crate::game::{Actors, AnyPosition, PerSeat, Seat};

/// One ply as it was played.
#[derive(Debug, Clone)]
pub struct Ply<'a> {
    /// Its number, from 1.
    pub number: u32,
    /// Who acted.
    pub actors: Actors,
    /// The action of each seat; empty for a seat that did not act.
    pub actions: PerSeat<PlayedAction<'a>>,
}

/// The action of a seat in a ply.
#[derive(Debug, Clone, Copy, Default)]
pub struct PlayedAction<'a> {
    /// The action, in the game's notation.
    pub action: &'a str,
    /// Public result: tokens separated by spaces.
    pub public: &'a str,
    /// The time it took; `None` for a ply of the opening, which no player chose.
    pub spent: Option<Spent>,
    /// Bytes of output besides answers that its bot had written in this game by then.
    pub output: u64,
    /// Values that the player's bot reported with it.
    pub values: &'a Values,
    /// Time left on the player's clock; `None` without a limit per game.
    pub left: Option<Duration>,
}

impl<'a> Ply<'a> {
    /// The action of each seat that acted, in the order of play.
    pub fn played(&self) -> impl Iterator<Item = (Seat, PlayedAction<'a>)> {
        self.actors.seats().map(|seat| (seat, self.actions[seat]))
    }

    /// Whether the seats left in it, instead of an action.
    pub fn is_drop(&self) -> bool {
        self.played().all(|(_, played)| played.action.is_empty())
    }

    /// Values of the bots that acted.
    pub fn reported(&self) -> PerSeat<Option<&'a Values>> {
        PerSeat::of(self.actions.count(), |seat| {
            self.actors
                .includes(seat)
                .then_some(self.actions[seat].values)
        })
    }

    /// The ply as one word, as in `rock+paper`.
    pub fn word(&self) -> String {
        self.actors
            .join(&self.actions.each_ref().map(|played| played.action))
    }
}

/// Observer of every ply as it is played.
pub trait Witness {
    /// Called after each ply, with the position after it.
    fn ply(&mut self, ply: &Ply<'_>, position: &dyn AnyPosition);
}

/// A witness that ignores all plies.
pub(super) struct Unwatched;

impl Witness for Unwatched {
    fn ply(&mut self, _ply: &Ply<'_>, _position: &dyn AnyPosition) {}
}
