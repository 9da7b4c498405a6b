//! The seats that act in a ply, and the actions of a ply as one word.

use crate::game::{PerSeat, Seat, Seats};

/// Separator of the actions where several seats act in a ply, as in `rock+paper`.
const AT_ONCE: char = '+';

/// The seats that act in a ply.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Actors {
    /// No seat: the game is over.
    Nobody,
    /// One seat.
    One(Seat),
    /// Several seats at once: none hears of another's action before it has chosen its own.
    AtOnce(Seats),
}

impl Actors {
    /// Both seats of a game of two, at once.
    pub const BOTH: Actors = Actors::AtOnce(Seats::BOTH);

    /// These seats.
    pub fn those(seats: Seats) -> Self {
        match (seats.is_empty(), seats.only()) {
            (true, _) => Self::Nobody,
            (false, Some(seat)) => Self::One(seat),
            (false, None) => Self::AtOnce(seats),
        }
    }

    /// Whether the game is over.
    pub fn is_nobody(self) -> bool {
        self == Self::Nobody
    }

    /// Whether several seats act at once.
    pub fn are_several(self) -> bool {
        matches!(self, Self::AtOnce(_))
    }

    /// Whether a seat acts.
    pub fn includes(self, seat: Seat) -> bool {
        self.set().contains(seat)
    }

    /// The seats that act, in the order of play.
    pub fn seats(self) -> impl DoubleEndedIterator<Item = Seat> + Clone {
        self.set().iter()
    }

    /// The seats that act.
    pub fn set(self) -> Seats {
        match self {
            Self::Nobody => Seats::default(),
            Self::One(seat) => Seats::from_iter([seat]),
            Self::AtOnce(seats) => seats,
        }
    }

    /// The actions of a ply as one word, joined by `+` where several seats act.
    pub fn join(self, actions: &PerSeat<&str>) -> String {
        let actions: Vec<&str> = self.seats().map(|seat| actions[seat]).collect();
        actions.join(&AT_ONCE.to_string())
    }

    /// The action of each of `seats` from the one word for a ply; empty for a seat that does not act. `None` if several
    /// act and the word has not an action for each.
    pub fn split(self, seats: usize, ply: &str) -> Option<PerSeat<&str>> {
        let mut actions = PerSeat::defaults(seats);
        match self {
            Self::Nobody => {}
            Self::One(seat) => actions[seat] = ply,
            Self::AtOnce(actors) => {
                let mut words = ply.split(AT_ONCE);
                for seat in actors.iter() {
                    actions[seat] = words.next()?;
                }
                if words.next().is_some() {
                    return None;
                }
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
        assert_eq!(Actors::BOTH.join(&actions), "rock+paper");
        assert_eq!(Actors::BOTH.split(2, "rock+paper"), Some(actions.clone()));
        for not_two in ["rock", "rock+paper+rock", ""] {
            assert_eq!(Actors::BOTH.split(2, not_two), None, "{not_two}");
        }
        let second = Actors::One(Seat::SECOND);
        assert_eq!(second.join(&actions), "paper");
        assert_eq!(second.split(2, "e4+"), Some(PerSeat::from(["", "e4+"])));
    }

    #[test]
    fn some_seats_of_a_larger_game_act_at_once() {
        let [first, third] = [0, 2].map(Seat::numbered);
        let actors = Actors::those(Seats::from_iter([third, first]));
        let actions: PerSeat<&str> = ["up", "", "left"].into_iter().collect();
        assert_eq!(actors.join(&actions), "up+left");
        assert_eq!(actors.split(3, "up+left"), Some(actions));
        assert_eq!(Actors::those(Seats::from_iter([third])), Actors::One(third));
    }
}
