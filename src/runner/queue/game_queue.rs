//! The games of a plan, one schedule after another.

use std::vec::IntoIter;

use super::queued_game::{HopelessVerdict, Portion, QueueStep, QueuedGame, UnfitGame};
use crate::config::Plan;
use crate::game::GameResult;
use crate::referee::Termination;
use crate::runs::{Course, DoneGames};
use crate::schedule::{
    Conclusion, Cut, GameCount, HopelessRule, HopelessTerms, NextGame, Schedule, Standing, Streak,
    TestState,
};

/// Maximum number of games that wait for their verdict. At this bound no more are issued.
const MOST_WAITING: usize = 1000;

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
    /// Void games, played again before anything else.
    returned: Vec<QueuedGame>,
    /// Games of suspect players, held until their verdict is known.
    waiting: Vec<QueuedGame>,
    /// The shard to play, unless it is the whole plan.
    shard: Option<(u32, Cut)>,
    /// Games given explicitly, without a schedule.
    listed: IntoIter<QueuedGame>,
    /// Number of games, if it differs from the schedules' count.
    portion: Option<u64>,
    /// Step already taken from the schedules by [`Self::is_over`].
    ahead: Option<QueueStep>,
}

#[derive(Debug)]
struct GameSchedule {
    schedule: Box<dyn Schedule>,
    /// Rule for hopeless players, per game: a bot may play one game and not another.
    rule: HopelessRule<Termination>,
    /// Number of its first game in the run.
    first: u64,
    issued: u64,
}

impl GameQueue {
    /// The queue for these schedules, one for each of the plan's games.
    pub fn new(schedules: Vec<Box<dyn Schedule>>, done: DoneGames) -> Self {
        let part = |(game, schedule)| GameSchedule {
            schedule,
            rule: HopelessRule::new(HopelessTerms::default(), game),
            first: 0,
            issued: 0,
        };
        Self {
            parts: schedules.into_iter().enumerate().map(part).collect(),
            current: 0,
            recorded: 0,
            done,
            returned: Vec::new(),
            waiting: Vec::new(),
            shard: None,
            listed: Vec::new().into_iter(),
            portion: None,
            ahead: None,
        }
    }

    /// Adds terms by which hopeless players forfeit the rest of their games.
    pub fn with_hopeless(mut self, terms: &HopelessTerms) -> Self {
        for (game, part) in self.parts.iter_mut().enumerate() {
            part.rule = HopelessRule::new(terms.clone(), game);
        }
        self
    }

    /// The queue for a portion of a plan. Games in `done` are over.
    pub fn of_portion(plan: &Plan, portion: Portion, done: DoneGames) -> Self {
        let all = Self::new(plan.schedules(0), done);
        match portion {
            // A whole run has no cut, and only the cut needs the seed.
            Portion::All => all.with_hopeless(&plan.hopeless_terms(0)),
            Portion::Shard(shard, cut) => Self {
                shard: Some((shard, cut)),
                portion: Some(shard_size(plan, shard, &cut)),
                ..all.with_hopeless(&plan.hopeless_terms(cut.seed))
            },
            Portion::Listed(listed) => Self {
                portion: Some(listed.len() as u64),
                listed: listed.into_iter(),
                parts: Vec::new(),
                ..all
            },
        }
    }

    /// Number of games in total.
    pub fn count(&self) -> GameCount {
        if let Some(games) = self.portion {
            return GameCount::Exactly(games);
        }
        let parts = self.parts.iter().map(|part| part.schedule.count());
        parts.fold(GameCount::Exactly(0), GameCount::plus)
    }

    /// Number of games that have not ended, if known.
    pub fn left(&self) -> Option<u64> {
        Some(self.count().exactly()?.saturating_sub(self.recorded))
    }

    /// Whether nothing is left to play. The step taken to find out is kept for [`Self::next`].
    pub fn is_over(&mut self) -> bool {
        let next = self.next(0);
        let over = !matches!(
            next,
            QueueStep::Play(_) | QueueStep::Forfeit(..) | QueueStep::Wait
        );
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
            return match self.verdict(&game) {
                HopelessVerdict::Forfeit(hopeless) => QueueStep::Forfeit(game, hopeless),
                HopelessVerdict::Play | HopelessVerdict::Open => QueueStep::Play(game),
            };
        }
        let mut waiting = self.waiting.iter();
        let decided = waiting.position(|game| !matches!(self.verdict(game), HopelessVerdict::Open));
        if let Some(at) = decided {
            let game = self.waiting.remove(at);
            return self.step(game);
        }
        while self.waiting.len() < MOST_WAITING {
            match self.issue() {
                QueueStep::Play(game) if self.is_to_wait(&game) => self.waiting.push(game),
                QueueStep::Play(game) => return self.step(game),
                QueueStep::Done if !self.waiting.is_empty() => return QueueStep::Wait,
                step => return step,
            }
        }
        QueueStep::Wait
    }

    /// Step for a game of the queue. A game with an open verdict is played ahead.
    fn step(&self, game: QueuedGame) -> QueueStep {
        match self.verdict(&game) {
            HopelessVerdict::Forfeit(hopeless) => QueueStep::Forfeit(game, hopeless),
            HopelessVerdict::Play | HopelessVerdict::Open => QueueStep::Play(game),
        }
    }

    /// Whether a game is held instead of played ahead, because it would probably not count.
    fn is_to_wait(&self, game: &QueuedGame) -> bool {
        let part = self.parts.get(game.game);
        matches!(self.verdict(game), HopelessVerdict::Open)
            && part.is_some_and(|part| part.rule.is_suspect(&game.ticket))
    }

    /// Verdict on a game, given the results so far.
    pub fn verdict(&self, game: &QueuedGame) -> HopelessVerdict {
        let Some(part) = self.parts.get(game.game) else {
            return HopelessVerdict::Play;
        };
        let standings = part.rule.standings(&game.ticket);
        let streak = |standing| match standing {
            Standing::Hopeless(streak) => Some(Streak {
                last: part.first + streak.last,
                ..streak
            }),
            Standing::Plays | Standing::Open => None,
        };
        if standings.values().all(|it| *it == Standing::Plays) {
            HopelessVerdict::Play
        } else if standings.values().any(|it| *it == Standing::Open) {
            HopelessVerdict::Open
        } else {
            HopelessVerdict::Forfeit(standings.map(streak))
        }
    }

    /// Next game of the schedules that is not in the journal, as a step to play it.
    fn issue(&mut self) -> QueueStep {
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
                        && !cut.plays(*shard, self.current, ticket.block)
                    {
                        continue;
                    }
                    let game = QueuedGame {
                        id,
                        game: self.current,
                        ticket: ticket.clone(),
                        was_void: false,
                    };
                    part.rule.issue(&ticket);
                    let Some(done) = self.done.take(id) else {
                        return QueueStep::Play(game);
                    };
                    let is_planned = (done.game, done.block, &done.players, done.round)
                        == (self.current, ticket.block, &ticket.players, ticket.round);
                    if !is_planned {
                        let planned = Some(Box::new(game));
                        return QueueStep::Unfit(UnfitGame::Unplanned { id, planned });
                    }
                    let course = self.done.course(id, done.course);
                    if course.fits(done.result, part.rule.standings(&ticket)) == Some(false) {
                        let is_unplayed = course == Course::Unplayed;
                        return QueueStep::Unfit(UnfitGame::Misjudged { id, is_unplayed });
                    }
                    let evidence = course.evidence(done.result, ticket.players.count());
                    part.rule.decide(&ticket, evidence);
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
        let id = self.done.first()?;
        Some(UnfitGame::Unplanned { id, planned: None })
    }

    /// Puts a void game back, to be played again before anything else.
    pub fn take_back(&mut self, game: QueuedGame) {
        self.returned.push(QueuedGame {
            was_void: true,
            ..game
        });
        // Descending, so that `pop` takes the smallest number.
        self.returned.sort_by_key(|game| std::cmp::Reverse(game.id));
    }

    /// Leaves out a game that cannot be played. Pairings that depend on it see a draw.
    pub fn set_aside(&mut self, game: &QueuedGame) {
        self.record(game, GameResult::Drawn, Course::SetAside);
    }

    /// Takes in the end of a game that was played ahead. It may not count yet.
    pub fn suspect(&mut self, game: &QueuedGame, result: GameResult, course: Course) {
        let evidence = self
            .done
            .course(game.id, course)
            .evidence(result, game.ticket.players.count());
        if let Some(part) = self.parts.get_mut(game.game) {
            part.rule.suspect(&game.ticket, evidence);
        }
    }

    /// Takes in the result of a game.
    pub fn record(&mut self, game: &QueuedGame, result: GameResult, course: Course) {
        self.recorded += 1;
        let evidence = self
            .done
            .course(game.id, course)
            .evidence(result, game.ticket.players.count());
        if let Some(part) = self.parts.get_mut(game.game) {
            part.rule.decide(&game.ticket, evidence);
            part.schedule.record(game.ticket.id, result);
        }
    }

    /// State of a game's sequential test, by the index of the game.
    pub fn test(&self, game: usize) -> Option<TestState> {
        self.parts.get(game)?.schedule.test()
    }

    /// Index of the game whose schedule issues games, and state of its sequential test.
    pub fn current_test(&self) -> Option<(usize, TestState)> {
        Some((self.current, self.test(self.current)?))
    }

    /// Games of the journal that the schedules did not issue.
    pub fn into_unplanned(self) -> DoneGames {
        self.done
    }

    /// Conclusions of the formats, by the index of the game.
    pub fn conclusions(&self) -> Vec<(usize, Conclusion)> {
        let parts = self.parts.iter().enumerate();
        parts
            .filter_map(|(game, part)| Some((game, part.schedule.conclusion()?)))
            .collect()
    }
}

/// Number of games in a portion of `plan`.
pub fn count_games(plan: &Plan, portion: Portion) -> GameCount {
    GameQueue::of_portion(plan, portion, DoneGames::default()).count()
}

/// Number of games in a shard.
fn shard_size(plan: &Plan, shard: u32, cut: &Cut) -> u64 {
    let mut games = 0;
    for (game, mut schedule) in plan.schedules(0).into_iter().enumerate() {
        while let NextGame::Issue(ticket) = schedule.next() {
            games += u64::from(cut.plays(shard, game, ticket.block));
        }
    }
    games
}

/// A sample of this many blocks, spread evenly over a plan whose seatings depend on no result.
pub fn sample_games(plan: &Plan, blocks: u64) -> Vec<QueuedGame> {
    let all = || GameQueue::new(plan.schedules(0), DoneGames::default());
    let (count, seats) = (all().count().exactly().unwrap_or(0), plan.seats() as u64);
    let step = (count / seats / blocks.max(1)).max(1) * seats;
    let mut queue = all();
    let mut chosen = Vec::new();
    while let QueueStep::Play(game) = queue.next(0) {
        if game.id % step < seats && (chosen.len() as u64) < blocks.saturating_mul(seats) {
            chosen.push(game);
        }
    }
    chosen
}
