//! A game as it is drawn for people.

use std::time::Duration;

use crate::bot::seconds;
use crate::game::{Blame, Game, GameResult, Picture};
use crate::referee::{GameEnd, Termination};
use crate::report::Style;
use crate::text::{counted, visible};

/// One action in words: `3. red d2 (c3 c4)   0.120 s`. An action of the opening took nobody's time.
pub(super) fn action(
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

/// A drawn board, in colour where `style` has it.
pub(super) fn board(game: Game, picture: &Picture, style: Style) -> String {
    let look = game.look();
    picture.painted(&|letter, is_marked| style.piece(letter, look.colour(letter), is_marked))
}

/// The end of a game: the result, and the rule or the fault that ended it.
pub(super) fn conclusion(game: Game, end: &GameEnd) -> String {
    let who = match end.result {
        GameResult::Won(seat) => format!("{} wins", game.seat_name(seat)),
        GameResult::Drawn => "a draw".to_owned(),
        GameResult::Nobody => "nobody wins".to_owned(),
    };
    let plies = counted(end.plies.into(), "ply", "plies");
    if let (Termination::Left, Blame::Of(seat)) = (end.termination, end.blame()) {
        let seat = game.seat_name(seat);
        return format!("{seat} left the game after {plies}; {who}\n");
    }
    let why = visible(&end.why(game));
    format!("{who} after {plies} ({}: {why})\n", end.termination.name())
}
