use crate::schedule::GamesPerPairing;
use crate::schedule::seating::{FixedBlocks, Greedy, Seating, Seatings};

/// The seatings of a round robin. Two players meet in cycles: in each of them every two once, and in each of its rounds
/// everyone once (the circle method), so that the standings are fair at any time. More players have no such cycles for
/// most numbers: they meet about equally often at any time.
#[derive(Debug)]
pub enum RoundRobin {
    OfTwo { players: usize, next: u64 },
    OfMore(Greedy),
}

impl RoundRobin {
    pub fn blocks(players: usize, seats: usize, games: GamesPerPairing) -> FixedBlocks<Self> {
        let seatings = match seats {
            2 => Self::OfTwo { players, next: 0 },
            _ => Self::OfMore(Greedy::new(players, seats)),
        };
        let pairs = |of: usize| of as u64 * (of as u64).saturating_sub(1) / 2;
        let blocks = |cycles: u64| cycles.saturating_mul(pairs(players)).div_ceil(pairs(seats));
        FixedBlocks::new(seatings, players, seats, games, blocks)
    }
}

impl Seatings for RoundRobin {
    fn next(&mut self) -> Seating {
        match self {
            Self::OfTwo { players, next } => {
                let count = *players as u64;
                let (index, cycle) = (*next, count * (count - 1) / 2);
                *next += 1;
                let [a, b] = pairing(*players, index % cycle);
                // Seats are swapped between the first games of two cycles.
                let swapped = index / cycle % 2 == 1;
                Seating {
                    round: index / (count / 2) + 1,
                    players: if swapped { vec![b, a] } else { vec![a, b] },
                }
            }
            Self::OfMore(seatings) => seatings.next(),
        }
    }
}

/// The two players of the pairing at place `index` of a cycle.
///
/// If the number of players is odd, a bye is added as the last player `m`. This last player is fixed, and
/// the others rotate: in round `r` the fixed player meets player `r`, and two others meet if their numbers
/// add up to `2r` modulo `m`.
fn pairing(players: usize, index: u64) -> [usize; 2] {
    let odd = players % 2;
    let rotating = players - 1 + odd;
    let pairings = players / 2;
    let round = (index / pairings as u64) as usize;
    // With an odd number of players, the pairing of the fixed player is the bye and is left out.
    let place = (index % pairings as u64) as usize + odd;
    if place == 0 {
        let fixed = players - 1;
        return if round.is_multiple_of(2) {
            [round, fixed]
        } else {
            [fixed, round]
        };
    }
    let up = (round + place) % rotating;
    let down = (round + rotating - place) % rotating;
    if place.is_multiple_of(2) {
        [up, down]
    } else {
        [down, up]
    }
}
