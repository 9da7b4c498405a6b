//! The definition of Cachex: names and options.

use super::names::{CONNECTION, MAX_TURNS_PLAYED, REPETITION, SEATS};
use super::options::Options;
use super::state::State;
use crate::game::{
    AnyPosition, Chance, Definition, Game, GameOptions, Notation, OptionError, Origin, RulesFault,
};

/// Cachex.
pub const GAME: Game = Game(&Definition {
    name: "cachex",
    seats: SEATS,
    hides_something: false,
    options: Options::DOCS,
    defaults: &Options::DEFAULT,
    reasons: &[CONNECTION, REPETITION, MAX_TURNS_PLAYED],
    origin: Origin::BuiltIn,
    notation: Notation::Own,
});

impl GameOptions for Options {
    fn set(&mut self, key: &str, value: &str) -> Result<(), OptionError> {
        if key != "size" {
            return Err(OptionError::unknown(Self::DOCS));
        }
        // One value has one spelling, so that equal options are equal in every record.
        *self = value
            .parse()
            .ok()
            .and_then(Self::with_size)
            .filter(|options| options.size.to_string() == value)
            .ok_or_else(|| OptionError::expected(Self::DOCS[0].values.to_string()))?;
        Ok(())
    }

    fn get(&self, key: &str) -> Option<String> {
        (key == "size").then(|| self.size.to_string())
    }

    fn goal(&self) -> &'static str {
        "Join your two edges by a chain of your stones: red the bottom row with the top row, blue the left column \
         with the right column."
    }

    fn start(&self, _chance: &mut dyn Chance) -> Result<Box<dyn AnyPosition>, RulesFault> {
        Ok(Box::new(State::new(*self)))
    }

    fn boxed(&self) -> Box<dyn GameOptions> {
        Box::new(*self)
    }
}
