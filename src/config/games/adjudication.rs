//! Adjudication: the end of a game with a score before its rules end it.

use super::PlannedGame;
use crate::config::Flaw;
use crate::config::file::GameTable;
use crate::referee::{Adjudication, Lead};

/// Keys of an [`Adjudication`] in the table of a game: lead in points, lead in plies, and plies until a draw.
pub const ADJUDICATION_KEYS: [&str; 3] = [
    "adjudicate-lead",
    "adjudicate-lead-plies",
    "adjudicate-draw-plies",
];

/// The numbers of an [`Adjudication`], in the order of [`ADJUDICATION_KEYS`].
pub fn adjudication_numbers(adjudication: Adjudication) -> [Option<u32>; 3] {
    let Adjudication {
        lead, draw_plies, ..
    } = adjudication;
    [
        lead.map(|lead| lead.points),
        lead.map(|lead| lead.plies),
        draw_plies,
    ]
}

/// The [`Adjudication`] with these numbers. A lead without a number of plies wins at once.
pub fn adjudication_of_numbers([lead, lead_plies, draw_plies]: [Option<u32>; 3]) -> Adjudication {
    Adjudication {
        lead: lead.map(|points| Lead {
            points,
            plies: lead_plies.unwrap_or(1),
        }),
        draw_plies,
        most_plies: None,
    }
}

/// Upper bound of points and plies, larger than in any game.
const MOST: u32 = 1_000_000;

/// Reads and checks the adjudication keys of a game's table.
pub fn adjudication(table: &GameTable, planned: &PlannedGame) -> Result<Adjudication, Flaw> {
    let mut numbers = [None; 3];
    let mut places = [None; 3];
    for (key, value) in &table.0 {
        let Some(index) = ADJUDICATION_KEYS
            .iter()
            .position(|known| known == key.get_ref())
        else {
            continue;
        };
        let number = match value.get_ref() {
            toml::Value::Integer(number) => u32::try_from(*number).ok(),
            // The command line passes numbers as text.
            toml::Value::String(text) => text.parse().ok(),
            _ => None,
        };
        let number = number.filter(|number| (1..=MOST).contains(number));
        numbers[index] = Some(number.ok_or_else(|| {
            Flaw::of(
                value,
                format!(
                    "`{}` cannot be {}: expected a whole number from 1 to {MOST}",
                    ADJUDICATION_KEYS[index],
                    value.get_ref()
                ),
            )
        })?);
        places[index] = Some(key.span().start);
    }
    if let (None, Some(at)) = (numbers[0], places[1]) {
        let [lead, plies, _] = ADJUDICATION_KEYS;
        return Err(Flaw::at(at, format!("`{plies}` goes with `{lead}` only")));
    }
    if let Some(at) = places.into_iter().flatten().min()
        && !has_score(planned, at)?
    {
        return Err(Flaw::at(
            at,
            format!(
                "{}, with these options, counts no points: expected no `adjudicate-` keys",
                planned.game().name()
            ),
        ));
    }
    Ok(adjudication_of_numbers(numbers))
}

/// Whether the game counts points. An error concerns the key at byte `at`.
fn has_score(planned: &PlannedGame, at: usize) -> Result<bool, Flaw> {
    let start = planned.start(0, 0);
    let start = start.map_err(|fault| Flaw::at(at, fault.to_string()))?;
    Ok(start.position.score().is_some())
}
