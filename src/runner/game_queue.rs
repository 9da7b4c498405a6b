//! The games of a plan, one schedule after another.

use std::vec::IntoIter;

use super::unplayed::Hopeless;
use crate::config::Plan;
use crate::game::GameResult;
use crate::record::{Course, DoneGames};
use crate::referee::Termination;
use crate::schedule::{
    Conclusion, Cut, Format, GameCount, HopelessRule, HopelessTerms, NextGame, Schedule, Standing,
    Streak, TestState, Ticket,
};

/// How many games wait at most until it is known whether they are played. No more are looked at then.
const MOST_WAITING: usize = 1000;

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

/// A game of the journal that was played and should be forfeited unplayed, or the other way round.
#[derive(Debug, Clone, Copy, thiserror::Error)]
#[error(
    "game {id} {}, and by `hopeless-after` and the games before it {}",
    if *is_unplayed { "was forfeited unplayed" } else { "was played" },
    if *is_unplayed { "it is played, or another player forfeits it" } else { "it is forfeited unplayed" }
)]
pub struct MisjudgedGame {
    /// Its number.
    pub id: u64,
    /// Whether it was forfeited unplayed.
    pub is_unplayed: bool,
}

/// Whether a game is played.
#[derive(Debug)]
pub(super) enum Verdict {
    Play,
    /// It is forfeited unplayed.
    Forfeit(Hopeless),
    /// Games before it that are not over decide it.
    Open,
}

/// What is to be done next.
#[derive(Debug)]
pub(super) enum QueueStep {
    Play(QueuedGame),
    /// To write that the game is forfeited unplayed.
    Forfeit(QueuedGame, Hopeless),
    /// Nothing before another game has ended.
    Wait,
    Done,
    Unplanned(UnplannedGame),
    Misjudged(MisjudgedGame),
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
    /// Games of players that may be hopeless.
    waiting: Vec<QueuedGame>,
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
    /// Which players never play. A bot may play one game and not another.
    rule: HopelessRule<Termination>,
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
        let part = |game| Part {
            schedule: format.schedule_ahead(players, pairs),
            rule: HopelessRule::new(HopelessTerms::default(), game),
            first: 0,
            issued: 0,
        };
        Self {
            parts: (0..games).map(part).collect(),
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

    /// The same games, but players who are hopeless by these terms forfeit the rest.
    pub fn with_hopeless(mut self, terms: &HopelessTerms) -> Self {
        for (game, part) in self.parts.iter_mut().enumerate() {
            part.rule = HopelessRule::new(terms.clone(), game);
        }
        self
    }

    /// The games of a portion of a plan, of which some are `done`.
    pub fn of_portion(plan: &Plan, portion: Portion, done: DoneGames) -> Self {
        let (players, games) = (plan.players.len(), plan.games.len());
        let all = Self::new(&plan.format, players, games, done);
        match portion {
            // A run that is one piece has no cut, which would need the seed.
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
        let over = !matches!(
            next,
            QueueStep::Play(_) | QueueStep::Forfeit(..) | QueueStep::Wait
        );
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
            return match self.verdict(&game) {
                Verdict::Forfeit(hopeless) => QueueStep::Forfeit(game, hopeless),
                Verdict::Play | Verdict::Open => QueueStep::Play(game),
            };
        }
        let mut waiting = self.waiting.iter();
        let decided = waiting.position(|game| !matches!(self.verdict(game), Verdict::Open));
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

    /// A game of the queue, played ahead if it is open whether it counts.
    fn step(&self, game: QueuedGame) -> QueueStep {
        match self.verdict(&game) {
            Verdict::Forfeit(hopeless) => QueueStep::Forfeit(game, hopeless),
            Verdict::Play | Verdict::Open => QueueStep::Play(game),
        }
    }

    /// Whether a game is not played ahead: it would hardly count.
    fn is_to_wait(&self, game: &QueuedGame) -> bool {
        let part = self.parts.get(game.game);
        matches!(self.verdict(game), Verdict::Open)
            && part.is_some_and(|part| part.rule.is_suspect(&game.ticket))
    }

    /// Whether a game is played, as far as the games before it tell.
    pub fn verdict(&self, game: &QueuedGame) -> Verdict {
        let Some(part) = self.parts.get(game.game) else {
            return Verdict::Play;
        };
        let standings = part.rule.standings(&game.ticket);
        let streak = |standing| match standing {
            Standing::Hopeless(streak) => Some(Streak {
                last: part.first + streak.last,
                ..streak
            }),
            Standing::Plays | Standing::Open => None,
        };
        match standings {
            [Standing::Plays, Standing::Plays] => Verdict::Play,
            [Standing::Open, _] | [_, Standing::Open] => Verdict::Open,
            standings => Verdict::Forfeit(standings.map(streak)),
        }
    }

    /// The next game that the schedules issue, as one to play.
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
                    part.rule.issue(&ticket);
                    let Some(done) = self.done.take(id) else {
                        return QueueStep::Play(game);
                    };
                    let is_planned = (done.game, done.pair, done.players, done.round)
                        == (self.current, ticket.pair, ticket.players, ticket.round);
                    if !is_planned {
                        let planned = Some(game);
                        return QueueStep::Unplanned(UnplannedGame { id, planned });
                    }
                    let course = self.done.course(id, done.course);
                    if course.fits(done.result, part.rule.standings(&ticket)) == Some(false) {
                        let is_unplayed = course == Course::Unplayed;
                        return QueueStep::Misjudged(MisjudgedGame { id, is_unplayed });
                    }
                    let shown = course.shown(done.result);
                    part.rule.decide(&ticket, shown);
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
        // The least number comes last, and is taken first.
        self.returned.sort_by_key(|game| std::cmp::Reverse(game.id));
    }

    /// Leaves out a game that was handed out and cannot be played. For pairings that depend on it, it
    /// counts as drawn.
    pub fn set_aside(&mut self, game: &QueuedGame) {
        self.record(game, GameResult::Drawn, Course::SetAside);
    }

    /// Takes in how a game ended that may not count yet.
    pub fn suspect(&mut self, game: &QueuedGame, result: GameResult, course: Course) {
        let shown = self.done.course(game.id, course).shown(result);
        if let Some(part) = self.parts.get_mut(game.game) {
            part.rule.suspect(&game.ticket, shown);
        }
    }

    /// Takes in the result of a game that was handed out.
    pub fn record(&mut self, game: &QueuedGame, result: GameResult, course: Course) {
        self.recorded += 1;
        let shown = self.done.course(game.id, course).shown(result);
        if let Some(part) = self.parts.get_mut(game.game) {
            part.rule.decide(&game.ticket, shown);
            part.schedule.record(game.ticket.id, result);
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
