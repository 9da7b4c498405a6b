//! Result of a game, and who forfeited it.

use std::borrow::Cow;
use std::fmt;
use std::ops::Sub;

use super::{MOST_SEATS, PerSeat, Seat, Seats};

/// Who won a game that counts. A result has one form alone, so equal results are equal values.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum GameResult {
    Won(Seat),
    Drawn,
    /// All players forfeited: all lose.
    Nobody,
    Placed(Places),
}

impl GameResult {
    pub const OF_TWO: [GameResult; 4] = [
        GameResult::Won(Seat::FIRST),
        GameResult::Won(Seat::SECOND),
        GameResult::Drawn,
        GameResult::Nobody,
    ];

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

/// Name in records for the forfeiters of a double forfeit.
pub const BOTH_PLAYERS: &str = "both";

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum ForfeitedBy {
    /// No player: the game ended normally, or by a fault outside the players.
    Nobody,
    Of(Seat),
    /// Several players, who all forfeit. In a game of two nobody wins then, and it is no draw.
    Several(Seats),
}

impl ForfeitedBy {
    pub const BOTH: ForfeitedBy = ForfeitedBy::Several(Seats::BOTH);

    pub fn of(seats: Seats) -> Self {
        match (seats.is_empty(), seats.only()) {
            (true, _) => Self::Nobody,
            (false, Some(seat)) => Self::Of(seat),
            (false, None) => Self::Several(seats),
        }
    }

    pub fn includes(self, seat: Seat) -> bool {
        match self {
            ForfeitedBy::Nobody => false,
            ForfeitedBy::Of(forfeiter) => forfeiter == seat,
            ForfeitedBy::Several(seats) => seats.contains(seat),
        }
    }

    /// The name in records: the player to blame, `both` of two, several of more joined by `+`, or an empty string.
    pub fn name<'a>(self, players: &PerSeat<&'a str>) -> Cow<'a, str> {
        match self {
            ForfeitedBy::Nobody => "".into(),
            ForfeitedBy::Of(seat) => players[seat].into(),
            ForfeitedBy::Several(_) if players.count() == 2 => BOTH_PLAYERS.into(),
            ForfeitedBy::Several(seats) => {
                let names: Vec<&str> = seats.iter().map(|seat| players[seat]).collect();
                names.join(JOINED).into()
            }
        }
    }

    pub fn from_name(players: &PerSeat<&str>, name: &str) -> Option<Self> {
        match name {
            "" => Some(ForfeitedBy::Nobody),
            BOTH_PLAYERS => Some(ForfeitedBy::BOTH),
            name => players.find(|player| *player == name).map(ForfeitedBy::Of),
        }
    }
}

/// The place of each seat of a game: 1 is the best. Seats that are tied share the best of their places, as in 1, 2, 2, 4.
/// Seats that forfeited in one ply share the worst of theirs, as in 1, 3, 3: none of them has beaten another.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Places([u8; MOST_SEATS]);

impl Places {
    /// Places by amounts: more is better, and equal amounts are tied.
    pub fn by<T: PartialOrd>(amounts: &PerSeat<T>) -> Self {
        let mut places = [0; MOST_SEATS];
        for (place, amount) in places.iter_mut().zip(amounts.values()) {
            let better = amounts.values().filter(|other| *other > amount);
            *place = 1 + better.count() as u8;
        }
        Self(places)
    }

    /// The places with these numbers; `None` if no game can end so.
    pub fn numbered(numbers: &PerSeat<u8>) -> Option<Self> {
        let is_possible = numbers.values().all(|number| {
            let better = numbers.values().filter(|other| *other < number).count() as u8;
            let alike = numbers.values().filter(|other| *other == number).count() as u8;
            *number == better + 1 || *number == better + alike
        });
        is_possible.then(|| {
            let mut places = [0; MOST_SEATS];
            for (place, number) in places.iter_mut().zip(numbers.values()) {
                *place = *number;
            }
            Self(places)
        })
    }

    pub fn count(self) -> usize {
        self.0.iter().filter(|place| **place != 0).count()
    }

    pub fn of(self, seat: Seat) -> u8 {
        self.0[seat.index()]
    }

    /// The share of its opponents that a seat has beaten, from 0 to 1; a tie counts half.
    pub fn points(self, seat: Seat) -> f64 {
        self.half_points(seat) as f64 / (2 * self.count().saturating_sub(1)).max(1) as f64
    }

    /// The opponents that a seat has beaten, in halves; a tie is one.
    pub fn half_points(self, seat: Seat) -> u64 {
        let place = self.of(seat);
        let others = || {
            let seats = Seat::all(self.count());
            seats
                .filter(move |other| *other != seat)
                .map(|other| self.of(other))
        };
        let better = others().filter(|other| *other < place).count();
        let beaten = others().filter(|other| *other > place).count();
        let tied = others().count() - better - beaten;
        let have_forfeited = usize::from(place) != better + 1;
        let ties = if have_forfeited { 0 } else { tied };
        (2 * beaten + ties) as u64
    }

    pub fn best(self) -> impl Iterator<Item = Seat> {
        Seat::all(self.count()).filter(move |seat| self.of(*seat) == 1)
    }
}

/// Points: a decimal number with at most nine decimals, kept exactly.
#[derive(Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct RulesPoints(i128);

/// The most digits of a number of points: floating-point numbers have 17.
const MOST_DIGITS: usize = 30;

const MOST_POINTS: i128 = 1_000_000_000_000_000_000;

impl RulesPoints {
    pub const ZERO: Self = Self(0);
    pub const HALF: Self = Self(Self::UNIT / 2);
    pub const ONE: Self = Self(Self::UNIT);

    /// One point, in the unit of the number inside.
    const UNIT: i128 = 1_000_000_000;

    /// Reads `-?digits[.digits]`, with an exponent such as `e-05` where a program prints one, and rounds it to nine decimals:
    /// a sum of floating-point numbers is `0.30000000000000004` in Python. At most 18 digits stand before the point.
    pub fn parse(text: &str) -> Option<Self> {
        let unsigned = text.strip_prefix('-').unwrap_or(text);
        let (number, exponent) = match unsigned.split_once(['e', 'E']) {
            Some((number, exponent)) => (number, exponent.parse().ok()?),
            None => (unsigned, 0_i8),
        };
        let (whole, part) = number.split_once('.').unwrap_or((number, "0"));
        let digits = format!("{whole}{part}");
        let are_digits = digits.bytes().all(|byte| byte.is_ascii_digit());
        if whole.is_empty() || part.is_empty() || !are_digits || digits.len() > MOST_DIGITS {
            return None;
        }
        let digits: i128 = digits.parse().ok()?;
        let shift = 9 - part.len() as i32 + i32::from(exponent);
        let scale = 10_i128.checked_pow(shift.unsigned_abs());
        let amount = match (shift < 0, scale) {
            (false, Some(scale)) => digits.checked_mul(scale)?,
            (true, Some(scale)) => digits / scale + i128::from(digits % scale * 2 >= scale),
            (false, None) if digits != 0 => return None,
            (_, None) => 0,
        };
        let sign = if unsigned.len() < text.len() { -1 } else { 1 };
        (amount < MOST_POINTS * Self::UNIT).then_some(Self(sign * amount))
    }

    pub fn whole(self) -> Option<i64> {
        let is_whole = self.0 % Self::UNIT == 0;
        is_whole.then(|| (self.0 / Self::UNIT).try_into().ok())?
    }

    pub fn approximate(self) -> f64 {
        self.0 as f64 / Self::UNIT as f64
    }
}

impl Sub for RulesPoints {
    type Output = Self;

    fn sub(self, other: Self) -> Self {
        Self(self.0 - other.0)
    }
}

impl From<u32> for RulesPoints {
    fn from(whole: u32) -> Self {
        Self(i128::from(whole) * Self::UNIT)
    }
}

impl fmt::Display for RulesPoints {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (amount, one) = (self.0.unsigned_abs(), Self::UNIT.unsigned_abs());
        let sign = if self.0 < 0 { "-" } else { "" };
        write!(f, "{sign}{}", amount / one)?;
        match amount % one {
            0 => Ok(()),
            part => write!(f, ".{}", format!("{part:09}").trim_end_matches('0')),
        }
    }
}

impl fmt::Debug for RulesPoints {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn points_are_exact_and_bounded() {
        for (text, shown) in [
            ("0", "0"),
            ("-0.5", "-0.5"),
            ("007", "7"),
            ("1.500000000", "1.5"),
            ("-0", "0"),
            ("0.30000000000000004", "0.3"),
            ("-2.9999999999999996", "-3"),
            ("1e-05", "0.00001"),
            ("1.5e+16", "15000000000000000"),
            ("0e99", "0"),
            ("1e-99", "0"),
        ] {
            assert_eq!(RulesPoints::parse(text).expect(text).to_string(), shown);
        }
        let most = "999999999999999999.999999999";
        assert_eq!(RulesPoints::parse(most).expect(most).to_string(), most);
        let refused = ",-,.5,1.,+1,1e,1e1.5,1e999,1e99,--1,inf,nan,1234567890123456789,999999999999999999.9999999999,\
                       0.000000000000000000000000000001,½";
        for text in refused.split(',') {
            assert_eq!(RulesPoints::parse(text), None, "{text}");
        }
    }
}
