//! The definition of Cachex: names, reasons and look.

use super::super::{Cells, Colour, Definition, Game, Look, Reason, ReasonInfo, Symbol};
use super::Options;

/// An unbroken chain between one's two sides.
pub const CONNECTION: Reason = Reason(&ReasonInfo::rule("connection"));
/// A position occurred for the seventh time.
pub const REPETITION: Reason = Reason(&ReasonInfo::rule("repetition"));
/// The 343rd turn was played.
pub const MAX_TURNS_PLAYED: Reason = Reason(&ReasonInfo::rule("max_turns"));

/// Cachex.
pub const GAME: Game = Game(&Definition {
    name: "cachex",
    seats: ["red", "blue"],
    hides_something: false,
    options: Options::DOCS,
    defaults: &Options::DEFAULT,
    reasons: &[CONNECTION, REPETITION, MAX_TURNS_PLAYED],
    look: Look {
        cells: Cells::Hexagons,
        symbols: &[
            Symbol::new('.', "empty", "empty", Colour::None, ""),
            Symbol::new('r', "red", "stone red", Colour::Red, ""),
            Symbol::new('b', "blue", "stone blue", Colour::Blue, ""),
        ],
    },
});
