//! The games of a plan in the order of its schedules.
//!
//! It is handed a plan and the games of a journal, and gives the games to play. The queue also checks a journal against the schedules.

mod schedule_check;

use std::time::{Duration, Instant};
use std::vec::IntoIter;

pub use schedule_check::{ScheduleCheck, check_against_schedule};

use crate::config::Plan;
use crate::game::{GameResult, Seat};
use crate::runs::DoneGames;
use crate::schedule::{
    Conclusion, Cut, GameCount, NextGame, Schedule, TestState, Ticket, TuningProgress,
};

#[derive(Debug)]
pub struct Fold {
    /// The next wave; empty if the run is over.
    pub next: Vec<QueuedGame>,
    pub conclusions: Vec<(usize, Conclusion)>,
    /// Games beyond the end of a sequential test. They are no part of the run.
    pub surplus: DoneGames,
}

/// Computes the games that follow `done`. A wave has all games that can begin before another result is known.
/// If the plan has one game, and its format is a sequential test, it has at least `ahead` blocks.
pub fn fold(plan: &Plan, seed: u64, done: &DoneGames, ahead: u64) -> Result<Fold, UnfitGame> {
    let mut queue = GameQueue::new(plan.schedules(seed, 0), done.clone());
    let over = match queue.next(0) {
        QueueStep::Play(_) | QueueStep::Wait | QueueStep::Pause(_) => false,
        QueueStep::Done => true,
        // The schedule is over: the other games are surplus.
        QueueStep::Unfit(UnfitGame { planned: None, .. }) => true,
        QueueStep::Unfit(game) => return Err(game),
    };
    // The numbers of a second game begin where the first ends, and surplus games would shift them.
    let ahead = if plan.games.len() == 1 { ahead } else { 0 };
    let mut next = Vec::new();
    if !over {
        let mut wave = GameQueue::new(plan.schedules(seed, ahead), done.clone());
        while let QueueStep::Play(game) = wave.next(0) {
            next.push(game);
        }
    }
    Ok(Fold {
        next,
        conclusions: queue.conclusions(),
        surplus: if over {
            queue.done
        } else {
            DoneGames::default()
        },
    })
}

#[derive(Debug, Clone)]
pub struct QueuedGame {
    pub id: u64,
    pub game: usize,
    pub ticket: Ticket,
    pub voids: u32,
    /// The seat whose bot alone computed too much in each void attempt.
    pub delayed_by: Option<Seat>,
}

/// How often a game is played that is void each time; one whose rules fail twice.
const MOST_ATTEMPTS: u32 = 5;

impl QueuedGame {
    /// Whether it is set aside if it is void now.
    pub fn is_last_attempt(&self) -> bool {
        self.voids + 1 >= MOST_ATTEMPTS
    }
}

#[derive(Debug, Clone, Default)]
pub enum Portion {
    #[default]
    All,
    /// Games of a shard, by the shard's number from 0. Pairings depend on no result.
    Shard(u32, Cut),
    Listed(Vec<QueuedGame>),
}

/// A game of the journal that is not in the schedule, which may have another game under its number, given the
/// results before it.
#[derive(Debug, Clone, thiserror::Error)]
#[error("game {id} is in the journal, and the plan does not have that game between those players")]
pub struct UnfitGame {
    pub id: u64,
    pub planned: Option<Box<QueuedGame>>,
}

#[derive(Debug)]
pub enum QueueStep {
    Play(QueuedGame),
    Wait,
    /// Wait until then: only games are left that were void more than once.
    Pause(Instant),
    Done,
    Unfit(UnfitGame),
}

/// Hands out the games of a run by number, and takes in results and void games. The schedules of the plan's
/// games follow each other: the next begins when the one before issues no more.
#[derive(Debug)]
pub struct GameQueue {
    parts: Vec<GameSchedule>,
    /// Index of the part whose schedule issues games.
    current: usize,
    recorded: u64,
    /// Games in the journal of a resumed run. They are not handed out.
    done: DoneGames,
    /// Games that were void once, played again before anything else.
    returned: Vec<QueuedGame>,
    /// Games that were void more than once. Each is played again after its time, once nothing else can be.
    postponed: Vec<(Instant, QueuedGame)>,
    /// Pause before a game that was void twice. Each later pause is four times as long.
    pause: Duration,
    /// The shard to play, unless it is the whole plan.
    shard: Option<(u32, Cut)>,
    listed: IntoIter<QueuedGame>,
    /// Number of games, if it differs from the schedules' count.
    portion: Option<u64>,
    /// Step already taken from the schedules by [`Self::is_over`].
    ahead: Option<QueueStep>,
}

#[derive(Debug)]
struct GameSchedule {
    schedule: Box<dyn Schedule>,
    first: u64,
    issued: u64,
}

impl GameQueue {
    pub fn new(schedules: Vec<Box<dyn Schedule>>, done: DoneGames) -> Self {
        let part = |schedule| GameSchedule {
            schedule,
            first: 0,
            issued: 0,
        };
        Self {
            parts: schedules.into_iter().map(part).collect(),
            current: 0,
            recorded: 0,
            done,
            returned: Vec::new(),
            postponed: Vec::new(),
            pause: Duration::ZERO,
            shard: None,
            listed: Vec::new().into_iter(),
            portion: None,
            ahead: None,
        }
    }

    /// The queue for a portion of a plan under the seed of its run. Games in `done` are over.
    pub fn of_portion(plan: &Plan, seed: u64, portion: Portion, done: DoneGames) -> Self {
        let all = Self::new(plan.schedules(seed, 0), done);
        match portion {
            Portion::All => all,
            Portion::Shard(shard, cut) => Self {
                shard: Some((shard, cut)),
                portion: shard_sizes(plan, &cut).get(shard as usize).copied(),
                ..all
            },
            Portion::Listed(listed) => Self {
                portion: Some(listed.len() as u64),
                listed: listed.into_iter(),
                parts: Vec::new(),
                ..all
            },
        }
    }

    pub fn with_pause(self, pause: Duration) -> Self {
        Self { pause, ..self }
    }

    pub fn count(&self) -> GameCount {
        if let Some(games) = self.portion {
            return GameCount::Exactly(games);
        }
        let parts = self.parts.iter().map(|part| part.schedule.count());
        parts.fold(GameCount::Exactly(0), GameCount::plus)
    }

    pub fn left(&self) -> Option<u64> {
        Some(self.count().exactly()?.saturating_sub(self.recorded))
    }

    /// Whether nothing is left to play. The step taken to find out is kept for [`Self::next`].
    pub fn is_over(&mut self) -> bool {
        let next = self.next(0);
        let over = matches!(next, QueueStep::Done | QueueStep::Unfit(_));
        self.ahead = Some(next);
        over
    }

    /// Next step while `in_play` games are in play. A void game waits until none is.
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
        match self.issue() {
            QueueStep::Wait | QueueStep::Done if !self.postponed.is_empty() => match in_play {
                0 => self.next_postponed(),
                _ => QueueStep::Wait,
            },
            step => step,
        }
    }

    /// The earliest game that was void more than once, or the time to wait for.
    fn next_postponed(&mut self) -> QueueStep {
        let games = self.postponed.iter().enumerate();
        let earliest = games.min_by_key(|(_, (due, game))| (*due, game.id));
        match earliest.map(|(index, (due, _))| (index, *due)) {
            Some((_, due)) if due > Instant::now() => QueueStep::Pause(due),
            Some((index, _)) => QueueStep::Play(self.postponed.swap_remove(index).1),
            None => QueueStep::Done,
        }
    }

    /// Next game of the schedules that is not in the journal, as a step to play it.
    fn issue(&mut self) -> QueueStep {
        for game in self.listed.by_ref() {
            match self.done.remove(&game.id) {
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
                        && cut.owner(self.current, ticket.block) != *shard
                    {
                        continue;
                    }
                    let game = QueuedGame {
                        id,
                        game: self.current,
                        ticket: ticket.clone(),
                        voids: 0,
                        delayed_by: None,
                    };
                    let Some(done) = self.done.remove(&id) else {
                        return QueueStep::Play(game);
                    };
                    if !done.is_of(self.current, &ticket) {
                        let planned = Some(Box::new(game));
                        return QueueStep::Unfit(UnfitGame { id, planned });
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
            .map_or(QueueStep::Done, QueueStep::Unfit)
    }

    /// The first game of the journal that the schedules have not issued.
    pub fn first_unplanned(&self) -> Option<UnfitGame> {
        let id = *self.done.first_key_value()?.0;
        Some(UnfitGame { id, planned: None })
    }

    /// Puts a void game back, to be played again: after the first time before anything else, later after a pause.
    pub fn take_back(&mut self, game: QueuedGame) {
        let voids = game.voids + 1;
        let game = QueuedGame { voids, ..game };
        if let Some(longer) = voids.checked_sub(2) {
            let pause = self.pause.saturating_mul(4_u32.saturating_pow(longer));
            return self.postponed.push((Instant::now() + pause, game));
        }
        self.returned.push(game);
        // Descending, so that `pop` takes the smallest number.
        self.returned.sort_by_key(|game| std::cmp::Reverse(game.id));
    }

    /// Leaves out a game that cannot be played. Pairings that depend on it see a draw.
    pub fn set_aside(&mut self, game: &QueuedGame) {
        self.record(game, GameResult::Drawn);
    }

    pub fn record(&mut self, game: &QueuedGame, result: GameResult) {
        self.recorded += 1;
        if let Some(part) = self.parts.get_mut(game.game) {
            part.schedule.record(game.ticket.id, result);
        }
    }

    pub fn test(&self, game: usize) -> Option<TestState> {
        self.parts.get(game)?.schedule.test()
    }

    pub fn tuning(&self, game: usize) -> Option<TuningProgress> {
        self.parts.get(game)?.schedule.tuning()
    }

    /// Index of the game whose schedule issues games, and state of its sequential test.
    pub fn current_test(&self) -> Option<(usize, TestState)> {
        Some((self.current, self.test(self.current)?))
    }

    pub fn conclusions(&self) -> Vec<(usize, Conclusion)> {
        let parts = self.parts.iter().enumerate();
        parts
            .filter_map(|(game, part)| Some((game, part.schedule.conclusion()?)))
            .collect()
    }
}

pub fn count_games(plan: &Plan, portion: Portion) -> GameCount {
    GameQueue::of_portion(plan, 0, portion, DoneGames::default()).count()
}

pub fn shard_sizes(plan: &Plan, cut: &Cut) -> Vec<u64> {
    let mut sizes = vec![0; cut.shards.get() as usize];
    for (game, mut schedule) in plan.schedules(cut.seed, 0).into_iter().enumerate() {
        while let NextGame::Issue(ticket) = schedule.next() {
            sizes[cut.owner(game, ticket.block) as usize] += 1;
        }
    }
    sizes
}
