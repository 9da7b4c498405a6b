//! Observers of a game's plies.

use std::time::Duration;

use crate::clock::Spent;
use crate::game::{AnyPosition, Seat};

/// One ply as it was played.
#[derive(Debug, Clone, Copy)]
pub struct Ply<'a> {
    /// Its number, from 1.
    pub number: u32,
    /// Who acted.
    pub seat: Seat,
    /// The action, in the game's notation.
    pub action: &'a str,
    /// Public result: tokens separated by spaces.
    pub public: &'a str,
    /// The time it took; `None` for a ply of the opening, which no player chose.
    pub spent: Option<Spent>,
    /// Time left on the player's clock; `None` without a limit per game.
    pub left: Option<Duration>,
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
