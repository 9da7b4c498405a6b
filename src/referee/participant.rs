//! A player in the referee's games.

use crate::bot::Player;
use crate::protocol::Hello;

/// A player, and the state that the referee keeps for it between games.
#[derive(Debug)]
pub struct Participant<P: ?Sized> {
    /// The bot's answer to the handshake; `None` before it.
    pub(super) hello: Option<Hello>,
    /// The player.
    pub player: P,
}

impl<P: Player> Participant<P> {
    /// A player before its handshake.
    pub fn new(player: P) -> Self {
        Self {
            hello: None,
            player,
        }
    }
}
