//! A player in the referee's games.

use crate::bot::Player;
use crate::protocol::Hello;

/// A player, and the state that the referee keeps for it between games.
#[derive(Debug)]
pub struct Participant<P: ?Sized> {
    /// The bot's answer to the handshake; `None` before it.
    pub(super) hello: Option<Hello>,
    /// Whether it is told its legal actions even where the game does not offer them.
    pub(super) is_told_legal: bool,
    /// The player.
    pub player: P,
}

impl<P: ?Sized> Participant<P> {
    /// Sets whether the player is told its legal actions before each request, as the house bot random is where rules
    /// are a program.
    pub fn set_told_legal(&mut self, is_told: bool) {
        self.is_told_legal = is_told;
    }
}

impl<P: Player> Participant<P> {
    /// A player before its handshake.
    pub fn new(player: P) -> Self {
        Self {
            hello: None,
            is_told_legal: false,
            player,
        }
    }
}
