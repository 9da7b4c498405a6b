//! Facts about the ratings of a game, in words.

use super::{decision, name, unit};
use crate::game::Seat;
use crate::rating::{Anchor, BlockScores, Estimate, Openings};
use crate::report::tables::NEIGHBOURS;
use crate::report::text::signed;
use crate::results::{ByResults, Rated};
use crate::runs::player_column;
use crate::text::{counted, visible};

/// Facts behind the ratings: reference, seats, ties, blocks and sequential test.
pub fn facts(one: &Rated<'_>) -> Vec<String> {
    let mut facts = vec![reference(one)];
    facts.extend(seats(one));
    facts.extend(blocks(one));
    facts.extend(many_players(one));
    facts.extend(sprt(one));
    facts
}

fn many_players(one: &Rated<'_>) -> Option<String> {
    one.ratings.margin_error().map(|error| {
        format!(
            "With so many players, margins are estimated: a single one is within {:.1} % of the exact value with a \
             probability of 95 %, and the worst of all may be further off. Of players with fewer than about ten blocks, \
             margins are wider than exact ones. The table superiority compares each player with the next {NEIGHBOURS} alone.",
            100.0 * error
        )
    })
}

fn reference(one: &Rated<'_>) -> String {
    match one.anchor {
        Anchor::Player(player, elo) => {
            format!("Reference: {} has {elo:.0} Elo.", name(one, player))
        }
        Anchor::Mean(elo) => format!("Reference: the mean of all players has {elo:.0} Elo."),
        Anchor::Fitted => {
            let count = one.anchors.len() as u64;
            let file = one.settings.anchors.as_ref();
            let file = file.map_or_else(String::new, |file| {
                visible(&file.path.display().to_string())
            });
            format!(
                "Reference: {} from {file} {} the given Elo.",
                counted(count, "anchor", "anchors"),
                if count == 1 { "has" } else { "have" }
            )
        }
    }
}

/// The worth of the seats, and the share of draws between equals.
fn seats(one: &Rated<'_>) -> Option<String> {
    if one.all_forfeited() {
        return None;
    }
    if !one.settings.model.first_mover {
        return Some(with_draws(one, "All seats are rated as equal.".to_owned()));
    }
    let of_seats = one.seats.iter().filter_map(|seats| match seats {
        // Of two seats, one number tells all, and has a name.
        2 => one.advantage().map(|advantage| {
            let (elo, margin) = (signed(advantage.elo), margin(advantage));
            with_draws(
                one,
                format!("The first seat is worth {elo} Elo ({margin})."),
            )
        }),
        _ => worths(one, *seats),
    });
    let of_seats: Vec<String> = of_seats.collect();
    (!of_seats.is_empty()).then(|| of_seats.join(" "))
}

fn worths(one: &Rated<'_>, seats: usize) -> Option<String> {
    let worths = one.seat_worths(seats)?;
    let of_seat = worths
        .into_iter()
        .zip(Seat::all(seats))
        .map(|(worth, seat)| {
            let margin = margin(worth);
            format!(
                "the {} {} ({margin})",
                player_column(seat),
                signed(worth.elo)
            )
        });
    let of_seat: Vec<String> = of_seat.collect();
    Some(format!(
        "Worth of the {seats} seats in Elo, from their mean: {}.",
        of_seat.join(", ")
    ))
}

fn margin(estimate: Estimate) -> String {
    match estimate.margin() {
        margin if margin.is_finite() => format!("± {margin:.0}"),
        _ => "margin unknown".to_owned(),
    }
}

/// The share of draws in games of two, after these words about the seats.
fn with_draws(one: &Rated<'_>, seats: String) -> String {
    let draws = format!("{:.0} %", 100.0 * one.ratings.draws_of_equals());
    if draws == "0 %" || !one.seats.contains(&2) {
        return seats;
    }
    format!("{seats} Players of equal strength draw {draws} of their games.")
}

/// The unit of all intervals, where it is more than a game.
fn blocks(one: &Rated<'_>) -> Option<String> {
    let blocks = one.standings.blocks();
    let variation = one.ratings.variation()?;
    let games = counted(one.games(), "game", "games");
    let count = counted(blocks.block_count(), "block", "blocks");
    let (all, unit) = match (
        openings_come_again(one),
        one.settings.openings_of(&one.game),
    ) {
        (false, _) => (count, "blocks"),
        (true, Openings::Sample) => (
            format!("{count} and {} openings", blocks.openings),
            "openings",
        ),
        (true, Openings::All) => (
            format!(
                "{count} and {} openings, which are taken for all that there are",
                blocks.openings
            ),
            "blocks",
        ),
    };
    Some(format!(
        "{games} in {all}. The intervals count {unit}, which vary {variation:.2} times as much as independent games do."
    ))
}

/// Whether openings have several blocks each, so that they can be the unit of the intervals.
pub fn openings_come_again(one: &Rated<'_>) -> bool {
    let blocks = one.standings.blocks();
    blocks.openings > 1 && blocks.block_count() > blocks.openings as u64
}

fn sprt(one: &Rated<'_>) -> Option<String> {
    let ((name, test), games) = (one.settings.sprt.as_ref()?, one.tested_games()?);
    if one.settings.by_results == ByResults::Test {
        return None;
    }
    let scores = BlockScores::of_match(&games);
    let (llr, [low, high]) = (test.llr(&scores), test.bounds(&scores));
    Some(format!(
        "SPRT: is {} stronger by {} {unit} rather than by {} {unit}? LLR {llr:.2}, bounds {low:.2} \
         and {high:.2}: {}.",
        one.settings.display_names.shown(name),
        test.elo1,
        test.elo0,
        decision(test, test.verdict(&scores)),
        unit = unit(test.model),
    ))
}
