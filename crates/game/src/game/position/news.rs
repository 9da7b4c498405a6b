//! News for the seats from an action.

use crate::game::{Seat, Seats};

/// News from an action, or from the start of a game. The buffers are reused from ply to ply.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct News {
    /// Public result of the action of each seat that acted.
    public: Vec<String>,
    secret: Seats,
    /// Further lines, in the order of telling, each with the seat that is told it; `None` is all seats.
    lines: Vec<(Option<Seat>, NewsLine)>,
}

#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum NewsLine {
    Did {
        seat: Seat,
        action: String,
        /// The public result; may be empty.
        public: String,
    },
    See(String),
}

impl News {
    pub fn clear(&mut self) {
        self.public.iter_mut().for_each(String::clear);
        self.secret = Seats::default();
        self.lines.clear();
    }

    /// The public result of the action of a seat that acted: space-separated tokens, or nothing.
    pub fn public(&self, seat: Seat) -> &str {
        self.public.get(seat.index()).map_or("", String::as_str)
    }

    /// The public result of the action of a seat that acted, to be written.
    pub fn public_mut(&mut self, seat: Seat) -> &mut String {
        let count = self.public.len().max(seat.index() + 1);
        self.public.resize_with(count, String::new);
        &mut self.public[seat.index()]
    }

    /// Whether the further lines are all that seats are told of the action of a seat: nobody is told the action and its
    /// public result, not even the seat that acted.
    pub fn is_secret(&self, seat: Seat) -> bool {
        self.secret.contains(seat)
    }

    /// Whether the other seats are not told this action of a seat, or not as it is.
    pub fn hides(&self, seat: Seat, action: &str) -> bool {
        let tells = |line: &NewsLine| match line {
            NewsLine::Did {
                seat: of,
                action: told,
                ..
            } => *of == seat && told == action,
            _ => false,
        };
        self.is_secret(seat) && !self.lines.iter().any(|(_, line)| tells(line))
    }

    pub fn keep_secret(&mut self, seat: Seat) {
        self.secret.insert(seat);
    }

    pub fn tell(&mut self, seat: Seat, words: impl Into<String>) {
        let line = NewsLine::See(words.into());
        self.lines.push((Some(seat), line));
    }

    pub fn tell_all(&mut self, words: impl Into<String>) {
        self.lines.push((None, NewsLine::See(words.into())));
    }

    pub fn tell_lines(&mut self, lines: &[(Option<Seat>, NewsLine)]) {
        self.lines.extend_from_slice(lines);
    }

    /// The lines besides the action and its public result, each with the seat that is told it; `None` is all seats.
    pub fn lines(&self) -> impl Iterator<Item = &(Option<Seat>, NewsLine)> {
        self.lines.iter()
    }

    /// The lines for a seat, besides the action and its public result.
    pub fn lines_for(&self, seat: Seat) -> impl Iterator<Item = &NewsLine> {
        let own = self
            .lines()
            .filter(move |(told, _)| told.is_none_or(|told| told == seat));
        own.map(|(_, line)| line)
    }
}
