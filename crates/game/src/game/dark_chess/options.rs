//! The options of a game of dark chess.

use std::fmt::{self, Display};

use super::pieces::{Kind, Piece};
use crate::game::{Limit, OptionDoc, OptionError, Values};

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Rules {
    pub general_takes_general: bool,
    pub general_takes_soldier: bool,
    /// Whether the rules of the Taiwanese tournaments apply: a Cannon also steps, no piece captures a
    /// face-down one, and a side wins when its opponent has no piece, not by points.
    pub ntu: bool,
}

impl Rules {
    /// Whether a piece of kind `taker`, not a Cannon, captures a piece of kind `prey` beside it.
    pub fn takes(self, taker: Kind, prey: Kind) -> bool {
        match (taker, prey) {
            (Kind::Cannon, _) => false,
            (Kind::General, Kind::General) => self.general_takes_general,
            (Kind::General, Kind::Soldier) => self.general_takes_soldier,
            (Kind::Soldier, _) => matches!(prey, Kind::General | Kind::Soldier),
            (_, Kind::Cannon) => true,
            (_, Kind::General) => false,
            // Kinds stand from the highest rank to the lowest.
            (_, _) => taker.index() <= prey.index(),
        }
    }
}

crate::named! {
    pub(super) enum Reading {
        /// "General can only be captured by Soldier", to the letter.
        Literal = "literal",
        /// The rules of nearly all programs.
        Common = "common",
        /// The rules of the Taiwanese tournaments, which are not a reading of the rule text.
        Ntu = "ntu",
    }
}

impl Reading {
    fn rules(self) -> Rules {
        Rules {
            general_takes_general: self != Reading::Literal,
            general_takes_soldier: self == Reading::Literal,
            ntu: self == Reading::Ntu,
        }
    }
}

/// The repetition that is a draw. At most the last 60 plies count, and none before a flip or a capture.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Repetition {
    Allowed,
    /// A position occurs this number of times with the same seat to act.
    OfPosition {
        /// From 2 to 16: no more fit into 60 plies, since coming back takes four.
        times: u32,
    },
    /// The last `n` moves, for any `n`, are the same `n` moves for the third time in a row.
    OfMoves,
}

impl Repetition {
    const VALUES: &'static str = "a number from 2 to 16, moves, or none";

    pub(super) fn parse(value: &str) -> Result<Self, OptionError> {
        match (value, Limit::parse(value)) {
            ("moves", _) => Ok(Repetition::OfMoves),
            (_, Ok(Limit(None))) => Ok(Repetition::Allowed),
            (_, Ok(Limit(Some(times @ 2..=16)))) => Ok(Repetition::OfPosition { times }),
            _ => Err(OptionError::expected(Self::VALUES)),
        }
    }
}

impl Display for Repetition {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Repetition::Allowed => f.write_str("none"),
            Repetition::OfPosition { times } => times.fmt(f),
            Repetition::OfMoves => f.write_str("moves"),
        }
    }
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Options {
    pub(super) layout: Option<[Piece; 32]>,
    pub(super) reading: Reading,
    pub(super) general_takes_general: Option<bool>,
    pub(super) general_takes_soldier: Option<bool>,
    pub(super) repetition: Option<Repetition>,
    /// A game is a draw after this many plies in a row without a flip or a capture.
    pub quiet_plies: Limit,
    /// A game is a draw after this many plies.
    pub max_plies: Limit,
}

impl Default for Options {
    fn default() -> Self {
        Self::DEFAULT
    }
}

impl Options {
    pub(super) const DEFAULT: Self = Self {
        layout: None,
        reading: Reading::Literal,
        general_takes_general: None,
        general_takes_soldier: None,
        repetition: None,
        quiet_plies: Limit(Some(60)),
        max_plies: Limit(Some(1000)),
    };

    pub const DOCS: &'static [OptionDoc] = &[
        OptionDoc {
            key: "layout",
            values: Values::Text("32 letters from a8 to d1, row by row"),
            default: "drawn from the game's seed",
            meaning: "where each piece lies face-down",
            secret: true,
        },
        OptionDoc {
            key: "reading",
            values: Values::OneOf(&["literal", "common", "ntu"]),
            default: "literal",
            meaning: "what a General may capture: a Soldier and no General (literal), or a General \
                      and no Soldier (common); ntu is the rules of the Taiwanese tournaments",
            secret: false,
        },
        OptionDoc {
            key: "general-takes-general",
            values: Values::OneOf(&["yes", "no"]),
            default: "as the reading says",
            meaning: "whether a General may capture the other General",
            secret: false,
        },
        OptionDoc {
            key: "general-takes-soldier",
            values: Values::OneOf(&["yes", "no"]),
            default: "as the reading says",
            meaning: "whether a General may capture a Soldier",
            secret: false,
        },
        OptionDoc {
            key: "repetitions",
            values: Values::Text(Repetition::VALUES),
            default: "none, or moves if the reading is ntu",
            meaning: "a draw when the same position occurs so many times within 60 plies without \
                      a flip or a capture; moves: when the last moves are the same ones for the \
                      third time in a row",
            secret: false,
        },
        OptionDoc {
            key: "quiet-plies",
            values: Values::Text(Limit::VALUES),
            default: "60",
            meaning: "a draw after so many plies in a row without a flip or a capture",
            secret: false,
        },
        OptionDoc {
            key: "max-plies",
            values: Values::Text(Limit::VALUES),
            default: "1000",
            meaning: "a draw after so many plies",
            secret: false,
        },
    ];

    /// The reading's rules, with the General's captures overridden by the options set for them.
    pub fn rules(&self) -> Rules {
        let reading = self.reading.rules();
        Rules {
            general_takes_general: self
                .general_takes_general
                .unwrap_or(reading.general_takes_general),
            general_takes_soldier: self
                .general_takes_soldier
                .unwrap_or(reading.general_takes_soldier),
            ntu: reading.ntu,
        }
    }

    /// The repetition that is a draw: the reading's, unless it was set.
    pub fn repetition(&self) -> Repetition {
        self.repetition.unwrap_or(match self.reading {
            Reading::Literal | Reading::Common => Repetition::Allowed,
            Reading::Ntu => Repetition::OfMoves,
        })
    }
}
