//! The output of the bots of a game besides their answers, by ply.

use std::fs;

use crate::game::{PerSeat, Seat};
use crate::runs::journal::row::GameRow;
use crate::runs::logs::game_files::bot_log_path;
use crate::runs::reader::run::Run;

/// The output of a bot in one game: its standard error and its debug lines.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct BotOutput {
    text: Vec<u8>,
    /// Length of the prefix that is kept without a gap.
    whole: usize,
}

impl Run {
    /// The output of each bot in a game. It is empty where the bot wrote nothing, and where the file is not there.
    pub fn outputs_of(&self, row: &GameRow) -> PerSeat<BotOutput> {
        row.game.per_seat(|seat: Seat| {
            let path = bot_log_path(self.path(), row.id, row.game.seat_name(seat));
            let is_there = !row.files.stderr[seat].is_empty();
            let text = is_there.then(|| fs::read(path).ok()).flatten();
            let name = row.names()[seat];
            BotOutput {
                text: text.unwrap_or_default(),
                whole: self.manifest().limits_of(name).log,
            }
        })
    }
}

impl BotOutput {
    /// The part between two lengths of the output; empty where it was not kept.
    pub fn between(&self, from: u64, to: u64) -> &[u8] {
        let whole = self.whole.min(self.text.len());
        let [from, to] = [from, to].map(|at| usize::try_from(at).map_or(whole, |at| at.min(whole)));
        self.text.get(from..to).unwrap_or_default()
    }

    /// The part after a length of the output, where that was kept.
    pub fn after(&self, from: u64) -> &[u8] {
        let from = usize::try_from(from)
            .ok()
            .filter(|from| *from <= self.whole);
        from.and_then(|from| self.text.get(from..))
            .unwrap_or_default()
    }
}
