//! A game as it is drawn for people.

use std::time::Duration;

use crate::bot::seconds;
use crate::game::{AnyPosition, Blame, Drawing, Game, PerSeat, Points, RulesFault, Seat};
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

/// The view of each seat of a position.
///
/// # Errors
/// The rules failed.
pub(super) fn views(position: &dyn AnyPosition) -> Result<PerSeat<Drawing>, RulesFault> {
    PerSeat::try_of(position.seats(), |seat| position.drawing(Some(seat)))
}

/// The views with the cells that changed since earlier ones.
pub(super) fn changed_since(
    views: PerSeat<Drawing>,
    earlier: &PerSeat<Drawing>,
) -> PerSeat<Drawing> {
    let views = views.into_values().zip(earlier.values());
    views
        .map(|(view, earlier)| view.changed_since(earlier))
        .collect()
}

/// The views of these seats, drawn in the colours of `style`. Equal boards are drawn once.
pub(super) fn boards(game: Game, views: &PerSeat<Drawing>, seats: &[Seat], style: Style) -> String {
    let are_equal = views.values().all(|view| *view == views[Seat::FIRST]);
    let seats = match are_equal {
        true => &seats[..seats.len().min(1)],
        false => seats,
    };
    let drawn = seats.iter().map(|seat| {
        let board = board(&views[*seat], style);
        match seats.len() {
            1 => board,
            _ => format!("{} sees:\n{board}", game.seat_name(*seat)),
        }
    });
    drawn.collect()
}

/// A drawn board in the colours of `style`.
pub(super) fn board(drawing: &Drawing, style: Style) -> String {
    drawing.painted(&|cell| style.cell(cell))
}

/// The points of the seats on a line; empty in a game without points.
pub(super) fn points(game: Game, score: Option<&PerSeat<Points>>) -> String {
    let Some(score) = score else {
        return String::new();
    };
    let points = score.iter();
    let points = points.map(|(seat, points)| format!("{} {points}", game.seat_name(seat)));
    format!("points: {}\n", points.collect::<Vec<_>>().join(", "))
}

/// The end of a game: the result, and the rule or the fault that ended it.
pub(super) fn conclusion(game: Game, end: &GameEnd) -> String {
    let who = game.result_words(end.result);
    let plies = counted(end.plies.into(), "ply", "plies");
    if let (Termination::Left, Blame::Of(seat)) = (end.termination, end.blame()) {
        let seat = game.seat_name(seat);
        return format!("{seat} left the game after {plies}; {who}\n");
    }
    let why = visible(&end.why(game));
    format!("{who} after {plies} ({}: {why})\n", end.termination.name())
}
