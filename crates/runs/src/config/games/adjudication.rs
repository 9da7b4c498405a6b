//! Adjudication: the end of a game with a score before its rules end it.

use std::collections::BTreeMap;

use super::PlannedGame;
use crate::config::Flaw;
use crate::config::file::{GameTable, whole_number};
use crate::pgn::is_writable;
use crate::referee::{Adjudication, ExpectedDraw, Lead, Resignation};

const NUMBERS: usize = 11;

/// Keys of an [`Adjudication`] in the table of a game. The first ones are for games with a score.
pub const ADJUDICATION_KEYS: [&str; NUMBERS] = [
    "adjudicate-lead",
    "adjudicate-lead-plies",
    "adjudicate-draw-plies",
    "adjudicate-resign-score",
    "adjudicate-resign-moves",
    "adjudicate-resign-sides",
    "adjudicate-draw-score",
    "adjudicate-draw-moves",
    "adjudicate-draw-after",
    "adjudicate-draw-number",
    "adjudicate-max-moves",
];

const OF_POINTS: usize = 3;

const FROM_MOVE: &str = "adjudicate-draw-after";
const FROM_NUMBER: &str = "adjudicate-draw-number";

/// Keys that need another.
const NEEDS: [(&str, &str); 6] = [
    ("adjudicate-lead-plies", "adjudicate-lead"),
    ("adjudicate-resign-moves", "adjudicate-resign-score"),
    ("adjudicate-resign-sides", "adjudicate-resign-score"),
    ("adjudicate-draw-moves", "adjudicate-draw-score"),
    (FROM_MOVE, "adjudicate-draw-score"),
    (FROM_NUMBER, "adjudicate-draw-score"),
];

pub fn adjudication_numbers(adjudication: Adjudication) -> [Option<u32>; NUMBERS] {
    let Adjudication {
        lead,
        draw_plies,
        resignation,
        expected_draw,
        most_moves,
        tablebase: _,
        most_plies: _,
    } = adjudication;
    [
        lead.map(|lead| lead.points),
        lead.map(|lead| lead.plies),
        draw_plies,
        resignation.map(|it| it.score),
        resignation.map(|it| it.moves),
        resignation.map(|it| it.sides),
        expected_draw.map(|it| it.score),
        expected_draw.map(|it| it.moves),
        expected_draw.filter(|it| !it.by_number).map(|it| it.after),
        expected_draw.filter(|it| it.by_number).map(|it| it.after),
        most_moves,
    ]
}

/// Upper bound of points and plies, larger than in any game.
const MOST: i64 = 1_000_000;

pub fn adjudication(table: &GameTable, planned: &PlannedGame) -> Result<Adjudication, Flaw> {
    let mut numbers = BTreeMap::new();
    for key in ADJUDICATION_KEYS {
        let range = match key {
            "adjudicate-resign-sides" => 1..=2,
            "adjudicate-draw-score" => 0..=MOST,
            _ => 1..=MOST,
        };
        if let Some((place, value)) = table.get(key) {
            let number = whole_number(key, value, range)? as u32;
            numbers.insert(key, (number, place.span().start));
        }
    }
    let number = |key: &str| numbers.get(key).map(|(number, _)| *number);
    let place = |key: &str| numbers.get(key).map(|(_, place)| *place);
    for (key, needed) in NEEDS {
        if let (None, Some(at)) = (place(needed), place(key)) {
            return Err(Flaw::at(at, format!("`{key}` goes with `{needed}` only")));
        }
    }
    if let (Some(_), Some(at)) = (place(FROM_MOVE), place(FROM_NUMBER)) {
        let problem = format!("`{FROM_NUMBER}` takes the place of `{FROM_MOVE}`: give one");
        return Err(Flaw::at(at, problem));
    }
    if let Some(at) = place(FROM_NUMBER).filter(|_| !is_writable(planned.game())) {
        let game = planned.game().name();
        let problem =
            format!("`{FROM_NUMBER}` is for chess: positions of {game} have no such number");
        return Err(Flaw::at(at, problem));
    }
    let seats = planned.game().seat_count();
    if let Some(at) = numbers.values().map(|(_, place)| *place).min()
        && seats > 2
    {
        let problem = format!(
            "{} has {seats} seats: games are adjudicated between two players only",
            planned.game().name()
        );
        return Err(Flaw::at(at, problem));
    }
    if let Some(at) = ADJUDICATION_KEYS[..OF_POINTS]
        .iter()
        .filter_map(|key| place(key))
        .min()
        && !has_score(planned, at)?
    {
        let problem = format!(
            "{}, with these options, counts no points: expected no {}",
            planned.game().name(),
            ADJUDICATION_KEYS[..OF_POINTS].join(", ")
        );
        return Err(Flaw::at(at, problem));
    }
    // The defaults are those of `docs/config.md`.
    let or = |key: &str, default: u32| number(key).unwrap_or(default);
    Ok(Adjudication {
        lead: number("adjudicate-lead").map(|points| Lead {
            points,
            plies: or("adjudicate-lead-plies", 1),
        }),
        draw_plies: number("adjudicate-draw-plies"),
        resignation: number("adjudicate-resign-score").map(|score| Resignation {
            score,
            moves: or("adjudicate-resign-moves", 3),
            sides: or("adjudicate-resign-sides", 2),
        }),
        expected_draw: number("adjudicate-draw-score").map(|score| ExpectedDraw {
            score,
            moves: or("adjudicate-draw-moves", 8),
            after: number(FROM_NUMBER).unwrap_or(or(FROM_MOVE, 40)),
            by_number: number(FROM_NUMBER).is_some(),
        }),
        most_moves: number("adjudicate-max-moves"),
        tablebase: None,
        most_plies: None,
    })
}

/// Whether the game counts points. An error concerns the key at byte `at`.
fn has_score(planned: &PlannedGame, at: usize) -> Result<bool, Flaw> {
    let start = planned.start(0, 0);
    let start = start.map_err(|fault| Flaw::at(at, fault.to_string()))?;
    Ok(start.position.rules_points().is_some())
}
