//! Number of games that a comparison takes, in words.

use super::names::name;
use crate::results::Rated;

/// Number of games that separate two players.
pub fn planned_games(one: &Rated<'_>) -> Option<String> {
    let (elo, players) = one.settings.plan.as_ref()?;
    let (who, needed) = match players {
        None => (
            "two players who differ by so much need".to_owned(),
            one.ratings.games_needed(*elo, None),
        ),
        Some([a, b]) => {
            let both = [one.standings.find(a)?, one.standings.find(b)?];
            let [a, b] = both.map(|player| name(one, player));
            let needed = one.ratings.games_needed(*elo, Some(both));
            (
                format!("{a} and {b}, after these games, need another"),
                needed,
            )
        }
    };
    Some(format!(
        "Plan: to find a true difference of {elo} Elo with 95 % confidence in 80 of 100 matches, {who} {:.0} \
         games against each other, or {:.0} in game pairs.",
        needed.single.ceil(),
        even(needed.in_pairs),
    ))
}

/// Rounds up to whole game pairs.
fn even(games: f64) -> f64 {
    2.0 * (games / 2.0).ceil()
}
