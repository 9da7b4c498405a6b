//! Legal actions in a position, as JSON and in words.

use std::collections::BTreeMap;

use serde::Serialize;

use crate::game::{Actors, Game, PerSeat};

/// The legal actions of the one seat that acts, or of each seat by its name where several act.
#[derive(Debug, Serialize)]
#[serde(untagged)]
pub(super) enum Legal {
    One(Vec<String>),
    AtOnce(BTreeMap<&'static str, Vec<String>>),
}

impl Legal {
    pub fn of(game: Game, actors: Actors, legal: PerSeat<Vec<String>>) -> Self {
        match actors {
            Actors::AtOnce(seats) => {
                let legal = legal.iter().filter(|(seat, _)| seats.contains(*seat));
                let legal = legal.map(|(seat, legal)| (game.seat_name(seat), legal.clone()));
                Self::AtOnce(legal.collect())
            }
            // A seat that does not act has none.
            Actors::One(_) | Actors::Nobody => Self::One(legal.into_values().flatten().collect()),
        }
    }

    /// A line for each seat that acts, without its line end; none where rules list nothing.
    pub fn lines(&self) -> Vec<String> {
        match self {
            Self::One(legal) if legal.is_empty() => Vec::new(),
            Self::One(legal) => vec![format!("legal: {}", legal.join(" "))],
            Self::AtOnce(legal) => {
                let lines = legal.iter().filter(|(_, legal)| !legal.is_empty());
                lines
                    .map(|(seat, legal)| format!("legal for {seat}: {}", legal.join(" ")))
                    .collect()
            }
        }
    }
}
