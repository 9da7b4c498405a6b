//! Forfeits by player and reason.

use std::collections::BTreeMap;

use crate::runs::GameRow;
use crate::text::excerpt;

/// Maximum length of a player's fault, in characters.
const EXCERPT: usize = 160;

/// The forfeits of a run, by player and by the termination of the game.
#[derive(Debug, Default)]
pub struct Forfeits(BTreeMap<(String, &'static str), ForfeitCount>);

/// The games that a player forfeited in one way.
#[derive(Debug)]
pub struct ForfeitCount {
    /// Number of games.
    pub count: u64,
    /// The lowest number of a game among them.
    pub first: u64,
    /// The player's fault in that game.
    pub detail: String,
}

impl Forfeits {
    /// Adds a game, which may have no forfeit.
    pub fn add(&mut self, row: &GameRow) {
        for seat in row.game.seats() {
            if let Some(fault) = row.end.fault(seat) {
                self.count(
                    &row.players[seat],
                    row.end.termination_for(seat).name(),
                    row.id,
                    &fault.to_string(),
                );
            }
        }
    }

    pub(super) fn count(&mut self, player: &str, termination: &'static str, id: u64, detail: &str) {
        let forfeit = self
            .0
            .entry((player.to_owned(), termination))
            .or_insert_with(|| ForfeitCount {
                count: 0,
                first: u64::MAX,
                detail: String::new(),
            });
        forfeit.count += 1;
        if id < forfeit.first {
            forfeit.first = id;
            forfeit.detail = excerpt(detail, EXCERPT);
        }
    }

    /// The forfeits of each player, by the termination that its faults led to.
    pub fn each(&self) -> impl ExactSizeIterator<Item = (&str, &'static str, &ForfeitCount)> {
        let each = self.0.iter();
        each.map(|((player, termination), forfeit)| (player.as_str(), *termination, forfeit))
    }
}
