//! A player's place in one game, and sets of such places.

pub const MOST_SEATS: usize = 8;

/// A player's place in one game, by the order of play.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Seat(u8);

impl Seat {
    /// Acts first: White, Red, the first player.
    pub const FIRST: Seat = Seat(0);

    /// Acts second: Black, Blue, the second player.
    pub const SECOND: Seat = Seat(1);

    pub const BOTH: [Seat; 2] = [Seat::FIRST, Seat::SECOND];

    /// The seats of a game of `count`, in order of play. There are at most [`MOST_SEATS`].
    pub fn all(count: usize) -> impl DoubleEndedIterator<Item = Seat> + ExactSizeIterator + Clone {
        (0..count.min(MOST_SEATS) as u8).map(Seat)
    }

    pub fn other(self) -> Self {
        Seat(u8::from(self == Seat::FIRST))
    }

    pub fn index(self) -> usize {
        self.0.into()
    }

    /// Its number in the protocol of rules: its place, from 0.
    pub fn number(self) -> u8 {
        self.0
    }

    /// The seat with this number, which is below [`MOST_SEATS`].
    pub fn numbered(number: u8) -> Self {
        debug_assert!(usize::from(number) < MOST_SEATS);
        Self(number)
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct Seats(u8);

impl Seats {
    pub const BOTH: Seats = Seats(0b11);

    pub fn contains(self, seat: Seat) -> bool {
        self.0 & 1 << seat.0 != 0
    }

    pub fn insert(&mut self, seat: Seat) {
        self.0 |= 1 << seat.0;
    }

    pub fn remove(&mut self, seat: Seat) {
        self.0 &= !(1 << seat.0);
    }

    pub fn iter(self) -> impl DoubleEndedIterator<Item = Seat> + Clone {
        let end = u8::BITS - self.0.leading_zeros();
        Seat::all(end as usize).filter(move |seat| self.contains(*seat))
    }

    pub fn len(self) -> usize {
        self.0.count_ones() as usize
    }

    pub fn is_empty(self) -> bool {
        self.0 == 0
    }

    pub fn only(self) -> Option<Seat> {
        let mut seats = self.iter();
        seats.next().filter(|_| seats.next().is_none())
    }
}

impl FromIterator<Seat> for Seats {
    fn from_iter<I: IntoIterator<Item = Seat>>(seats: I) -> Self {
        let mut set = Self::default();
        seats.into_iter().for_each(|seat| set.insert(seat));
        set
    }
}

/// A side of a built-in game; each has two. It is a type of its own, so that a `match` on it is complete and a square of
/// a board takes one byte.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Side {
    First,
    Second,
}

impl Side {
    pub const BOTH: [Side; 2] = [Side::First, Side::Second];

    pub fn other(self) -> Self {
        match self {
            Side::First => Side::Second,
            Side::Second => Side::First,
        }
    }

    /// 0 for the first side, 1 for the second: an index into a pair.
    pub fn index(self) -> usize {
        self as usize
    }

    pub fn of(seat: Seat) -> Self {
        Side::BOTH[usize::from(seat != Seat::FIRST)]
    }
}

impl From<Side> for Seat {
    fn from(side: Side) -> Self {
        Seat::BOTH[side.index()]
    }
}

/// Whether `text` can name a game, a seat or a reason: 1 to 64 characters of `A-Z a-z 0-9 . _ -`.
pub fn is_name(text: &str) -> bool {
    let is_allowed = |byte: u8| byte.is_ascii_alphanumeric() || b"._-".contains(&byte);
    (1..=64).contains(&text.len()) && text.bytes().all(is_allowed)
}
