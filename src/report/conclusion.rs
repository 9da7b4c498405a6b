//! What a format says in the end, in words.

use crate::schedule::Conclusion;

/// The greatest number of players who are listed.
const LISTED: usize = 20;

/// One line, given the names of the players by index.
pub fn conclusion(game: &str, conclusion: &Conclusion, players: &[&str]) -> String {
    let name = |player: &usize| players.get(*player).copied().unwrap_or("?");
    match conclusion {
        Conclusion::Winner(player) => format!("{game}: {} wins the tournament\n", name(player)),
        Conclusion::Test {
            challenger,
            hypotheses,
            pairs,
            llr,
            stronger,
        } => {
            let [lower, upper] = hypotheses.bounds();
            let verdict = match stronger {
                Some(true) => format!("accepted: at least {} Elo is likelier", hypotheses.elo1),
                Some(false) => format!("rejected: at most {} Elo is likelier", hypotheses.elo0),
                None => "not decided".to_owned(),
            };
            format!(
                "{game}: the test of {} is {verdict}; LLR {llr:.2} in [{lower:.2}, {upper:.2}], \
                 game pairs with 0, ½, 1, 1½ and 2 points: {pairs:?}\n",
                name(challenger)
            )
        }
        Conclusion::Order(order) => {
            let names: Vec<&str> = order.iter().take(LISTED).map(name).collect();
            let more = match order.len().saturating_sub(LISTED) {
                0 => String::new(),
                more => format!(" and {more} more"),
            };
            format!("{game}: in order {}{more}\n", names.join(", "))
        }
    }
}
