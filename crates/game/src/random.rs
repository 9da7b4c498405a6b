//! Reproducible randomness: ChaCha8, with a stream for each purpose.
//!
//! The key is the master seed, and the stream number selects the purpose. Bounded draws and shuffles are implemented
//! in this crate, with golden values in the tests, so a new version of a library cannot change the games of a seed.

use chacha20::ChaCha8Rng;
use chacha20::rand_core::{Rng, SeedableRng};

use crate::game::{Chance, Game, PerSeat};

/// A stream of random numbers, determined by a seed and a stream number.
#[derive(Debug)]
pub struct Stream(ChaCha8Rng);

impl Stream {
    /// The stream numbered `stream` of `seed`. Different streams of a seed are independent.
    pub fn new(seed: u64, stream: u64) -> Self {
        Self::of_family(0, seed, stream)
    }

    /// The stream numbered `stream` of `seed` in a family of streams of its own.
    fn of_family(family: u64, seed: u64, stream: u64) -> Self {
        let mut key = [0; 32];
        key[..8].copy_from_slice(&seed.to_le_bytes());
        key[8..16].copy_from_slice(&family.to_le_bytes());
        let mut rng = ChaCha8Rng::from_seed(key);
        rng.set_stream(stream);
        Self(rng)
    }

    /// The stream numbered `stream` of `seed` for this purpose. Streams of different purposes are independent.
    pub fn of_purpose(purpose: &str, seed: u64, stream: u64) -> Self {
        Self::of_family(fnv_1a(purpose), seed, stream)
    }

    pub fn next_u64(&mut self) -> u64 {
        self.0.next_u64()
    }

    pub fn uniform(&mut self) -> f64 {
        (self.next_u64() >> 11) as f64 / (1_u64 << 53) as f64
    }

    /// A normal variable of mean 0 and deviation 1.
    /// (G. Box, M. Muller, Annals of Mathematical Statistics 29, 1958.)
    pub fn normal(&mut self) -> f64 {
        let distance = (-2.0 * (1.0 - self.uniform()).ln()).sqrt();
        distance * (std::f64::consts::TAU * self.uniform()).cos()
    }
}

impl Chance for Stream {
    /// Unbiased draw by Lemire's multiply-and-reject method.
    /// (D. Lemire, "Fast Random Integer Generation in an Interval", ACM TOMACS 29(1), 2019.)
    fn below(&mut self, bound: u32) -> u32 {
        assert!(bound > 0, "a bound is at least 1");
        loop {
            let wide = u64::from(self.0.next_u32()) * u64::from(bound);
            let low = wide as u32;
            // The rejection threshold is below `bound`, so the first test mostly avoids the division.
            if low >= bound || low >= bound.wrapping_neg() % bound {
                return (wide >> 32) as u32;
            }
        }
    }
}

const ROUNDS: usize = 8;

/// The number at `index` of random orders of `0..count`, one after another, without making them: a Feistel network over
/// the next power of four, walked on while it leaves the range.
/// (J. Black, P. Rogaway, "Ciphers with Arbitrary Finite Domains", CT-RSA 2002.)
pub fn shuffled(seed: u64, index: u64, count: u64) -> u64 {
    let mut stream = Stream::of_purpose("orders", seed, index / count);
    let keys: [u64; ROUNDS] = std::array::from_fn(|_| stream.next_u64());
    let half = (u64::BITS - (count - 1).leading_zeros()).div_ceil(2);
    let mask = (1 << half) - 1;
    let mut at = index % count;
    loop {
        let (mut left, mut right) = (at >> half, at & mask);
        for key in keys {
            (left, right) = (right, left ^ (mixed(right ^ key) & mask));
        }
        at = (left << half) | right;
        if at < count {
            return at;
        }
    }
}

/// The last step of SplitMix64: each bit depends on all.
/// (G. Steele, D. Lea, C. Flood, "Fast Splittable Pseudorandom Number Generators", OOPSLA 2014.)
pub(crate) fn mixed(bits: u64) -> u64 {
    let bits = (bits ^ (bits >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let bits = (bits ^ (bits >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    bits ^ (bits >> 31)
}

/// Randomness of a block, shared by its games: a function of the master seed, the game and the block's number
/// alone.
#[derive(Debug)]
pub struct BlockSeeds {
    pub bots: PerSeat<u64>,
    /// Randomness of the game itself: a shuffle, then the opening.
    pub chance: Stream,
}

impl BlockSeeds {
    pub fn new(master_seed: u64, game: Game, block: u64) -> Self {
        let mut chance = match game.program() {
            None => stream_of(game.name(), master_seed, block),
            // A program may have the name of a built-in game.
            Some(_) => Stream::of_purpose(&format!("rules {}", game.name()), master_seed, block),
        };
        Self {
            bots: game.per_seat(|_| chance.next_u64()),
            chance,
        }
    }
}

/// A stream per game and block. Three games are older than the families and keep their streams, in upper
/// bits that no number of a block reaches.
fn stream_of(game: &str, seed: u64, block: u64) -> Stream {
    let numbered = |number: u64| Stream::new(seed, (number << 48) | (block & ((1 << 48) - 1)));
    match game {
        "watch-your-back" => numbered(1),
        "cachex" => numbered(2),
        "dark-chess" => numbered(3),
        name => Stream::of_purpose(name, seed, block),
    }
}

fn fnv_1a(text: &str) -> u64 {
    text.bytes().fold(0xcbf2_9ce4_8422_2325, |hash, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::shuffle;

    #[test]
    fn golden_values() {
        let mut stream = Stream::new(2026, 7);
        let drawn: Vec<u32> = (0..8).map(|_| stream.below(100)).collect();
        assert_eq!(drawn, [18, 94, 74, 34, 54, 80, 99, 97]);
        let mut deck: Vec<u32> = (0..8).collect();
        shuffle(&mut deck, &mut stream);
        assert_eq!(deck, [5, 4, 7, 3, 2, 0, 1, 6]);
    }

    #[test]
    fn orders_have_each_number_once_and_each_one_first_alike() {
        for count in [1, 2, 3, 7, 16, 100] {
            for round in 0..3 {
                let mut order: Vec<u64> = (0..count)
                    .map(|index| shuffled(5, round * count + index, count))
                    .collect();
                order.sort_unstable();
                assert_eq!(order, Vec::from_iter(0..count));
            }
        }
        // Of six orders of three, each has a sixth of the seeds: 1000 with a standard deviation of 29.
        let mut orders = std::collections::BTreeMap::new();
        for seed in 0..6000 {
            let order = [0, 1, 2].map(|index| shuffled(seed, index, 3));
            *orders.entry(order).or_insert(0) += 1;
        }
        assert_eq!(orders.len(), 6);
        assert!(
            orders.values().all(|seeds| (880..1120).contains(seeds)),
            "{orders:?}"
        );
    }

    #[test]
    fn a_game_has_streams_by_its_name() {
        let first = |game, block| stream_of(game, 2026, block).next_u64();
        assert_eq!(
            first("cachex", 7),
            Stream::new(2026, (2 << 48) | 7).next_u64()
        );
        assert_eq!(fnv_1a("foobar"), 0x85944171f73967e8);
        assert_eq!(first("tic-tac-toe", 7), 5_640_555_927_762_636_762);
        assert_ne!(first("tic-tac-toe", 7), first("tic-tac-toe", 8));
    }
}
