//! Schedules of formats whose seatings depend on results: the games come in waves.

use super::{SeatOrders, rotated};
use crate::game::{GameResult, PerSeat};
use crate::schedule::{Conclusion, GameCount, NextGame, Schedule, Ticket};

/// Players who meet in a wave, and the number of their blocks.
#[derive(Debug, Clone, PartialEq)]
pub struct Match {
    pub players: Vec<usize>,
    pub blocks: u64,
    /// Opponents that each player has beaten in this wave so far, in halves.
    pub half_points: Vec<u64>,
}

impl Match {
    pub fn new(players: Vec<usize>, blocks: u64) -> Self {
        Self {
            half_points: vec![0; players.len()],
            players,
            blocks,
        }
    }
}

pub trait WavePlanner: std::fmt::Debug + Send + Sync {
    /// Matches of the next wave, given the matches of the last wave with their results. Empty if the
    /// tournament is over.
    fn next_wave(&mut self, played: &[Match]) -> Vec<Match>;

    /// Takes in a game's result. Results of a wave arrive in any order.
    fn record(&mut self, _game: &Ticket, _result: GameResult) {}

    fn count(&self) -> GameCount;

    /// Number of the last wave's round; `None` if each wave is a round.
    fn round(&self) -> Option<u64> {
        None
    }

    fn conclusion(&self) -> Option<Conclusion>;
}

/// A schedule in waves. A wave begins when all games of the last one have ended, so the order of results does
/// not matter. All games are in whole blocks.
#[derive(Debug)]
pub struct WaveSchedule<P> {
    planner: P,
    seats: u64,
    orders: SeatOrders,
    wave: Vec<Match>,
    /// The match of each block in the wave, and its players by the seats of its first game. Matches take turns: first
    /// block of each, then the second of each, and so on.
    blocks: Vec<(usize, PerSeat<usize>)>,
    /// Number of the wave, from 1.
    number: u64,
    first: u64,
    issued: u64,
    recorded: u64,
    over: bool,
}

impl<P: WavePlanner> WaveSchedule<P> {
    pub fn new(players: usize, seats: usize, planner: P) -> Self {
        let mut schedule = Self {
            planner,
            seats: seats as u64,
            orders: SeatOrders::new(players, seats),
            wave: Vec::new(),
            blocks: Vec::new(),
            number: 0,
            first: 0,
            issued: 0,
            recorded: 0,
            over: false,
        };
        schedule.begin_wave();
        schedule
    }

    fn games(&self) -> u64 {
        self.blocks.len() as u64 * self.seats
    }

    fn game(&self, index: u64) -> (Ticket, usize) {
        let id = self.first + index;
        let (number, players) = &self.blocks[(index / self.seats) as usize];
        let ticket = Ticket {
            id,
            block: id / self.seats,
            round: Some(self.planner.round().unwrap_or(self.number)),
            players: rotated(players, index % self.seats),
            values: None,
        };
        (ticket, *number)
    }

    fn begin_wave(&mut self) {
        self.first += self.games();
        self.number += 1;
        self.wave = self.planner.next_wave(&self.wave);
        self.over = self.wave.is_empty();
        (self.issued, self.recorded) = (0, 0);
        self.blocks.clear();
        let most = self.wave.iter().map(|it| it.blocks).max();
        for block in 0..most.unwrap_or(0) {
            for (number, one) in self.wave.iter().enumerate() {
                if one.blocks > block {
                    self.blocks.push((number, self.orders.next(&one.players)));
                }
            }
        }
    }
}

impl<P: WavePlanner> Schedule for WaveSchedule<P> {
    fn next(&mut self) -> NextGame {
        if self.over {
            return NextGame::Done;
        }
        if self.issued == self.games() {
            return NextGame::Wait;
        }
        self.issued += 1;
        NextGame::Issue(self.game(self.issued - 1).0)
    }

    fn record(&mut self, id: u64, result: GameResult) {
        let (ticket, number) = self.game(id - self.first);
        self.planner.record(&ticket, result);
        let played = &mut self.wave[number];
        for (seat, player) in ticket.players.iter() {
            let own = played.players.iter().position(|it| it == player);
            if let Some(own) = own {
                played.half_points[own] += result.half_points(seat, ticket.players.count());
            }
        }
        self.recorded += 1;
        if self.recorded == self.games() {
            self.begin_wave();
        }
    }

    fn count(&self) -> GameCount {
        self.planner.count()
    }

    fn conclusion(&self) -> Option<Conclusion> {
        self.over.then(|| self.planner.conclusion()).flatten()
    }
}
