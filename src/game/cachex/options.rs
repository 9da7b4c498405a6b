//! The options of Cachex.

use crate::game::{OptionDoc, Values};

/// The smallest board.
pub const MIN_SIZE: u8 = 3;
/// The largest board: columns have one letter.
pub const MAX_SIZE: u8 = 26;

/// Options of a game of Cachex.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Options {
    pub(super) size: u8,
}

impl Options {
    /// Documentation of each option.
    pub const DOCS: &'static [OptionDoc] = &[OptionDoc {
        key: "size",
        values: Values::Numbers(MIN_SIZE as i64, MAX_SIZE as i64),
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

impl Default for Options {
    fn default() -> Self {
        Self::DEFAULT
    }
}
