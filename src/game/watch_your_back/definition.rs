//! The definition of Watch Your Back!: names and options.

use super::names::{AFTER_PLACING, ELIMINATION, MAX_PLIES, SEATS, SHRINK_128, SHRINK_192};
use super::options::Options;
use super::state::State;
use crate::game::{
    AnyPosition, Chance, Definition, Game, GameOptions, Limit, Notation, OptionError, Origin,
    RulesFault,
};

/// Watch Your Back!.
pub const GAME: Game = Game(&Definition {
    name: "watch-your-back",
    seats: SEATS,
    hides_something: false,
    options: Options::DOCS,
    defaults: &Options::DEFAULT,
    reasons: &[
        AFTER_PLACING,
        ELIMINATION,
        SHRINK_128,
        SHRINK_192,
        MAX_PLIES,
    ],
    origin: Origin::BuiltIn,
    notation: Notation::Own,
});

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
