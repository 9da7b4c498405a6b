//! The notation of actions.

/// The notation of a game's actions, for translators of engines' protocols.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Notation {
    /// The game's own.
    Own,
    /// Moves of chess as the Universal Chess Interface writes them.
    Uci,
}
