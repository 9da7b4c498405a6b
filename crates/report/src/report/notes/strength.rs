//! Conclusion from the games of one kind, in a sentence: who is the strongest, or what a test decided.

use super::{
    NAMED, confirmed, counted_blocks, decision, few_openings, many_repeats, name, names,
    with_interval,
};
use crate::rating::{MatchScore, SprtVerdict};
use crate::results::{ByResults, Rated};
use crate::schedule::{Conclusion, TestState, role};
use crate::text::counted;

/// Probability of superiority from which two players are told apart.
pub const TOLD_APART: f64 = 0.95;

/// Upper bound on the groups of like players that are named.
const GROUPS: usize = 3;

/// The sentence of a game. `concluded` is the conclusion of the run's format about it, if there is one yet.
/// `players` has the names of the players by index.
pub fn strength(one: &Rated<'_>, concluded: Option<&Conclusion>, players: &[&str]) -> String {
    if one.all_forfeited() {
        let nothing = nothing_known(one.games());
        return match concluded {
            Some(Conclusion::Test(_)) => format!("{nothing} The test counts forfeits."),
            _ => nothing,
        };
    }
    let shown = |player: usize| {
        let name = players.get(player).copied().unwrap_or("?");
        one.settings.display_names.shown(name)
    };
    let first_of = |concluded: &Conclusion| {
        let places = concluded.places();
        let first: Vec<String> = places
            .iter()
            .filter(|place| place.place == 1)
            .map(|place| shown(place.player))
            .collect();
        match first.as_slice() {
            [only] => format!("{only} is first"),
            [few @ .., last] if first.len() <= NAMED => {
                format!("{} and {last} share the first place", few.join(", "))
            }
            many => format!("{} players share the first place", many.len()),
        }
    };
    match (one.settings.by_results, concluded) {
        (ByResults::Test, Some(Conclusion::Test(state))) => {
            let repeats = many_repeats(one);
            let repeats = repeats.map_or_else(String::new, |it| format!(" But {it}"));
            test(state, shown) + &repeats
        }
        (ByResults::Values, Some(Conclusion::Tuned(state))) => {
            format!("{}.", confirmed(&shown(role::FOUND), state))
        }
        (ByResults::Test, _) => "The test is not decided yet.".to_owned(),
        (ByResults::Ranking, None) => format!("The order is not decided yet. {}", ratings(one)),
        (_, Some(Conclusion::Winner(places))) => {
            let winner = places
                .first()
                .map_or_else(String::new, |it| shown(it.player));
            format!("{winner} wins the tournament. {}", ratings(one))
        }
        // The uncorrected ratings are too sure of it.
        (ByResults::Ranking, Some(concluded)) => {
            format!("{} in the final order.", first_of(concluded))
        }
        (_, Some(concluded)) => format!(
            "{} in the final order. {}",
            first_of(concluded),
            ratings(one)
        ),
        (_, None) => ratings(one),
    }
}

/// The sentence where all games were forfeited.
pub fn nothing_known(games: u64) -> String {
    let games = counted(games, "game", "games");
    format!("Nothing is known about strength: {games} ended by forfeit, and no other was played.")
}

fn test(state: &TestState, shown: impl Fn(usize) -> String) -> String {
    let challenger = shown(state.challenger);
    let pairs = counted_blocks(state);
    let [low, high] = state.bounds();
    let decided = match state.verdict {
        SprtVerdict::AcceptElo1 => format!("{challenger} passes its test after {pairs}"),
        SprtVerdict::AcceptElo0 => format!("{challenger} fails its test after {pairs}"),
        SprtVerdict::Undecided => format!(
            "The test of {challenger} is not decided after {pairs}, with an LLR of {:.2} between {low:.2} and {high:.2}",
            state.llr
        ),
    };
    let accepted = match state.verdict {
        SprtVerdict::Undecided => String::new(),
        verdict => format!(" ({})", decision(&state.test, verdict)),
    };
    let found = state.estimate().map_or_else(
        || "too few pairs differ for an estimate of the difference".to_owned(),
        |found| format!("corrected difference: {}", with_interval(found.elo)),
    );
    format!("{decided}{accepted}; {found}.")
}

/// A probability in whole percent, rounded down, after these words.
fn percent(words: &str, probability: f64) -> String {
    match (100.0 * probability + 1e-9).floor() {
        100.0 => "over 99 %".to_owned(),
        whole => format!("{words}{whole:.0} %"),
    }
}

fn ratings(one: &Rated<'_>) -> String {
    match one.order.as_slice() {
        [] => String::new(),
        [player] => format!("{} has no opponent.", name(one, *player)),
        [higher, lower] => two(one, [*higher, *lower]),
        order => many(one, order),
    }
}

/// A match of two: they are told apart where the 95 % interval of their difference lies above 0. In games of two seats the
/// score alone says it: a fit has the worth of the seats beside it, which takes more games. But a score knows of no openings,
/// so the fit says it where few openings come again and again.
fn two(one: &Rated<'_>, order: [usize; 2]) -> String {
    let ([higher, lower], games) = one
        .match_of_two()
        .filter(|_| few_openings(one).is_none())
        .map_or((order, None), |(players, games)| (players, Some(games)));
    let interval = games.as_ref().and_then(MatchScore::elo);
    let interval = interval.unwrap_or_else(|| one.ratings.difference_interval(higher, lower));
    let elo = with_interval(interval);
    let [first, second] = [higher, lower].map(|player| name(one, player));
    let los = games.and_then(|games| games.los());
    let los = percent("", los.unwrap_or_else(|| one.ratings.los(higher, lower)));
    match interval[0] > 0.0 {
        true => format!("{first} is stronger than {second} (LOS {los}), by {elo}."),
        false if interval[1].abs() < 0.5 => {
            format!("{first} and {second} are not told apart: they differ by {elo}.")
        }
        false => {
            format!(
                "{first} and {second} are not told apart (LOS {los}): {first} is ahead by {elo}."
            )
        }
    }
}

fn many(one: &Rated<'_>, order: &[usize]) -> String {
    let bands = one.bands(TOLD_APART);
    let (first, others) = (order[0], &order[1..]);
    let against_first = |player: &&usize| one.superiority(first, **player);
    let surest = others.iter().map(|it| against_first(&it));
    let least = surest.fold(1.0, f64::min);
    let group = |band: &std::ops::Range<usize>| {
        format!("{} are not told apart", and(one, &order[band.clone()]))
    };
    let mut parts = Vec::new();
    let mut rest = bands.as_slice();
    if least >= TOLD_APART {
        parts.push(format!(
            "{} is the strongest ({} against each other player)",
            name(one, first),
            percent("at least ", least)
        ));
    } else if let [all] = bands.as_slice()
        && all.len() == order.len()
    {
        return format!("No two of the {} players are told apart.", order.len());
    } else if let [top, below @ ..] = bands.as_slice() {
        parts.push(group(top));
        rest = below;
    }
    match rest.len() {
        0 if bands.is_empty() => parts.push("each two of the others are told apart".to_owned()),
        0 => {}
        few if few <= GROUPS => parts.extend(rest.iter().map(group)),
        some => parts.push(format!("{some} more groups of players are not told apart")),
    }
    parts.join("; ") + "."
}

/// Names as a list that ends with `and`.
fn and(one: &Rated<'_>, players: &[usize]) -> String {
    match players {
        [most @ .., last] if !most.is_empty() && players.len() <= NAMED => {
            format!("{} and {}", names(one, most), name(one, *last))
        }
        _ => names(one, players),
    }
}
