//! Options of a game.

use std::fmt::{self, Display};

use crate::game::{AnyPosition, BookFormat, BookReader, Chance, RulesFault};

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct OptionDoc {
    pub key: &'static str,
    pub values: Values,
    pub default: &'static str,
    pub meaning: &'static str,
    /// Whether its value reveals hidden information. A secret option is never sent to bots.
    pub secret: bool,
}

/// The values that an option takes. `Display` has them in words.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Values {
    Numbers(i64, i64),
    OneOf(&'static [&'static str]),
    Text(&'static str),
}

impl Display for Values {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Numbers(least, most) => write!(f, "a number from {least} to {most}"),
            Self::OneOf([others @ .., last]) if !others.is_empty() => {
                write!(f, "{} or {last}", others.join(", "))
            }
            Self::OneOf(words) => f.write_str(&words.concat()),
            Self::Text(words) => f.write_str(words),
        }
    }
}

#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum OptionError {
    #[error("unknown game option; this game has {}", known.join(", "))]
    Unknown { known: Vec<&'static str> },
    #[error("expected {expected}")]
    Value { expected: String },
}

impl OptionError {
    pub fn unknown(options: &[OptionDoc]) -> Self {
        Self::Unknown {
            known: options.iter().map(|doc| doc.key).collect(),
        }
    }

    pub fn expected(expected: impl Into<String>) -> Self {
        Self::Value {
            expected: expected.into(),
        }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limit(pub Option<u32>);

impl Limit {
    pub(in crate::game) const VALUES: &'static str = "a number from 1 to 1000000, or none";

    pub fn reached(self, count: u32) -> bool {
        self.0.is_some_and(|limit| count >= limit)
    }

    /// Reads a number from 1 to a million, or `none`.
    ///
    /// # Errors
    /// Any other text, and a number with a sign or leading zeros.
    pub fn parse(value: &str) -> Result<Self, OptionError> {
        if value == "none" {
            return Ok(Self(None));
        }
        value
            .parse()
            .ok()
            .filter(|limit: &u32| (1..=1_000_000).contains(limit) && limit.to_string() == value)
            .map(|limit| Self(Some(limit)))
            .ok_or_else(|| OptionError::expected(Self::VALUES))
    }
}

impl Display for Limit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            Some(limit) => limit.fmt(f),
            None => f.write_str("none"),
        }
    }
}

pub trait GameOptions: fmt::Debug + Send + Sync {
    /// Sets one option. The order of calls does not matter.
    fn set(&mut self, key: &str, value: &str) -> Result<(), OptionError>;

    /// The value of an option as text; `None` if it is not set and has no default.
    fn get(&self, key: &str) -> Option<String>;

    /// Who wins, in a sentence for a person who is about to play.
    fn goal(&self) -> &'static str;

    /// The option that sets the position before the first ply, which an opening can set too.
    fn start_option(&self) -> Option<&'static str> {
        None
    }

    /// A reader of books, for at most `most` actions of each opening; `None` if the game has no books of this format. Each
    /// opening has the words of a line in a file of openings.
    fn book(&self, _format: BookFormat, _most: usize) -> Option<Box<dyn BookReader + '_>> {
        None
    }

    /// The openings of a book of Polyglot, of at most so many plies, or why it has none; `None` if no such book is read.
    fn polyglot(&self, _bytes: &[u8], _plies: usize) -> Option<Result<Vec<String>, String>> {
        None
    }

    /// Checks that the legality of an opening action does not depend on chance.
    ///
    /// # Errors
    /// Why it is not, in words that follow the action.
    fn check_opening(&self, _action: &str) -> Result<(), &'static str> {
        Ok(())
    }

    /// These options, with everything set that is public and left to chance, so that players know it; `None` if nothing
    /// is. A start with them is as one with the same chance without them.
    fn settled(&self, _chance: &mut dyn Chance) -> Option<Box<dyn GameOptions>> {
        None
    }

    /// The starting position. `chance` decides everything that the options leave open.
    fn start(&self, chance: &mut dyn Chance) -> Result<Box<dyn AnyPosition>, RulesFault>;

    fn boxed(&self) -> Box<dyn GameOptions>;
}

impl Clone for Box<dyn GameOptions> {
    fn clone(&self) -> Self {
        self.boxed()
    }
}
