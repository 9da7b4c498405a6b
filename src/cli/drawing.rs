//! A game as it is drawn for people, and its legal actions.

use std::collections::BTreeMap;
use std::time::Duration;

use serde::Serialize;

use crate::bot::seconds;
use crate::game::{
    Actors, AnyPosition, Drawing, ForfeitedBy, Game, GameResult, PerSeat, RulesFault, RulesPoints,
    Seat,
};
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

/// A seat that left, in words: `3. red has left   10.000 s`. One that failed before its first request took no time.
pub(super) fn left(number: u32, seat: &str, took: Option<Duration>) -> String {
    let took = took.map_or_else(String::new, |took| format!("   {}", seconds(took)));
    format!("{number}. {seat} has left{took}\n")
}

pub(super) fn views(position: &dyn AnyPosition) -> Result<PerSeat<Drawing>, RulesFault> {
    PerSeat::try_of(position.seats(), |seat| position.drawing(Some(seat)))
}

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
    let mut drawn: Vec<(Vec<&str>, &Drawing)> = Vec::new();
    for seat in seats {
        let (name, view) = (game.seat_name(*seat), &views[*seat]);
        match drawn.iter_mut().find(|(_, other)| *other == view) {
            Some((names, _)) => names.push(name),
            None => drawn.push((vec![name], view)),
        }
    }
    if let [(_, view)] = drawn[..] {
        return board(view, style);
    }
    let blocks = drawn.iter().map(|(names, view)| {
        let sees = if names.len() == 1 { "sees" } else { "see" };
        format!("{} {sees}:\n{}", names.join(" and "), board(view, style))
    });
    blocks.collect()
}

pub(super) fn board(drawing: &Drawing, style: Style) -> String {
    drawing.painted(&|cell| style.cell(cell))
}

pub(super) fn points(game: Game, points: Option<&PerSeat<RulesPoints>>) -> String {
    let Some(points) = points else {
        return String::new();
    };
    let points = points.iter();
    let points = points.map(|(seat, points)| format!("{} {points}", game.seat_name(seat)));
    format!("points: {}\n", points.collect::<Vec<_>>().join(", "))
}

/// Who plays which seat: `red is alice, blue is search`.
pub(super) fn seating(game: Game, players: &PerSeat<String>) -> String {
    let seated = players.iter();
    let seated = seated.map(|(seat, player)| format!("{} is {player}", game.seat_name(seat)));
    format!("{}\n", seated.collect::<Vec<_>>().join(", "))
}

/// The end of a game: the result, and the rule or the fault that ended it; of more than two seats also the places.
pub(super) fn conclusion(game: Game, end: &GameEnd, players: &PerSeat<String>) -> String {
    let named = |seat: Seat| format!("{} ({})", game.seat_name(seat), players[seat]);
    ending(game, end, &named) + &places(game, end.result) + &leavers(game, end)
}

/// The players that forfeited a game that went on without them, a line each.
fn leavers(game: Game, end: &GameEnd) -> String {
    if !end.termination.is_by_rules() {
        return String::new();
    }
    let faults = end.faults.iter();
    let faults = faults.filter_map(|(seat, fault)| Some((seat, fault.as_ref()?)));
    let lines = faults.map(|(seat, fault)| {
        let (seat, termination) = (game.seat_name(seat), fault.termination.name());
        let why = visible(&fault.to_string());
        format!("{seat} forfeited ({termination}: {why})\n")
    });
    lines.collect()
}

/// The seats by their places on a line; empty where the result says all.
fn places(game: Game, result: GameResult) -> String {
    let GameResult::Placed(places) = result else {
        return String::new();
    };
    let mut seats: Vec<Seat> = game.seats().collect();
    seats.sort_by_key(|seat| places.of(*seat));
    let seats = seats
        .iter()
        .map(|seat| format!("{} {}", places.of(*seat), game.seat_name(*seat)));
    format!("places: {}\n", seats.collect::<Vec<_>>().join(", "))
}

fn ending(game: Game, end: &GameEnd, named: &dyn Fn(Seat) -> String) -> String {
    let who = game.result_words(end.result, named);
    let plies = counted(end.plies.into(), "ply", "plies");
    if let (Termination::Left, ForfeitedBy::Of(seat)) = (end.termination, end.forfeited_by()) {
        let seat = named(seat);
        return format!("{seat} left the game after {plies}; {who}\n");
    }
    let why = visible(&end.why(game));
    format!("{who} after {plies} ({}: {why})\n", end.termination.name())
}

/// The legal actions of the one seat that acts, or of each seat by its name where several act.
#[derive(Debug, Serialize)]
#[serde(untagged)]
pub(super) enum Legal {
    One(Vec<String>),
    AtOnce(BTreeMap<&'static str, Vec<String>>),
}

impl Legal {
    pub fn of(game: Game, actors: Actors, legal: PerSeat<Vec<String>>) -> Self {
        match actors {
            Actors::AtOnce(seats) => {
                let legal = legal.iter().filter(|(seat, _)| seats.contains(*seat));
                let legal = legal.map(|(seat, legal)| (game.seat_name(seat), legal.clone()));
                Self::AtOnce(legal.collect())
            }
            // A seat that does not act has none.
            Actors::One(_) | Actors::Nobody => Self::One(legal.into_values().flatten().collect()),
        }
    }

    /// A line for each seat that acts, without its line end; none where rules list nothing.
    pub fn lines(&self) -> Vec<String> {
        match self {
            Self::One(legal) if legal.is_empty() => Vec::new(),
            Self::One(legal) => vec![format!("legal: {}", legal.join(" "))],
            Self::AtOnce(legal) => {
                let lines = legal.iter().filter(|(_, legal)| !legal.is_empty());
                lines
                    .map(|(seat, legal)| format!("legal for {seat}: {}", legal.join(" ")))
                    .collect()
            }
        }
    }
}
