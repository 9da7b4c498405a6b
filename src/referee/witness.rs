//! Who is shown the plies of a game.

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
    /// What became public by it: tokens separated by spaces.
    pub public: &'a str,
    /// The time it took; `None` for a ply of the opening, which no player chose.
    pub spent: Option<Spent>,
    /// What is left of the player's per-game budget, where there is one.
    pub left: Option<Duration>,
}

/// Is shown every ply as it is played.
pub trait Witness {
    /// A ply was played; `position` is the position after it.
    fn ply(&mut self, ply: &Ply<'_>, position: &dyn AnyPosition);
}

/// Looks at no ply.
pub(super) struct Unwatched;

impl Witness for Unwatched {
    fn ply(&mut self, _ply: &Ply<'_>, _position: &dyn AnyPosition) {}
}
