//! The games of a plan, one schedule after another.

use std::vec::IntoIter;

use crate::config::Plan;
use crate::game::GameResult;
use crate::record::DoneGames;
use crate::schedule::{Conclusion, Cut, Format, GameCount, NextGame, Schedule, TestState, Ticket};

/// One game to play.
#[derive(Debug, Clone, Copy)]
pub struct QueuedGame {
    /// Its number in the run.
    pub id: u64,
    /// The index of the game in the plan.
    pub game: usize,
    /// Who plays, from which start.
    pub ticket: Ticket,
    /// Whether it was void before.
    pub was_void: bool,
}

/// Which of the games of a plan are played.
#[derive(Debug, Clone, Default)]
pub enum Portion {
    /// All of them.
    #[default]
    All,
    /// Those of a shard, by its number from 0. The pairings depend on no result.
    Shard(u32, Cut),
    /// These.
    Listed(Vec<QueuedGame>),
}

/// A game that is in the journal and not in the schedule.
#[derive(Debug, Clone, Copy, thiserror::Error)]
#[error("game {id} is in the journal, and the plan does not have that game between those players")]
pub struct UnplannedGame {
    /// Its number.
    pub id: u64,
    /// What the schedule has under that number, given the results before it, if anything.
    pub planned: Option<QueuedGame>,
}

/// What is to be done next.
#[derive(Debug)]
pub(super) enum QueueStep {
    Play(QueuedGame),
    /// Nothing before another game has ended.
    Wait,
    Done,
    Unplanned(UnplannedGame),
}

/// Hands out the games of a run under their numbers, and takes back results and void games. The
/// schedule of the plan's second game begins when that of the first issues no more, and so on.
#[derive(Debug)]
pub(super) struct GameQueue {
    parts: Vec<Part>,
    /// The part whose schedule issues games.
    current: usize,
    recorded: u64,
    /// The games that were played before the run was resumed. They are not handed out.
    done: DoneGames,
    /// Void games, to be played again before anything else.
    returned: Vec<QueuedGame>,
    /// The shard that is played, if it is not the whole plan.
    shard: Option<(u32, Cut)>,
    /// Games that come from no schedule.
    listed: IntoIter<QueuedGame>,
    /// How many games there are, where that is not what the schedules say.
    portion: Option<u64>,
    /// What was looked at and not done yet.
    ahead: Option<QueueStep>,
}

#[derive(Debug)]
struct Part {
    schedule: Box<dyn Schedule>,
    /// The number of its first game in the run.
    first: u64,
    issued: u64,
}

impl GameQueue {
    /// The games of a format among so many players, for each of so many games of a plan.
    pub fn new(format: &Format, players: usize, games: usize, done: DoneGames) -> Self {
        Self::ahead(format, players, games, done, 0)
    }

    /// The same games, of which a sequential test begins at least so many pairs ahead.
    pub fn ahead(
        format: &Format,
        players: usize,
        games: usize,
        done: DoneGames,
        pairs: u64,
    ) -> Self {
        let part = |_| Part {
            schedule: format.schedule_ahead(players, pairs),
            first: 0,
            issued: 0,
        };
        Self {
            parts: (0..games).map(part).collect(),
            current: 0,
            recorded: 0,
            done,
            returned: Vec::new(),
            shard: None,
            listed: Vec::new().into_iter(),
            portion: None,
            ahead: None,
        }
    }

    /// The games of a portion of a plan, of which some are `done`.
    pub fn of_portion(plan: &Plan, portion: Portion, done: DoneGames) -> Self {
        let (players, games) = (plan.players.len(), plan.games.len());
        match portion {
            Portion::All => Self::new(&plan.format, players, games, done),
            Portion::Shard(shard, cut) => Self {
                shard: Some((shard, cut)),
                portion: Some(shard_size(plan, shard, &cut)),
                ..Self::new(&plan.format, players, games, done)
            },
            Portion::Listed(listed) => Self {
                portion: Some(listed.len() as u64),
                listed: listed.into_iter(),
                ..Self::new(&plan.format, players, 0, done)
            },
        }
    }

    /// How many games there are.
    pub fn count(&self) -> GameCount {
        if let Some(games) = self.portion {
            return GameCount::Exactly(games);
        }
        let parts = self.parts.iter().map(|part| part.schedule.count());
        parts.fold(GameCount::Exactly(0), GameCount::plus)
    }

    /// How many games have not ended, if that is known.
    pub fn left(&self) -> Option<u64> {
        Some(self.count().exactly()?.saturating_sub(self.recorded))
    }

    /// Whether there is nothing left to play.
    pub fn is_over(&mut self) -> bool {
        let next = self.next(0);
        let over = matches!(next, QueueStep::Done | QueueStep::Unplanned(_));
        self.ahead = Some(next);
        over
    }

    /// What to do while so many games are in play. A game that was void waits until there is none.
    pub fn next(&mut self, in_play: usize) -> QueueStep {
        if let Some(next) = self.ahead.take() {
            return next;
        }
        if !self.returned.is_empty() && in_play > 0 {
            return QueueStep::Wait;
        }
        if let Some(game) = self.returned.pop() {
            return QueueStep::Play(game);
        }
        for game in self.listed.by_ref() {
            match self.done.take(game.id) {
                Some(_) => self.recorded += 1,
                None => return QueueStep::Play(game),
            }
        }
        while let Some(part) = self.parts.get_mut(self.current) {
            match part.schedule.next() {
                NextGame::Issue(ticket) => {
                    part.issued += 1;
                    let id = part.first + ticket.id;
                    if let Some((shard, cut)) = &self.shard
                        && !cut.plays(*shard, self.current, ticket.pair)
                    {
                        continue;
                    }
                    let game = QueuedGame {
                        id,
                        game: self.current,
                        ticket,
                        was_void: false,
                    };
                    let Some(done) = self.done.take(id) else {
                        return QueueStep::Play(game);
                    };
                    let is_planned = (done.game, done.pair, done.players, done.round)
                        == (self.current, ticket.pair, ticket.players, ticket.round);
                    if !is_planned {
                        let planned = Some(game);
                        return QueueStep::Unplanned(UnplannedGame { id, planned });
                    }
                    part.schedule.record(ticket.id, done.result);
                    self.recorded += 1;
                }
                NextGame::Wait => return QueueStep::Wait,
                NextGame::Done => {
                    let next = part.first + part.issued;
                    self.current += 1;
                    if let Some(part) = self.parts.get_mut(self.current) {
                        part.first = next;
                    }
                }
            }
        }
        self.first_unplanned()
            .map_or(QueueStep::Done, QueueStep::Unplanned)
    }

    /// The first game of the journal that has not come up in the schedule, if there is one.
    pub fn first_unplanned(&self) -> Option<UnplannedGame> {
        let id = self.done.first()?;
        Some(UnplannedGame { id, planned: None })
    }

    /// Puts a void game back, to be played again before anything else.
    pub fn take_back(&mut self, game: QueuedGame) {
        self.returned.push(QueuedGame {
            was_void: true,
            ..game
        });
    }

    /// Leaves out a game that was handed out and cannot be played. For pairings that depend on it, it
    /// counts as drawn.
    pub fn set_aside(&mut self, id: u64) {
        self.record(id, GameResult::Drawn);
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

    /// How far the sequential test of a game is, by the game's index, if the format is a test.
    pub fn test(&self, game: usize) -> Option<TestState> {
        self.parts.get(game)?.schedule.test()
    }

    /// The game whose schedule issues games, and how far its test is, if the format is one.
    pub fn current_test(&self) -> Option<(usize, TestState)> {
        Some((self.current, self.test(self.current)?))
    }

    /// The games of the journal that did not come up.
    pub fn into_unplanned(self) -> DoneGames {
        self.done
    }

    /// What the formats say, by the index of the game.
    pub fn conclusions(&self) -> Vec<(usize, Conclusion)> {
        let parts = self.parts.iter().enumerate();
        parts
            .filter_map(|(game, part)| Some((game, part.schedule.conclusion()?)))
            .collect()
    }
}

/// How many games a shard has.
fn shard_size(plan: &Plan, shard: u32, cut: &Cut) -> u64 {
    let mut games = 0;
    for game in 0..plan.games.len() {
        let mut schedule = plan.format.schedule(plan.players.len());
        while let NextGame::Issue(ticket) = schedule.next() {
            games += u64::from(cut.plays(shard, game, ticket.pair));
        }
    }
    games
}

/// Some game pairs of a plan whose pairings depend on no result, spread evenly over it.
pub fn sample_games(plan: &Plan, pairs: u64) -> Vec<QueuedGame> {
    let (players, games) = (plan.players.len(), plan.games.len());
    let all = || GameQueue::new(&plan.format, players, games, DoneGames::default());
    let count = all().count().exactly().unwrap_or(0);
    let step = (count / 2 / pairs.max(1)).max(1) * 2;
    let mut queue = all();
    let mut chosen = Vec::new();
    while let QueueStep::Play(game) = queue.next(0) {
        if game.id % step < 2 && (chosen.len() as u64) < pairs.saturating_mul(2) {
            chosen.push(game);
        }
    }
    chosen
}
