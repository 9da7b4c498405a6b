//! Notes in words: facts and warnings about ratings, and what a format concluded.

mod facts;
mod strength;
mod tuned;
mod warnings;

pub use facts::facts;
pub use strength::{TOLD_APART, nothing_known, strength};
use tuned::{confirmed, tuned};
pub use warnings::{few_openings, many_repeats, warnings};

use crate::rating::{
    EloModel, Interval, MAX_CORRECTED_PLAYERS, OrderVerdict, RankingTest, Sprt, SprtVerdict,
};
use crate::report::table::Cell;
use crate::report::text::listed;
use crate::results::{ByResults, Rated};
use crate::schedule::{Conclusion, NextPlace, Place, PlacedBy, TestEnd, TestState, role};
use crate::text::{DisplayNames, counted};

/// Upper bound on the players or groups that a note names.
pub const NAMED: usize = 5;

pub fn name(one: &Rated<'_>, player: usize) -> String {
    one.settings.display_names.shown(one.name(player))
}

pub fn names(one: &Rated<'_>, players: &[usize]) -> String {
    listed(players, players.len(), NAMED, ", ", |player| {
        name(one, *player)
    })
}

/// Upper bound on the players, or on the neighbours, that are listed.
const LISTED: usize = 20;

/// Conclusion of a format about a game, as a line.
pub fn conclusion(
    game: &str,
    conclusion: &Conclusion,
    players: &[&str],
    names: &DisplayNames,
) -> String {
    let words = conclusion_words(conclusion, players, names);
    format!("{game}: {words}\n")
}

/// Conclusion of a format without the name of the game. `players` has the names of the players by index.
pub fn conclusion_words(conclusion: &Conclusion, players: &[&str], names: &DisplayNames) -> String {
    let name = |player: usize| names.shown(players.get(player).map_or("?", |name| *name));
    let places = |places: &[Place]| places_words(places, &name);
    match conclusion {
        Conclusion::Winner(list) => {
            let winner = list.first().map_or("?".to_owned(), |it| name(it.player));
            format!("{winner} wins the tournament; places: {}", places(list))
        }
        Conclusion::Test(state) => test(&name(state.challenger), state),
        Conclusion::Tuned(state) => tuned(&name(role::FOUND), state),
        Conclusion::FinalOrder(list) => {
            format!("final order: {}", places(list))
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

/// Decision of a test, reason of its end, and difference found.
fn test(challenger: &str, state: &TestState) -> String {
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
        Some(TestEnd::EqualBlocks) if state.pairs().is_none() => words.push_str(
            ". It beat half of its opponents in each block, so often that the difference lies between both hypotheses",
        ),
        Some(TestEnd::EqualBlocks) => words.push_str(
            ". All pairs were 1-1, so many that the difference lies between both hypotheses",
        ),
        Some(TestEnd::MostBlocks) => words.push_str(". `max-games` ended it"),
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
    words
}

fn with_interval(interval: Interval) -> String {
    let [low, elo, high] = interval.map(|elo| Cell::Elo(elo).shown());
    format!("{elo} Elo (95 % interval {low} to {high})")
}

/// Validity of figures that ignore an early end.
const AS_IF: &str = "figures of Elo, intervals and probabilities are as if the number of games had been fixed in advance";

/// Place of the notes, which decides how they refer to other figures.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NotesOn {
    /// A terminal, or the output of `rate` in another format.
    Screen,
    /// The page of a run, below the conclusion of its format.
    Page,
    /// The output of a league, which is never over.
    League,
}

/// Note on the validity of figures if results influenced pairings or the end; `None` if they influenced nothing. It says
/// where corrected figures are.
pub fn stopping(by_results: ByResults, players: usize, on: NotesOn) -> Option<String> {
    let on_page = on == NotesOn::Page;
    match by_results {
        // The words of a tuning say what its games show.
        ByResults::Nothing | ByResults::Values => None,
        ByResults::Test => Some(format!(
            "The run has a test, which could end the games after any game pair. All other {AS_IF}. Corrected for that, \
             where the results are enough for it: {}.",
            match on_page {
                true => "corrected Elo, in the test above",
                false => "`elo` in verdict.csv and `corrected_elo` of a match",
            }
        )),
        ByResults::Ranking => Some(format!(
            "The results decided who met, and could end the games. All other {AS_IF}: differences tend to be too \
             large, and their intervals too narrow. Corrected for that: the differences between neighbours in \
             {}, once the tournament is over. Their intervals hold at whatever moment it ends, and are \
             wider than what shows that an order is clear.",
            match on_page {
                true => "the final order above",
                false => "places.csv",
            }
        )),
        ByResults::Pairings => {
            let (other, corrected) = match (players <= MAX_CORRECTED_PLAYERS, on_page) {
                (false, _) => ("", ""),
                _ if on == NotesOn::League => ("", ""),
                (true, true) => ("other ", "corrected Elo, in the final order above"),
                (true, false) => ("other ", "`corrected_elo` in places.csv"),
            };
            let corrected = match corrected {
                "" => String::new(),
                there => format!(
                    " Corrected for that: superiority, and {there} once the tournament is over."
                ),
            };
            Some(format!(
                "The results decided who met. All {other}figures are as if that had been fixed in advance: among players \
                 who are about equal, differences tend to be too large, intervals too narrow, and probabilities too \
                 sure.{corrected}"
            ))
        }
    }
}

pub fn unit(model: EloModel) -> &'static str {
    match model {
        EloModel::Logistic => "Elo",
        EloModel::Normalized => "normalized Elo",
    }
}

pub fn decision(test: &Sprt, verdict: SprtVerdict) -> String {
    let unit = unit(test.model);
    match verdict {
        SprtVerdict::AcceptElo0 => format!("H0 is accepted: {} {unit}", test.elo0),
        SprtVerdict::AcceptElo1 => format!("H1 is accepted: {} {unit}", test.elo1),
        SprtVerdict::Undecided => "not decided".to_owned(),
    }
}

/// The chance that a comparison of neighbours is wrong, and the whole order: no more than the sum over all comparisons.
fn chance_of_error(test: &RankingTest, next: &[NextPlace]) -> String {
    let decided = next
        .iter()
        .filter(|next| next.apart != OrderVerdict::Unclear)
        .count();
    let percent = |chance: f64| format!("{} %", (1e4 * chance).round() / 1e2);
    let one = 1.0 - test.confidence;
    let all = match one * decided as f64 {
        all if decided > 1 && all < 1.0 => {
            format!(", and at most {} for the whole order", percent(all))
        }
        _ if decided > 1 => ", and not bounded for the whole order".to_owned(),
        _ => String::new(),
    };
    format!(
        "chance of error: at most {} for one comparison{all}",
        percent(one)
    )
}

/// Number of counted game pairs, or of blocks in a game of more than two seats.
fn counted_blocks(state: &TestState) -> String {
    let blocks = state.scores.blocks();
    match state.pairs() {
        Some(_) => counted(blocks, "game pair", "game pairs"),
        None => counted(blocks, "block", "blocks"),
    }
}
