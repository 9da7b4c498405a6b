//! Facts about the ratings of a game, in words.

use std::collections::{BTreeMap, BTreeSet};

use super::names::{NAMED, name, names};
use super::planned_games::planned_games;
use super::sequential_test::{decision, unit};
use crate::rating::Anchor;
use crate::report::table::Cell;
use crate::report::tables::NEIGHBOURS;
use crate::report::text::{listed, signed};
use crate::results::{ByResults, Rated, Strengths};
use crate::text::{counted, visible};

/// Facts behind the ratings: reference, first seat's advantage, draws, game pairs, sequential test.
pub fn facts(one: &Rated<'_>) -> Vec<String> {
    let mut facts = vec![reference(one)];
    if !one.all_forfeited() {
        facts.push(seats(one));
    }
    let ratings = &one.ratings;
    if ratings.pairs() > 0 {
        // Rounded first: there is no -0.00.
        let correlation = (100.0 * ratings.pair_correlation()).round() / 100.0 + 0.0;
        facts.push(format!(
            "{}; the two results of a pair have a correlation of {correlation:+.2}, which the intervals take \
             into account.",
            counted(ratings.pairs(), "complete game pair", "complete game pairs"),
        ));
    }
    facts.extend(many_players(one));
    facts.extend(figures_of_elo(one));
    facts.extend(planned_games(one));
    facts.extend(sprt(one));
    facts.extend(equal_programs(one));
    facts
}

/// Note on estimated and omitted figures of a run with many players.
fn many_players(one: &Rated<'_>) -> Option<String> {
    one.ratings.margin_error().map(estimated)
}

/// The note for margins with this relative error.
pub fn estimated(error: f64) -> String {
    format!(
        "With so many players, margins are estimated: a single one is within {:.1} % of the exact value \
         with a probability of 95 %, and the worst of all may be further off. The table superiority compares each \
         player with the next {NEIGHBOURS} alone.",
        100.0 * error
    )
}

/// The reference of ratings that is the mean of all players, or one of them.
pub fn reference_by(one: &dyn Strengths, anchor: Anchor) -> String {
    match anchor {
        Anchor::Player(player, elo) => {
            format!("Reference: {} has {elo:.0} Elo.", name(one, player))
        }
        Anchor::Mean(elo) => format!("Reference: the mean of all players has {elo:.0} Elo."),
        Anchor::Fitted => "Reference: the mean of all players has 0 Elo.".to_owned(),
    }
}

fn reference(one: &Rated<'_>) -> String {
    match one.anchor {
        Anchor::Mean(_) | Anchor::Player(..) => reference_by(one, one.anchor),
        Anchor::Fitted => {
            let count = one.anchors.len() as u64;
            let fixed = one.anchors.iter().filter(|(_, it)| it.error == 0.0).count();
            let file = one.settings.anchors.as_ref();
            let file = file.map_or_else(String::new, |file| {
                visible(&file.path.display().to_string())
            });
            let how = match fixed {
                0 => "with a margin".to_owned(),
                all if all == one.anchors.len() => "exactly".to_owned(),
                some => format!("{some} of them exactly"),
            };
            format!(
                "Reference: {} from {file} {} the given Elo, {how}.",
                counted(count, "anchor", "anchors"),
                if count == 1 { "has" } else { "have" }
            )
        }
    }
}

fn seats(one: &Rated<'_>) -> String {
    let seats = match one.advantage() {
        Some(advantage) if advantage.error.is_infinite() => format!(
            "The first seat is worth {} Elo from the one opening that was played; how much in general is not \
             known.",
            signed(advantage.elo)
        ),
        Some(advantage) => format!(
            "The first seat is worth {} Elo (± {:.0}).{}",
            signed(advantage.elo),
            advantage.margin(),
            between_openings(one)
        ),
        None => "Both seats are rated as equal.".to_owned(),
    };
    let [draws, with_equal_seats] = [one.ratings.draws_of_equals(), one.ratings.draw_rate()]
        .map(|rate| format!("{:.0} %", 100.0 * rate));
    if with_equal_seats == "0 %" {
        return seats;
    }
    let apart = if draws == with_equal_seats {
        String::new()
    } else {
        format!(" ({with_equal_seats} if both seats were worth the same)")
    };
    format!("{seats} Players of equal strength draw {draws} of their games{apart}.")
}

/// Minimum standard deviation between openings that is told, in Elo.
const NOTABLE: f64 = 10.0;

/// Variation of the first seat's advantage between openings, if it is notable.
fn between_openings(one: &Rated<'_>) -> String {
    match one.ratings.opening_deviation() {
        deviation if deviation < NOTABLE => String::new(),
        deviation => format!(
            " What it is worth varies between openings, with a standard deviation of {deviation:.0} Elo."
        ),
    }
}

fn sprt(one: &Rated<'_>) -> Option<String> {
    let ((name, test), games) = (one.settings.sprt.as_ref()?, one.tested_games()?);
    if one.settings.by_results == ByResults::Test {
        return None;
    }
    let (llr, [low, high]) = (test.llr(&games), test.bounds(&games));
    Some(format!(
        "SPRT: is {} stronger by {} {unit} rather than by {} {unit}? LLR {llr:.2}, bounds {low:.2} \
         and {high:.2}: {}.",
        one.settings.display_names.shown(name),
        test.elo1,
        test.elo0,
        decision(test, test.verdict(&games)),
        unit = unit(test.model),
    ))
}

/// Explains the two Elo differences of a match.
fn figures_of_elo(one: &Rated<'_>) -> Option<String> {
    let ([player, other], games) = one.match_of_two()?;
    let [_, of_score, _] = games.elo()?;
    let of_fit = one.elo[player] - one.elo[other];
    let [player, other] = [player, other].map(|player| name(one, player));
    let apart = |elo: f64| match Cell::Elo(elo.abs()).shown().trim_start_matches('+') {
        "0" => None,
        shown => Some(format!(
            "{shown} {}",
            if elo > 0.0 { "above" } else { "below" }
        )),
    };
    let sentence = |apart: &Option<String>| match apart {
        Some(apart) => format!("{player} is {apart} {other}"),
        None => format!("{player} and {other} are 0 Elo apart"),
    };
    let (of_fit, of_score) = (apart(of_fit), apart(of_score));
    let by_score = match (&of_fit, &of_score) {
        (Some(_), Some(apart)) => apart.clone(),
        (None, None) => "0 Elo apart".to_owned(),
        _ => sentence(&of_score),
    };
    Some(format!(
        "Two figures of Elo: {} by the fit (Elo), which allows for seats and draws, and {by_score} by the \
         score alone (match Elo).",
        sentence(&of_fit),
    ))
}

/// Players of one program that won one game of each pair, as equal programs do.
fn equal_programs(one: &Rated<'_>) -> Option<String> {
    if one.settings.programs.is_empty() {
        return None;
    }
    let program = |player: usize| one.settings.programs.get(one.name(player));
    let mut groups: BTreeMap<&String, Group> = BTreeMap::new();
    for meeting in one.standings.meetings() {
        let [a, b] = meeting.players;
        let Some(same) = program(a).filter(|same| program(b) == Some(*same)) else {
            continue;
        };
        let is_even = |(first, row): (usize, &[u32; 3])| row.iter().sum::<u32>() == row[2 - first];
        let all_in_pairs = meeting.tally().games() == 2 * meeting.complete_pairs();
        let group = groups.entry(same).or_default();
        group.uneven |= !all_in_pairs || !meeting.pairs.iter().enumerate().all(is_even);
        group.players.extend([a, b]);
    }
    let even: Vec<Group> = groups.into_values().filter(|it| !it.uneven).collect();
    if even.is_empty() {
        return None;
    }
    let named = listed(&even, even.len(), NAMED, "; ", |group| {
        let mut players: Vec<usize> = group.players.iter().copied().collect();
        players.sort_by_key(|player| one.name(*player));
        names(one, &players)
    });
    Some(format!(
        "Equal programs: {named}. In both games of a pair each seat has the same seed, so equal programs \
         play the same game twice and score exactly half against each other."
    ))
}

/// Players of one program who met.
#[derive(Default)]
struct Group {
    players: BTreeSet<usize>,
    /// Whether a game pair between two of them has a winner.
    uneven: bool,
}
