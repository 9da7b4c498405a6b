//! The definition of chess: names and options.

use super::book;
use super::ends::{CHECKMATE, FIFTY_MOVES, INSUFFICIENT_MATERIAL, STALEMATE, THREEFOLD_REPETITION};
use super::movetext::SEATS;
use super::options::{Options, START};
use super::state::State;
use crate::game::{
    AnyPosition, BookFormat, BookReader, Chance, Definition, Game, GameOptions, Notation,
    OptionError, Origin, RulesFault,
};

/// Chess.
pub const GAME: Game = Game(&Definition {
    name: "chess",
    seats: SEATS,
    hides_something: false,
    options: Options::DOCS,
    defaults: &Options::DEFAULT,
    reasons: &[
        CHECKMATE,
        STALEMATE,
        INSUFFICIENT_MATERIAL,
        THREEFOLD_REPETITION,
        FIFTY_MOVES,
    ],
    origin: Origin::BuiltIn,
    notation: Notation::Uci,
});

impl GameOptions for Options {
    fn set(&mut self, key: &str, value: &str) -> Result<(), OptionError> {
        *self = self.with(key, value)?;
        Ok(())
    }

    fn get(&self, key: &str) -> Option<String> {
        self.value(key)
    }

    fn goal(&self) -> &'static str {
        "Checkmate the king of the other side."
    }

    fn start_option(&self) -> Option<&'static str> {
        Some(START)
    }

    fn book(&self, format: BookFormat, most: usize) -> Option<Box<dyn BookReader + '_>> {
        Some(match format {
            BookFormat::Epd => Box::new(book::Positions),
            BookFormat::Pgn => Box::new(book::PgnBook::new(self, most)),
        })
    }

    fn check_opening(&self, _action: &str) -> Result<(), &'static str> {
        match self.is_drawn() {
            false => Ok(()),
            true => {
                Err("depends on the start, which is drawn: expected `start=` and a FEN before it")
            }
        }
    }

    fn settled(&self, chance: &mut dyn Chance) -> Option<Box<dyn GameOptions>> {
        let settled = self.with_drawn_start(chance)?;
        Some(Box::new(settled))
    }

    fn start(&self, chance: &mut dyn Chance) -> Result<Box<dyn AnyPosition>, RulesFault> {
        Ok(Box::new(State::new(self, chance)))
    }

    fn boxed(&self) -> Box<dyn GameOptions> {
        Box::new(self.clone())
    }
}
