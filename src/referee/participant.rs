//! A player in the referee's games.

use crate::player::Player;
use crate::protocol::Hello;

/// A player, and what the referee remembers of it from one game to the next.
#[derive(Debug)]
pub struct Participant<P: ?Sized> {
    /// How the bot introduced itself, once it has.
    pub(super) hello: Option<Hello>,
    /// Who plays.
    pub player: P,
}

impl<P: Player> Participant<P> {
    /// A player that has not introduced itself yet.
    pub fn new(player: P) -> Self {
        Self {
            hello: None,
            player,
        }
    }
}
