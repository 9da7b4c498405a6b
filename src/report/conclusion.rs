//! What a format says at the end of a tournament, in words.

use super::notes::decision;
use super::results::Rated;
use super::text::listed;
use crate::schedule::{Conclusion, Place, PlacedBy, TestState};
use crate::text::{DisplayNames, counted};

/// The greatest number of players, or of neighbours, that are listed.
const LISTED: usize = 20;

/// One line. `players` has the names of the players by index, and `names` what they are called. `rated` is the
/// results of the same game.
pub fn conclusion(
    game: &str,
    conclusion: &Conclusion,
    players: &[&str],
    names: &DisplayNames,
    rated: Option<&Rated<'_>>,
) -> String {
    let name = |player: usize| names.shown(players.get(player).map_or("?", |name| *name));
    let order = |places: &[Place]| {
        let mut text = String::new();
        for (at, one) in places.iter().take(LISTED).enumerate() {
            let shared = at > 0 && places[at - 1].place == one.place;
            text.push_str(match (at, shared) {
                (0, _) => "",
                (_, true) => " = ",
                (_, false) => ", ",
            });
            text.push_str(&name(one.player));
        }
        match places.len().saturating_sub(LISTED) {
            0 => text,
            more => format!("{text} and {more} more"),
        }
    };
    let words = match conclusion {
        Conclusion::Winner(places) => {
            let winner = places.first().map_or("?".to_owned(), |it| name(it.player));
            format!("{winner} wins the tournament; places: {}", order(places))
        }
        Conclusion::Test(state) => test(&name(state.challenger), state, rated),
        Conclusion::FinalOrder(places) => {
            format!("final order: {}{}", order(places), byes(places))
        }
        Conclusion::Ranking {
            confidence,
            unclear,
            ..
        } => {
            let percent = (confidence * 1e4).round() / 1e2;
            let clear = match unclear.len() {
                0 => "the order of all neighbours is clear".to_owned(),
                count => format!(
                    "the order is not clear between {}",
                    listed(unclear, count, LISTED, ", ", |[a, b]| {
                        format!("{} and {}", name(*a), name(*b))
                    })
                ),
            };
            let order = order(&conclusion.places());
            format!("final order: {order}; at {percent} % confidence {clear}")
        }
    };
    format!("{game}: {words}\n")
}

/// What decides the order, where that is not only the games.
fn byes(places: &[Place]) -> &'static str {
    let is_bye = |place: &Place| matches!(place.by, PlacedBy::Points { byes, .. } if byes > 0.0);
    match places.iter().any(is_bye) {
        true => " (by points, with those of byes)",
        false => "",
    }
}

/// The decision of a test. Games that end after it do not count, so the ratio of all games can be another
/// one.
fn test(challenger: &str, state: &TestState, rated: Option<&Rated<'_>>) -> String {
    let [low, high] = state.test.bounds();
    let (decision, llr) = (decision(&state.test, state.verdict), state.llr);
    let count: u64 = state.pairs.iter().sum();
    let pairs = state.pairs.map(|pairs| pairs.to_string()).join(", ");
    let counts = format!(
        "the test of {challenger}: {decision}; LLR {llr:.2}, bounds {low:.2} and {high:.2}, after {}: \
         {pairs} with 0, ½, 1, 1½ and 2 points",
        counted(count, "game pair", "game pairs")
    );
    match rated.and_then(Rated::llr) {
        Some(all) if format!("{all:.2}") != format!("{llr:.2}") => format!(
            "{counts}. The test counts whole game pairs by their numbers, up to its decision; of all games \
             the LLR is {all:.2}, as `referee rate --sprt` and `llr_all` in verdict.csv have it"
        ),
        Some(_) | None => counts,
    }
}
