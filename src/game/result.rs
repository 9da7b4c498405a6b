//! Result of a game, and blame for its end.

use std::borrow::Cow;

use super::{PerSeat, Places, Seat, Seats};

/// Who won a game that counts. A result has one form alone, so equal results are equal values.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum GameResult {
    /// The player of this seat won, in a game of two.
    Won(Seat),
    /// The game was drawn: all seats are tied.
    Drawn,
    /// All players forfeited: all lose.
    Nobody,
    /// Any other result of a game of more than two.
    Placed(Places),
}

impl GameResult {
    /// Every result of a game of two.
    pub const OF_TWO: [GameResult; 4] = [
        GameResult::Won(Seat::FIRST),
        GameResult::Won(Seat::SECOND),
        GameResult::Drawn,
        GameResult::Nobody,
    ];

    /// The result with these places.
    pub fn placed(places: Places) -> Self {
        let count = places.count();
        let are_all =
            |number: usize| Seat::all(count).all(|seat| usize::from(places.of(seat)) == number);
        let mut best = places.best();
        match (best.next(), count) {
            (Some(_), _) if are_all(1) => Self::Drawn,
            (None, _) if are_all(count) => Self::Nobody,
            (Some(winner), 2) => Self::Won(winner),
            _ => Self::Placed(places),
        }
    }

    /// This result of a game of `seats` that some left before its end: they are below all others, the first set lowest.
    /// The seats of a set share the worst of their places.
    pub fn below_which(self, seats: usize, left: &[Seats]) -> Self {
        let own = self.places(seats);
        let set_of = |seat: Seat| left.iter().position(|set| set.contains(seat));
        let places = PerSeat::of(seats, |seat| match set_of(seat) {
            Some(at) => (seats - left[..at].iter().map(|set| set.len()).sum::<usize>()) as u8,
            None => {
                let others = own.iter().filter(|(other, _)| set_of(*other).is_none());
                1 + others.filter(|(_, place)| **place < own[seat]).count() as u8
            }
        });
        Places::numbered(&places).map_or(self, Self::placed)
    }

    /// The place of each seat in a game of `seats`.
    pub fn places(self, seats: usize) -> PerSeat<u8> {
        PerSeat::of(seats, |seat| match self {
            GameResult::Won(winner) => 1 + u8::from(seat != winner),
            GameResult::Drawn => 1,
            GameResult::Nobody => seats as u8,
            GameResult::Placed(places) => places.of(seat),
        })
    }

    /// The share of its opponents that a seat has beaten, from 0 to 1; a draw counts ½. In a game of two that is 1 for a
    /// win.
    pub fn points(self, seat: Seat) -> f64 {
        match self {
            GameResult::Won(winner) => f64::from(u8::from(seat == winner)),
            GameResult::Drawn => 0.5,
            GameResult::Nobody => 0.0,
            GameResult::Placed(places) => places.points(seat),
        }
    }

    /// The opponents that a seat has beaten in a game of `seats`, in halves; a draw is one for each.
    pub fn half_points(self, seat: Seat, seats: usize) -> u64 {
        match self {
            GameResult::Won(winner) => 2 * u64::from(seat == winner),
            GameResult::Drawn => seats as u64 - 1,
            GameResult::Nobody => 0,
            GameResult::Placed(places) => places.half_points(seat),
        }
    }

    /// The seats in the first place; none of a draw.
    pub fn winners(self) -> Seats {
        match self {
            GameResult::Won(seat) => Seats::from_iter([seat]),
            GameResult::Drawn | GameResult::Nobody => Seats::default(),
            GameResult::Placed(places) => places.best().collect(),
        }
    }

    /// The points of the seats of a game of two: 1 for a win, ½ for a draw.
    pub fn points_of_two(self) -> [f64; 2] {
        Seat::BOTH.map(|seat| self.points(seat))
    }
}

/// Joins the names of several seats or players.
pub(super) const JOINED: &str = "+";

/// Name in records for the blame of a double forfeit.
pub const BOTH_PLAYERS: &str = "both";

/// Who is to blame for the end of a game.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Blame {
    /// No player: the game ended normally, or by a fault outside the players.
    Nobody,
    /// The player of one seat, who forfeits the game.
    Of(Seat),
    /// Several players, who all forfeit. In a game of two nobody wins then, and it is no draw.
    Several(Seats),
}

impl Blame {
    /// Both players of a game of two.
    pub const BOTH: Blame = Blame::Several(Seats::BOTH);

    /// The blame of these seats.
    pub fn of(seats: Seats) -> Self {
        match (seats.is_empty(), seats.only()) {
            (true, _) => Self::Nobody,
            (false, Some(seat)) => Self::Of(seat),
            (false, None) => Self::Several(seats),
        }
    }

    /// Whether `seat` is to blame.
    pub fn includes(self, seat: Seat) -> bool {
        match self {
            Blame::Nobody => false,
            Blame::Of(blamed) => blamed == seat,
            Blame::Several(seats) => seats.contains(seat),
        }
    }

    /// The name in records: the player to blame, `both` of two, several of more joined by `+`, or an empty string.
    pub fn name<'a>(self, players: &PerSeat<&'a str>) -> Cow<'a, str> {
        match self {
            Blame::Nobody => "".into(),
            Blame::Of(seat) => players[seat].into(),
            Blame::Several(_) if players.count() == 2 => BOTH_PLAYERS.into(),
            Blame::Several(seats) => {
                let names: Vec<&str> = seats.iter().map(|seat| players[seat]).collect();
                names.join(JOINED).into()
            }
        }
    }

    /// The blame of that name in a game of two.
    pub fn from_name(players: &PerSeat<&str>, name: &str) -> Option<Self> {
        match name {
            "" => Some(Blame::Nobody),
            BOTH_PLAYERS => Some(Blame::BOTH),
            name => players.find(|player| *player == name).map(Blame::Of),
        }
    }
}
