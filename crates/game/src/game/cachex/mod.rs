//! Cachex: a connection game on a rhombus of hexagons, with captures.
//!
//! [`State`] is a whole game: a [`Board`], and the history that the repetition rule needs.
//! `docs/rules/cachex.md` gives the rules and explains every doubtful point.

mod board;
pub mod hex;
mod history;
mod notation;
mod state;

pub use board::{Board, MAX_TURNS};
pub use notation::{Action, Cell, Public};
pub use state::State;

use crate::game::{
    AnyPosition, Chance, Colour, Definition, Game, GameOptions, OptionDoc, OptionError, Origin,
    Piece, Reason, ReasonInfo, RulesFault, Shape, Side, Values,
};

pub const GAME: Game = Game(&Definition {
    name: "cachex",
    seats: SEATS,
    hides_something: false,
    options: Options::DOCS,
    defaults: &Options::DEFAULT,
    reasons: &[CONNECTION, REPETITION, MAX_TURNS_PLAYED],
    origin: Origin::BuiltIn,
    notation: None,
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

const PIECES: &[Piece] = &[
    Piece::new('.', Shape::None, Colour::None, "", "empty"),
    Piece::new('r', Shape::Disc, Colour::Red, "", "red"),
    Piece::new('b', Shape::Disc, Colour::Blue, "", "blue"),
];

/// The upper, right, lower and left side: the seat that joins it with its opposite.
const SIDES: [Colour; 4] = [Colour::Red, Colour::Blue, Colour::Red, Colour::Blue];

const SEATS: &[&str] = &["red", "blue"];

/// An unbroken chain between one's two sides.
pub const CONNECTION: Reason = Reason(&ReasonInfo::rule("connection"));
/// A position occurred for the seventh time.
pub const REPETITION: Reason = Reason(&ReasonInfo::rule("repetition"));
pub const MAX_TURNS_PLAYED: Reason = Reason(&ReasonInfo::rule("max_turns"));

pub const MIN_SIZE: u8 = 3;
/// The largest board: columns have one letter.
pub const MAX_SIZE: u8 = 26;

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Options {
    size: u8,
}

impl Options {
    pub const DOCS: &'static [OptionDoc] = &[OptionDoc {
        key: "size",
        values: Values::Numbers(MIN_SIZE as i64, MAX_SIZE as i64),
        default: "9",
        meaning: "the number of rows and of columns",
        secret: false,
    }];

    const DEFAULT: Self = Self { size: 9 };

    /// A board of `size` rows and columns; `None` if that is too small or too large.
    pub fn with_size(size: u8) -> Option<Self> {
        (MIN_SIZE..=MAX_SIZE)
            .contains(&size)
            .then_some(Self { size })
    }

    pub fn size(self) -> u8 {
        self.size
    }
}

impl Default for Options {
    fn default() -> Self {
        Self::DEFAULT
    }
}

/// The rule that an illegal action breaks. `Display` tells the player.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum Rule {
    #[error("the game is over: no action follows")]
    Over,
    #[error(
        "{cell} is off the board: at size {size} columns are a to {} and rows 1 to {size}",
        char::from(b'a' + size - 1)
    )]
    OffBoard { cell: Cell, size: u8 },
    #[error(
        "{cell} is taken by a {} stone: a stone goes on an empty cell",
        SEATS[by.index()]
    )]
    Taken { cell: Cell, by: Side },
    #[error("{cell} is the centre of the board: the first stone of a game may not go there")]
    Centre { cell: Cell },
    #[error("steal is for blue's first action only, on turn 2: this is turn {turn}")]
    Steal { turn: u16 },
}
