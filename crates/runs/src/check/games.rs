//! Plays the games of a check.

use std::sync::Arc;
use std::time::Duration;

use super::observed::{Notes, ObservedProcess, Request};
use super::{CheckError, CheckPlan, Step};
use crate::bot::{
    Cleanup, Confinement, Fault, LateAnswer, Launch, Log, OutputLimits, Patience, Player, Process,
};
use crate::clock::{Measure, Spent};
use crate::game::{AnyPosition, Seat};
use crate::referee::{
    self, FaultKind, GameEnd, GameSpec, Participant, Ply, SeatTerms, Termination, Void, Witness,
};

/// Number of forfeits after which no more games are played: further ones show nothing new.
const ENOUGH_FORFEITS: usize = 3;

/// How long a bot is left alone before its second action, to see whether it computes meanwhile: opponents answer at once.
const PAUSE: Duration = Duration::from_millis(200);

/// How long a bot may wait in all games without computing, where its clock does not count that.
const LONGEST_WAIT: Duration = Duration::from_secs(30);

/// Number of failures before the first action after which a bot counts as unloadable. More than one, since the machine
/// may have been short of a resource for a moment.
const ENOUGH_STARTS: usize = 2;

pub(super) struct CheckedGame {
    pub index: u32,
    pub seat: Seat,
    pub end: GameEnd,
    pub notes: Notes,
    pub actions: Vec<String>,
    /// The digest of the rules' answers in the first position, and after each ply.
    pub answers: Vec<Option<String>>,
    pub log: Log,
    /// Whether the bot wrote unrequested output at the end of the game.
    pub out_of_step: bool,
    pub peak_kib: Option<u64>,
    pub is_first_of_process: bool,
}

impl CheckedGame {
    pub fn forfeited(&self) -> bool {
        self.end.forfeited_by().includes(self.seat)
    }

    /// Whether the bot played a game before this one, and did not get ready for it by what it did at the end of that one
    /// or at `start`.
    pub fn failed_between_games(&self) -> bool {
        use FaultKind::{Exited, HungUp, NotReady, OutOfTurn};
        let fault = self.end.fault(self.seat);
        !self.is_first_of_process
            && self.notes.request == Some(Request::Start)
            && fault.is_some_and(|it| matches!(it.kind, Exited | HungUp | NotReady | OutOfTurn))
    }
}

pub(super) struct Departure {
    pub by_itself: bool,
    pub cleanup: Cleanup,
    pub late_answer: Option<LateAnswer>,
    /// Whether it had forfeited. Then its way of ending does not matter.
    pub forfeited: bool,
}

pub(super) struct Repetition {
    pub game: CheckedGame,
    /// First ply that differed, from 1; `None` if no ply did.
    pub differs_at: Option<usize>,
    /// Whether the rules differed before that.
    pub rules_differ: bool,
}

#[derive(Default)]
pub(super) struct Observations {
    pub games: Vec<CheckedGame>,
    pub again: Option<Repetition>,
    /// Replay of a later game of a process, as the first game of a new one.
    pub alone: Option<Repetition>,
    pub departures: Vec<Departure>,
    pub too_busy: Option<String>,
    /// The game in which the bot had waited for [`longest_wait`]: no more are played.
    pub cut: Option<Notes>,
}

impl Observations {
    /// Notes of all games, without replays.
    pub fn notes(&self) -> impl Iterator<Item = &Notes> {
        self.games.iter().map(|game| &game.notes).chain(&self.cut)
    }

    /// Time for which a bot waited without computing, for each action, if that cut the check short.
    pub fn waits(&self) -> Option<Duration> {
        let of = |notes: &Notes| notes.actions.iter().map(Spent::idle).max();
        of(self.cut.as_ref()?)
    }

    pub fn all_games(&self) -> impl Iterator<Item = &CheckedGame> {
        let repeated = [&self.again, &self.alone].into_iter().flatten();
        self.games.iter().chain(repeated.map(|again| &again.game))
    }

    /// Time spent on each action, without replays.
    pub fn actions(&self) -> impl Iterator<Item = &Spent> {
        self.notes().flat_map(|notes| &notes.actions)
    }

    /// Whether further games would show nothing new.
    fn are_enough(&self) -> bool {
        let forfeited = self.games.iter().filter(|game| game.forfeited());
        forfeited.count() >= ENOUGH_FORFEITS || self.cannot_be_loaded()
    }

    /// Whether every start failed before the first action, and there were enough starts.
    pub fn cannot_be_loaded(&self) -> bool {
        let never_began =
            |it: &CheckedGame| it.forfeited() && it.end.termination == Termination::Handshake;
        self.games.len() >= ENOUGH_STARTS && self.games.iter().all(never_began)
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Extent {
    Games,
    Start,
}

pub(super) fn play(
    plan: &CheckPlan,
    extent: Extent,
    progress: &mut dyn FnMut(Step),
) -> Result<Observations, CheckError> {
    let game = plan.game.game();
    let mut opponents = Vec::new();
    for _ in game.seats().skip(1) {
        let opponent = start(plan, &plan.opponent, &Confinement::default())?;
        let mut opponent = Participant::new(opponent);
        // House bots are told: they do not know the rules of a program.
        let is_house = plan.opponent.program == plan.supervisor.program;
        opponent.is_told_legal = is_house && game.program().is_some();
        opponents.push(opponent);
    }
    let mut session = BotCheck {
        plan,
        progress,
        opponents,
        may_wait: (plan.time.measure == Measure::Cpu).then(|| longest_wait(plan)),
        seen: Observations::default(),
    };
    let played = match extent {
        Extent::Games => session.play_all(),
        Extent::Start => session.begin_games(),
    };
    match played {
        Err(CheckError::Void(Void::Contention { detail, .. })) => {
            session.seen.too_busy = Some(detail);
        }
        played => played?,
    }
    for opponent in &mut session.opponents {
        opponent.player.dismiss();
    }
    for opponent in &mut session.opponents {
        opponent.player.close(plan.quit);
    }
    Ok(session.seen)
}

pub(super) fn longest_wait(plan: &CheckPlan) -> Duration {
    LONGEST_WAIT.min(plan.time.wall_cap)
}

fn start(plan: &CheckPlan, bot: &Launch, confinement: &Confinement) -> Result<Process, Fault> {
    let limits = OutputLimits::default();
    let process = Process::start(bot, limits, &plan.supervisor, confinement)?;
    let process = process.with_patience(Patience::Long);
    Ok(match &plan.cancel {
        Some(pipe) => process.cancelled_by(Arc::clone(pipe)),
        None => process,
    })
}

struct BotCheck<'a> {
    plan: &'a CheckPlan,
    progress: &'a mut dyn FnMut(Step),
    opponents: Vec<Participant<Process>>,
    may_wait: Option<Duration>,
    seen: Observations,
}

impl BotCheck<'_> {
    fn play_all(&mut self) -> Result<(), CheckError> {
        self.play_games()?;
        self.seen.again = self.repeat(true)?;
        self.seen.alone = self.repeat(false)?;
        Ok(())
    }

    /// Starts games until the bot gets ready for one. On success there are no observations.
    fn begin_games(&mut self) -> Result<(), CheckError> {
        for index in 0..ENOUGH_STARTS as u32 {
            let mut bot = self.start_bot()?;
            let Some(game) = self.game(&mut bot, index, true, Extent::Start)? else {
                bot.player.process.dismiss();
                bot.player.process.close(self.plan.quit);
                self.seen.games.clear();
                return Ok(());
            };
            let departure = self.part(bot, &game);
            self.seen.departures.push(departure);
            self.seen.games.push(game);
        }
        Ok(())
    }

    fn play_games(&mut self) -> Result<(), CheckError> {
        let hides_something = self.plan.game.game().hides_something();
        let mut waiting = None;
        for index in 0..self.plan.games {
            (self.progress)(Step::Game(index + 1));
            let is_first_of_process = waiting.is_none();
            let mut bot = match waiting.take() {
                Some(bot) => bot,
                None => self.start_bot()?,
            };
            let played = self.game(&mut bot, index, is_first_of_process, Extent::Games)?;
            let Some(game) = played else { break };
            // As in a tournament, such a process plays no further game.
            if game.forfeited() || game.out_of_step || hides_something {
                let departure = self.part(bot, &game);
                self.seen.departures.push(departure);
            } else {
                waiting = Some(bot);
            }
            self.seen.games.push(game);
            if self.seen.are_enough() {
                break;
            }
        }
        if let (Some(bot), Some(last)) = (waiting, self.seen.games.last()) {
            let departure = self.part(bot, last);
            self.seen.departures.push(departure);
        }
        Ok(())
    }

    /// Replays a game in a new process: the first of its process, or a later one.
    fn repeat(&mut self, is_first_of_process: bool) -> Result<Option<Repetition>, CheckError> {
        let mut games = self.seen.games.iter();
        // A later game that was forfeited may have failed by what was left of the one before.
        let is_fit = |game: &&CheckedGame| {
            !(game.failed_between_games() || is_first_of_process && game.forfeited())
        };
        let is_wanted = |game: &&CheckedGame| game.is_first_of_process == is_first_of_process;
        let found = games.find(|game| is_fit(game) && is_wanted(game));
        let Some(before) = found.filter(|_| self.seen.cut.is_none()) else {
            return Ok(None);
        };
        let (index, actions) = (before.index, before.actions.clone());
        let answers = before.answers.clone();
        (self.progress)(Step::Again(index + 1));
        let mut bot = self.start_bot()?;
        let Some(game) = self.game(&mut bot, index, true, Extent::Games)? else {
            return Ok(None);
        };
        let departure = self.part(bot, &game);
        self.seen.departures.push(departure);
        let plies = actions.len().max(game.actions.len());
        let differs_at = (0..plies).find(|ply| actions.get(*ply) != game.actions.get(*ply));
        let equal = differs_at.unwrap_or(plies);
        Ok(Some(Repetition {
            rules_differ: answers.get(equal) != game.answers.get(equal),
            game,
            differs_at: differs_at.map(|ply| ply + 1),
        }))
    }

    fn start_bot(&self) -> Result<Participant<ObservedProcess>, Fault> {
        let mut bot = Participant::new(ObservedProcess {
            process: start(self.plan, &self.plan.bot, &self.plan.confinement)?
                .speaking(&self.plan.language, self.plan.time.margin),
            notes: Notes::default(),
            pause: PAUSE,
            may_wait: self.may_wait,
        });
        bot.options = self.plan.language.told();
        Ok(bot)
    }

    /// Plays a game, or only starts it. `None` if only the start was wanted and it succeeded.
    fn game(
        &mut self,
        bot: &mut Participant<ObservedProcess>,
        index: u32,
        is_first_of_process: bool,
        extent: Extent,
    ) -> Result<Option<CheckedGame>, CheckError> {
        let plan = self.plan;
        let seats = plan.game.game().seat_count();
        let seat = Seat::numbered((index as usize % seats) as u8);
        let start = plan.game.start(plan.seed, u64::from(index) / seats as u64);
        let mut start = start.map_err(Void::from)?;
        let mut actions = Actions {
            words: Vec::new(),
            answers: vec![start.position.answers()],
        };
        let terms = SeatTerms {
            time: &plan.time,
            handshake: plan.handshake,
            start: plan.start,
        };
        // A check is over where the bot that is checked fails.
        let spec = GameSpec {
            drops: false,
            ..start.spec(plan.game.game().per_seat(|_| terms))
        };
        let others = self.opponents.iter_mut();
        let mut players: Vec<&mut Participant<dyn Player>> = others
            .map(|it| it as &mut Participant<dyn Player>)
            .collect();
        players.insert(seat.index(), bot);
        let players = players.into_iter().collect();
        let (position, opening) = (start.position.as_mut(), &mut start.opening);
        let end = match extent {
            Extent::Games => {
                referee::play(&spec, position, players, opening, &mut actions).map(Some)
            }
            Extent::Start => referee::begin(&spec, position, players),
        };
        self.may_wait = bot.player.may_wait;
        let end = match end {
            Err(Void::BrokenOff) if bot.player.waited_enough() => {
                self.seen.cut = Some(std::mem::take(&mut bot.player.notes));
                return Ok(None);
            }
            Err(Void::BrokenOff) if self.seen.games.is_empty() && bot.player.notes.is_silent() => {
                return Err(CheckError::NoHello);
            }
            Ok(None) => return Ok(None),
            Ok(Some(end)) => end,
            Err(void) => return Err(void.into()),
        };
        if end.forfeiters().iter().any(|forfeiter| forfeiter != seat) {
            let detail = end.detail(plan.game.game());
            return Err(CheckError::Opponent { detail });
        }
        let ObservedProcess { process, notes, .. } = &mut bot.player;
        Ok(Some(CheckedGame {
            index,
            seat,
            end,
            notes: std::mem::take(notes),
            actions: actions.words,
            answers: actions.answers,
            out_of_step: process.out_of_step(),
            peak_kib: process.peak_kib(),
            log: process.take_log(),
            is_first_of_process,
        }))
    }

    fn part(&self, bot: Participant<ObservedProcess>, last: &CheckedGame) -> Departure {
        let quit = self.plan.quit;
        let mut bot = bot.player.process;
        bot.dismiss();
        Departure {
            by_itself: bot.exits_within(quit),
            late_answer: bot.late_answer(),
            cleanup: bot.finish(),
            forfeited: last.forfeited(),
        }
    }
}

struct Actions {
    words: Vec<String>,
    answers: Vec<Option<String>>,
}

impl Witness for Actions {
    fn ply(&mut self, ply: &Ply<'_>, position: &dyn AnyPosition) {
        self.words.push(ply.word());
        self.answers.push(position.answers());
    }
}
