//! One game in the words of an engine: where it starts, its moves, and the clocks.

use std::fmt::{self, Write};

use super::terms::SearchLimits;
use crate::protocol::{Millis, Start};

/// The options of chess that an engine has to know, with the value of one, and the engine's own option.
const START: &str = "start";
const VARIANT: &str = "variant";
const FISCHER_RANDOM: &str = "fischer-random";
pub(super) const CHESS960: &str = "UCI_Chess960";

/// The part of a time per action that an engine is not told, and the most of it: its answer has to come in time.
const RESERVED_PART: u64 = 10;
const MOST_RESERVED: u64 = 20;

/// The time that an engine is told to search where nothing limits it.
const UNLIMITED: u64 = 5000;

/// One game.
#[derive(Debug, Default)]
pub(super) struct EngineGame {
    /// The position before the first move, in the words of `position`.
    position: String,
    /// The moves, each after a space.
    moves: String,
    pub is_fischer_random: bool,
    is_white: bool,
    /// In milliseconds.
    increment: u64,
    per_move: Option<u64>,
}

impl EngineGame {
    pub fn new(start: &Start<'_>) -> Self {
        let option = |key: &str| {
            let mut options = start.options.iter();
            options.find_map(|(known, value)| (*known == key).then_some(*value))
        };
        Self {
            position: match option(START) {
                // An option is one token.
                Some(fen) => format!("fen {}", fen.replace('_', " ")),
                None => "startpos".to_owned(),
            },
            moves: String::new(),
            is_fischer_random: option(VARIANT) == Some(FISCHER_RANDOM),
            is_white: start.seat == "white",
            increment: start.time.increment.0.unwrap_or(0),
            per_move: start.time.per_move.0,
        }
    }

    /// Adds a move.
    pub fn add(&mut self, action: &str) {
        self.moves.push(' ');
        self.moves.push_str(action);
    }

    /// Writes the lines that ask for a move.
    pub fn ask(
        &self,
        limits: &SearchLimits,
        mine: Millis,
        theirs: Millis,
        out: &mut impl Write,
    ) -> fmt::Result {
        write!(out, "position {}", self.position)?;
        if !self.moves.is_empty() {
            write!(out, " moves{}", self.moves)?;
        }
        out.write_str("\ngo")?;
        if limits.is_empty() {
            self.write_clocks(mine, theirs, out)?;
        } else {
            out.write_str(&limits.words())?;
        }
        out.write_str("\n")
    }

    fn write_clocks(&self, mine: Millis, theirs: Millis, out: &mut impl Write) -> fmt::Result {
        let Some(mine) = mine.0 else {
            let limit = self.per_move.unwrap_or(UNLIMITED);
            let reserved = (limit / RESERVED_PART).min(MOST_RESERVED);
            return write!(out, " movetime {}", (limit - reserved).max(1));
        };
        // A clock that shows nothing would mean that there is none.
        let mine = self.per_move.map_or(mine, |limit| limit.min(mine)).max(1);
        let theirs = theirs.0.unwrap_or(mine).max(1);
        let (white, black) = match self.is_white {
            true => (mine, theirs),
            false => (theirs, mine),
        };
        write!(out, " wtime {white} btime {black}")?;
        match self.increment {
            0 => Ok(()),
            increment => write!(out, " winc {increment} binc {increment}"),
        }
    }
}
