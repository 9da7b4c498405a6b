//! What a format says in the end, in words.

use crate::schedule::Conclusion;

/// The greatest number of players who are listed.
const LISTED: usize = 20;

/// One line, given the names of the players by index.
pub fn conclusion(game: &str, conclusion: &Conclusion, players: &[&str]) -> String {
    let name = |player: &usize| players.get(*player).copied().unwrap_or("?");
    match conclusion {
        Conclusion::Winner(player) => format!("{game}: {} wins the tournament\n", name(player)),
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
