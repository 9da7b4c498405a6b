//! Assigns the game pairs of a tournament to its shards.

use std::num::NonZeroU32;

use crate::game::Chance;
use crate::random::Stream;

/// Random streams derived from the master seed. Blocks use numbers below these bits.
const SHARES: u64 = 1 << 63;
const TWICE: u64 = 1 << 62;

/// Cut of a tournament into shards. The games of a block stay together. Of as many consecutive blocks as there are
/// shards, each shard has one. A random rotation of these spreads the meetings of two players over all shards.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Cut {
    /// Master seed of the run.
    pub seed: u64,
    /// Number of shards.
    pub shards: NonZeroU32,
    /// Blocks in a million that a second shard plays too.
    pub twice: u32,
}

impl Cut {
    /// The shard whose games of a block count, given the index of the game in the plan.
    pub fn owner(&self, game: usize, block: u64) -> u32 {
        let shards = self.shards.get();
        let turn = self
            .chance(SHARES, game, block / u64::from(shards))
            .below(shards);
        // Both are less than the number of shards.
        let place = (block % u64::from(shards) + u64::from(turn)) % u64::from(shards);
        place as u32
    }

    /// The second shard that plays the games of a block, if there is one.
    pub fn second(&self, game: usize, block: u64) -> Option<u32> {
        let shards = self.shards.get();
        if shards == 1 || self.twice == 0 {
            return None;
        }
        let mut chance = self.chance(TWICE, game, block);
        let drawn = chance.below(1_000_000) < self.twice;
        drawn.then(|| (self.owner(game, block) + 1 + chance.below(shards - 1)) % shards)
    }

    /// Whether a shard plays the games of a block, as owner or as second.
    pub fn plays(&self, shard: u32, game: usize, block: u64) -> bool {
        self.owner(game, block) == shard || self.second(game, block) == Some(shard)
    }

    fn chance(&self, kind: u64, game: usize, number: u64) -> Stream {
        // Bits 62 and 63: the kind; from 48 on: the game; below: the number of the block, or of a share of one block a shard.
        Stream::new(self.seed, kind | (game as u64) << 48 | number)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cut(shards: u32, twice: u32) -> Cut {
        Cut {
            seed: 2026,
            shards: NonZeroU32::new(shards).expect("a shard"),
            twice,
        }
    }

    #[test]
    fn shards_are_of_equal_size_and_blocks_that_come_again_change_shards() {
        let cut = cut(17, 0);
        let mut sizes = [0; 17];
        // A cycle with as many pairings as shards: each pairing recurs every 17 blocks.
        let mut of_one_pairing = [0; 17];
        for block in 0..17 * 200 {
            sizes[cut.owner(0, block) as usize] += 1;
            if block % 17 == 5 {
                of_one_pairing[cut.owner(0, block) as usize] += 1;
            }
        }
        assert_eq!(sizes, [200; 17]);
        assert!(
            of_one_pairing.iter().all(|blocks| *blocks > 0),
            "{of_one_pairing:?}"
        );
    }

    #[test]
    fn some_blocks_are_played_in_two_shards() {
        let cut = cut(4, 20_000);
        let blocks = 50_000;
        let mut twice = 0;
        for block in 0..blocks {
            let shards = (0..4).filter(|shard| cut.plays(*shard, 1, block)).count();
            twice += shards - 1;
        }
        assert!((800..1200).contains(&twice), "{twice} of {blocks}");
        assert!((0..1000).all(|block| self::cut(1, 1_000_000).second(0, block).is_none()));
    }
}
