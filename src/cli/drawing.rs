//! A game as it is drawn for people.

use std::time::Duration;

use crate::game::{AnyPosition, Seat};
use crate::player::seconds;

/// One ply in words: `3. red d2 (c3 c4)   0.120 s`. A ply of the opening took nobody's time.
pub(super) fn ply(
    number: u32,
    seat: &str,
    action: &str,
    public: &str,
    took: Option<Duration>,
) -> String {
    let public = match public {
        "" => String::new(),
        public => format!(" ({public})"),
    };
    let took = took.map_or_else(|| "opening".to_owned(), seconds);
    format!("{number}. {seat} {action}{public}   {took}\n")
}

/// The board as both players may see it, with a line end.
pub(super) fn picture(position: &dyn AnyPosition) -> String {
    format!("{}\n", position.picture(Seat::First).trim_end())
}

/// How a game ended. `winner` is a seat, `draw` or `none`; `why` is a rule, or what was done wrong.
pub(super) fn conclusion(winner: &str, plies: u32, termination: &str, why: &str) -> String {
    let who = match winner {
        "draw" => "a draw".to_owned(),
        "none" => "nobody wins".to_owned(),
        seat => format!("{seat} wins"),
    };
    format!("{who} after {plies} plies ({termination}: {why})\n")
}
