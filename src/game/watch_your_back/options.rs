//! The options of the game.

use crate::game::{Limit, OptionDoc, Values};

/// Options of a game of Watch Your Back!
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Options {
    /// The ply after which an undecided game is a draw.
    pub max_plies: Limit,
}

impl Options {
    /// Documentation of each option.
    pub const DOCS: &'static [OptionDoc] = &[OptionDoc {
        key: "max-plies",
        values: Values::Text(Limit::VALUES),
        default: "600",
        meaning: "a game that is undecided after this many plies, placing included, is a draw",
        secret: false,
    }];

    pub(super) const DEFAULT: Self = Self {
        max_plies: Limit(Some(600)),
    };
}

impl Default for Options {
    fn default() -> Self {
        Self::DEFAULT
    }
}
