//! Validity of figures if results decided pairings, or the end of the games.

use crate::rating::{BlockScores, MAX_CORRECTED_PLAYERS, MatchScore, SprtVerdict, Tally};
use crate::results::{ByResults, Rated};

/// Validity of figures that ignore an early end.
const AS_IF: &str = "figures of Elo, intervals and probabilities are as if the number of games had been fixed in advance";

/// Place of the notes, which decides how they refer to other figures.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NotesOn {
    /// A terminal, or the output of `rate` in another format.
    Screen,
    /// The page of a run, below the conclusion of its format.
    Page,
}

/// Note on the validity of figures if results influenced pairings or the end; `None` if they influenced nothing.
pub fn stopping(by_results: ByResults, players: usize) -> Option<String> {
    match by_results {
        ByResults::Nothing => None,
        ByResults::Test => Some(format!(
            "The run has a test, which could end the games after any game pair. All other {AS_IF}. Corrected \
             for that: `elo` in verdict.csv and `corrected_elo` of a match, where the results are enough for it."
        )),
        ByResults::Ranking => Some(after_ranking("places.csv")),
        ByResults::Pairings => Some(after_pairings(
            (players <= MAX_CORRECTED_PLAYERS).then_some("`corrected_elo` in places.csv"),
        )),
    }
}

/// Note for an adaptive tournament, with corrected figures in `there`.
fn after_ranking(there: &str) -> String {
    format!(
        "The results decided who met, and could end the games. All other {AS_IF}: differences tend to be too \
         large, and their intervals too narrow. Corrected for that: the differences between neighbours in \
         {there}, once the tournament is over. Their intervals hold at whatever moment it ends, and are \
         wider than what shows that an order is clear."
    )
}

/// Note for a tournament with pairings by results, and an end that does not depend on them. Corrected figures are
/// `there`, if there are some.
pub fn after_pairings(there: Option<&str>) -> String {
    let (other, corrected) = match there {
        Some(there) => (
            "other ",
            format!(" Corrected for that: {there}, once the tournament is over."),
        ),
        None => ("", String::new()),
    };
    format!(
        "The results decided who met. All {other}figures are as if that had been fixed in advance: among players who \
         are about equal, differences tend to be too large, intervals too narrow, and probabilities too sure.{corrected}"
    )
}

/// Note for the results of one kind of game, if they are enough for it.
pub fn stopping_of(one: &Rated<'_>, on: NotesOn) -> Option<String> {
    let by_results = one.settings.by_results;
    let players = one.standings.players().len();
    let (challenger, test) = match (by_results, on, &one.settings.run_test) {
        (ByResults::Test, _, Some(test)) => (&test.0, &test.1),
        (ByResults::Ranking, NotesOn::Page, _) => {
            return Some(after_ranking("the final order above"));
        }
        (ByResults::Pairings, NotesOn::Page, _) => {
            let there = "corrected Elo, in the final order above";
            return Some(after_pairings(
                (players <= MAX_CORRECTED_PLAYERS).then_some(there),
            ));
        }
        _ => return stopping(by_results, players),
    };
    // The test does not count pairs in play yet, so they cannot end it.
    let games = MatchScore {
        singles: Tally::default(),
        ..one.games_of(challenger)?
    };
    if games.pairs == [0; 5] {
        return None;
    }
    let (what, towards) = match test.verdict(&BlockScores::of_match(&games)) {
        SprtVerdict::Undecided => (
            "The test accepted neither hypothesis, but could have ended the games earlier.",
            "",
        ),
        SprtVerdict::AcceptElo0 | SprtVerdict::AcceptElo1 => (
            "The test decided when the games ended.",
            ": differences tend to be too far from the middle between both hypotheses",
        ),
    };
    Some(match test.estimate(&BlockScores::of_match(&games)) {
        None => format!(
            "{what} All {AS_IF}{towards}. None is corrected for that: there are too few game pairs, or all brought \
             the same points."
        ),
        Some(_) => format!(
            "{what} All other {AS_IF}{towards}. Corrected for that: corrected Elo, {}.",
            match (on, one.match_of_two()) {
                (NotesOn::Page, _) => "in the test above",
                (_, Some(_)) => "in the match, in verdict.csv and at the end of the run",
                (_, None) => "in verdict.csv and at the end of the run",
            }
        ),
    })
}
