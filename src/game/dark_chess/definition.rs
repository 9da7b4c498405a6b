//! The definition of dark chess: names and options.

use super::names::{ELIMINATION, MAX_PLIES, NO_LEGAL, QUIET_PLIES, REPETITION, SCORE_60};
use super::options::{Options, Reading, Repetition};
use super::pieces::Piece;
use super::state::State;
use crate::game::{
    AnyPosition, Chance, Definition, Game, GameOptions, Limit, Notation, OptionError, Origin,
    RulesFault,
};

/// Dark chess (翻棋).
pub const GAME: Game = Game(&Definition {
    name: "dark-chess",
    seats: &["first", "second"],
    hides_something: true,
    options: Options::DOCS,
    defaults: &Options::DEFAULT,
    reasons: &[
        SCORE_60,
        ELIMINATION,
        NO_LEGAL,
        REPETITION,
        QUIET_PLIES,
        MAX_PLIES,
    ],
    origin: Origin::BuiltIn,
    notation: Notation::Own,
});

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
