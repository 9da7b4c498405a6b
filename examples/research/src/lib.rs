//! Simulations that the documentation cites. A program of each prints its tables, and its tests hold a small edition of it
//! to what the documentation says.

pub mod block_worlds;
pub mod by_results;
pub mod circles;
pub mod classes;
pub mod coverage;
pub mod league;
pub mod many_games;
pub mod matches;
pub mod openings;
pub mod places;
pub mod ranking;
pub mod superior;
pub mod tuning;

#[path = "../../../tests/it/support/schemes.rs"]
pub mod schemes;
pub mod simulated;
#[path = "../../../tests/it/support/simulated_places.rs"]
pub mod simulated_places;

/// How much is simulated: the first argument of the program, or this.
pub fn count(otherwise: u64) -> u64 {
    let count = std::env::args().nth(1);
    count.map_or(otherwise, |count| count.parse().expect("a number"))
}
