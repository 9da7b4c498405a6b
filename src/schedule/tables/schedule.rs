//! Formats for tables, and their schedules.

use super::block::SeatedGame;
use super::fixed_blocks::FixedBlocks;
use super::meetings::Meetings;
use super::swiss_blocks::SwissBlocks;
use crate::game::GameResult;
use crate::schedule::{Conclusion, GameCount, NextGame, Schedule, Ticket};

/// A format for games of more than two seats.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TableFormat {
    /// Number of seats of a table.
    pub seats: usize,
    /// Who meets whom.
    pub kind: TableKind,
}

/// Who meets at a table.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum TableKind {
    /// All tables, or as many as are wanted, balanced by meetings.
    RoundRobin {
        /// Number of games. The last block is cut where it is no multiple of the seats.
        games: u64,
    },
    /// One challenger at each table.
    Gauntlet {
        /// The challengers.
        challengers: Vec<usize>,
        /// Number of blocks of each challenger.
        blocks: u64,
    },
    /// Players with similar points.
    Swiss {
        /// Number of rounds.
        rounds: u32,
        /// Number of blocks of a table in a round.
        blocks: u64,
    },
}

impl TableFormat {
    /// Whether the tables depend on results.
    pub fn depends_on_results(&self) -> bool {
        matches!(self.kind, TableKind::Swiss { .. })
    }

    /// How often each two of `players` meet in this format; `None` where that depends on results.
    pub fn meetings(&self, players: usize) -> Option<Meetings> {
        let mut blocks = self.fixed(players)?;
        while blocks.next_game().is_some() {}
        Some(blocks.meetings().clone())
    }

    fn fixed(&self, players: usize) -> Option<FixedBlocks> {
        let seats = self.seats;
        match &self.kind {
            TableKind::RoundRobin { games } => {
                let blocks = games.div_ceil(seats as u64);
                Some(FixedBlocks::round_robin(players, seats, blocks).cut_to(*games))
            }
            TableKind::Gauntlet {
                challengers,
                blocks,
            } => Some(FixedBlocks::gauntlet(players, seats, challengers, *blocks)),
            TableKind::Swiss { .. } => None,
        }
    }

    pub(in crate::schedule) fn schedule(&self, players: usize) -> Box<dyn Schedule> {
        match (&self.kind, self.fixed(players)) {
            (TableKind::Swiss { rounds, blocks }, _) => {
                let blocks = SwissBlocks::new(players, self.seats, *rounds, *blocks);
                Box::new(SwissSchedule(blocks))
            }
            (_, Some(blocks)) => Box::new(FixedSchedule(blocks)),
            // Each kind but Swiss has fixed blocks.
            (_, None) => Box::new(FixedSchedule(FixedBlocks::round_robin(
                players, self.seats, 0,
            ))),
        }
    }
}

/// Tables that do not depend on results.
#[derive(Debug)]
struct FixedSchedule(FixedBlocks);

impl Schedule for FixedSchedule {
    fn next(&mut self) -> NextGame {
        let game = self.0.next_game();
        game.map_or(NextGame::Done, |game| NextGame::Issue(game.into()))
    }

    fn record(&mut self, _id: u64, _result: GameResult) {}

    fn count(&self) -> GameCount {
        GameCount::Exactly(self.0.games())
    }
}

/// Tables of players with similar points.
#[derive(Debug)]
struct SwissSchedule(SwissBlocks);

impl Schedule for SwissSchedule {
    fn next(&mut self) -> NextGame {
        match self.0.next_game() {
            Some(game) => NextGame::Issue(game.into()),
            None if self.0.is_over() => NextGame::Done,
            None => NextGame::Wait,
        }
    }

    fn record(&mut self, id: u64, result: GameResult) {
        let seats = self.0.seats();
        let shares = result.places(seats).seats().map(|seat| result.share(seat));
        // A share is a whole number of halves of the opponents, but for rounding.
        let halves = shares.map(|share| (share * 2.0 * (seats - 1) as f64).round() as u64);
        self.0.record(id, &halves.collect::<Vec<u64>>());
    }

    fn count(&self) -> GameCount {
        GameCount::Exactly(self.0.games())
    }

    fn conclusion(&self) -> Option<Conclusion> {
        self.0
            .is_over()
            .then(|| Conclusion::FinalOrder(self.0.places()))
    }
}

impl From<SeatedGame> for Ticket {
    fn from(game: SeatedGame) -> Self {
        Self {
            id: game.id,
            pair: game.block,
            round: Some(game.round),
            players: game.players.into_iter().collect(),
        }
    }
}
