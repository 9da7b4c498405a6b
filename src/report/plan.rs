//! How many games a comparison takes, in words.

use super::notes::name;
use super::results::Rated;
use crate::rating::Assumed;

/// How many games it takes to tell two players apart.
pub(super) fn plan(one: &Rated<'_>) -> Option<String> {
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

/// The same before anything is played.
pub fn plan_before_games(elo: f64, assumed: &Assumed) -> String {
    let players = assumed.players;
    let pairings = f64::from(players) * (f64::from(players) - 1.0) / 2.0;
    // Without a correlation, as many as single games.
    let games = even(assumed.games_needed(elo).in_pairs);
    let start = format!(
        "To find a true difference of {elo} Elo between two players with {} % confidence in {} of 100",
        percent(1.0 - assumed.error),
        percent(assumed.power),
    );
    match players > 2 {
        false => format!("{start} matches, they need {games:.0} games against each other.\n"),
        true => format!(
            "{start} tournaments, {players} players of about the same strength need {games:.0} games per pairing of a \
             round robin, {:.0} in all.\n",
            games * pairings
        ),
    }
}

/// So many games in whole pairs.
fn even(games: f64) -> f64 {
    2.0 * (games / 2.0).ceil()
}

/// With as many decimals as it needs, two at most.
fn percent(share: f64) -> f64 {
    (share * 1e4).round() / 100.0
}
