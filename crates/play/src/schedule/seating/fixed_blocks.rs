//! Blocks that do not depend on results.

use std::fmt::Debug;

use super::{SeatOrders, rotated};
use crate::game::{GameResult, PerSeat};
use crate::schedule::{GameCount, GamesPerPairing, NextGame, Schedule, Ticket};

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Seating {
    /// Number of the round, from 1.
    pub round: u64,
    pub players: Vec<usize>,
}

pub trait Seatings: Debug + Send + Sync {
    fn next(&mut self) -> Seating;
}

/// A number of blocks from a sequence of seatings. More games per pairing have the games of fewer before them, unless
/// these end with blocks that are cut.
#[derive(Debug)]
pub struct FixedBlocks<S> {
    seatings: S,
    orders: SeatOrders,
    seats: u64,
    /// Number of whole blocks. They come first.
    whole: u64,
    /// Number of games of each block after them.
    cut: u64,
    games: u64,
    issued: u64,
    round: u64,
    /// The players of the last block begun, by the seats of its first game.
    first: PerSeat<usize>,
}

impl<S: Seatings> FixedBlocks<S> {
    /// Blocks of `seats` among `players`, given the number of blocks until any two players who meet have met this often.
    /// Each time is one game for each rotation of the seats. Games per pairing beyond a multiple of the seats are played
    /// in blocks that are cut.
    pub fn new(
        seatings: S,
        players: usize,
        seats: usize,
        games: GamesPerPairing,
        blocks: impl Fn(u64) -> u64,
    ) -> Self {
        let (seat_count, games) = (seats as u64, u64::from(games.get()));
        let (whole, cut) = (blocks(games / seat_count), games % seat_count);
        let blocks_cut = blocks(games.div_ceil(seat_count)) - whole;
        Self {
            seatings,
            orders: SeatOrders::new(players, seats),
            seats: seat_count,
            whole,
            cut,
            games: (whole.saturating_mul(seat_count)).saturating_add(blocks_cut * cut),
            issued: 0,
            round: 0,
            first: PerSeat::defaults(seats),
        }
    }

    fn place(&self, id: u64) -> (u64, u64) {
        match id.checked_sub(self.whole.saturating_mul(self.seats)) {
            None => (id / self.seats, id % self.seats),
            Some(after) => (self.whole + after / self.cut, after % self.cut),
        }
    }
}

impl<S: Seatings> Schedule for FixedBlocks<S> {
    fn next(&mut self) -> NextGame {
        if self.issued >= self.games {
            return NextGame::Done;
        }
        let id = self.issued;
        self.issued += 1;
        let (block, game) = self.place(id);
        if game == 0 {
            let Seating { round, players } = self.seatings.next();
            self.round = round;
            self.first = self.orders.next(&players);
        }
        NextGame::Issue(Ticket {
            id,
            block,
            round: Some(self.round),
            players: rotated(&self.first, game),
            values: None,
        })
    }

    fn record(&mut self, _id: u64, _result: GameResult) {}

    fn count(&self) -> GameCount {
        GameCount::Exactly(self.games)
    }
}

#[cfg(test)]
mod tests {
    use crate::schedule::testing::{fixed_games, number};
    use crate::schedule::{Format, Ticket};

    fn round_robin(players: usize, seats: usize, games: u32) -> Vec<Ticket> {
        fixed_games(&Format::RoundRobin(number(games)), players, seats)
    }

    #[test]
    fn games_per_pairing_is_how_often_two_players_meet_on_average() {
        // In 84 blocks of 3 games among 9 players each two sit together 7 times.
        assert_eq!(round_robin(9, 3, 21).len(), 84 * 3);
        // Everybody plays each game, so games per pairing are all games. The last block is cut.
        let games = round_robin(4, 4, 10);
        assert_eq!(games.len(), 10);
        assert_eq!((games[8].block, games[9].block), (2, 2));
        assert_eq!(
            games[8].players.values().next(),
            games[9].players.values().last()
        );
        // Where blocks are no whole number, there is one more.
        assert_eq!(round_robin(5, 3, 3).len(), 4 * 3);
    }

    #[test]
    fn more_games_begin_with_the_games_before() {
        let gauntlet = |challengers: usize, games| {
            let challengers = (0..challengers).collect();
            let games = number(games);
            Format::Gauntlet { challengers, games }
        };
        for (players, seats) in [(6, 2), (30, 3), (9, 3), (7, 5)] {
            let few = round_robin(players, seats, 2 * seats as u32);
            let many = round_robin(players, seats, 5 * seats as u32);
            assert_eq!(few, many[..few.len()]);
            for challengers in [1, players - 1] {
                let [few, many] = [2, 5].map(|times| {
                    let format = gauntlet(challengers, times * seats as u32);
                    fixed_games(&format, players, seats)
                });
                assert_eq!(few, many[..few.len()]);
            }
        }
    }
}
