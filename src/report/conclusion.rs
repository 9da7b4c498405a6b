//! What a format says at the end of a tournament, in words.

use super::notes::verdict;
use super::text::listed;
use crate::rating::SprtVerdict;
use crate::schedule::Conclusion;

/// The greatest number of players, or of neighbours, that are listed.
const LISTED: usize = 20;

/// One line. `players` has the names of the players by index.
pub fn conclusion(game: &str, conclusion: &Conclusion, players: &[&str]) -> String {
    let name = |player: &usize| players.get(*player).map_or("?", |name| *name).to_owned();
    let order = |order: &[usize]| listed(order, order.len(), LISTED, ", ", name);
    let words = match conclusion {
        Conclusion::Winner(player) => format!("{} wins the tournament", name(player)),
        Conclusion::Test {
            challenger,
            test,
            pairs,
            llr,
            stronger,
        } => {
            let [low, high] = test.bounds();
            let outcome = match stronger {
                Some(false) => SprtVerdict::First,
                Some(true) => SprtVerdict::Second,
                None => SprtVerdict::Open,
            };
            let outcome = verdict(test, outcome);
            format!(
                "the test of {}: {outcome}; LLR {llr:.2}, bounds {low:.2} and {high:.2}, \
                 game pairs with 0, ½, 1, 1½ and 2 points: {pairs:?}",
                name(challenger)
            )
        }
        Conclusion::Order(players) => format!("final order: {}", order(players)),
        Conclusion::Ranking {
            order: players,
            confidence,
            unclear,
        } => {
            let percent = (confidence * 1e4).round() / 1e2;
            let clear = match unclear.len() {
                0 => "the order of all neighbours is clear".to_owned(),
                count => format!(
                    "the order is not clear between {}",
                    listed(unclear, count, LISTED, ", ", |[a, b]| {
                        format!("{} and {}", name(a), name(b))
                    })
                ),
            };
            format!(
                "final order: {}; at {percent} % confidence {clear}",
                order(players)
            )
        }
    };
    format!("{game}: {words}\n")
}
