//! What an action tells the seats.

use crate::game::{PerSeat, Seat};

/// What becomes known by an action, or at the start of a game. The buffers are reused from ply to ply.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct News {
    /// Public result of the action of each seat that acted: space-separated tokens, or nothing.
    pub public: PerSeat<String>,
    /// Whether no seat is told the action of a seat and its public result, not even the seat that acted.
    pub is_secret: PerSeat<bool>,
    /// Further lines, in the order in which they are told.
    seen: Vec<Seen>,
}

/// A line that one seat is told, or that all are told.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Seen {
    /// The seat; `None` is all seats.
    by: Option<Seat>,
    words: String,
}

impl News {
    /// Forgets everything.
    pub fn clear(&mut self) {
        self.public
            .iter_mut()
            .for_each(|(_, public)| public.clear());
        self.is_secret = PerSeat::default();
        self.seen.clear();
    }

    /// Tells one seat a line.
    pub fn tell(&mut self, seat: Seat, words: impl Into<String>) {
        self.seen.push(Seen {
            by: Some(seat),
            words: words.into(),
        });
    }

    /// Tells all seats a line.
    pub fn tell_all(&mut self, words: impl Into<String>) {
        self.seen.push(Seen {
            by: None,
            words: words.into(),
        });
    }

    /// The lines for a seat, besides the action and its public result.
    pub fn seen_by(&self, seat: Seat) -> impl Iterator<Item = &str> {
        let own = move |seen: &&Seen| seen.by.is_none_or(|by| by == seat);
        self.seen.iter().filter(own).map(|seen| seen.words.as_str())
    }
}
