//! A game of a block.

/// A game of a block, with the players by seat.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SeatedGame {
    /// Number of the game in its schedule, from 0 and without gaps.
    pub id: u64,
    /// Number of the block. Games of a block have equal starts.
    pub block: u64,
    /// Number of the round, from 1.
    pub round: u64,
    /// Indices of the players, by seat.
    pub players: Vec<usize>,
}

/// The players by seat in a game of a block, given the players by seat in its first game.
pub fn rotated(first: &[usize], game: u64) -> Vec<usize> {
    let mut players = first.to_vec();
    // The remainder is below the number of seats.
    players.rotate_left((game % first.len() as u64) as usize);
    players
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn in_a_block_everybody_sits_in_each_seat_once() {
        assert_eq!(rotated(&[4, 7], 1), [7, 4]);
        for seat in 0..3 {
            let mut sat: Vec<usize> = (0..3).map(|game| rotated(&[5, 1, 9], game)[seat]).collect();
            sat.sort_unstable();
            assert_eq!(sat, [1, 5, 9]);
        }
    }
}
