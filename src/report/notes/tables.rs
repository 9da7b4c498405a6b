//! Facts and warnings about the ratings of games with more than two seats, in words.

use std::collections::BTreeMap;

use super::facts::{estimated, reference_by};
use super::names::{NAMED, name, names};
use super::stopping::after_pairings;
use super::warnings::repeated;
use crate::game::Seat;
use crate::rating::PlaceRatings;
use crate::report::text::{listed, signed};
use crate::results::{ByResults, RatedTables, Strengths};
use crate::runs::player_column;
use crate::text::counted;

/// Facts behind the ratings: reference, seats, ties, blocks and plan.
pub fn table_facts(one: &RatedTables<'_>) -> Vec<String> {
    if one.ratings.is_err() {
        return Vec::new();
    }
    let mut facts = vec![reference_by(one, one.anchor)];
    facts.extend(one.seats.iter().filter_map(|seats| worths(one, *seats)));
    if !one.all_forfeited() && !one.settings.model.first_mover {
        facts.push("All seats are rated as equal.".to_owned());
    }
    facts.push(format!(
        "{} in {}; the games of a block have the same players and start, so that a block is the unit of all \
         intervals.",
        counted(one.games.count(), "game", "games"),
        counted(one.blocks, "block", "blocks"),
    ));
    let error = one
        .ratings
        .as_ref()
        .ok()
        .and_then(PlaceRatings::margin_error);
    facts.extend(error.map(|error| {
        let exact = estimated(error);
        format!("{exact} Of players with fewer than about ten blocks, margins are wider than exact ones.")
    }));
    facts.extend(planned_blocks(one));
    facts.extend(equal_programs(one));
    facts
}

/// The worth of the seats of a table.
fn worths(one: &RatedTables<'_>, seats: usize) -> Option<String> {
    let worths = one.seat_worths(seats)?;
    let of_seat = worths.iter().zip(Seat::all(seats)).map(|(worth, seat)| {
        let margin = worth.margin();
        let margin = match margin.is_finite() {
            true => format!("± {margin:.0}"),
            false => "margin unknown".to_owned(),
        };
        format!(
            "the {} {} ({margin})",
            player_column(seat),
            signed(worth.elo)
        )
    });
    let of_seat: Vec<String> = of_seat.collect();
    Some(format!(
        "Worth of the {seats} seats in Elo, from the mean of a table: {}.",
        of_seat.join(", ")
    ))
}

/// Number of blocks that separate two players.
fn planned_blocks(one: &RatedTables<'_>) -> Option<String> {
    let ratings = one.ratings.as_ref().ok()?;
    let (elo, players) = one.settings.plan.as_ref()?;
    let both = match players {
        Some([a, b]) => [one.find(a)?, one.find(b)?],
        // The least clear two.
        None => {
            let least = one.order.windows(2).min_by(|a, b| {
                let of = |two: &[usize]| one.superiority(two[0], two[1]);
                of(a).total_cmp(&of(b))
            })?;
            [least[0], least[1]]
        }
    };
    let needed = ratings.blocks_needed(both, *elo).ceil();
    let [a, b] = both.map(|player| name(one, player));
    Some(format!(
        "Plan: to find a true difference of {elo} Elo with 95 % confidence in 80 of 100 tournaments, {a} and {b}, \
         after these games, need another {needed:.0} blocks like these."
    ))
}

/// Players of one program who were as often ahead of each other as behind, as equal programs are.
fn equal_programs(one: &RatedTables<'_>) -> Option<String> {
    let mut groups: BTreeMap<&String, Vec<usize>> = BTreeMap::new();
    for player in &one.order {
        if let Some(program) = one.settings.programs.get(one.name(*player)) {
            groups.entry(program).or_default().push(*player);
        }
    }
    let met = |a: usize, b: usize| one.counts.met(a, b);
    let are_even = |group: &&Vec<usize>| {
        let mut pairs = group
            .iter()
            .flat_map(|a| group.iter().map(|b| met(*a, *b)))
            .filter(|met| met.games() > 0)
            .peekable();
        pairs.peek().is_some() && pairs.all(|met| met.ahead == met.behind)
    };
    let even: Vec<&Vec<usize>> = groups.values().filter(are_even).collect();
    let named = listed(&even, even.len(), NAMED, "; ", |group| names(one, group));
    (!even.is_empty()).then(|| {
        format!(
            "Equal programs: {named}. In all games of a block each seat has the same seed, so equal programs play the \
             same game again, and are ahead of each other as often as behind."
        )
    })
}

/// Warnings about the ratings of a game with more than two seats.
pub fn table_warnings(one: &RatedTables<'_>) -> Vec<String> {
    let mut warnings = Vec::new();
    if let Err(problem) = &one.ratings {
        warnings.push(format!("There are no ratings: {problem}."));
    }
    let groups = one.groups.len();
    if groups > 0 {
        let named = listed(&one.groups, groups, NAMED, " | ", |group| names(one, group));
        warnings.push(format!(
            "The players fall into {groups} groups that never met, so the games do not show how the groups compare: \
             {named}."
        ));
    }
    for (is_extreme, words, limit) in [
        (1.0, "Beat all opponents in every game", "upper"),
        (0.0, "Beat no opponent in any game", "lower"),
    ] {
        let players = one.order.iter().copied();
        let players: Vec<usize> = players
            .filter(|player| one.games.players()[*player].share() == is_extreme)
            .collect();
        if !players.is_empty() {
            warnings.push(format!(
                "{words}: {}. The games set no {limit} limit on such a rating, only the weak prior does.",
                names(one, &players)
            ));
        }
    }
    let ratings = one.order.iter().filter_map(|player| one.rating(*player));
    if ratings.map(|it| it.margin()).any(f64::is_infinite) {
        warnings.push(format!(
            "There are too few blocks, {}, for an interval around each rating.",
            one.blocks
        ));
    }
    if one.settings.by_results == ByResults::Pairings {
        warnings.push(after_pairings(None));
    }
    if one.games.forfeited() > 0 {
        warnings.push(format!(
            "{} forfeited: the others of such a game are ahead of the player who forfeited, and nothing is known from \
             it about who of them is stronger.",
            counted(one.games.forfeited(), "game was", "games were")
        ));
    }
    warnings.extend(repeated(
        one.games.duplicates(),
        one.games.duplicates_left_out(),
        one.games.may_miss_duplicates(),
    ));
    warnings
}
