//! Conclusion of a format at the end of a tournament, in words.

use super::sequential_test::{chance_of_error, counted_blocks, decision};
use crate::rating::{EloModel, Interval, OrderVerdict};
use crate::report::table::Cell;
use crate::report::text::listed;
use crate::results::Rated;
use crate::schedule::{Conclusion, Place, PlacedBy, TestEnd, TestState};
use crate::text::{DisplayNames, counted};

/// Upper bound on the players, or on the neighbours, that are listed.
const LISTED: usize = 20;

/// Conclusion of a format about a game, as a line.
pub fn conclusion(
    game: &str,
    conclusion: &Conclusion,
    players: &[&str],
    names: &DisplayNames,
    rated: Option<&Rated<'_>>,
) -> String {
    let words = conclusion_words(conclusion, players, names, rated);
    format!("{game}: {words}\n")
}

/// Conclusion of a format without the name of the game. `players` has the names of the players by index. `rated` has
/// the results of that game.
pub fn conclusion_words(
    conclusion: &Conclusion,
    players: &[&str],
    names: &DisplayNames,
    rated: Option<&Rated<'_>>,
) -> String {
    let name = |player: usize| names.shown(players.get(player).map_or("?", |name| *name));
    let places = |places: &[Place]| places_words(places, &name);
    match conclusion {
        Conclusion::Winner(list) => {
            let winner = list.first().map_or("?".to_owned(), |it| name(it.player));
            format!("{winner} wins the tournament; places: {}", places(list))
        }
        Conclusion::Test(state) => test(&name(state.challenger), state, rated),
        Conclusion::FinalOrder(list) => {
            format!("final order: {}{}", places(list), points(list))
        }
        Conclusion::Ranking { order, test, next } => {
            let between = |apart: OrderVerdict| {
                let neighbours: Vec<&[usize]> = order
                    .windows(2)
                    .zip(next)
                    .filter(|(_, next)| next.apart == apart)
                    .map(|(two, _)| two)
                    .collect();
                let count = neighbours.len();
                (count > 0).then(|| {
                    listed(&neighbours, count, LISTED, ", ", |two| {
                        format!("{} and {}", name(two[0]), name(two[1]))
                    })
                })
            };
            let mut found = Vec::new();
            if let Some(tied) = between(OrderVerdict::Tied) {
                found.push(format!(
                    "apart by less than {} Elo are {tied}",
                    test.indifference
                ));
            }
            if let Some(unclear) = between(OrderVerdict::Unclear) {
                found.push(format!("the order is not clear between {unclear}"));
            }
            let other = if found.is_empty() { "" } else { "other " };
            if next.iter().any(|next| next.apart == OrderVerdict::Clear) {
                found.push(format!(
                    "no {other}player is weaker than the next one by {} Elo or more",
                    test.indifference
                ));
            }
            format!(
                "final order: {}; {} ({})",
                places(&conclusion.places()),
                found.join("; "),
                chance_of_error(test, next)
            )
        }
    }
}

/// The first places of many, with points where these decided them.
fn places_words(places: &[Place], name: &dyn Fn(usize) -> String) -> String {
    let mut text = String::new();
    for (at, one) in places.iter().take(LISTED).enumerate() {
        let shared = at > 0 && places[at - 1].place == one.place;
        text.push_str(match (at, shared) {
            (0, _) => "",
            (_, true) => " = ",
            (_, false) => ", ",
        });
        text.push_str(&name(one.player));
        if let PlacedBy::Points { all, buchholz, .. } = one.by {
            let mut neighbours = [at.wrapping_sub(1), at + 1].into_iter();
            let is_tied =
                neighbours.any(|other| places.get(other).and_then(points_of) == Some(all));
            text.push_str(&if is_tied {
                format!(" ({all}, Buchholz {buchholz})")
            } else {
                format!(" ({all})")
            });
        }
    }
    match places.len().saturating_sub(LISTED) {
        0 => text,
        more => format!("{text} and {more} more"),
    }
}

fn points_of(place: &Place) -> Option<f64> {
    match place.by {
        PlacedBy::Points { all, .. } => Some(all),
        PlacedBy::LastRound(_) | PlacedBy::Rating { .. } => None,
    }
}

/// Explanation of the points after the names; empty without points.
fn points(places: &[Place]) -> &'static str {
    let is_bye = |place: &Place| matches!(place.by, PlacedBy::Points { byes, .. } if byes > 0.0);
    match (
        places.first().and_then(points_of),
        places.iter().any(is_bye),
    ) {
        (None, _) => "",
        (Some(_), false) => "; by points",
        (Some(_), true) => "; by points, where a bye counts as a pairing won",
    }
}

/// Decision of a test, reason of its end, and difference found. The ratio of all games can differ, since they
/// include games of incomplete pairs and of pairs that do not count.
fn test(challenger: &str, state: &TestState, rated: Option<&Rated<'_>>) -> String {
    let [low, high] = state.bounds();
    let (decision, llr) = (decision(&state.test, state.verdict), state.llr);
    let found = match state.pairs() {
        Some(pairs) => {
            let pairs = pairs.map(|pairs| pairs.to_string()).join(", ");
            format!("{pairs} with 0, ½, 1, 1½ and 2 points")
        }
        None => {
            let share = 100.0 * state.scores.mean().unwrap_or_default();
            format!("it beat {share:.1} % of its opponents on average")
        }
    };
    let mut words = format!(
        "the test of {challenger}: {decision}; LLR {llr:.2}, bounds {low:.2} and {high:.2}, after {}: {found}",
        counted_blocks(state)
    );
    let more = state.left_out;
    match state.pairs() {
        _ if more == 0 => {}
        Some(_) => words.push_str(&format!(
            ". {} not count, because both players forfeited a game of each",
            counted(more, "more pair does", "more pairs do")
        )),
        None => words.push_str(&format!(
            ". {} not count, because all players forfeited a game of each",
            counted(more, "more block does", "more blocks do")
        )),
    }
    match state.end {
        Some(TestEnd::EqualPairs) if state.pairs().is_none() => words.push_str(
            ". It beat half of its opponents in each block, so often that the difference lies between both hypotheses",
        ),
        Some(TestEnd::EqualPairs) => words.push_str(
            ". All pairs were 1-1, so many that the difference lies between both hypotheses",
        ),
        Some(TestEnd::MostPairs) => words.push_str(". `max-games` ended it"),
        Some(TestEnd::Forfeits) => {
            words.push_str(
                ". So many of these in a row ended the test: see why the players forfeit",
            );
        }
        Some(TestEnd::Bound) | None => {}
    }
    if let Some(found) = state.estimate() {
        let interval = |found: Interval| {
            let [low, elo, high] = found.map(|elo| Cell::Elo(elo).shown());
            format!("{elo}, 95 % interval {low} to {high}")
        };
        // The unit of the hypotheses comes first.
        if state.test.model == EloModel::Normalized {
            let found = interval(found.normalized_elo);
            words.push_str(&format!(". Corrected normalized Elo: {found}"));
        }
        words.push_str(&format!(". Corrected Elo: {}", interval(found.elo)));
    }
    match rated.and_then(Rated::llr) {
        Some(all) if format!("{all:.2}") != format!("{llr:.2}") => words.push_str(&format!(
            ". The test counts whole game pairs by their numbers, without pairs in which both players forfeited a game; \
             of all games the LLR is {all:.2}, as `referee rate --sprt` and `llr_all` in verdict.csv have it"
        )),
        Some(_) | None => {}
    }
    words
}
