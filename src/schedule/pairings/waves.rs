//! Schedules of formats whose pairings depend on results: the games come in waves.

use crate::game::GameResult;
use crate::schedule::{Conclusion, GameCount, NextGame, Schedule, Ticket};

/// Two players who meet in a wave, and the number of their game pairs.
#[derive(Debug, Clone, PartialEq)]
pub struct Pairing {
    pub players: [usize; 2],
    pub pairs: u64,
    /// Points of both players in this wave so far.
    pub points: [f64; 2],
}

impl Pairing {
    pub fn new(players: [usize; 2], pairs: u64) -> Self {
        Self {
            players,
            pairs,
            points: [0.0; 2],
        }
    }
}

/// Plans each wave from the results of the waves before.
pub trait WavePlanner: std::fmt::Debug + Send + Sync {
    /// Pairings of the next wave, given the pairings of the last wave with their results. Empty if the
    /// tournament is over.
    fn next_wave(&mut self, played: &[Pairing]) -> Vec<Pairing>;

    /// Takes in a game's result. `pair` is the number of its game pair; `players` are by seat. Results of a
    /// wave arrive in any order.
    fn record(&mut self, _pair: u64, _players: [usize; 2], _result: GameResult) {}

    /// Number of games.
    fn count(&self) -> GameCount;

    /// Number of the last wave's round; `None` if each wave is a round.
    fn round(&self) -> Option<u64> {
        None
    }

    /// Conclusion of the format after the last wave.
    fn conclusion(&self) -> Option<Conclusion>;
}

/// A schedule in waves. A wave begins when all games of the last one have ended, so the order of results does
/// not matter. All games are in game pairs.
#[derive(Debug)]
pub struct WaveSchedule<P> {
    planner: P,
    wave: Vec<Pairing>,
    /// Index of the pairing of each game pair in the wave. Pairings take turns: first game pair of each, then
    /// the second of each, and so on.
    order: Vec<usize>,
    /// Number of the wave, from 1.
    number: u64,
    /// Number of the wave's first game.
    first: u64,
    issued: u64,
    recorded: u64,
    over: bool,
}

impl<P: WavePlanner> WaveSchedule<P> {
    pub fn new(planner: P) -> Self {
        let mut schedule = Self {
            planner,
            wave: Vec::new(),
            order: Vec::new(),
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
        self.order.len() as u64 * 2
    }

    /// The game at this index in the wave.
    fn ticket(&self, index: u64) -> Ticket {
        let [a, b] = self.wave[self.order[(index / 2) as usize]].players;
        Ticket {
            id: self.first + index,
            pair: (self.first + index) / 2,
            round: Some(self.planner.round().unwrap_or(self.number)),
            players: if index % 2 == 1 { [b, a] } else { [a, b] }.into(),
        }
    }

    fn begin_wave(&mut self) {
        self.first += self.games();
        self.number += 1;
        self.wave = self.planner.next_wave(&self.wave);
        self.over = self.wave.is_empty();
        (self.issued, self.recorded) = (0, 0);
        self.order.clear();
        let most = self.wave.iter().map(|pairing| pairing.pairs).max();
        for pair in 0..most.unwrap_or(0) {
            let open = |pairing: &usize| self.wave[*pairing].pairs > pair;
            self.order.extend((0..self.wave.len()).filter(open));
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
        NextGame::Issue(self.ticket(self.issued - 1))
    }

    fn record(&mut self, id: u64, result: GameResult) {
        let ticket = self.ticket(id - self.first);
        // The formats with waves are for games of two.
        let Some(players) = ticket.players.clone().pair() else {
            return;
        };
        self.planner.record(ticket.pair, players, result);
        let points = result.points();
        let pairing = &mut self.wave[self.order[((id - self.first) / 2) as usize]];
        for (player, points) in ticket.players.values().zip(points) {
            let player = usize::from(*player != pairing.players[0]);
            pairing.points[player] += points;
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
