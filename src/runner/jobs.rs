//! The games of a plan, one schedule after another.

use super::Job;
use crate::game::GameResult;
use crate::record::DoneGames;
use crate::schedule::{Conclusion, Format, NextGame, Schedule};

/// What is to be done next.
#[derive(Debug)]
pub(super) enum Order {
    Play(Job),
    /// Nothing before another game has ended.
    Wait,
    Done,
    /// The journal has the game of this number, and the plan has not, or has another under it.
    Strange {
        id: u64,
        planned: Option<Job>,
    },
}

/// Hands out the games of a run under their numbers, and takes back results and void games. The
/// schedule of the plan's second game begins when that of the first issues no more, and so on.
#[derive(Debug)]
pub(super) struct Jobs {
    parts: Vec<Part>,
    /// The part that issues.
    current: usize,
    recorded: u64,
    /// Games that were played before this run went on. They are not handed out.
    done: DoneGames,
    /// Void games, to be played again before anything else.
    returned: Vec<Job>,
    /// What was looked at and not done yet.
    ahead: Option<Order>,
}

#[derive(Debug)]
struct Part {
    schedule: Box<dyn Schedule>,
    /// The number of its first game in the run.
    first: u64,
    issued: u64,
}

impl Jobs {
    /// The games of a format among so many players, in each of `games`.
    pub fn new(format: &Format, players: usize, games: usize, done: DoneGames) -> Self {
        let part = |_| Part {
            schedule: format.schedule(players),
            first: 0,
            issued: 0,
        };
        Self {
            parts: (0..games).map(part).collect(),
            current: 0,
            recorded: 0,
            done,
            returned: Vec::new(),
            ahead: None,
        }
    }

    pub fn total(&self) -> Option<u64> {
        self.parts.iter().map(|part| part.schedule.total()).sum()
    }

    /// How many games have not ended, where that is known.
    pub fn left(&self) -> Option<u64> {
        Some(self.total()?.saturating_sub(self.recorded))
    }

    /// Whether there is nothing left to play.
    pub fn is_over(&mut self) -> bool {
        let next = self.next(0);
        let over = matches!(next, Order::Done | Order::Strange { .. });
        self.ahead = Some(next);
        over
    }

    /// What to do while so many games are in play. A game that was void waits until there is none.
    pub fn next(&mut self, in_play: usize) -> Order {
        if let Some(order) = self.ahead.take() {
            return order;
        }
        if !self.returned.is_empty() && in_play > 0 {
            return Order::Wait;
        }
        if let Some(job) = self.returned.pop() {
            return Order::Play(job);
        }
        while let Some(part) = self.parts.get_mut(self.current) {
            match part.schedule.next() {
                NextGame::Issue(ticket) => {
                    part.issued += 1;
                    let id = part.first + ticket.id;
                    let job = Job {
                        id,
                        game: self.current,
                        ticket,
                        again: false,
                    };
                    let Some(done) = self.done.take(id) else {
                        return Order::Play(job);
                    };
                    if (done.game, done.pair, done.players)
                        != (self.current, ticket.pair, ticket.players)
                    {
                        let planned = Some(job);
                        return Order::Strange { id, planned };
                    }
                    part.schedule.record(ticket.id, done.result);
                    self.recorded += 1;
                }
                NextGame::Wait => return Order::Wait,
                NextGame::Done => {
                    let next = part.first + part.issued;
                    self.current += 1;
                    if let Some(part) = self.parts.get_mut(self.current) {
                        part.first = next;
                    }
                }
            }
        }
        self.strange().unwrap_or(Order::Done)
    }

    /// Whether every game that was played before belongs to the schedule.
    pub fn all_found(&self) -> bool {
        self.done.first().is_none()
    }

    /// The first game that was played and not handed out, where there is one.
    pub fn strange(&self) -> Option<Order> {
        let id = self.done.first()?;
        Some(Order::Strange { id, planned: None })
    }

    /// A void game is played again.
    pub fn take_back(&mut self, job: Job) {
        self.returned.push(Job { again: true, ..job });
    }

    /// Takes in the result of a game that was handed out.
    pub fn record(&mut self, id: u64, result: GameResult) {
        self.recorded += 1;
        let begun = self.parts.iter_mut().take(self.current + 1).rev();
        for part in begun {
            if (part.first..part.first + part.issued).contains(&id) {
                part.schedule.record(id - part.first, result);
                return;
            }
        }
    }

    /// What the formats say, by the index of the game.
    pub fn conclusions(&self) -> Vec<(usize, Conclusion)> {
        let parts = self.parts.iter().enumerate();
        parts
            .filter_map(|(game, part)| Some((game, part.schedule.conclusion()?)))
            .collect()
    }
}
