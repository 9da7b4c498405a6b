//! Counts of places, and who beat whom.

use std::collections::BTreeMap;

use super::game::PlacedGame;
use crate::game::MOST_SEATS;

/// The games of two players at one table, seen by the first of them.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Met {
    /// Games where the first was ahead.
    pub ahead: u64,
    /// Games where it was behind.
    pub behind: u64,
    /// Games where they had one place.
    pub tied: u64,
}

impl Met {
    /// Games at one table.
    pub fn games(&self) -> u64 {
        self.ahead + self.behind + self.tied
    }

    /// The games as the second player sees them.
    pub fn reversed(self) -> Self {
        Self {
            ahead: self.behind,
            behind: self.ahead,
            tied: self.tied,
        }
    }
}

/// Number of games with each place, the first place first, as the games have them.
pub type ByPlace = [u64; MOST_SEATS];

/// Counts of a set of games.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct PlaceCounts {
    by_player: BTreeMap<usize, ByPlace>,
    by_seat: BTreeMap<(usize, usize), ByPlace>,
    in_seat: BTreeMap<[usize; 3], ByPlace>,
    /// By the two players, the lower index first.
    met: BTreeMap<[usize; 2], Met>,
    forfeits: BTreeMap<usize, u64>,
}

impl PlaceCounts {
    /// Counts the games.
    pub fn new(games: &[PlacedGame]) -> Self {
        let mut counts = Self::default();
        games.iter().for_each(|game| counts.add(game));
        counts
    }

    /// Counts one more game.
    pub fn add(&mut self, game: &PlacedGame) {
        for (at, seat) in game.seats.iter().enumerate() {
            let place = usize::from(seat.place).clamp(1, MOST_SEATS) - 1;
            self.by_player.entry(seat.player).or_default()[place] += 1;
            let of_seat = self.by_seat.entry((game.seats.len(), at)).or_default();
            of_seat[place] += 1;
            let in_seat = self.in_seat.entry([seat.player, game.seats.len(), at]);
            in_seat.or_default()[place] += 1;
            *self.forfeits.entry(seat.player).or_default() += u64::from(seat.forfeited);
            let others = game.seats.iter().filter(|it| it.player > seat.player);
            for other in others {
                // They share a place without having played it out.
                if game.stopped && !seat.forfeited && !other.forfeited {
                    continue;
                }
                let met = self.met.entry([seat.player, other.player]).or_default();
                met.ahead += u64::from(seat.place < other.place);
                met.behind += u64::from(seat.place > other.place);
                met.tied += u64::from(seat.place == other.place);
            }
        }
    }

    /// The places of a player.
    pub fn of_player(&self, player: usize) -> ByPlace {
        self.by_player.get(&player).copied().unwrap_or_default()
    }

    /// The places of the players in a seat, from 0, at tables with this number of seats.
    pub fn of_seat(&self, seats: usize, seat: usize) -> ByPlace {
        self.by_seat
            .get(&(seats, seat))
            .copied()
            .unwrap_or_default()
    }

    /// The places of a player in a seat, from 0, at tables with this number of seats.
    pub fn in_seat(&self, player: usize, seats: usize, seat: usize) -> ByPlace {
        let places = self.in_seat.get(&[player, seats, seat]);
        places.copied().unwrap_or_default()
    }

    /// Games that a player forfeited.
    pub fn forfeits(&self, player: usize) -> u64 {
        self.forfeits.get(&player).copied().unwrap_or_default()
    }

    /// The games of two players at one table, without the games that another's forfeit stopped.
    pub fn met(&self, player: usize, other: usize) -> Met {
        let met = self.met.get(&[player.min(other), player.max(other)]);
        let met = met.copied().unwrap_or_default();
        match player <= other {
            true => met,
            false => met.reversed(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rating::Ending::{self, Forfeit, Points};

    #[test]
    fn places_are_counted_by_player_by_seat_and_by_who_beat_whom() {
        let game = |endings: &[(usize, Ending)]| PlacedGame::new(endings, 0);
        let games = [
            game(&[(0, Points(2.0)), (1, Points(1.0)), (2, Points(0.0))]),
            game(&[(1, Points(2.0)), (2, Points(2.0)), (0, Points(0.0))]),
            game(&[
                (2, Forfeit(4)),
                (0, Forfeit(4)),
                (1, Points(0.0)),
                (3, Points(9.0)),
            ]),
        ];
        let counts = PlaceCounts::new(&games);
        assert_eq!(counts.of_player(0)[..4], [1, 0, 2, 0]);
        assert_eq!(counts.of_player(1)[..4], [1, 2, 0, 0]);
        assert_eq!(counts.of_player(9), [0; 8]);
        assert_eq!(counts.of_seat(3, 0)[..3], [2, 0, 0]);
        assert_eq!(counts.of_seat(3, 1)[..3], [1, 1, 0]);
        assert_eq!(counts.of_seat(4, 3)[..3], [1, 0, 0]);
        assert_eq!(counts.in_seat(1, 3, 1)[..3], [0, 1, 0]);
        assert_eq!(counts.in_seat(1, 3, 0)[..3], [1, 0, 0]);
        assert_eq!(counts.in_seat(1, 4, 1), [0; 8]);
        assert_eq!([0, 1, 2].map(|player| counts.forfeits(player)), [1, 0, 1]);
        let met = counts.met(0, 2);
        assert_eq!((met.ahead, met.behind, met.tied, met.games()), (1, 1, 1, 3));
        assert_eq!(counts.met(2, 0), met.reversed());
        assert_eq!(
            counts.met(0, 3),
            Met {
                ahead: 0,
                behind: 1,
                tied: 0
            }
        );
        assert_eq!(counts.met(3, 9), Met::default());
    }
}
