//! The definition of Watch Your Back!: names, reasons and look.

use super::super::{Cells, Colour, Definition, Game, Look, Reason, ReasonInfo, Symbol};
use super::Options;

/// Fewer than two pieces at the end of the placing phase.
pub const AFTER_PLACING: Reason = Reason(&ReasonInfo::rule("after_placing"));
/// Fewer than two pieces after a move.
pub const ELIMINATION: Reason = Reason(&ReasonInfo::rule("elimination"));
/// Fewer than two pieces after the first shrink.
pub const SHRINK_128: Reason = Reason(&ReasonInfo::rule("shrink128"));
/// Fewer than two pieces after the second shrink.
pub const SHRINK_192: Reason = Reason(&ReasonInfo::rule("shrink192"));
/// Ours: the game reached its greatest number of plies.
pub const MAX_PLIES: Reason = Reason(&ReasonInfo::ours("max_plies"));

/// Watch Your Back!.
pub const GAME: Game = Game(&Definition {
    name: "watch-your-back",
    seats: ["white", "black"],
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
});
