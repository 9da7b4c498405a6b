//! The games of a plan: rules, openings and adjudication.
//!
//! It is handed the keys of a game's table, and gives a [`PlannedGame`] with the starts of its game pairs.

mod adjudication;
mod openings;
mod planned_game;

pub use adjudication::{
    ADJUDICATION_KEYS, adjudication, adjudication_numbers, adjudication_of_numbers,
};
pub use openings::{
    LONGEST_OPENING, OpeningOrder, OpeningProblem, Openings, OpeningsError, OpeningsProblem,
    PlyProblem,
};
pub use planned_game::{PairStart, PlannedGame, PlannedOpening};
