//! The options of a game of dark chess.

use super::super::{Limit, OptionDoc, OptionError};
use super::pieces::{Kind, Piece};

/// What the readings of the rules differ in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Rules {
    /// Whether a General captures the other General.
    pub general_takes_general: bool,
    /// Whether a General captures a Soldier.
    pub general_takes_soldier: bool,
    /// Whether the rules are those of the Taiwanese tournaments: a Cannon also steps, no piece
    /// captures a face-down one, and a side wins when its opponent has no piece, not by points.
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
    /// What nearly all programs play.
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

/// What can be chosen about a game of dark chess.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Options {
    layout: Option<[Piece; 32]>,
    reading: Reading,
    general_takes_general: Option<bool>,
    general_takes_soldier: Option<bool>,
    repetitions: Option<Limit>,
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
            repetitions: None,
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
            values: "a number from 2 to 16, or none",
            default: "none",
            meaning: "a draw when the same position occurs so many times within 60 plies without \
                      a flip or a capture; 4 if the reading is ntu",
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
                self.reading = Reading::ALL
                    .into_iter()
                    .find(|reading| reading.name() == value)
                    .ok_or_else(|| OptionError::expected("literal, common or ntu"))?;
            }
            "general-takes-general" => self.general_takes_general = Some(yes_or_no(value)?),
            "general-takes-soldier" => self.general_takes_soldier = Some(yes_or_no(value)?),
            "repetitions" => self.repetitions = Some(read_repetitions(value)?),
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
            "reading" => Some(self.reading.name().to_owned()),
            "general-takes-general" => Some(yes_no(self.rules().general_takes_general)),
            "general-takes-soldier" => Some(yes_no(self.rules().general_takes_soldier)),
            // Where there is no such draw the option is not named, as before there was one.
            "repetitions" => {
                let limit = self.repetitions();
                let named = limit.0.is_some() || self.rules().ntu;
                named.then(|| limit.to_string())
            }
            "quiet-plies" => Some(self.quiet_plies.to_string()),
            "max-plies" => Some(self.max_plies.to_string()),
            _ => None,
        }
    }

    /// The reading's rules, with what was set for a General alone.
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

    /// A game is a draw when a position occurs this many times within 60 quiet plies.
    pub fn repetitions(&self) -> Limit {
        let of_reading = match self.reading {
            Reading::Literal | Reading::Common => None,
            Reading::Ntu => Some(4),
        };
        self.repetitions.unwrap_or(Limit(of_reading))
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

/// More than 16 times cannot occur within 60 plies, since coming back takes four.
fn read_repetitions(value: &str) -> Result<Limit, OptionError> {
    match Limit::parse(value) {
        Ok(limit) if limit.0.is_none_or(|times| (2..=16).contains(&times)) => Ok(limit),
        _ => Err(OptionError::expected("a number from 2 to 16, or none")),
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
