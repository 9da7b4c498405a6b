//! Pairings that formats share: fixed lists of them, waves of them, and matchings among players.
//!
//! They are handed players and results, and give the game pairs to play. No pairing knows its format.

mod fixed_pairings;
mod matching;
mod waves;

pub use fixed_pairings::FixedPairings;
#[cfg(test)]
pub use matching::tests::possible;
pub use matching::{Mates, match_all};
pub use waves::{Pairing, WavePlanner, WaveSchedule};
