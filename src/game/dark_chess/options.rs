//! The options of a game of dark chess.

use std::fmt::{self, Display};

use super::super::{AnyPosition, Chance, GameOptions, Limit, OptionDoc, OptionError, RulesFault};
use super::State;
use super::pieces::{Kind, Piece};

/// Rules that depend on the reading.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Rules {
    /// Whether a General captures the other General.
    pub general_takes_general: bool,
    /// Whether a General captures a Soldier.
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

/// A complete set of rules.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Reading {
    /// "General can only be captured by Soldier", to the letter.
    Literal,
    /// The rules of nearly all programs.
    Common,
    /// The rules of the Taiwanese tournaments, which are not a reading of the rule text.
    Ntu,
}

impl Reading {
    const ALL: [Reading; 3] = [Reading::Literal, Reading::Common, Reading::Ntu];

    fn name(self) -> &'static str {
        match self {
            Reading::Literal => "literal",
            Reading::Common => "common",
            Reading::Ntu => "ntu",
        }
    }

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
    /// None.
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

    fn parse(value: &str) -> Result<Self, OptionError> {
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

/// Options of a game of dark chess.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Options {
    layout: Option<[Piece; 32]>,
    reading: Reading,
    general_takes_general: Option<bool>,
    general_takes_soldier: Option<bool>,
    repetition: Option<Repetition>,
    quiet_plies: Limit,
    max_plies: Limit,
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

    /// Documentation of each option.
    pub const DOCS: &'static [OptionDoc] = &[
        OptionDoc {
            key: "layout",
            values: "32 letters from a8 to d1, row by row",
            default: "drawn from the game's seed",
            meaning: "where each piece lies face-down",
            secret: true,
        },
        OptionDoc {
            key: "reading",
            values: "literal, common or ntu",
            default: "literal",
            meaning: "what a General may capture: a Soldier and no General (literal), or a General \
                      and no Soldier (common); ntu is the rules of the Taiwanese tournaments",
            secret: false,
        },
        OptionDoc {
            key: "general-takes-general",
            values: "yes or no",
            default: "as the reading says",
            meaning: "whether a General may capture the other General",
            secret: false,
        },
        OptionDoc {
            key: "general-takes-soldier",
            values: "yes or no",
            default: "as the reading says",
            meaning: "whether a General may capture a Soldier",
            secret: false,
        },
        OptionDoc {
            key: "repetitions",
            values: Repetition::VALUES,
            default: "none",
            meaning: "a draw when the same position occurs so many times within 60 plies without \
                      a flip or a capture; moves: when the last moves are the same ones for the \
                      third time in a row; moves if the reading is ntu",
            secret: false,
        },
        OptionDoc {
            key: "quiet-plies",
            values: Limit::VALUES,
            default: "60",
            meaning: "a draw after so many plies in a row without a flip or a capture",
            secret: false,
        },
        OptionDoc {
            key: "max-plies",
            values: Limit::VALUES,
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

    /// The layout, unless it is left to chance.
    pub fn layout(&self) -> Option<[Piece; 32]> {
        self.layout
    }

    /// The repetition that is a draw: the reading's, unless it was set.
    pub fn repetition(&self) -> Repetition {
        self.repetition.unwrap_or(match self.reading {
            Reading::Literal | Reading::Common => Repetition::Allowed,
            Reading::Ntu => Repetition::OfMoves,
        })
    }

    /// A game is a draw after this many plies in a row without a flip or a capture.
    pub fn quiet_plies(&self) -> Limit {
        self.quiet_plies
    }

    /// A game is a draw after this many plies.
    pub fn max_plies(&self) -> Limit {
        self.max_plies
    }
}

impl GameOptions for Options {
    fn goal(&self) -> &'static str {
        match self.reading {
            Reading::Literal | Reading::Common => {
                "Be the first to capture pieces worth 60 points. The first piece that is turned up has the colour of the \
                 first player."
            }
            Reading::Ntu => {
                "Capture all pieces of the other side. The first piece that is turned up has the colour of the first player."
            }
        }
    }

    /// With a drawn layout the result of a flip is random, and every move depends on it.
    fn check_opening(&self, action: &str) -> Result<(), &'static str> {
        if self.layout.is_none() && action.contains('-') {
            return Err(
                "is not a flip: where the layout is drawn only flips are legal whatever is drawn",
            );
        }
        Ok(())
    }

    fn set(&mut self, key: &str, value: &str) -> Result<(), OptionError> {
        match key {
            "layout" => self.layout = Some(read_layout(value)?),
            "reading" => {
                self.reading = Reading::ALL
                    .into_iter()
                    .find(|reading| reading.name() == value)
                    .ok_or_else(|| OptionError::expected("literal, common or ntu"))?;
            }
            "general-takes-general" => self.general_takes_general = Some(yes_or_no(value)?),
            "general-takes-soldier" => self.general_takes_soldier = Some(yes_or_no(value)?),
            "repetitions" => self.repetition = Some(Repetition::parse(value)?),
            "quiet-plies" => self.quiet_plies = Limit::parse(value)?,
            "max-plies" => self.max_plies = Limit::parse(value)?,
            _ => return Err(OptionError::unknown(Self::DOCS)),
        }
        Ok(())
    }

    fn get(&self, key: &str) -> Option<String> {
        let yes_no = |value| if value { "yes" } else { "no" }.to_owned();
        match key {
            "layout" => self
                .layout
                .map(|layout| layout.iter().map(|piece| piece.letter()).collect()),
            "reading" => Some(self.reading.name().to_owned()),
            "general-takes-general" => Some(yes_no(self.rules().general_takes_general)),
            "general-takes-soldier" => Some(yes_no(self.rules().general_takes_soldier)),
            // `none` is left out: options and records without repetition draws stay as they were before the
            // option existed.
            "repetitions" => {
                let repetition = self.repetition();
                let named = repetition != Repetition::Allowed || self.rules().ntu;
                named.then(|| repetition.to_string())
            }
            "quiet-plies" => Some(self.quiet_plies.to_string()),
            "max-plies" => Some(self.max_plies.to_string()),
            _ => None,
        }
    }

    fn start(&self, chance: &mut dyn Chance) -> Result<Box<dyn AnyPosition>, RulesFault> {
        Ok(Box::new(State::new(self, chance)))
    }

    fn boxed(&self) -> Box<dyn GameOptions> {
        Box::new(self.clone())
    }
}

fn yes_or_no(value: &str) -> Result<bool, OptionError> {
    match value {
        "yes" => Ok(true),
        "no" => Ok(false),
        _ => Err(OptionError::expected("yes or no")),
    }
}

fn read_layout(value: &str) -> Result<[Piece; 32], OptionError> {
    let pieces = value
        .chars()
        .map(|letter| {
            Piece::from_letter(letter).ok_or_else(|| {
                OptionError::expected(format!(
                    "32 letters of KGMRNCPkgmrncp from a8 to d1, and `{letter}` is none of these"
                ))
            })
        })
        .collect::<Result<Vec<_>, _>>()?;
    let layout: [Piece; 32] = pieces.try_into().map_err(|pieces: Vec<_>| {
        OptionError::expected(format!(
            "32 letters from a8 to d1, and there are {}",
            pieces.len()
        ))
    })?;
    for piece in Piece::all() {
        let there = layout.iter().filter(|&&other| other == piece).count();
        let wanted = usize::from(piece.kind.count());
        if there != wanted {
            return Err(OptionError::expected(format!(
                "a layout with {wanted} of the letter {piece}, and there are {there}"
            )));
        }
    }
    Ok(layout)
}
