//! Formats in which who meets whom depends on the results: they go in waves.

use super::{Conclusion, Next, Schedule, Ticket};
use crate::game::GameResult;

/// Two players who meet in one wave, for a number of game pairs.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Meeting {
    pub players: [usize; 2],
    pub pairs: u64,
    /// What they have scored in this wave.
    pub points: [f64; 2],
}

impl Meeting {
    pub fn new(players: [usize; 2], pairs: u64) -> Self {
        Self {
            players,
            pairs,
            points: [0.0; 2],
        }
    }
}

/// Says who meets in the next wave.
pub(super) trait Waves: std::fmt::Debug {
    /// The meetings of the next wave, given the results of the last; none once it is all over.
    fn wave(&mut self, played: &[Meeting]) -> Vec<Meeting>;

    /// Takes in one game of a pair: the players by seat, and the result. The games of a wave come in
    /// any order.
    fn game(&mut self, _pair: u64, _players: [usize; 2], _result: GameResult) {}

    /// How many games there are in all, where that does not depend on results.
    fn total(&self) -> Option<u64>;

    /// What the format says once all waves are over.
    fn conclusion(&self) -> Option<Conclusion>;
}

/// A format in waves. A wave begins when the last has ended as a whole, so it does not matter in
/// which order results come in. All its games are in game pairs.
#[derive(Debug)]
pub(super) struct InWaves<F> {
    format: F,
    wave: Vec<Meeting>,
    /// The meeting of each game pair of the wave: first pairs first.
    order: Vec<usize>,
    /// The number of the wave's first game.
    first: u64,
    issued: u64,
    recorded: u64,
    over: bool,
}

impl<F: Waves> InWaves<F> {
    pub(super) fn new(format: F) -> Self {
        let mut schedule = Self {
            format,
            wave: Vec::new(),
            order: Vec::new(),
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

    /// A game of this wave, by its number in it.
    fn ticket(&self, index: u64) -> Ticket {
        let [a, b] = self.wave[self.order[(index / 2) as usize]].players;
        Ticket {
            id: self.first + index,
            pair: (self.first + index) / 2,
            players: if index % 2 == 1 { [b, a] } else { [a, b] },
        }
    }

    fn begin_wave(&mut self) {
        self.first += self.games();
        self.wave = self.format.wave(&self.wave);
        self.over = self.wave.is_empty();
        (self.issued, self.recorded) = (0, 0);
        self.order.clear();
        let most = self.wave.iter().map(|meeting| meeting.pairs).max();
        for pair in 0..most.unwrap_or(0) {
            let open = |meeting: &usize| self.wave[*meeting].pairs > pair;
            self.order.extend((0..self.wave.len()).filter(open));
        }
    }
}

impl<F: Waves> Schedule for InWaves<F> {
    fn next(&mut self) -> Next {
        if self.over {
            return Next::Done;
        }
        if self.issued == self.games() {
            return Next::Wait;
        }
        self.issued += 1;
        Next::Issue(self.ticket(self.issued - 1))
    }

    fn record(&mut self, id: u64, result: GameResult) {
        let ticket = self.ticket(id - self.first);
        self.format.game(ticket.pair, ticket.players, result);
        let points = result.points();
        let meeting = &mut self.wave[self.order[((id - self.first) / 2) as usize]];
        for seat in [0, 1] {
            let first_named = ticket.players[seat] == meeting.players[0];
            meeting.points[usize::from(!first_named)] += points[seat];
        }
        self.recorded += 1;
        if self.recorded == self.games() {
            self.begin_wave();
        }
    }

    fn total(&self) -> Option<u64> {
        self.format.total()
    }

    fn conclusion(&self) -> Option<Conclusion> {
        self.over.then(|| self.format.conclusion()).flatten()
    }
}
