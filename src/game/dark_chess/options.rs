//! The options of a game of dark chess.

use super::super::{Limit, OptionDoc, OptionError};
use super::pieces::{Kind, Piece};

/// What a General may capture, where the rule text can be read in two ways.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Rules {
    /// Whether a General captures the other General.
    pub general_takes_general: bool,
    /// Whether a General captures a Soldier.
    pub general_takes_soldier: bool,
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

/// The two complete readings of the rule text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Reading {
    /// "General can only be captured by Soldier", to the letter.
    Literal,
    /// What nearly all programs play.
    Common,
}

impl Reading {
    fn rules(self) -> Rules {
        Rules {
            general_takes_general: self == Reading::Common,
            general_takes_soldier: self == Reading::Literal,
        }
    }
}

/// What can be chosen about a game of dark chess.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Options {
    layout: Option<[Piece; 32]>,
    reading: Reading,
    general_takes_general: Option<bool>,
    general_takes_soldier: Option<bool>,
    quiet_plies: Limit,
    max_plies: Limit,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            layout: None,
            reading: Reading::Literal,
            general_takes_general: None,
            general_takes_soldier: None,
            quiet_plies: Limit(Some(60)),
            max_plies: Limit(Some(1000)),
        }
    }
}

impl Options {
    /// What each option means.
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
            values: "literal or common",
            default: "literal",
            meaning: "what a General may capture: a Soldier and no General (literal), or a General \
                      and no Soldier (common)",
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

    /// Sets one option. The order in which options are set does not matter.
    ///
    /// # Errors
    /// A key that is not an option, or a value that the option does not take.
    pub fn set(&mut self, key: &str, value: &str) -> Result<(), OptionError> {
        match key {
            "layout" => self.layout = Some(read_layout(value)?),
            "reading" => {
                self.reading = match value {
                    "literal" => Reading::Literal,
                    "common" => Reading::Common,
                    _ => return Err(OptionError::expected("literal or common")),
                }
            }
            "general-takes-general" => self.general_takes_general = Some(yes_or_no(value)?),
            "general-takes-soldier" => self.general_takes_soldier = Some(yes_or_no(value)?),
            "quiet-plies" => self.quiet_plies = Limit::parse(value)?,
            "max-plies" => self.max_plies = Limit::parse(value)?,
            _ => return Err(OptionError::unknown(Self::DOCS)),
        }
        Ok(())
    }

    /// The value of an option as text; `None` for a layout that is left to chance.
    pub fn get(&self, key: &str) -> Option<String> {
        let yes_no = |value| if value { "yes" } else { "no" }.to_owned();
        match key {
            "layout" => self
                .layout
                .map(|layout| layout.iter().map(|piece| piece.letter()).collect()),
            "reading" => Some(
                match self.reading {
                    Reading::Literal => "literal",
                    Reading::Common => "common",
                }
                .to_owned(),
            ),
            "general-takes-general" => Some(yes_no(self.rules().general_takes_general)),
            "general-takes-soldier" => Some(yes_no(self.rules().general_takes_soldier)),
            "quiet-plies" => Some(self.quiet_plies.to_string()),
            "max-plies" => Some(self.max_plies.to_string()),
            _ => None,
        }
    }

    /// What a General may capture.
    pub fn rules(&self) -> Rules {
        let reading = self.reading.rules();
        Rules {
            general_takes_general: self
                .general_takes_general
                .unwrap_or(reading.general_takes_general),
            general_takes_soldier: self
                .general_takes_soldier
                .unwrap_or(reading.general_takes_soldier),
        }
    }

    /// The layout, unless it is left to chance.
    pub fn layout(&self) -> Option<[Piece; 32]> {
        self.layout
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
