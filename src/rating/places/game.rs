//! A game with the place of each player.

use std::cmp::Reverse;
use std::fmt;

use crate::game::MOST_SEATS;

/// How a game ended for the player in one seat.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Ending {
    /// It has these points by the rules; more is better.
    Points(f64),
    /// It forfeited in this ply.
    Forfeit(u32),
}

/// The player in one seat of a game, and its place.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct PlacedSeat {
    /// Index of the player.
    pub player: usize,
    /// Its place, 1 for the best. Players with equal places tie.
    pub place: u8,
    /// Its points by the rules; `None` if the game has none for it, as after a forfeit.
    pub points: Option<f64>,
    /// Whether it forfeited. A tie of players who all forfeited shows nothing about their strengths.
    pub forfeited: bool,
}

/// A finished game with places.
#[derive(Debug, Clone, PartialEq)]
pub struct PlacedGame {
    /// The players in the order of the seats: two to eight.
    pub seats: Vec<PlacedSeat>,
    /// The number of its block. Games of a block have the same players and one start, so they are not independent.
    pub block: u64,
    /// Whether a forfeit ended it before the others played it out. They share a place above, which shows nothing about
    /// their strengths among themselves.
    pub stopped: bool,
}

impl PlacedGame {
    /// A game with the places that follow from how it ended for the player in each seat. A player who forfeited is below
    /// all others, and below those who forfeited later; players who forfeited in one ply tie.
    pub fn new(endings: &[(usize, Ending)], block: u64) -> Self {
        let seats = endings.iter().map(|(player, ending)| {
            let better = endings
                .iter()
                .filter(|(_, other)| is_better(*other, *ending));
            let (points, forfeited) = match ending {
                Ending::Points(points) => (Some(*points), false),
                Ending::Forfeit(_) => (None, true),
            };
            PlacedSeat {
                player: *player,
                place: better.count() as u8 + 1,
                points,
                forfeited,
            }
        });
        Self {
            seats: seats.collect(),
            block,
            stopped: false,
        }
    }

    /// Whether a forfeit ended a game, so that several others share the first place. Each seat has its place, and whether
    /// its player forfeited.
    pub fn is_stopped(seats: impl Iterator<Item = (u8, bool)> + Clone) -> bool {
        let others = || seats.clone().filter(|(_, forfeited)| !forfeited);
        let count = others().count();
        count < seats.clone().count() && count > 1 && others().all(|(place, _)| place == 1)
    }

    /// The seats that forfeited, and the others, as bits.
    pub(super) fn forfeiters(&self) -> [usize; 2] {
        let seats = self.seats.iter().enumerate();
        seats.fold([0, 0], |[forfeited, others], (at, seat)| {
            match seat.forfeited {
                true => [forfeited | 1 << at, others],
                false => [forfeited, others | 1 << at],
            }
        })
    }

    /// The players who are chosen, and the players whom they are chosen from, both as bits by seat, the best first. Players
    /// who forfeited together show nothing about each other: each is chosen from itself and the players below. A game that
    /// was stopped has no such choices.
    pub(super) fn choices(&self) -> impl Iterator<Item = (usize, usize)> {
        let mut left = match self.stopped {
            true => 0,
            false => (1_usize << self.seats.len()) - 1,
        };
        // Players who forfeited together and are still to be chosen.
        let mut together = 0_usize;
        std::iter::from_fn(move || {
            loop {
                if together != 0 {
                    let one = 1 << together.trailing_zeros();
                    together &= !one;
                    return Some((one, left | one));
                }
                let from = left;
                let seats = || {
                    let seats = self.seats.iter().zip(0..);
                    seats.filter(|(_, at)| from >> at & 1 == 1)
                };
                let best = seats().map(|(seat, _)| seat.place).min()?;
                let tied = || seats().filter(|(seat, _)| seat.place == best);
                let chosen = tied().fold(0_usize, |set, (_, at)| set | 1 << at);
                left &= !chosen;
                let is_alone = chosen.count_ones() == 1;
                let have_forfeited = tied().all(|(seat, _)| seat.forfeited);
                if left == 0 && (is_alone || have_forfeited) {
                    return None;
                }
                if is_alone || !have_forfeited {
                    return Some((chosen, from));
                }
                together = chosen;
            }
        })
    }

    /// Refuses a game that cannot be rated. Its players have indices below `players`.
    pub(super) fn check(&self, players: usize) -> Result<(), PlacedError> {
        let seats = self.seats.len();
        if !(2..=MOST_SEATS).contains(&seats) {
            return Err(PlacedError::Seats(seats));
        }
        for seat in &self.seats {
            if seat.player >= players {
                return Err(PlacedError::UnknownPlayer(seat.player));
            }
            if seat.points.is_some_and(|points| !points.is_finite()) {
                return Err(PlacedError::Points(seat.player));
            }
        }
        Ok(())
    }
}

fn is_better(one: Ending, other: Ending) -> bool {
    match (one, other) {
        (Ending::Points(one), Ending::Points(other)) => one > other,
        (Ending::Points(_), Ending::Forfeit(_)) => true,
        (Ending::Forfeit(_), Ending::Points(_)) => false,
        (Ending::Forfeit(one), Ending::Forfeit(other)) => Reverse(one) < Reverse(other),
    }
}

/// Why games with places cannot be rated.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PlacedError {
    /// A game has this number of seats.
    Seats(usize),
    /// A game has a player with this index, and there are fewer players.
    UnknownPlayer(usize),
    /// The points of the player with this index are not a number.
    Points(usize),
}

impl fmt::Display for PlacedError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Seats(seats) => write!(f, "a game has {seats} seats, not 2 to {MOST_SEATS}"),
            Self::UnknownPlayer(player) => write!(f, "there is no player number {player}"),
            Self::Points(player) => {
                write!(f, "the points of player number {player} are not a number")
            }
        }
    }
}

impl std::error::Error for PlacedError {}

#[cfg(test)]
mod tests {
    use super::*;

    fn places(endings: &[Ending]) -> Vec<u8> {
        let endings: Vec<(usize, Ending)> = endings.iter().copied().enumerate().collect();
        let game = PlacedGame::new(&endings, 0);
        game.seats.iter().map(|seat| seat.place).collect()
    }

    #[test]
    fn more_points_are_better_and_forfeits_come_last_the_earliest_lowest() {
        use Ending::{Forfeit, Points};
        assert_eq!(places(&[Points(1.0), Points(-2.5), Points(7.0)]), [2, 3, 1]);
        assert_eq!(places(&[Points(1.0), Points(1.0), Points(0.0)]), [1, 1, 3]);
        assert_eq!(
            places(&[Forfeit(9), Points(-1e9), Forfeit(4), Points(0.0)]),
            [3, 2, 4, 1]
        );
        assert_eq!(places(&[Forfeit(9), Points(0.0), Forfeit(9)]), [2, 1, 2]);
        assert_eq!(places(&[Forfeit(3), Forfeit(3), Forfeit(3)]), [1, 1, 1]);
    }

    #[test]
    fn players_who_forfeited_together_are_not_chosen_from_each_other() {
        use Ending::{Forfeit, Points};
        let choices = |endings: &[Ending]| {
            let endings: Vec<(usize, Ending)> = endings.iter().copied().enumerate().collect();
            PlacedGame::new(&endings, 0).choices().collect::<Vec<_>>()
        };
        // A last player alone is no choice.
        assert_eq!(
            choices(&[Points(1.0), Points(0.0), Points(2.0)]),
            [(4, 7), (1, 3)]
        );
        assert_eq!(choices(&[Points(1.0), Points(1.0)]), [(3, 3)]);
        assert_eq!(choices(&[Forfeit(2), Forfeit(2)]), []);
        assert_eq!(choices(&[Forfeit(2), Points(0.0), Forfeit(2)]), [(2, 7)]);
        assert_eq!(
            choices(&[Forfeit(2), Points(0.0), Forfeit(5)]),
            [(2, 7), (4, 5)]
        );
        // The first and the third forfeited together, above the second.
        assert_eq!(
            choices(&[Forfeit(5), Forfeit(2), Forfeit(5), Points(0.0)]),
            [(8, 15), (1, 3), (4, 6)]
        );
    }

    #[test]
    fn games_that_cannot_be_rated_are_refused_in_words() {
        let game = |players: &[usize]| {
            let endings: Vec<(usize, Ending)> = players
                .iter()
                .map(|it| (*it, Ending::Points(0.0)))
                .collect();
            PlacedGame::new(&endings, 0)
                .check(9)
                .map_err(|error| error.to_string())
        };
        assert_eq!(game(&[0, 1, 8]), Ok(()));
        assert_eq!(game(&[0]), Err("a game has 1 seats, not 2 to 8".to_owned()));
        assert_eq!(game(&[0, 9]), Err("there is no player number 9".to_owned()));
        assert_eq!(game(&[4, 1, 4]), Ok(()));
        let nan = PlacedGame::new(&[(0, Ending::Points(f64::NAN)), (1, Ending::Forfeit(1))], 0);
        assert_eq!(nan.check(2), Err(PlacedError::Points(0)));
    }
}
