//! The options of Cachex.

use super::super::{AnyPosition, Chance, GameOptions, OptionDoc, OptionError, RulesFault};
use super::State;

/// The smallest board.
pub const MIN_SIZE: u8 = 3;
/// The largest board: columns have one letter.
pub const MAX_SIZE: u8 = 26;

/// Options of a game of Cachex.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Options {
    size: u8,
}

impl Options {
    /// Documentation of each option.
    pub const DOCS: &'static [OptionDoc] = &[OptionDoc {
        key: "size",
        values: "a number from 3 to 26",
        default: "9",
        meaning: "the number of rows and of columns",
        secret: false,
    }];

    pub(super) const DEFAULT: Self = Self { size: 9 };

    /// A board of `size` rows and columns; `None` if that is too small or too large.
    pub fn with_size(size: u8) -> Option<Self> {
        (MIN_SIZE..=MAX_SIZE)
            .contains(&size)
            .then_some(Self { size })
    }

    /// The number of rows and of columns.
    pub fn size(self) -> u8 {
        self.size
    }
}

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
            .ok_or_else(|| OptionError::expected(Self::DOCS[0].values))?;
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

impl Default for Options {
    fn default() -> Self {
        Self::DEFAULT
    }
}
