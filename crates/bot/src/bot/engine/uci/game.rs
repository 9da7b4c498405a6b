//! One game in the words of an engine: where it starts, its moves, and the clocks.

use std::fmt::{self, Write};
use std::num::NonZeroU32;

use super::Family;
use super::options::set_option;
use crate::bot::engine::{SearchLimits, VARIANT};
use crate::bot::pipes::Outbox;
use crate::protocol::{Millis, Start};

/// The options of a game that an engine has to know, and values of one.
const START: &str = "start";
const USUAL_START: &str = "startpos";
const UNSET: &str = "unset";
const STANDARD: &str = "standard";
const FISCHER_RANDOM: &str = "fischer-random";

const CHESS960: &str = "UCI_Chess960";

const WHITE: &str = "white";

/// The part of a time per action that an engine is not told, and the most of it: its answer has to come in time.
const RESERVED_PART: u64 = 10;
const MOST_RESERVED: u64 = 20;

/// The time that an engine is told to search where nothing limits it.
const UNLIMITED: u64 = 5000;

const USUAL_LENGTH: usize = 1 << 10;

#[derive(Debug, Default, PartialEq, Eq)]
pub(super) enum Mode {
    #[default]
    Standard,
    FischerRandom,
    Variant(String),
}

impl Mode {
    pub fn of_variant(value: Option<&str>) -> Self {
        match value {
            None | Some(STANDARD | UNSET) => Self::Standard,
            Some(FISCHER_RANDOM) => Self::FischerRandom,
            Some(name) => Self::Variant(name.to_owned()),
        }
    }

    /// The option that an engine needs for it, and its value.
    pub fn option(&self, family: &Family) -> Option<(&'static str, &str)> {
        match self {
            Self::Standard => None,
            Self::FischerRandom => Some((CHESS960, "true")),
            Self::Variant(name) => Some((family.variant, name)),
        }
    }

    pub fn in_words(&self) -> &str {
        match self {
            Self::Standard => "standard chess",
            Self::FischerRandom => "Fischer random chess",
            Self::Variant(name) => name,
        }
    }

    /// Queues the lines that end it and set another mode.
    pub fn change_to(&self, next: &Self, family: &Family, out: &mut Outbox) {
        match self {
            Self::FischerRandom => set_option(CHESS960, Some("false"), out),
            Self::Variant(_) if !matches!(next, Self::Variant(_)) => {
                set_option(family.variant, Some(family.standard), out);
            }
            Self::Standard | Self::Variant(_) => {}
        }
        if let Some((option, value)) = next.option(family) {
            set_option(option, Some(value), out);
        }
    }
}

#[derive(Debug, Default)]
pub(super) struct EngineGame {
    /// The position before the first move, in the words of `position`.
    position: String,
    moves: String,
    pub mode: Mode,
    seat: String,
    /// In milliseconds.
    increment: u64,
    per_move: Option<u64>,
    /// Number of actions for which the clock has its time.
    period: Option<NonZeroU32>,
    asked: u32,
}

impl EngineGame {
    pub fn of(family: &Family, start: &Start<'_>) -> Self {
        Self {
            position: match start.option(START) {
                None | Some(USUAL_START | UNSET) => USUAL_START.to_owned(),
                // An option is one token.
                Some(text) => format!("{} {}", family.notation, text.replace('_', " ")),
            },
            moves: String::with_capacity(USUAL_LENGTH),
            mode: Mode::of_variant(start.option(VARIANT)),
            seat: start.seat.to_owned(),
            increment: start.time.increment.0.unwrap_or(0),
            per_move: start.time.per_move.0,
            period: start.time.period,
            asked: 0,
        }
    }

    pub fn add(&mut self, action: &str) {
        self.moves.push(' ');
        self.moves.push_str(action);
    }

    /// The engine's result in a game with this winner; `None` for a game that counts for nothing.
    pub fn result(&self, winner: &str) -> Option<&'static str> {
        match winner {
            "none" => None,
            "draw" => Some("draw"),
            winner if winner == self.seat => Some("win"),
            _ => Some("lose"),
        }
    }

    pub fn ask(
        &mut self,
        family: &Family,
        limits: &SearchLimits,
        mine: Millis,
        theirs: Millis,
        out: &mut impl Write,
    ) -> fmt::Result {
        out.write_str("position ")?;
        out.write_str(&self.position)?;
        if !self.moves.is_empty() {
            out.write_str(" moves")?;
            out.write_str(&self.moves)?;
        }
        out.write_str("\ngo")?;
        out.write_str(&limits.words())?;
        // A search to a number of nodes or a depth must not overstep the clock of the game.
        if limits.is_empty() || mine.0.is_some() && limits.movetime.is_none() {
            self.write_clocks(family, mine, theirs, out)?;
        }
        self.asked += 1;
        out.write_str("\n")
    }

    fn write_clocks(
        &self,
        family: &Family,
        mine: Millis,
        theirs: Millis,
        out: &mut impl Write,
    ) -> fmt::Result {
        let Some(mine) = mine.0 else {
            let limit = self.per_move.unwrap_or(UNLIMITED);
            let reserved = (limit / RESERVED_PART).min(MOST_RESERVED);
            let (no_clock, per_move) = (family.no_clock, family.per_move);
            return write!(out, "{no_clock} {per_move} {}", (limit - reserved).max(1));
        };
        // A clock that shows nothing would mean that there is none.
        let mine = self.per_move.map_or(mine, |limit| limit.min(mine)).max(1);
        let theirs = theirs.0.unwrap_or(mine).max(1);
        let (white, black) = match self.seat == WHITE {
            true => (mine, theirs),
            false => (theirs, mine),
        };
        let clocks = [
            (" wtime ", white),
            (" btime ", black),
            (" winc ", self.increment),
            (" binc ", self.increment),
        ];
        let shown = if self.increment > 0 { 4 } else { 2 };
        for (word, millis) in &clocks[..shown] {
            out.write_str(word)?;
            // Each ply has them, so they are spared the formatter.
            out.write_str(itoa::Buffer::new().format(*millis))?;
        }
        match self.period {
            Some(period) => write!(out, " movestogo {}", period.get() - self.asked % period),
            None => Ok(()),
        }
    }
}
