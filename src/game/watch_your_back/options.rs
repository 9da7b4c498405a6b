//! The options of the game.

use super::super::{AnyPosition, Chance, GameOptions, Limit, OptionDoc, OptionError, RulesFault};
use super::State;

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
        values: Limit::VALUES,
        default: "600",
        meaning: "a game that is undecided after this many plies, placing included, is a draw",
        secret: false,
    }];

    pub(super) const DEFAULT: Self = Self {
        max_plies: Limit(Some(600)),
    };
}

impl GameOptions for Options {
    fn set(&mut self, key: &str, value: &str) -> Result<(), OptionError> {
        match key {
            "max-plies" => self.max_plies = Limit::parse(value)?,
            _ => return Err(OptionError::unknown(Self::DOCS)),
        }
        Ok(())
    }

    fn get(&self, key: &str) -> Option<String> {
        match key {
            "max-plies" => Some(self.max_plies.to_string()),
            _ => None,
        }
    }

    fn goal(&self) -> &'static str {
        "Take pieces by enclosing them. From the end of the placing on, a side with fewer than two pieces has lost."
    }

    fn start(&self, _chance: &mut dyn Chance) -> Result<Box<dyn AnyPosition>, RulesFault> {
        Ok(Box::new(State::new(*self)))
    }

    fn boxed(&self) -> Box<dyn GameOptions> {
        Box::new(*self)
    }
}

impl Default for Options {
    fn default() -> Self {
        Self::DEFAULT
    }
}
