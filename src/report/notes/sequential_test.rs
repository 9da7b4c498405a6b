//! Words for the decision of a sequential test.

use crate::rating::{EloModel, Sprt, SprtVerdict};
use crate::schedule::TestState;
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

/// Number of counted game pairs, or of blocks in a game of more than two seats.
pub(super) fn counted_blocks(state: &TestState) -> String {
    let blocks = state.scores.blocks();
    match state.pairs() {
        Some(_) => counted(blocks, "game pair", "game pairs"),
        None => counted(blocks, "block", "blocks"),
    }
}
