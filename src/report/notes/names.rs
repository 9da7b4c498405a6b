//! Names of players in notes.

use crate::report::text::listed;
use crate::results::Rated;

/// Upper bound on the players, groups or cycles that a note names.
pub const NAMED: usize = 5;

/// Display name of a player.
pub fn name(one: &Rated<'_>, player: usize) -> String {
    one.settings.display_names.shown(one.name(player))
}

/// Display names of players, separated by commas.
pub fn names(one: &Rated<'_>, players: &[usize]) -> String {
    listed(players, players.len(), NAMED, ", ", |player| {
        name(one, *player)
    })
}
