//! Blocks that do not depend on results: of a round robin or a gauntlet.

use super::balanced::{Balanced, Table};
use super::block::{SeatedGame, rotated};
use super::gauntlet::GauntletTables;
use super::meetings::Meetings;
use super::seat_orders::SeatOrders;

/// A fixed number of blocks. A longer sequence begins with the blocks of a shorter one.
#[derive(Debug, Clone)]
pub struct FixedBlocks {
    source: Source,
    orders: SeatOrders,
    seats: u64,
    games: u64,
    issued: u64,
    /// The table of the last block begun, in the order of its seats.
    table: Table,
}

#[derive(Debug, Clone)]
enum Source {
    RoundRobin(Balanced),
    Gauntlet(GauntletTables),
}

impl FixedBlocks {
    /// A round robin of this many blocks, of tables of `seats` among `players`.
    pub fn round_robin(players: usize, seats: usize, blocks: u64) -> Self {
        let source = Source::RoundRobin(Balanced::new(players, seats));
        Self::new(source, players, seats, blocks)
    }

    /// A gauntlet with this many blocks of each challenger.
    pub fn gauntlet(players: usize, seats: usize, challengers: &[usize], blocks: u64) -> Self {
        let source = Source::Gauntlet(GauntletTables::new(players, seats, challengers));
        let all = blocks.saturating_mul(challengers.len() as u64);
        Self::new(source, players, seats, all)
    }

    fn new(source: Source, players: usize, seats: usize, blocks: u64) -> Self {
        Self {
            source,
            orders: SeatOrders::new(players, seats),
            seats: seats as u64,
            games: blocks.saturating_mul(seats as u64),
            issued: 0,
            table: Table {
                round: 1,
                players: Vec::new(),
            },
        }
    }

    /// The first `games` of them.
    pub fn cut_to(self, games: u64) -> Self {
        Self {
            games: self.games.min(games),
            ..self
        }
    }

    /// Number of games.
    pub fn games(&self) -> u64 {
        self.games
    }

    /// Meetings of the players in the blocks begun so far.
    pub fn meetings(&self) -> &Meetings {
        match &self.source {
            Source::RoundRobin(tables) => tables.meetings(),
            Source::Gauntlet(tables) => tables.meetings(),
        }
    }

    /// The next game; `None` after the last one.
    pub fn next_game(&mut self) -> Option<SeatedGame> {
        if self.issued >= self.games {
            return None;
        }
        let (id, game) = (self.issued, self.issued % self.seats);
        self.issued += 1;
        if game == 0 {
            let table = match &mut self.source {
                Source::RoundRobin(tables) => tables.next(),
                Source::Gauntlet(tables) => tables.next(),
            };
            self.table = Table {
                players: self.orders.next(&table.players),
                ..table
            };
        }
        Some(SeatedGame {
            id,
            block: id / self.seats,
            round: self.table.round,
            players: rotated(&self.table.players, game),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn all(mut blocks: FixedBlocks) -> Vec<SeatedGame> {
        std::iter::from_fn(|| blocks.next_game()).collect()
    }

    #[test]
    fn a_block_has_each_player_in_each_seat_once() {
        for blocks in [
            FixedBlocks::round_robin(9, 4, 40),
            FixedBlocks::gauntlet(9, 4, &[2, 6], 20),
        ] {
            let seats = 4;
            assert_eq!(blocks.games(), 160);
            let games = all(blocks);
            assert_eq!(games.len(), 160);
            assert!(games.is_sorted_by_key(|game| (game.round, game.id)));
            for (number, block) in games.chunks(seats).enumerate() {
                for game in block {
                    assert_eq!(game.block, number as u64);
                }
                for seat in 0..seats {
                    let mut sat: Vec<usize> = block.iter().map(|game| game.players[seat]).collect();
                    sat.sort_unstable();
                    let mut members = block[0].players.clone();
                    members.sort_unstable();
                    assert_eq!(sat, members);
                    members.dedup();
                    assert_eq!(members.len(), seats);
                }
            }
        }
    }

    #[test]
    fn more_blocks_begin_with_the_blocks_before() {
        let few = all(FixedBlocks::round_robin(30, 3, 50));
        let many = all(FixedBlocks::round_robin(30, 3, 80));
        assert_eq!(few, many[..few.len()]);
    }

    #[test]
    fn everybody_follows_everybody_about_equally_often() {
        // At 84 tables of three, each player follows each other 3.5 times on average.
        let mut after = vec![0; 81];
        for game in all(FixedBlocks::round_robin(9, 3, 84)).iter().step_by(3) {
            for seat in 0..3 {
                after[9 * game.players[seat] + game.players[(seat + 1) % 3]] += 1;
            }
        }
        for one in 0..9 {
            for other in (0..9).filter(|other| *other != one) {
                assert!((2..=5).contains(&after[9 * one + other]), "{after:?}");
            }
        }
    }
}
