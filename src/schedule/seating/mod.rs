//! Blocks of games that formats share: who sits with whom and where, in a fixed number or in waves.
//!
//! A *block* is games of one seating from one start and with one seed, a game for each rotation of the players around
//! the seats, so that everybody sits in each seat once. A game pair is a block of two. No seating knows its format.

mod fixed_blocks;
mod greedy;
mod matching;
mod meetings;
mod near_points;
mod seat_orders;
mod waves;

pub use fixed_blocks::{FixedBlocks, Seating, Seatings};
pub use greedy::{Greedy, all_seatings};
#[cfg(test)]
pub use matching::tests::possible;
pub use matching::{Mates, match_all};
pub use meetings::Meetings;
pub use near_points::{Round, seat_round};
pub use waves::{Match, WavePlanner, WaveSchedule};
