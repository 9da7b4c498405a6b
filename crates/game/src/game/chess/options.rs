//! The options of chess.

use cozy_chess::Board;

use super::{ends, fen};
use crate::game::{Chance, OptionDoc, OptionError, Values};

/// Number of starting positions of Fischer random chess.
pub(super) const STARTS: u32 = 960;

/// Standard chess or Fischer random chess: they differ in the start, and in the spelling of castling.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Variant {
    Standard,
    /// Fischer random chess, also called Chess960.
    FischerRandom,
}

impl Variant {
    pub const ALL: [Self; 2] = [Self::Standard, Self::FischerRandom];
    const NAMES: [&'static str; 2] = ["standard", "fischer-random"];

    pub fn name(self) -> &'static str {
        Self::NAMES[self as usize]
    }
}

pub(super) const START: &str = "start";

/// The values of the number of a start, in words.
const NUMBERS: &str = "a number from 0 to 959";

#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Options {
    variant: Option<Variant>,
    start: Option<Board>,
    /// The number of the start, if it was set by its number.
    number: Option<u32>,
}

impl Options {
    pub const DOCS: &'static [OptionDoc] = &[
        OptionDoc {
            key: "variant",
            values: Values::OneOf(&Variant::NAMES),
            default: "standard",
            meaning: "standard chess, or Fischer random chess (Chess960), where castling is the king's move to its own \
                      rook; a start that needs it makes it fischer-random",
            secret: false,
        },
        OptionDoc {
            key: START,
            values: Values::Text("a FEN, with _ or blanks between its fields"),
            default: "none: the usual one, or in fischer-random one drawn from the game's seed",
            meaning: "the position before the first move",
            secret: false,
        },
        OptionDoc {
            key: "start-number",
            values: Values::Text(NUMBERS),
            default: "none",
            meaning: "the number of a starting position of Fischer random chess; 518 is the usual one",
            secret: false,
        },
    ];

    pub(super) const DEFAULT: Self = Self {
        variant: None,
        start: None,
        number: None,
    };

    /// The variant: as it was set, or as the start needs it.
    pub fn variant(&self) -> Variant {
        self.variant.unwrap_or(match self.is_standard() {
            true => Variant::Standard,
            false => Variant::FischerRandom,
        })
    }

    fn is_standard(&self) -> bool {
        let start = self.start.as_ref();
        self.number.is_none() && start.is_none_or(fen::has_standard_rights)
    }

    pub(super) fn is_drawn(&self) -> bool {
        self.start.is_none() && self.variant() == Variant::FischerRandom
    }

    pub(super) fn with(&self, key: &str, value: &str) -> Result<Self, OptionError> {
        let mut options = self.clone();
        match key {
            "variant" => options.variant = Some(read_variant(value)?),
            START => {
                let board = read_start(value)?;
                if self.number.is_some() && self.start.as_ref() != Some(&board) {
                    return Err(OptionError::expected(
                        "the start of `start-number`, or only one of them",
                    ));
                }
                options.start = Some(board);
            }
            "start-number" => {
                let number = read_number(value)?;
                let board = Board::chess960_startpos(number);
                if self.number.is_none() && self.start.as_ref().is_some_and(|it| *it != board) {
                    return Err(OptionError::expected(
                        "the number of `start`, or only one of them",
                    ));
                }
                options.start = Some(board);
                options.number = Some(number);
            }
            _ => return Err(OptionError::unknown(Self::DOCS)),
        }
        if options.variant == Some(Variant::Standard) && !options.is_standard() {
            return Err(OptionError::expected(
                "a start of standard chess, or `variant` fischer-random",
            ));
        }
        Ok(options)
    }

    pub(super) fn value(&self, key: &str) -> Option<String> {
        match key {
            "variant" => Some(self.variant().name().to_owned()),
            START => self.start.as_ref().map(fen::one_word),
            "start-number" => self.number.map(|number| number.to_string()),
            _ => None,
        }
    }

    /// These options with the start that `chance` draws; `None` if it is not drawn.
    pub(super) fn with_drawn_start(&self, chance: &mut dyn Chance) -> Option<Self> {
        self.is_drawn().then(|| Self {
            start: Some(Board::chess960_startpos(chance.below(STARTS))),
            ..self.clone()
        })
    }

    /// The position before the first move.
    pub(super) fn board(&self, chance: &mut dyn Chance) -> Board {
        let drawn = self.with_drawn_start(chance);
        let start = drawn.as_ref().unwrap_or(self).start.clone();
        start.unwrap_or_else(Board::startpos)
    }
}

fn read_variant(value: &str) -> Result<Variant, OptionError> {
    let mut variants = Variant::ALL.into_iter();
    let variant = variants.find(|variant| variant.name() == value);
    variant.ok_or_else(|| OptionError::expected(Options::DOCS[0].values.to_string()))
}

fn read_start(value: &str) -> Result<Board, OptionError> {
    let board = fen::read(value)
        .map_err(|problem| OptionError::expected(format!("a FEN, and {problem}")))?;
    match ends::outcome(&board, &[]) {
        None => Ok(board),
        Some(_) => Err(OptionError::expected(
            "a FEN of a game that goes on, and this one is over",
        )),
    }
}

fn read_number(value: &str) -> Result<u32, OptionError> {
    let number: Option<u32> = value.parse().ok();
    // One value has one spelling, so that equal options are equal in every record.
    number
        .filter(|number| *number < STARTS && number.to_string() == value)
        .ok_or_else(|| OptionError::expected(NUMBERS))
}
