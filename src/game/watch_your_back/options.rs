//! The options of the game.

use super::super::{Limit, OptionDoc, OptionError};

/// What can be set about a game of Watch Your Back!
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Options {
    /// The ply after which an undecided game is a draw.
    pub max_plies: Limit,
}

impl Options {
    /// What each option means.
    pub const DOCS: &'static [OptionDoc] = &[OptionDoc {
        key: "max-plies",
        values: Limit::VALUES,
        default: "600",
        meaning: "a game that is undecided after this many plies, placing included, is a draw",
        secret: false,
    }];

    /// Sets one option.
    ///
    /// # Errors
    /// A key other than `max-plies`, or a value that is not a limit.
    pub fn set(&mut self, key: &str, value: &str) -> Result<(), OptionError> {
        match key {
            "max-plies" => self.max_plies = Limit::parse(value)?,
            _ => return Err(OptionError::unknown(Self::DOCS)),
        }
        Ok(())
    }

    /// The value of an option as text.
    pub fn get(&self, key: &str) -> Option<String> {
        match key {
            "max-plies" => Some(self.max_plies.to_string()),
            _ => None,
        }
    }
}

impl Default for Options {
    fn default() -> Self {
        Self {
            max_plies: Limit(Some(600)),
        }
    }
}
