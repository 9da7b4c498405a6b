//! Legal actions in a position, as JSON and in words.

use std::collections::BTreeMap;

use serde::Serialize;

use crate::game::{Actors, Game, PerSeat};

/// The legal actions of the one seat that acts, or of each seat by its name where both act.
#[derive(Debug, Serialize)]
#[serde(untagged)]
pub(super) enum Legal {
    One(Vec<String>),
    Both(BTreeMap<&'static str, Vec<String>>),
}

impl Legal {
    pub fn of(game: Game, actors: Actors, legal: PerSeat<Vec<String>>) -> Self {
        let [first, second] = legal.into_array();
        match actors {
            Actors::Both => {
                Self::Both(game.seat_names().into_iter().zip([first, second]).collect())
            }
            // A seat that does not act has none.
            Actors::One(_) | Actors::Nobody => Self::One([first, second].concat()),
        }
    }

    /// A line for each seat that acts, without its line end.
    pub fn lines(&self) -> Vec<String> {
        match self {
            Self::One(legal) => vec![format!("legal: {}", legal.join(" "))],
            Self::Both(legal) => {
                let lines = legal.iter();
                lines
                    .map(|(seat, legal)| format!("legal for {seat}: {}", legal.join(" ")))
                    .collect()
            }
        }
    }
}
