//! What a format says at the end of a tournament, in words.

use super::notes::decision;
use super::text::listed;
use crate::schedule::Conclusion;
use crate::text::DisplayNames;

/// The greatest number of players, or of neighbours, that are listed.
const LISTED: usize = 20;

/// One line. `players` has the names of the players by index.
pub fn conclusion(
    game: &str,
    conclusion: &Conclusion,
    players: &[&str],
    names: &DisplayNames,
) -> String {
    let name = |player: &usize| names.shown(players.get(*player).map_or("?", |name| *name));
    let order = |order: &[usize]| listed(order, order.len(), LISTED, ", ", name);
    let words = match conclusion {
        Conclusion::Winner(player) => format!("{} wins the tournament", name(player)),
        Conclusion::Test {
            challenger,
            test,
            pairs,
            llr,
            verdict,
        } => {
            let [low, high] = test.bounds();
            let decision = decision(test, *verdict);
            format!(
                "the test of {}: {decision}; LLR {llr:.2}, bounds {low:.2} and {high:.2}, \
                 game pairs with 0, ½, 1, 1½ and 2 points: {pairs:?}",
                name(challenger)
            )
        }
        Conclusion::FinalOrder(players) => format!("final order: {}", order(players)),
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
