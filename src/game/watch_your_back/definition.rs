//! The definition of Watch Your Back!: names, options and look.

use super::names::{AFTER_PLACING, ELIMINATION, MAX_PLIES, SEATS, SHRINK_128, SHRINK_192};
use super::options::Options;
use super::state::State;
use crate::game::{
    AnyPosition, Cells, Chance, Colour, Definition, Game, GameOptions, Limit, Look, OptionError,
    Origin, RulesFault, Symbol,
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
    look: Look {
        cells: Cells::NumberedSquares,
        symbols: &[
            Symbol::new('-', "empty", "empty", Colour::None, ""),
            Symbol::new('W', "white", "stone first", Colour::Bright, ""),
            Symbol::new('B', "black", "stone second", Colour::Blue, ""),
            Symbol::new('X', "corner", "corner", Colour::None, "×"),
            Symbol::new('#', "removed", "removed", Colour::None, ""),
        ],
    },
    origin: Origin::BuiltIn,
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
