//! Blocks of games that formats share: who sits with whom and where, in a fixed number or in waves.
//!
//! A *block* is games of one seating from one start and with one seed, a game for each rotation of the players around
//! the seats, so that everybody sits in each seat once. A game pair is a block of two. No seating knows its format.

mod fixed_blocks;
mod greedy;
mod matching;
mod near_points;
mod waves;

pub use fixed_blocks::{FixedBlocks, Seating, Seatings};
pub use greedy::{Greedy, all_seatings};
#[cfg(test)]
pub use matching::tests::possible;
pub use matching::{Mates, match_all};
pub use near_points::{Round, seat_round};
pub use waves::{Match, WavePlanner, WaveSchedule};

use crate::game::PerSeat;

#[derive(Debug, Clone)]
pub struct Meetings {
    players: usize,
    /// A row per player, with the meetings of this player and each other.
    counts: Vec<u32>,
}

impl Meetings {
    pub fn new(players: usize) -> Self {
        Self {
            players,
            counts: vec![0; players * players],
        }
    }

    pub fn of(&self, one: usize, other: usize) -> u32 {
        self.counts[one * self.players + other]
    }

    pub fn seat(&mut self, players: &[usize]) {
        for [one, other] in pairs(players) {
            self.counts[one * self.players + other] += 1;
            self.counts[other * self.players + one] += 1;
        }
    }

    #[cfg(test)]
    pub fn extremes(&self) -> [u32; 2] {
        let all = (0..self.players).flat_map(|one| (0..one).map(move |other| self.of(one, other)));
        all.fold([u32::MAX, 0], |[least, most], count| {
            [least.min(count), most.max(count)]
        })
    }
}

pub fn pairs(players: &[usize]) -> impl Iterator<Item = [usize; 2]> + Clone {
    let before = |at: usize| players[..at].iter();
    (1..players.len()).flat_map(move |at| before(at).map(move |one| [*one, players[at]]))
}

/// The players by seat in a game of a block, given the players by seat in its first game.
pub fn rotated(first: &PerSeat<usize>, game: u64) -> PerSeat<usize> {
    let players = first.values().cycle();
    // The remainder is below the number of seats.
    let before = (game % first.count() as u64) as usize;
    players.skip(before).take(first.count()).copied().collect()
}

/// The orders of blocks, as places in the list of their players. In all of them together everybody follows everybody
/// else equally often: once for an odd number of seats, twice for an even one of more than two. Each order comes with
/// its mirror image.
///
/// One player stays in the middle, and the others are on a circle around it. An order begins in the middle, and
/// goes to and fro across the circle, so that each distance occurs; the next one is turned by one place. (The
/// construction of Walecki; É. Lucas, *Récréations mathématiques* II, 1883.) For four and six seats no set of orders has
/// everybody follow everybody once. (T. Tillson, "A Hamiltonian decomposition of K*2m, 2m ≥ 8", Journal of
/// Combinatorial Theory B 29, 1980.)
fn seat_orders(seats: usize) -> Vec<Vec<usize>> {
    let circle = seats - 1;
    let turns = if circle.is_multiple_of(2) {
        circle / 2
    } else {
        circle
    };
    let mut orders = Vec::new();
    for turn in 0..turns {
        let across = (0..circle).map(|step| {
            let from_turn = if step % 2 == 1 {
                step.div_ceil(2)
            } else {
                circle - step / 2
            };
            (turn + from_turn) % circle
        });
        let order: Vec<usize> = std::iter::once(circle).chain(across).collect();
        let mirrored = order.iter().rev().copied().collect();
        orders.extend([order, mirrored]);
    }
    for order in &mut orders {
        let first = order.iter().position(|place| *place == 0);
        order.rotate_left(first.unwrap_or(0));
    }
    orders.dedup();
    orders
}

/// Chooses the order of each block, so that everybody follows everybody else about equally often. Two players have one
/// order alone, and sit as their format names them.
#[derive(Debug, Clone)]
pub struct SeatOrders {
    players: usize,
    orders: Vec<Vec<usize>>,
    /// For each player and each other, number of blocks where the second moved after the first.
    after: Vec<u32>,
}

impl SeatOrders {
    pub fn new(players: usize, seats: usize) -> Self {
        let orders = seat_orders(seats);
        let has_choice = orders.len() > 1;
        Self {
            players,
            orders,
            after: vec![0; if has_choice { players * players } else { 0 }],
        }
    }

    /// These players by the seats of the first game of their block.
    pub fn next(&mut self, players: &[usize]) -> PerSeat<usize> {
        if self.after.is_empty() {
            return players.iter().copied().collect();
        }
        let cost = |order: &&Vec<usize>| -> u32 {
            let steps = around(order, players);
            steps
                .map(|[one, other]| 2 * self.after[one * self.players + other] + 1)
                .sum()
        };
        let best = self.orders.iter().min_by_key(cost);
        let order = best.map_or(&[][..], |order| order);
        for [one, other] in around(order, players) {
            self.after[one * self.players + other] += 1;
        }
        order.iter().map(|place| players[*place]).collect()
    }
}

/// Each player in this order with the one who follows.
fn around<'a>(order: &'a [usize], players: &'a [usize]) -> impl Iterator<Item = [usize; 2]> + 'a {
    let next = order.iter().cycle().skip(1);
    order
        .iter()
        .zip(next)
        .map(|(one, other)| [players[*one], players[*other]])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn in_all_orders_everybody_follows_everybody_equally_often() {
        for seats in 2..=8 {
            let mut after = vec![0; seats * seats];
            let members: Vec<usize> = (0..seats).collect();
            let orders = seat_orders(seats);
            for order in &orders {
                for [one, other] in around(order, &members) {
                    after[one * seats + other] += 1;
                }
            }
            let times = if seats % 2 == 1 || seats == 2 { 1 } else { 2 };
            assert_eq!(orders.len(), times * (seats - 1));
            for one in 0..seats {
                for other in (0..seats).filter(|other| *other != one) {
                    assert_eq!(after[one * seats + other], times, "{seats} seats");
                }
            }
        }
    }

    #[test]
    fn blocks_of_one_seating_have_balanced_neighbours() {
        for seats in 3..=8 {
            let players: Vec<usize> = (0..seats).collect();
            let mut orders = SeatOrders::new(seats, seats);
            let cycle = seat_orders(seats).len();
            for turn in 1..=4 {
                for _ in 0..cycle {
                    let mut order: Vec<usize> = orders.next(&players).into_values().collect();
                    order.sort_unstable();
                    assert_eq!(order, players);
                }
                let expected = turn * (cycle / (seats - 1)) as u32;
                // The choice block by block misses the exact balance of six or eight seats by one.
                let apart = u32::from(seats == 6 || seats == 8);
                for one in 0..seats {
                    for other in (0..seats).filter(|other| *other != one) {
                        let after = orders.after[one * seats + other];
                        assert!(after.abs_diff(expected) <= apart, "{seats} seats: {after}");
                    }
                }
            }
        }
    }
}
