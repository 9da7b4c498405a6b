//! What a format says in the end, in words.

use crate::schedule::Conclusion;

/// The greatest number of players, or of neighbours, that are listed.
const LISTED: usize = 20;

/// The first of many, and how many more there are.
fn list<T, S: AsRef<str>>(all: &[T], words: impl Fn(&T) -> S) -> String {
    let named: Vec<S> = all.iter().take(LISTED).map(words).collect();
    let text: Vec<&str> = named.iter().map(AsRef::as_ref).collect();
    match all.len().saturating_sub(LISTED) {
        0 => text.join(", "),
        more => format!("{} and {more} more", text.join(", ")),
    }
}

/// One line, given the names of the players by index.
pub fn conclusion(game: &str, conclusion: &Conclusion, players: &[&str]) -> String {
    let name = |player: &usize| players.get(*player).copied().unwrap_or("?");
    match conclusion {
        Conclusion::Winner(player) => format!("{game}: {} wins the tournament\n", name(player)),
        Conclusion::Test {
            challenger,
            test,
            pairs,
            llr,
            stronger,
        } => {
            let [lower, upper] = test.bounds();
            let verdict = match stronger {
                Some(true) => format!("accepted: at least {} Elo is likelier", test.elo1),
                Some(false) => format!("rejected: at most {} Elo is likelier", test.elo0),
                None => "not decided".to_owned(),
            };
            format!(
                "{game}: the test of {} is {verdict}; LLR {llr:.2} in [{lower:.2}, {upper:.2}], \
                 game pairs with 0, ½, 1, 1½ and 2 points: {pairs:?}\n",
                name(challenger)
            )
        }
        Conclusion::Order(order) => format!("{game}: in order {}\n", list(order, name)),
        Conclusion::Ranking {
            order,
            confidence,
            unclear,
        } => {
            let percent = (confidence * 1e4).round() / 1e2;
            let clear = match unclear.len() {
                0 => "all neighbours are apart".to_owned(),
                _ => format!(
                    "not apart: {}",
                    list(unclear, |[a, b]| format!("{} and {}", name(a), name(b)))
                ),
            };
            format!(
                "{game}: in order {}; at {percent} % confidence {clear}\n",
                list(order, name)
            )
        }
    }
}
