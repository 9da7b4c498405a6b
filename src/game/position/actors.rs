//! The seats that act in a ply, and the actions of a ply as one word.

use crate::game::{PerSeat, Seat};

/// Separator of the actions of both seats where a ply is one word, as in `rock+paper`.
const AT_ONCE: char = '+';

/// The seats that act in a ply.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Actors {
    /// No seat: the game is over.
    Nobody,
    /// One seat.
    One(Seat),
    /// Both seats at once: neither hears of the other's action before it has chosen its own.
    Both,
}

impl Actors {
    /// The seats that are marked.
    pub fn those(marked: PerSeat<bool>) -> Self {
        let mut seats = Seat::BOTH.into_iter().filter(|seat| marked[*seat]);
        match (seats.next(), seats.next()) {
            (Some(_), Some(_)) => Self::Both,
            (Some(seat), None) => Self::One(seat),
            (None, _) => Self::Nobody,
        }
    }

    /// Whether the game is over.
    pub fn is_nobody(self) -> bool {
        self == Self::Nobody
    }

    /// Whether a seat acts.
    pub fn includes(self, seat: Seat) -> bool {
        match self {
            Self::Nobody => false,
            Self::One(actor) => actor == seat,
            Self::Both => true,
        }
    }

    /// The seats that act, in the order of play.
    pub fn seats(self) -> impl Iterator<Item = Seat> + Clone {
        Seat::BOTH
            .into_iter()
            .filter(move |seat| self.includes(*seat))
    }

    /// The actions of a ply as one word, joined by `+` where both seats act.
    pub fn join(self, actions: PerSeat<&str>) -> String {
        let actions: Vec<&str> = self.seats().map(|seat| actions[seat]).collect();
        actions.join(&AT_ONCE.to_string())
    }

    /// The action of each seat from the one word for a ply; empty for a seat that does not act. `None` if both act and
    /// the word is not two actions.
    pub fn split(self, ply: &str) -> Option<PerSeat<&str>> {
        let mut actions = PerSeat::default();
        match self {
            Self::Nobody => {}
            Self::One(seat) => actions[seat] = ply,
            Self::Both => {
                let (first, second) = ply.split_once(AT_ONCE)?;
                if second.contains(AT_ONCE) {
                    return None;
                }
                actions = [first, second].into();
            }
        }
        Some(actions)
    }
}

impl From<Option<Seat>> for Actors {
    fn from(seat: Option<Seat>) -> Self {
        seat.map_or(Self::Nobody, Self::One)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_ply_of_both_seats_is_one_word() {
        let actions = PerSeat::from(["rock", "paper"]);
        assert_eq!(Actors::Both.join(actions), "rock+paper");
        assert_eq!(Actors::Both.split("rock+paper"), Some(actions));
        for not_two in ["rock", "rock+paper+rock", ""] {
            assert_eq!(Actors::Both.split(not_two), None, "{not_two}");
        }
        let second = Actors::One(Seat::SECOND);
        assert_eq!(second.join(actions), "paper");
        assert_eq!(second.split("e4+"), Some(PerSeat::from(["", "e4+"])));
    }
}
