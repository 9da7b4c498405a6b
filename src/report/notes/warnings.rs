//! Warnings about the ratings of a game, in words.

use super::names::{NAMED, name, names};
use super::stopping::{self, NotesOn};
use crate::rating::{Cycle, Diagnostics, FEW_GAMES};
use crate::report::text::listed;
use crate::results::Rated;
use crate::text::counted;

/// Minimum number of players with few games that makes parameters common to all games too large.
const MANY_PLAYERS: usize = 8;

/// Warnings about the ratings of a game.
pub fn warnings(one: &Rated<'_>, on: NotesOn) -> Vec<String> {
    let mut warnings = connections(one, &one.diagnostics);
    warnings.extend(misfit(&one.diagnostics));
    warnings.extend(stopping::stopping_of(one, on));
    warnings.extend(cycles(one, &one.diagnostics));
    warnings.extend(forfeits(one, &one.diagnostics));
    warnings.extend(repeated(
        one.diagnostics.duplicates,
        one.standings.duplicates_left_out(),
        one.standings.may_miss_duplicates(),
    ));
    if let Some(won) = one.diagnostics.seat_won_all {
        let seat = ["first", "second"][won.index()];
        warnings.push(format!(
            "The {seat} seat won every game. The games set no limit on what that is worth, only the weak prior does."
        ));
    }
    if one.diagnostics.seats_unclear {
        warnings.push(
            "Players hardly changed seats, so the games do not separate the first seat's advantage \
             from strength. If the seats are equal in this game, use `referee rate --equal-seats`."
                .to_owned(),
        );
    }
    warnings
}

/// Warnings about players that the games do not connect.
fn connections(one: &Rated<'_>, found: &Diagnostics) -> Vec<String> {
    let mut warnings = Vec::new();
    // The prior of an anchor's rating is not weak.
    let without_anchors = |players: &[usize]| -> Vec<usize> {
        let mut players = players.to_vec();
        players.retain(|player| !has_anchor(one, *player));
        players
    };
    warnings.extend(groups(one, found));
    let won_all = without_anchors(&found.won_all);
    if !won_all.is_empty() {
        warnings.push(format!(
            "Won every game: {}. The games set no upper limit on such a rating, only the weak prior \
             does.",
            names(one, &won_all)
        ));
    }
    let lost_all = without_anchors(&found.lost_all);
    if !lost_all.is_empty() {
        warnings.push(format!(
            "Lost every game: {}. The games set no lower limit on such a rating, only the weak prior \
             does.",
            names(one, &lost_all)
        ));
    }
    let single = found.won_all.len() + found.lost_all.len() + 1;
    if found.tiers.len() > single.max(found.groups.len()) {
        warnings.push(format!(
            "The players form {} tiers: whenever players of two tiers met, the one of the higher tier \
             won. Only the weak prior says how far the tiers are apart.",
            found.tiers.len()
        ));
    }
    if !found.few.is_empty() {
        let players = one.standings.players().len();
        let too_far = if players >= MANY_PLAYERS && 2 * found.few.len() > players {
            " Where most players have so few, the first seat's worth and the share of draws come out too far \
             from 0."
        } else {
            ""
        };
        warnings.push(format!(
            "Fewer than {FEW_GAMES} games, so the intervals are rough: {}.{too_far}",
            names(one, &found.few)
        ));
    }
    warnings
}

/// Warning about groups of players that never met.
fn groups(one: &Rated<'_>, found: &Diagnostics) -> Option<String> {
    let count = found.groups.len();
    if count == 0 {
        return None;
    }
    let named = listed(&found.groups, count, NAMED, " | ", |group| {
        names(one, group)
    });
    let is_anchored = |group: &&Vec<usize>| group.iter().any(|player| has_anchor(one, *player));
    let compare = match found.groups.iter().filter(is_anchored).count() {
        all if all == count => "so only the anchors show how the groups compare".to_owned(),
        some if some > 1 => format!(
            "so the games do not show how the groups compare, and anchors place only {some} of them"
        ),
        _ => "so the games do not show how the groups compare".to_owned(),
    };
    Some(format!(
        "The players fall into {count} groups that never met, {compare}: {named}."
    ))
}

/// Whether a file of anchors has this player's Elo.
fn has_anchor(one: &Rated<'_>, player: usize) -> bool {
    one.anchors.iter().any(|(anchor, _)| *anchor == player)
}

fn p_value(probability: f64) -> String {
    match probability {
        small if small < 0.001 => "< 0.001".to_owned(),
        probability => format!("= {probability:.3}"),
    }
}

fn misfit(found: &Diagnostics) -> Option<String> {
    found.misfit.map(|misfit| {
        format!(
            "The results between players do not fit one order of strength: {:.1} times as far from the \
             ratings as chance makes them (p {}).",
            misfit.ratio.sqrt(),
            p_value(misfit.probability)
        )
    })
}

fn cycles(one: &Rated<'_>, found: &Diagnostics) -> Option<String> {
    let words = |cycle: &Cycle| {
        let [a, b, c] = cycle.0.map(|player| name(one, player));
        format!("{a} > {b} > {c} > {a}")
    };
    let count = found.cycle_count as usize;
    (count > 0).then(|| {
        format!(
            "Cycles beyond chance: {}. One rating per player cannot show them; `--table crosstable` does.",
            listed(&found.cycles, count, NAMED, "; ", words)
        )
    })
}

fn forfeits(one: &Rated<'_>, found: &Diagnostics) -> Vec<String> {
    let mut warnings = Vec::new();
    let both = found.forfeited_by_both;
    if found.forfeit_wins > 0 {
        warnings.push(format!(
            "{} won because the opponent forfeited, of {} points in all.",
            counted(found.forfeit_wins, "point was", "points were"),
            one.standings.games() - both
        ));
    }
    if both > 0 {
        warnings.push(format!(
            "{} forfeited by both players: a loss for both in the standings, and not part of the \
             ratings.",
            counted(both, "game was", "games were")
        ));
    }
    warnings
}

/// Warning about games that repeat earlier ones, and may have been missed.
pub fn repeated(duplicates: u64, left_out: bool, may_be_more: bool) -> Option<String> {
    let treatment = if left_out {
        "they were left out"
    } else {
        "they count, but add no information (`referee rate --once` leaves them out)"
    };
    let at_least = if may_be_more { "At least " } else { "" };
    (duplicates > 0).then(|| {
        format!(
            "{at_least}{} action by action an earlier game of the same players; {treatment}.",
            counted(duplicates, "game repeats", "games repeat")
        )
    })
}
