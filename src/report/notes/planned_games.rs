//! Number of games that a comparison takes, in words.

use super::names::name;
use crate::rating::{GamesNeeded, blocks_needed};
use crate::results::Rated;

/// Number of games that separate two players.
pub fn planned_games(one: &Rated<'_>) -> Option<String> {
    let (elo, players) = one.settings.plan.as_ref()?;
    let both = match players {
        Some([a, b]) => Some([one.find(a)?, one.find(b)?]),
        None => None,
    };
    // Among more players, a game is not against one of them alone.
    let words = match one.most_seats() {
        2 => games(one, *elo, both),
        _ => blocks(one, *elo, both.or_else(|| least_clear(one))?),
    };
    Some(format!(
        "Plan: to find a true difference of {elo} Elo with 95 % confidence in 80 of 100 tournaments, {words}."
    ))
}

fn games(one: &Rated<'_>, elo: f64, both: Option<[usize; 2]>) -> String {
    let who = match both {
        None => "two players who differ by so much need".to_owned(),
        Some(both) => {
            let [a, b] = both.map(|player| name(one, player));
            format!("{a} and {b}, after these games, need another")
        }
    };
    let needed = GamesNeeded::new(&one.ratings, elo, both);
    format!(
        "{who} {:.0} games against each other, or {:.0} in game pairs",
        needed.single.ceil(),
        even(needed.in_pairs),
    )
}

fn blocks(one: &Rated<'_>, elo: f64, both: [usize; 2]) -> String {
    let needed = blocks_needed(&one.ratings, both, elo).ceil();
    let [a, b] = both.map(|player| name(one, player));
    format!("{a} and {b}, after these games, need another {needed:.0} blocks like these")
}

/// The neighbours whose order is the least sure.
fn least_clear(one: &Rated<'_>) -> Option<[usize; 2]> {
    let superiority = |two: &&[usize]| one.superiority(two[0], two[1]);
    let least = one
        .order
        .windows(2)
        .min_by(|a, b| superiority(a).total_cmp(&superiority(b)))?;
    Some([least[0], least[1]])
}

/// Rounds up to whole game pairs.
fn even(games: f64) -> f64 {
    2.0 * (games / 2.0).ceil()
}
