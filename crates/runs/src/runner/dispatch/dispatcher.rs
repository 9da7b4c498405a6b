//! Dispatcher: hands out games, keeps the journal, and ends the run in order.

use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::time::{Duration, Instant};

use super::{Connection, FinishedGame, GameReport, Interrupt, InterruptLevel, Message, Task};
use crate::config::Plan;
use crate::game::RulesFault;
use crate::referee::Void;
use crate::runner::queue::{GameQueue, QueueStep, QueuedGame};
use crate::runner::{Event, RunError, VoidGame};
use crate::runs::{RunFolder, SetAsideGame};

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Completed {
    /// Number of games set aside, because they were void each time.
    pub set_aside: usize,
}

pub struct Dispatcher<'a> {
    plan: &'a Plan,
    queue: &'a mut GameQueue,
    folder: &'a mut RunFolder,
    interrupt: &'a Interrupt,
    /// Some until the workers are dismissed.
    connection: Option<Connection<'a>>,
    listen: &'a mut dyn FnMut(&Event<'_>),
    messages: Receiver<Message>,
    workers: Vec<Sender<Task>>,
    /// Workers without a game. A stack: the last one gets the next game.
    idle: Vec<usize>,
    in_play: usize,
    /// Whether the game in play must be alone, because it was void before.
    plays_alone: bool,
    /// When a game may be played again, if nothing else is left.
    pause: Option<Instant>,
    /// When the games in play are broken off, because no clock ends them.
    stop_by: Option<Instant>,
    /// When it is said that no game ends, if a player has no clock and it was not said yet.
    quiet_until: Option<Instant>,
    broken_off: usize,
    set_aside: usize,
    /// Games in a row that were set aside because the rules failed.
    failed_by_rules: u32,
    announced: Option<InterruptLevel>,
    /// The first error. No game begins after it.
    error: Option<RunError>,
}

/// How long no game ends before it is said, where a turn has no clock.
const QUIET: Duration = Duration::from_secs(60);

fn longest_turn(plan: &Plan) -> Option<Duration> {
    let times = (0..plan.players.len()).map(|player| plan.time_of(player));
    let unlimited = times.filter(|time| !time.is_limited());
    unlimited.map(|time| time.wall_cap).max()
}

/// How long games without a clock are waited for in a run that is to stop.
const LAST_TURNS: Duration = Duration::from_secs(10);

/// Games in a row that may be set aside because the rules failed.
const MOST_FAILED_BY_RULES: u32 = 3;

impl<'a> Dispatcher<'a> {
    pub fn new(
        plan: &'a Plan,
        queue: &'a mut GameQueue,
        folder: &'a mut RunFolder,
        interrupt: &'a Interrupt,
        listen: &'a mut dyn FnMut(&Event<'_>),
        (connection, messages): (Connection<'a>, Receiver<Message>),
        workers: Vec<Sender<Task>>,
    ) -> Self {
        Self {
            plan,
            queue,
            folder,
            interrupt,
            connection: Some(connection),
            listen,
            messages,
            idle: (0..workers.len()).rev().collect(),
            workers,
            in_play: 0,
            plays_alone: false,
            pause: None,
            stop_by: None,
            quiet_until: longest_turn(plan).map(|_| Instant::now() + QUIET),
            broken_off: 0,
            set_aside: 0,
            failed_by_rules: 0,
            announced: None,
            error: None,
        }
    }

    pub fn run(mut self) -> Result<Completed, RunError> {
        loop {
            self.hand_out_games();
            if self.in_play == 0 && self.pause.is_none() {
                break;
            }
            match self.next_message()? {
                Some(message) => self
                    .handle(message)
                    .unwrap_or_else(|error| self.fail(error)),
                None => self.meet_deadlines(),
            }
        }
        self.finish()
    }

    fn hand_out_games(&mut self) {
        self.pause = None;
        while self.error.is_none()
            && self.interrupt.level().is_none()
            && !self.plays_alone
            && let Some(worker) = self.idle.last().copied()
        {
            let game = match self.queue.next(self.in_play) {
                QueueStep::Play(game) => game,
                QueueStep::Wait | QueueStep::Done => return,
                QueueStep::Pause(until) => {
                    self.pause = Some(until);
                    return;
                }
                QueueStep::Unfit(game) => return self.fail(game.into()),
            };
            if game.voids > 0 {
                // Other bots, even idle ones, may have kept it from the processor. Play it alone this time.
                self.close_idle_bots();
                self.plays_alone = true;
            }
            self.idle.pop();
            self.in_play += 1;
            // If the worker has failed, its `WorkerFailed` message takes the game out of play.
            let _ = self.workers[worker].send(Task::Play(game));
        }
    }

    /// Closes the bots that workers keep for their next game, and waits for that.
    fn close_idle_bots(&self) {
        let (done, all_done) = channel();
        for worker in &self.workers {
            let _ = worker.send(Task::CloseBots(done.clone()));
        }
        drop(done);
        // Nothing is sent: the iterator ends when every worker has dropped its sender.
        all_done.iter().for_each(drop);
    }

    fn meet_deadlines(&mut self) {
        if self.stop_by.is_some_and(|due| Instant::now() >= due) {
            self.stop_by = None;
            self.interrupt.break_off_games();
        }
        if self.quiet_until.is_some_and(|due| Instant::now() >= due) {
            let in_play = self.in_play;
            // A pause before a void game is played again is none of a bot's.
            self.quiet_until = (in_play == 0).then(|| Instant::now() + QUIET);
            if let Some(turn) = longest_turn(self.plan).filter(|_| in_play > 0) {
                (self.listen)(&Event::Lasting { in_play, turn });
            }
        }
    }

    /// Waits for a message; `None` if something else is due.
    fn next_message(&self) -> Result<Option<Message>, RunError> {
        let deadlines = [self.pause, self.stop_by, self.quiet_until];
        let received = match deadlines.into_iter().flatten().min() {
            None => self.messages.recv().map_err(RecvTimeoutError::from),
            Some(deadline) => {
                let left = deadline.saturating_duration_since(Instant::now());
                self.messages.recv_timeout(left)
            }
        };
        match received {
            Ok(message) => Ok(Some(message)),
            Err(RecvTimeoutError::Timeout) => Ok(None),
            Err(RecvTimeoutError::Disconnected) => Err(RunError::WorkerFailed {
                problem: "it ended without a message".to_owned(),
            }),
        }
    }

    fn handle(&mut self, message: Message) -> Result<(), RunError> {
        match message {
            Message::GameEnded {
                worker,
                game,
                report,
            } => {
                // Before `?`: a log that could not be written must not leave the game in play.
                self.in_play -= 1;
                self.quiet_until = self.quiet_until.map(|_| Instant::now() + QUIET);
                self.plays_alone = false;
                self.idle.push(worker);
                self.take_in(game, report?)
            }
            Message::WorkerFailed { worker, problem } => {
                // An idle worker can only fail while it closes bots; any other loses its game.
                match self.idle.iter().position(|idle| *idle == worker) {
                    Some(index) => drop(self.idle.remove(index)),
                    None => self.in_play -= 1,
                }
                Err(RunError::WorkerFailed { problem })
            }
            Message::Interrupted => {
                self.announce_interrupt();
                Ok(())
            }
        }
    }

    fn take_in(&mut self, game: QueuedGame, report: GameReport) -> Result<(), RunError> {
        match report {
            GameReport::Finished(finished) => self.record(game, *finished)?,
            GameReport::BrokenOff => self.take_back_broken_off(game),
            // The game would have been broken off if the machine had not failed first.
            GameReport::Void(_)
                if self.interrupt.level() == Some(InterruptLevel::BreakOffGames) =>
            {
                self.take_back_broken_off(game);
            }
            GameReport::Void(cause) => {
                let rules_failed_again = cause.rules_fault().is_some() && game.voids > 0;
                match rules_failed_again || game.is_last_attempt() {
                    true => self.leave_out(game, cause)?,
                    false => self.announce_void(game, &cause)?,
                }
            }
        }
        Ok(())
    }

    fn announce_void(&mut self, mut game: QueuedGame, cause: &VoidGame) -> Result<(), RunError> {
        self.keep_log_of_rules(game.id, cause)?;
        (self.listen)(&Event::Void { id: game.id, cause });
        let by = cause.void().and_then(Void::delayed_by);
        game.delayed_by = by.filter(|seat| game.voids == 0 || game.delayed_by == Some(*seat));
        self.queue.take_back(game);
        Ok(())
    }

    /// Keeps what a rules program wrote before it made a game void.
    fn keep_log_of_rules(&self, id: u64, cause: &VoidGame) -> Result<(), RunError> {
        if let Some(RulesFault::WithLog { log, .. }) = cause.rules_fault() {
            self.folder.logs().write_failed_rules(id, log)?;
        }
        Ok(())
    }

    fn leave_out(&mut self, game: QueuedGame, cause: VoidGame) -> Result<(), RunError> {
        self.keep_log_of_rules(game.id, &cause)?;
        let aside = self.set_aside_game(&game, &cause);
        self.folder.set_aside(&aside)?;
        self.queue.set_aside(&game);
        self.set_aside += 1;
        (self.listen)(&Event::SetAside(&aside));
        self.count_failed_rules(&cause)
    }

    fn record(&mut self, game: QueuedGame, finished: FinishedGame) -> Result<(), RunError> {
        let FinishedGame { row, pgn } = finished;
        self.folder.append(&row)?;
        self.failed_by_rules = 0;
        self.queue.record(&game, row.end.result);
        if let Some(test) = self.queue.test(game.game) {
            let game = row.game.name();
            (self.listen)(&Event::Tested { game, test });
        }
        if let Some(tuning) = self.queue.tuning(game.game) {
            (self.listen)(&Event::Tuned(tuning));
        }
        (self.listen)(&Event::Finished(&row));
        if let Some(text) = pgn {
            let id = row.id;
            (self.listen)(&Event::Pgn { id, text: &text });
        }
        Ok(())
    }

    fn count_failed_rules(&mut self, cause: &VoidGame) -> Result<(), RunError> {
        let Some(fault) = cause.rules_fault() else {
            self.failed_by_rules = 0;
            return Ok(());
        };
        self.failed_by_rules += 1;
        if self.failed_by_rules < MOST_FAILED_BY_RULES {
            return Ok(());
        }
        Err(RunError::RulesKeepFailing {
            games: MOST_FAILED_BY_RULES,
            fault: fault.clone(),
        })
    }

    fn set_aside_game(&self, game: &QueuedGame, cause: &VoidGame) -> SetAsideGame {
        let players = game.ticket.players.values();
        let players = players.map(|player| self.plan.players[*player].name.clone());
        let actors = cause.void().map(Void::actors).unwrap_or_default();
        SetAsideGame {
            id: game.id,
            game: self.plan.games[game.game].game().name().to_owned(),
            block: game.ticket.block,
            round: game.ticket.round,
            players: players.collect(),
            after: actors.iter().next().filter(|_| actors.len() == 1),
            cause: cause.to_string(),
        }
    }

    fn take_back_broken_off(&mut self, game: QueuedGame) {
        self.queue.take_back(game);
        self.broken_off += 1;
    }

    /// Announces the interrupt level to the listener, once. A run that failed ends anyway.
    fn announce_interrupt(&mut self) {
        let level = self.interrupt.level();
        if self.error.is_some() || level <= self.announced {
            return;
        }
        self.announced = level;
        let in_play = self.in_play;
        match level {
            Some(InterruptLevel::FinishGames) => {
                if longest_turn(self.plan).is_some() {
                    self.stop_by = Some(Instant::now() + LAST_TURNS);
                }
                (self.listen)(&Event::Stopping { in_play });
            }
            Some(InterruptLevel::BreakOffGames) => (self.listen)(&Event::BreakingOff { in_play }),
            None => {}
        }
    }

    /// Ends the run with an error. Games in play are finished and recorded, unless nothing can be written: then
    /// they are broken off.
    fn fail(&mut self, error: RunError) {
        if matches!(error, RunError::RunFile(_)) {
            self.interrupt.break_off_games();
        }
        self.error.get_or_insert(error);
    }

    fn finish(mut self) -> Result<Completed, RunError> {
        self.dismiss_workers();
        if let Some(error) = self.error {
            return Err(error);
        }
        match self.queue.next(0) {
            QueueStep::Done => Ok(Completed {
                set_aside: self.set_aside,
            }),
            QueueStep::Unfit(game) => Err(game.into()),
            QueueStep::Play(_) | QueueStep::Wait | QueueStep::Pause(_)
                if self.interrupt.level().is_some() =>
            {
                Err(RunError::Stopped {
                    left: self.queue.left(),
                    broken_off: self.broken_off,
                })
            }
            QueueStep::Play(_) | QueueStep::Wait | QueueStep::Pause(_) => Err(RunError::Stalled),
        }
    }

    /// Waits until all workers have closed their bots and ended. A panic meanwhile counts as a failure.
    fn dismiss_workers(&mut self) {
        self.workers.clear();
        // Only workers hold senders now, so the channel closes when the last one ends.
        self.connection = None;
        while let Ok(message) = self.messages.recv() {
            if let Message::WorkerFailed { problem, .. } = message {
                self.fail(RunError::WorkerFailed { problem });
            }
        }
    }
}
