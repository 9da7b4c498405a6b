//! Words for the decision of a sequential test.

use crate::rating::{EloModel, OrderVerdict, RankingTest, Sprt, SprtVerdict};
use crate::schedule::{NextPlace, TestState};
use crate::text::counted;

/// Unit of a test's differences.
pub fn unit(model: EloModel) -> &'static str {
    match model {
        EloModel::Logistic => "Elo",
        EloModel::Normalized => "normalized Elo",
    }
}

/// Decision of a sequential test, in words.
pub fn decision(test: &Sprt, verdict: SprtVerdict) -> String {
    let unit = unit(test.model);
    match verdict {
        SprtVerdict::AcceptElo0 => format!("H0 is accepted: {} {unit}", test.elo0),
        SprtVerdict::AcceptElo1 => format!("H1 is accepted: {} {unit}", test.elo1),
        SprtVerdict::Undecided => "not decided".to_owned(),
    }
}

/// The chance that a comparison of neighbours is wrong, and the whole order: no more than the sum over all comparisons.
pub(super) fn chance_of_error(test: &RankingTest, next: &[NextPlace]) -> String {
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
pub(super) fn counted_blocks(state: &TestState) -> String {
    let blocks = state.scores.blocks();
    match state.pairs() {
        Some(_) => counted(blocks, "game pair", "game pairs"),
        None => counted(blocks, "block", "blocks"),
    }
}
