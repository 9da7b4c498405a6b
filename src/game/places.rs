//! Places of the seats of a game.

use super::{MOST_SEATS, PerSeat, Seat};

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

    /// Number of seats.
    pub fn count(self) -> usize {
        self.0.iter().filter(|place| **place != 0).count()
    }

    /// The place of a seat.
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

    /// The seats in the first place.
    pub fn best(self) -> impl Iterator<Item = Seat> {
        Seat::all(self.count()).filter(move |seat| self.of(*seat) == 1)
    }
}
