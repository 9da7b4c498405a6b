//! What stands beside the tables of a game, in words: facts about the ratings, and warnings.

use std::collections::{BTreeMap, BTreeSet};

use super::plan::plan;
use super::rating_tables::NEIGHBOURS;
use super::stopping::{self, NotesOn};
use super::table::Cell;
use super::text::{listed, signed};
use crate::game::Seat;
use crate::rating::{Anchor, Cycle, EloModel, FEW_GAMES, Findings, Sprt, SprtVerdict};
use crate::results::{ByResults, Rated};
use crate::text::{counted, visible};

/// From so many players on, strengths that are fitted to a few games each make what is common to all games too large.
const MANY_PLAYERS: usize = 8;

/// How many players, groups or cycles are named before the rest becomes a number.
const NAMED: usize = 5;

/// What the ratings rest on: the reference, the first seat's advantage, draws, game pairs, a test.
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
    facts.extend(plan(one));
    facts.extend(sprt(one));
    facts.extend(equal_programs(one));
    facts
}

/// What is not exact, or left out, because there are many players.
fn many_players(one: &Rated<'_>) -> Option<String> {
    let error = one.ratings.margin_error()?;
    Some(format!(
        "With so many players, margins are estimated: a single one is within {:.1} % of the exact value \
         with a probability of 95 %, and the worst of all may be further off. The table superiority compares each \
         player with the next {NEIGHBOURS} alone.",
        100.0 * error
    ))
}

fn reference(one: &Rated<'_>) -> String {
    match one.anchor {
        Anchor::Mean(elo) => format!("Reference: the mean of all players has {elo:.0} Elo."),
        Anchor::Player(player, elo) => {
            format!("Reference: {} has {elo:.0} Elo.", name(one, player))
        }
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
    let apart = match draws == with_equal_seats {
        true => String::new(),
        false => format!(" ({with_equal_seats} if both seats were worth the same)"),
    };
    format!("{seats} Players of equal strength draw {draws} of their games{apart}.")
}

/// From which standard deviation on, in Elo, the difference between openings is told.
const NOTABLE: f64 = 10.0;

/// How much openings differ, if they differ beyond chance.
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

/// Why a match of two players has several differences in Elo.
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

/// Players who run the same program and won one game of each pair: that is what equal programs do.
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

/// What the differences of a test are measured in, in words.
fn unit(model: EloModel) -> &'static str {
    match model {
        EloModel::Logistic => "Elo",
        EloModel::Normalized => "normalized Elo",
    }
}

/// What a sequential test decided.
pub(super) fn decision(test: &Sprt, verdict: SprtVerdict) -> String {
    let unit = unit(test.model);
    match verdict {
        SprtVerdict::AcceptElo0 => format!("H0 is accepted: {} {unit}", test.elo0),
        SprtVerdict::AcceptElo1 => format!("H1 is accepted: {} {unit}", test.elo1),
        SprtVerdict::Undecided => "not decided".to_owned(),
    }
}

/// What a reader has to be careful about.
pub fn warnings(one: &Rated<'_>, on: NotesOn) -> Vec<String> {
    let mut warnings = connections(one, &one.findings);
    warnings.extend(misfit(&one.findings));
    warnings.extend(stopping::of_these(one, on));
    warnings.extend(cycles(one, &one.findings));
    warnings.extend(forfeits(one, &one.findings));
    warnings.extend(duplicates(one, &one.findings));
    if let Some(won) = one.findings.seat_won_all {
        let seat = match won {
            Seat::First => "first",
            Seat::Second => "second",
        };
        warnings.push(format!(
            "The {seat} seat won every game. The games set no limit on what that is worth, only the weak prior does."
        ));
    }
    if one.findings.seats_unclear {
        warnings.push(
            "Players hardly changed seats, so the games do not separate the first seat's advantage \
             from strength. If the seats are equal in this game, use `referee rate --equal-seats`."
                .to_owned(),
        );
    }
    warnings
}

/// Where the games do not connect players well enough to compare them.
fn connections(one: &Rated<'_>, found: &Findings) -> Vec<String> {
    let mut warnings = Vec::new();
    let mut warn = |warning: String| warnings.push(warning);
    let groups = found.groups.len();
    // The prior of an anchor's rating is not weak.
    let without_anchors = |players: &[usize]| -> Vec<usize> {
        let mut players = players.to_vec();
        players.retain(|player| !has_anchor(one, *player));
        players
    };
    if groups > 0 {
        let named = listed(&found.groups, groups, NAMED, " | ", |group| {
            names(one, group)
        });
        let is_anchored = |group: &&Vec<usize>| group.iter().any(|player| has_anchor(one, *player));
        let compare = match found.groups.iter().filter(is_anchored).count() {
            all if all == groups => "so only the anchors show how the groups compare".to_owned(),
            some if some > 1 => format!(
                "so the games do not show how the groups compare, and anchors place only {some} of them"
            ),
            _ => "so the games do not show how the groups compare".to_owned(),
        };
        warn(format!(
            "The players fall into {groups} groups that never met, {compare}: {named}."
        ));
    }
    let won_all = without_anchors(&found.won_all);
    if !won_all.is_empty() {
        warn(format!(
            "Won every game: {}. The games set no upper limit on such a rating, only the weak prior \
             does.",
            names(one, &won_all)
        ));
    }
    let lost_all = without_anchors(&found.lost_all);
    if !lost_all.is_empty() {
        warn(format!(
            "Lost every game: {}. The games set no lower limit on such a rating, only the weak prior \
             does.",
            names(one, &lost_all)
        ));
    }
    let single = found.won_all.len() + found.lost_all.len() + 1;
    if found.tiers.len() > single.max(groups) {
        warn(format!(
            "The players form {} tiers: whenever players of two tiers met, the one of the higher tier \
             won. Only the weak prior says how far the tiers are apart.",
            found.tiers.len()
        ));
    }
    if !found.few.is_empty() {
        let players = one.standings.players().len();
        let too_far = match players >= MANY_PLAYERS && 2 * found.few.len() > players {
            true => {
                " Where most players have so few, the first seat's worth and the share of draws come out too far \
                 from 0."
            }
            false => "",
        };
        warn(format!(
            "Fewer than {FEW_GAMES} games, so the intervals are rough: {}.{too_far}",
            names(one, &found.few)
        ));
    }
    warnings
}

/// Whether a file gives the Elo of this player.
fn has_anchor(one: &Rated<'_>, player: usize) -> bool {
    one.anchors.iter().any(|(anchor, _)| *anchor == player)
}

fn p_value(probability: f64) -> String {
    match probability {
        small if small < 0.001 => "< 0.001".to_owned(),
        probability => format!("= {probability:.3}"),
    }
}

fn misfit(found: &Findings) -> Option<String> {
    found.misfit.map(|misfit| {
        format!(
            "The results between players do not fit one order of strength: {:.1} times as far from the \
             ratings as chance makes them (p {}).",
            misfit.ratio.sqrt(),
            p_value(misfit.probability)
        )
    })
}

fn cycles(one: &Rated<'_>, found: &Findings) -> Option<String> {
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

fn forfeits(one: &Rated<'_>, found: &Findings) -> Vec<String> {
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

fn duplicates(one: &Rated<'_>, found: &Findings) -> Option<String> {
    let what_happened = match one.standings.duplicates_left_out() {
        true => "they were left out",
        false => "they count, but add no information (`referee rate --once` leaves them out)",
    };
    let at_least = match one.standings.may_miss_duplicates() {
        true => "At least ",
        false => "",
    };
    (found.duplicates > 0).then(|| {
        format!(
            "{at_least}{} action by action an earlier game of the same players; {what_happened}.",
            counted(found.duplicates, "game repeats", "games repeat")
        )
    })
}

pub(super) fn name(one: &Rated<'_>, player: usize) -> String {
    one.settings.display_names.shown(one.name(player))
}

fn names(one: &Rated<'_>, players: &[usize]) -> String {
    listed(players, players.len(), NAMED, ", ", |player| {
        name(one, *player)
    })
}
