//! The definition of dark chess: names, reasons and look.

use super::super::{Cells, Colour, Definition, Game, Look, Reason, ReasonInfo, Symbol};
use super::Options;

/// A side reached 60 points.
pub const SCORE_60: Reason = Reason(&ReasonInfo::rule("score60"));
/// In the reading ntu: no piece of one side is left.
pub const ELIMINATION: Reason = Reason(&ReasonInfo::rule("elimination"));
/// The seat to act has no legal action.
pub const NO_LEGAL: Reason = Reason(&ReasonInfo::rule("no_legal"));
/// A repetition that the option `repetitions` declares a draw.
pub const REPETITION: Reason = Reason(&ReasonInfo::rule("repetition"));
/// Ours: too many plies in a row without a flip or a capture.
pub const QUIET_PLIES: Reason = Reason(&ReasonInfo::ours("quiet_plies"));
/// Ours: the game reached its greatest number of plies.
pub const MAX_PLIES: Reason = Reason(&ReasonInfo::ours("max_plies"));

/// Dark chess (翻棋).
pub const GAME: Game = Game(&Definition {
    name: "dark-chess",
    seats: ["first", "second"],
    hides_something: true,
    options: Options::DOCS,
    defaults: &Options::DEFAULT,
    reasons: &[
        SCORE_60,
        ELIMINATION,
        NO_LEGAL,
        REPETITION,
        QUIET_PLIES,
        MAX_PLIES,
    ],
    look: Look {
        cells: Cells::LetteredSquares,
        symbols: &[
            Symbol::new('.', "empty", "empty", Colour::None, ""),
            Symbol::new('?', "face-down", "stone hidden", Colour::None, ""),
            red('K', "red General", "帥"),
            black('k', "black General", "將"),
            red('G', "red Advisor", "仕"),
            black('g', "black Advisor", "士"),
            red('M', "red Minister", "相"),
            black('m', "black Minister", "象"),
            red('R', "red Chariot", "俥"),
            black('r', "black Chariot", "車"),
            red('N', "red Horse", "傌"),
            black('n', "black Horse", "馬"),
            red('C', "red Cannon", "炮"),
            black('c', "black Cannon", "包"),
            red('P', "red Soldier", "兵"),
            black('p', "black Soldier", "卒"),
        ],
    },
});

const fn red(letter: char, name: &'static str, glyph: &'static str) -> Symbol {
    Symbol::new(letter, name, "stone piece red", Colour::Red, glyph)
}

const fn black(letter: char, name: &'static str, glyph: &'static str) -> Symbol {
    Symbol::new(letter, name, "stone piece black", Colour::Blue, glyph)
}
