//! The games of a plan: rules, openings and adjudication.
//!
//! It is handed the keys of a game's table, and gives a [`PlannedGame`] with the starts of its game pairs.

mod adjudication;
mod forfeit;
mod openings;
mod planned_game;
mod table;

pub use openings::{LONGEST_OPENING, OpeningOrder, OpeningUse, Openings};
pub use planned_game::{BlockStart, MovedRulesError, PlannedGame, PlannedOpening};
