//! One worker: plays one game after another.

use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread::Scope;
use std::time::{Duration, Instant, SystemTime};

use super::dispatcher::{Message, Task};
use super::interrupt::{Interrupt, InterruptLevel};
use super::{QueuedGame, RunError, Starter, threads};
use crate::config::Plan;
use crate::game::Seat;
use crate::player::{Fault, Player, UnstartedBot};
use crate::record::{GameLog, GameRow, Logs, RecordError};
use crate::referee::{self, GameSpec, Participant, Void};

/// What became of a game.
pub(super) enum GameReport {
    Finished(Box<GameRow>),
    Void(VoidGame),
    /// The run was interrupted before its end.
    BrokenOff,
}

/// Why a game counts for nothing.
#[derive(Debug, thiserror::Error)]
pub enum VoidGame {
    /// A bot could not be started, through the machine's fault.
    #[error("the bot of `{player}` could not be started: {fault}")]
    Start {
        /// The name of the player.
        player: String,
        /// What failed.
        #[source]
        fault: Fault,
    },
    /// The game was begun, and is void.
    #[error(transparent)]
    Play(#[from] Void),
}

/// What all workers of a run share.
#[derive(Clone, Copy)]
pub(super) struct WorkerContext<'a> {
    pub plan: &'a Plan,
    /// The master seed of the run.
    pub seed: u64,
    pub start: Starter<'a>,
    /// Why the programs of players could not be built, by the player's index.
    pub unbuilt: &'a [Option<String>],
    pub interrupt: &'a Interrupt,
}

/// Starts the worker of a number in a thread of its own.
pub(super) fn spawn_worker<'scope>(
    scope: &'scope Scope<'scope, '_>,
    context: WorkerContext<'scope>,
    index: usize,
    logs: Logs,
    dispatcher: Sender<Message>,
) -> Result<Sender<Task>, RunError> {
    let (sender, tasks) = channel();
    let tell = dispatcher.clone();
    let work = move || Worker::new(context, index, logs).work(&tasks, &tell);
    let failed = move |problem| {
        let worker = index;
        // A dispatcher that is gone has ended the run with an error already.
        let _ = dispatcher.send(Message::WorkerFailed { worker, problem });
    };
    threads::spawn(scope, format!("worker-{index}"), work, failed)?;
    Ok(sender)
}

struct Worker<'a> {
    context: WorkerContext<'a>,
    /// Its number.
    index: usize,
    logs: Logs,
    /// Bots that wait for their next game, with their player's index.
    waiting: Vec<(usize, Box<Participant<dyn Player>>)>,
}

impl<'a> Worker<'a> {
    fn new(context: WorkerContext<'a>, index: usize, logs: Logs) -> Self {
        Self {
            context,
            index,
            logs,
            waiting: Vec::new(),
        }
    }

    fn work(&mut self, tasks: &Receiver<Task>, dispatcher: &Sender<Message>) {
        for task in tasks {
            match task {
                Task::Play(game) => {
                    let message = Message::GameEnded {
                        worker: self.index,
                        game,
                        report: self.play(&game),
                    };
                    if dispatcher.send(message).is_err() {
                        return;
                    }
                }
                Task::CloseBots(done) => {
                    self.close_waiting();
                    drop(done);
                }
            }
        }
    }

    /// Plays one game and writes its log. The error is a file that could not be written.
    fn play(&mut self, queued: &QueuedGame) -> Result<GameReport, RecordError> {
        let [mut first, mut second] = match self.seat(queued.ticket.players) {
            Ok(seated) => seated,
            Err(void) => return Ok(GameReport::Void(void)),
        };
        let planned = &self.context.plan.games[queued.game];
        let game = planned.game();
        let mut start = planned.start(self.context.seed, queued.ticket.pair);
        let mut log = GameLog::new(game);
        let begun = Instant::now();
        let end = referee::play(
            &GameSpec {
                game,
                options: &planned.options,
                bot_seeds: start.bot_seeds,
                opening_plies: start.opening_plies,
                time: &self.context.plan.time,
                handshake: self.context.plan.limits.handshake,
                start: self.context.plan.limits.start,
            },
            start.position.as_mut(),
            [first.as_mut(), second.as_mut()],
            start.opening.as_mut(),
            &mut log,
        );
        let took = begun.elapsed();
        let out_of_step = [&mut first, &mut second].map(|bot| bot.player.out_of_step());
        let peaks = [&mut first, &mut second].map(|bot| bot.player.peak_kib());
        let mut bots = [first, second];
        let leaves = Seat::BOTH.map(|seat| {
            // A new process for its next game, so that no game depends on the one before. Where
            // something is hidden, a bot would remember what the other game of the pair showed it.
            let failed = match &end {
                Ok(end) => end.blame.includes(seat),
                Err(_) => true,
            };
            failed
                || out_of_step[seat.index()]
                || self.context.plan.players[queued.ticket.players[seat.index()]].fresh_process
                || game.hides_something()
        });
        let leaving = bots.iter_mut().zip(leaves);
        self.close(leaving.filter_map(|(bot, leaves)| leaves.then_some(bot)));
        // After the closing, so that the log of a bot that leaves has its last words.
        let bot_logs = bots.each_mut().map(|bot| bot.player.take_log());
        for ((bot, player), leaves) in bots.into_iter().zip(queued.ticket.players).zip(leaves) {
            if !leaves {
                self.waiting.push((player, bot));
            }
        }
        let end = match end {
            Ok(end) => end,
            Err(Void::BrokenOff) => return Ok(GameReport::BrokenOff),
            Err(void) => return Ok(GameReport::Void(void.into())),
        };
        let row = GameRow {
            id: queued.id,
            game,
            options: planned.options_text(),
            pair: queued.ticket.pair,
            players: queued
                .ticket
                .players
                .map(|player| self.context.plan.players[player].name.clone()),
            end,
            actions_digest: log.digest(),
            date: humantime::format_rfc3339_seconds(SystemTime::now()).to_string(),
            took,
            peak_kib: peaks,
        };
        let [first, second] = game.seat_names();
        let [first_log, second_log] = &bot_logs;
        self.logs.write(
            queued.id,
            row.is_forfeited(),
            &log.into_bytes(),
            [(first, first_log), (second, second_log)],
        )?;
        Ok(GameReport::Finished(Box::new(row)))
    }

    /// A bot for each of the two players: the one that waits for its next game, or a new one. All
    /// others that wait are closed first. The error is the machine's.
    fn seat(&mut self, players: [usize; 2]) -> Result<[Box<Participant<dyn Player>>; 2], VoidGame> {
        let (mut known, mut others): (Vec<_>, Vec<_>) = std::mem::take(&mut self.waiting)
            .into_iter()
            .partition(|(player, _)| players.contains(player));
        self.close(others.iter_mut().map(|(_, bot)| bot));
        drop(others);
        let mut take = |player: usize| match known.iter().position(|(other, _)| *other == player) {
            Some(index) => Ok(known.swap_remove(index).1),
            None if let Some(problem) = &self.context.unbuilt[player] => {
                Ok(Box::new(Participant::new(UnstartedBot::not_built(problem)))
                    as Box<Participant<dyn Player>>)
            }
            None => match (self.context.start)(player, self.index) {
                Ok(bot) => Ok(bot),
                Err(Fault::NotStarted { problem }) => {
                    Ok(Box::new(Participant::new(UnstartedBot::new(problem)))
                        as Box<Participant<dyn Player>>)
                }
                Err(fault) => Err(VoidGame::Start {
                    player: self.context.plan.players[player].name.clone(),
                    fault,
                }),
            },
        };
        Ok([take(players[0])?, take(players[1])?])
    }

    /// Closes all bots that wait for their next game.
    fn close_waiting(&mut self) {
        let mut waiting = std::mem::take(&mut self.waiting);
        self.close(waiting.iter_mut().map(|(_, bot)| bot));
    }

    /// Tells bots to exit, all at once, and sees that they do.
    fn close<'p>(&self, bots: impl Iterator<Item = &'p mut Box<Participant<dyn Player>>>) {
        let grace = match self.context.interrupt.level() {
            Some(InterruptLevel::BreakOffGames) => Duration::ZERO,
            Some(InterruptLevel::FinishGames) | None => self.context.plan.limits.quit,
        };
        let mut bots: Vec<&mut Box<Participant<dyn Player>>> = bots.collect();
        for bot in &mut bots {
            bot.player.dismiss();
        }
        for bot in &mut bots {
            bot.player.close(grace);
        }
    }
}

impl Drop for Worker<'_> {
    fn drop(&mut self) {
        self.close_waiting();
    }
}
