//! Adjudication: the end of a game with a score before its rules end it.

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

/// Keys that need another, by their indices.
const NEEDS: [(usize, usize); 6] = [(1, 0), (4, 3), (5, 3), (7, 6), (8, 6), (9, 6)];

/// The keys that each say from when on a draw counts.
const FROM_MOVE: usize = 8;
const FROM_NUMBER: usize = 9;

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

/// The [`Adjudication`] with these numbers, and the defaults of `docs/config.md`.
pub fn adjudication_of_numbers(numbers: [Option<u32>; NUMBERS]) -> Adjudication {
    let [
        lead,
        lead_plies,
        draw_plies,
        resign_score,
        resign_moves,
        resign_sides,
        draw_score,
        draw_moves,
        draw_after,
        draw_number,
        most_moves,
    ] = numbers;
    Adjudication {
        lead: lead.map(|points| Lead {
            points,
            plies: lead_plies.unwrap_or(1),
        }),
        draw_plies,
        resignation: resign_score.map(|score| Resignation {
            score,
            moves: resign_moves.unwrap_or(3),
            sides: resign_sides.unwrap_or(2),
        }),
        expected_draw: draw_score.map(|score| ExpectedDraw {
            score,
            moves: draw_moves.unwrap_or(8),
            after: draw_number.or(draw_after).unwrap_or(40),
            by_number: draw_number.is_some(),
        }),
        most_moves,
        tablebase: None,
        most_plies: None,
    }
}

/// Upper bound of points and plies, larger than in any game.
const MOST: i64 = 1_000_000;

pub fn adjudication(table: &GameTable, planned: &PlannedGame) -> Result<Adjudication, Flaw> {
    let mut numbers = [None; NUMBERS];
    let mut places = [None; NUMBERS];
    for (key, value) in &table.0 {
        let Some(index) = ADJUDICATION_KEYS
            .iter()
            .position(|known| known == key.get_ref())
        else {
            continue;
        };
        let most = match ADJUDICATION_KEYS[index] {
            "adjudicate-resign-sides" => 2,
            _ => MOST,
        };
        numbers[index] = Some(whole_number(key.get_ref(), value, 1..=most)? as u32);
        places[index] = Some(key.span().start);
    }
    for (key, needed) in NEEDS {
        if let (None, Some(at)) = (numbers[needed], places[key]) {
            let [key, needed] = [key, needed].map(|index| ADJUDICATION_KEYS[index]);
            return Err(Flaw::at(at, format!("`{key}` goes with `{needed}` only")));
        }
    }
    if let (Some(_), Some(at)) = (places[FROM_MOVE], places[FROM_NUMBER]) {
        let [key, other] = [FROM_NUMBER, FROM_MOVE].map(|index| ADJUDICATION_KEYS[index]);
        return Err(Flaw::at(
            at,
            format!("`{key}` takes the place of `{other}`: give one"),
        ));
    }
    if let Some(at) = places[FROM_NUMBER].filter(|_| !is_writable(planned.game())) {
        let (key, game) = (ADJUDICATION_KEYS[FROM_NUMBER], planned.game().name());
        let problem = format!("`{key}` is for chess: positions of {game} have no such number");
        return Err(Flaw::at(at, problem));
    }
    let seats = planned.game().seat_count();
    if let Some(at) = places.iter().copied().flatten().min()
        && seats > 2
    {
        let problem = format!(
            "{} has {seats} seats: games are adjudicated between two players only",
            planned.game().name()
        );
        return Err(Flaw::at(at, problem));
    }
    if let Some(at) = places[..OF_POINTS].iter().copied().flatten().min()
        && !has_score(planned, at)?
    {
        let problem = format!(
            "{}, with these options, counts no points: expected no {}",
            planned.game().name(),
            ADJUDICATION_KEYS[..OF_POINTS].join(", ")
        );
        return Err(Flaw::at(at, problem));
    }
    Ok(adjudication_of_numbers(numbers))
}

/// Whether the game counts points. An error concerns the key at byte `at`.
fn has_score(planned: &PlannedGame, at: usize) -> Result<bool, Flaw> {
    let start = planned.start(0, 0);
    let start = start.map_err(|fault| Flaw::at(at, fault.to_string()))?;
    Ok(start.position.rules_points().is_some())
}
