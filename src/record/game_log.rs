//! The log of one game: a row per ply.

use std::time::Duration;

use sha2::{Digest, Sha256};

use crate::game::{AnyPosition, Game};
use crate::referee::{Ply, Witness};

/// The columns of a game's log.
pub const PLY_COLUMNS: [&str; 8] = [
    "ply",
    "seat",
    "action",
    "public",
    "wall_us",
    "cpu_us",
    "idle_cpu_us",
    "left_us",
];

/// Collects the plies of one game as CSV. One value serves many games, one after another.
#[derive(Debug)]
pub struct GameLog {
    game: Game,
    writer: csv::Writer<Vec<u8>>,
    number: String,
    played: Option<Sha256>,
}

/// How many bytes of a digest are kept: enough that no two games of a million agree by chance.
const DIGEST: usize = 8;

impl GameLog {
    /// An empty log, with its header.
    pub fn new(game: Game) -> Self {
        let mut writer = csv::Writer::from_writer(Vec::with_capacity(4 << 10));
        // Writing to memory cannot fail, and all rows have the same number of columns.
        let _ = writer.write_record(PLY_COLUMNS);
        Self {
            game,
            writer,
            number: String::new(),
            played: None,
        }
    }

    /// A digest of the actions so far and of what became public by them, in hexadecimal digits;
    /// empty before the first.
    pub fn digest(&self) -> String {
        let Some(played) = &self.played else {
            return String::new();
        };
        let digest = played.clone().finalize();
        digest[..DIGEST]
            .iter()
            .map(|byte| format!("{byte:02x}"))
            .collect()
    }

    /// The log as bytes.
    pub fn into_bytes(self) -> Vec<u8> {
        // The only error is that of a last flush, to memory.
        self.writer.into_inner().unwrap_or_default()
    }

    fn field(&mut self, text: &str) {
        let _ = self.writer.write_field(text);
    }

    /// A number, or an empty field.
    fn number(&mut self, value: Option<u64>) {
        use std::fmt::Write;
        self.number.clear();
        if let Some(value) = value {
            let _ = write!(self.number, "{value}");
        }
        let _ = self.writer.write_field(&self.number);
    }
}

/// Whole microseconds of a duration.
pub(super) fn micros(duration: Duration) -> u64 {
    duration.as_micros().try_into().unwrap_or(u64::MAX)
}

impl Witness for GameLog {
    fn ply(&mut self, ply: &Ply<'_>, _position: &dyn AnyPosition) {
        let played = self.played.get_or_insert_default();
        for part in [ply.action, " ", ply.public, "\n"] {
            played.update(part);
        }
        self.number(Some(ply.number.into()));
        self.field(self.game.seat_name(ply.seat));
        self.field(ply.action);
        self.field(ply.public);
        self.number(ply.spent.map(|spent| micros(spent.wall)));
        self.number(ply.spent.map(|spent| micros(spent.cpu)));
        self.number(ply.spent.map(|spent| micros(spent.idle_cpu)));
        self.number(ply.left.map(micros));
        let _ = self.writer.write_record(None::<&[u8]>);
    }
}
