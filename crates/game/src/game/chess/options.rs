//! The options of chess.

use cozy_chess::Board;

use super::{ends, fen};
use crate::game::{Chance, OptionDoc, OptionError, Values};

const STARTS: u32 = 960;

crate::named! {
    /// They differ in the start, and in the spelling of castling.
    pub enum Variant {
        Standard = "standard",
        /// Fischer random chess, also called Chess960.
        FischerRandom = "fischer-random",
    }
}

pub(super) const START: &str = "start";

#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Options {
    variant: Option<Variant>,
    start: Option<Board>,
}

impl Options {
    pub const DOCS: &'static [OptionDoc] = &[
        OptionDoc {
            key: "variant",
            values: Values::OneOf(&[Variant::Standard.name(), Variant::FischerRandom.name()]),
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
    ];

    pub(super) const DEFAULT: Self = Self {
        variant: None,
        start: None,
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
        start.is_none_or(fen::has_standard_rights)
    }

    pub(super) fn is_drawn(&self) -> bool {
        self.start.is_none() && self.variant() == Variant::FischerRandom
    }

    pub(super) fn with(&self, key: &str, value: &str) -> Result<Self, OptionError> {
        let mut options = self.clone();
        match key {
            "variant" => options.variant = Some(read_variant(value)?),
            START => options.start = Some(read_start(value)?),
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

    pub(super) fn board(&self, chance: &mut dyn Chance) -> Board {
        let drawn = self.with_drawn_start(chance);
        let start = drawn.as_ref().unwrap_or(self).start.clone();
        start.unwrap_or_else(Board::startpos)
    }
}

fn read_variant(value: &str) -> Result<Variant, OptionError> {
    let variant = Variant::from_name(value);
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
