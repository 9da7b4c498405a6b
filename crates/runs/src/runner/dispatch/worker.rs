//! A worker: plays one game after another.

use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread::Scope;
use std::time::{Duration, Instant, SystemTime};

use super::{FinishedGame, GameReport, Interrupt, InterruptLevel, Message, Task};
use crate::bot::{Fault, LateAnswer, Log, Patience, Player, Workplace, unstarted};
use crate::config::{BlockStart, KeepLogs, Plan, is_told_legal};
use crate::game::{AnyPosition, ForfeitedBy, PerSeat};
use crate::pgn::{self, ScoreSheet};
use crate::referee::{self, GameEnd, Participant, Ply, SeatTerms, Void, Witness};
use crate::runner::host::Host;
use crate::runner::queue::QueuedGame;
use crate::runner::{self, RunError, VoidGame};
use crate::runs::{GameLog, GameRow, GameStart, Logs, RunFileError, utc};
use crate::schedule::{Ticket, Values, values_text};

pub type Bot = Box<Participant<dyn Player>>;

/// Starts a bot, given the index of its player in the plan and the number of its worker. A fault tells whether
/// the bot or the machine is to blame.
pub type Starter<'a> = &'a (dyn Fn(usize, usize, Patience) -> Result<Bot, Fault> + Sync);

/// A [`Starter`] that is also given the values of the player's parameters.
pub type ValueStarter<'a> =
    &'a (dyn Fn(usize, Option<&Values>, usize, Patience) -> Result<Bot, Fault> + Sync);

#[derive(Clone, Copy)]
pub struct WorkerContext<'a> {
    pub plan: &'a Plan,
    pub seed: u64,
    pub start: ValueStarter<'a>,
    pub unbuilt: &'a [Option<String>],
    pub interrupt: &'a Interrupt,
    pub audience: Option<&'a dyn Audience>,
    pub host: &'a Host,
}

impl WorkerContext<'_> {
    fn workplace(&self, index: usize) -> Workplace {
        Workplace::new(
            self.host.lanes.get(index).cloned(),
            self.host.places.get(index).cloned().unwrap_or_default(),
            Some(self.interrupt.cancel_pipe()),
        )
    }
}

/// Observer of the games of a run as they are played, called from the workers' threads.
pub trait Audience: Sync {
    fn begins(&self, game: &QueuedGame, position: &dyn AnyPosition);

    fn ply(&self, ply: &Ply<'_>, position: &dyn AnyPosition);
}

struct Watched<'a> {
    log: GameLog,
    sheet: Option<ScoreSheet>,
    audience: Option<&'a dyn Audience>,
}

impl Witness for Watched<'_> {
    fn ply(&mut self, ply: &Ply<'_>, position: &dyn AnyPosition) {
        self.log.ply(ply, position);
        if let Some(sheet) = &mut self.sheet {
            for (_, played) in ply.played() {
                sheet.add(position, played.spent, played.left, played.values);
            }
        }
        if let Some(audience) = self.audience {
            audience.ply(ply, position);
        }
    }
}

pub fn spawn_worker<'scope>(
    scope: &'scope Scope<'scope, '_>,
    context: WorkerContext<'scope>,
    index: usize,
    logs: Logs,
    dispatcher: Sender<Message>,
) -> Result<Sender<Task>, RunError> {
    let (sender, tasks) = channel();
    let tell = dispatcher.clone();
    let work = move || {
        let _at_work = context.workplace(index).enter();
        let mut worker = Worker {
            context,
            index,
            logs,
            waiting: Vec::new(),
        };
        worker.work(&tasks, &tell);
    };
    let failed = move |problem| {
        let worker = index;
        // If the dispatcher is gone, the run has ended with an error already.
        let _ = dispatcher.send(Message::WorkerFailed { worker, problem });
    };
    runner::spawn(scope, format!("worker-{index}"), work, failed)?;
    Ok(sender)
}

struct Worker<'a> {
    context: WorkerContext<'a>,
    index: usize,
    logs: Logs,
    /// Bots kept for the next game, with their players' indices.
    waiting: Vec<(usize, Bot)>,
}

impl<'a> Worker<'a> {
    fn work(&mut self, tasks: &Receiver<Task>, dispatcher: &Sender<Message>) {
        for task in tasks {
            match task {
                Task::Play(game) => {
                    let report = self.play(&game);
                    let message = Message::GameEnded {
                        worker: self.index,
                        game,
                        report,
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

    /// Plays a game and writes its log. An error is a file that could not be written.
    fn play(&mut self, queued: &QueuedGame) -> Result<GameReport, RunFileError> {
        let (recorded_start, mut start, mut bots) = match self.begin(queued) {
            Ok(begun) => begun,
            Err(VoidGame::Play(Void::BrokenOff)) => return Ok(GameReport::BrokenOff),
            Err(void) => return Ok(GameReport::Void(void)),
        };
        let plan = self.context.plan;
        let planned = &plan.games[queued.game];
        let game = planned.game();
        let export = &plan.export;
        let is_written = export.pgn && plan.keep_logs == KeepLogs::All && pgn::is_writable(game);
        let mut watched = Watched {
            log: GameLog::new(game),
            sheet: is_written
                .then(|| ScoreSheet::new(game, start.position.as_ref(), export.style.clone())),
            audience: self.context.audience,
        };
        if let Some(audience) = self.context.audience {
            audience.begins(queued, start.position.as_ref());
        }
        let begun = Instant::now();
        for (seat, bot) in bots.iter_mut() {
            bot.has_delayed = queued.is_last_attempt() && queued.delayed_by == Some(seat);
        }
        let end = self.referee(&queued.ticket, &mut start, &mut bots, &mut watched);
        let took = begun.elapsed();
        let peak_kib = bots.each_mut().map(|bot| bot.peak_kib());
        let all = || ForfeitedBy::of(game.seats().collect());
        let forfeited_by = end.as_ref().map_or_else(|_| all(), GameEnd::forfeited_by);
        let (bot_logs, late_answers) = self.release(queued, bots, forfeited_by);
        let mut end = match end {
            Ok(end) => end,
            Err(Void::BrokenOff) => return Ok(GameReport::BrokenOff),
            Err(void) => return Ok(GameReport::Void(void.into())),
        };
        if let Some(void) = self.is_short(queued, &end) {
            return Ok(GameReport::Void(void));
        }
        end.add_late_answers(late_answers, start.position.as_mut());
        let actions_digest = watched.log.digest();
        let answers = watched.log.answers().to_owned();
        let log = watched.log.into_bytes();
        let files = self.logs.write(
            queued.id,
            end.forfeited_by() != ForfeitedBy::Nobody,
            &log,
            game.per_seat(|seat| (game.seat_name(seat), &bot_logs[seat])),
        )?;
        let Ticket {
            block,
            players,
            values,
            ..
        } = &queued.ticket;
        let row = GameRow {
            id: queued.id,
            game,
            options: planned.options_text(),
            block: *block,
            players: players
                .each_ref()
                .map(|player| plan.players[*player].name.clone()),
            end,
            actions_digest,
            answers,
            date: utc(SystemTime::now()),
            took,
            peak_kib,
            files,
            start: recorded_start,
            values: values.as_ref().map(|it| it.each_ref().map(values_text)),
        };
        let pgn = watched.sheet.map(|sheet| {
            let times = players.each_ref().map(|player| plan.time_of(*player));
            let names = players.values().map(|player| {
                let entry = &plan.players[*player];
                (entry.name.as_str(), entry.display_name.as_deref())
            });
            sheet.end(&plan.name, &names.collect(), &row, &times)
        });
        Ok(GameReport::Finished(Box::new(FinishedGame { row, pgn })))
    }

    /// Whether a player had too small a share of the processor. The last attempt counts: no bot is to escape a loss.
    fn is_short(&self, queued: &QueuedGame, end: &GameEnd) -> Option<VoidGame> {
        let limit = self.context.host.again_below?;
        let seat = end.spent.find(|spent| spent.cpu_share() < limit)?;
        (!queued.is_last_attempt()).then(|| VoidGame::Short {
            player: self.context.plan.players[queued.ticket.players[seat]]
                .name
                .clone(),
            percent: 100.0 * limit,
        })
    }

    /// The start of a game, as recorded and as played, and its bots. An error is no player's fault.
    fn begin(
        &mut self,
        queued: &QueuedGame,
    ) -> Result<(GameStart, BlockStart<'a>, PerSeat<Bot>), VoidGame> {
        let WorkerContext { plan, seed, .. } = self.context;
        let Ticket { block, round, .. } = queued.ticket;
        let planned = &plan.games[queued.game];
        let start = planned.start(seed, block).map_err(Void::from)?;
        let recorded = GameStart::of(&start, round).map_err(Void::from)?;
        Ok((recorded, start, self.seat(queued)?))
    }

    /// A bot for each player: one kept from the last game, or a new one. Other kept bots are closed first. An
    /// error is the machine's fault.
    fn seat(&mut self, queued: &QueuedGame) -> Result<PerSeat<Bot>, VoidGame> {
        let players = &queued.ticket.players;
        let patience = if queued.voids > 0 {
            Patience::Long
        } else {
            Patience::Usual
        };
        let (mut known, mut others): (Vec<_>, Vec<_>) = std::mem::take(&mut self.waiting)
            .into_iter()
            .partition(|(player, _)| players.contains(player));
        self.close(&mut others.iter_mut().map(|(player, bot)| (*player, bot)));
        drop(others);
        let values = queued.ticket.values.as_deref();
        PerSeat::try_of(players.count(), |seat| {
            let player = players[seat];
            match known.iter().position(|(other, _)| *other == player) {
                Some(index) => Ok(known.swap_remove(index).1),
                None => self.start(player, values.map(|it| &it[seat]), patience),
            }
        })
    }

    /// Starts a new bot. If its program is missing or cannot be run, it forfeits instead.
    fn start(
        &self,
        player: usize,
        values: Option<&Values>,
        patience: Patience,
    ) -> Result<Bot, VoidGame> {
        if let Some(problem) = self.context.unbuilt[player].clone() {
            return Ok(unstarted_bot(
                |problem| Fault::NotBuilt { problem },
                problem,
            ));
        }
        match (self.context.start)(player, values, self.index, patience) {
            Ok(bot) => Ok(bot),
            Err(Fault::NotStarted { problem }) => Ok(unstarted_bot(
                |problem| Fault::NotStarted { problem },
                problem,
            )),
            Err(fault) => Err(VoidGame::Start {
                player: self.context.plan.players[player].name.clone(),
                fault,
            }),
        }
    }

    fn referee(
        &self,
        Ticket {
            players, values, ..
        }: &Ticket,
        start: &mut BlockStart,
        bots: &mut PerSeat<Bot>,
        witness: &mut dyn Witness,
    ) -> Result<GameEnd, Void> {
        let plan = self.context.plan;
        for (seat, bot) in bots.iter_mut() {
            let entry = &plan.players[players[seat]];
            bot.is_told_legal = is_told_legal(start.game(), entry.house.as_deref());
            bot.options = entry.told(values.as_deref().map(|it| &it[seat]));
        }
        let terms = players.each_ref().map(|player| {
            let limits = plan.limits_of(*player);
            SeatTerms {
                time: plan.time_of(*player),
                handshake: limits.handshake,
                start: limits.start,
            }
        });
        referee::play(
            &start.spec(terms),
            start.position.as_mut(),
            bots.each_mut()
                .map(|bot| &mut **bot as &mut Participant<dyn Player>),
            &mut start.opening,
            witness,
        )
    }

    /// Closes the bots that may not play on, and keeps the others for the next game. Returns logs and late
    /// answers by seat.
    fn release(
        &mut self,
        queued: &QueuedGame,
        mut bots: PerSeat<Bot>,
        forfeited_by: ForfeitedBy,
    ) -> (PerSeat<Log>, PerSeat<Option<LateAnswer>>) {
        let plan = self.context.plan;
        let players = &queued.ticket.players;
        // Both games of a pair have the same hidden setup: a bot with a memory of the first game would know it
        // in the second.
        let hides_something = plan.games[queued.game].game().hides_something();
        let leaves = PerSeat::of(players.count(), |seat| {
            bots[seat].has_left()
                || bots[seat].player.out_of_step()
                || forfeited_by.includes(seat)
                || queued.voids > 0
                || plan.players[players[seat]].fresh_process
                || (queued.ticket.values.as_deref())
                    .is_some_and(|it| plan.players[players[seat]].is_of_values(&it[seat]))
                || hides_something
        });
        self.close(
            &mut bots
                .iter_mut()
                .filter(|(seat, bot)| leaves[*seat] && !bot.has_left())
                .map(|(seat, bot)| (players[seat], bot)),
        );
        // Take the log after closing, so that it has the bot's last output.
        let logs = bots.each_mut().map(|bot| bot.player.take_log());
        let late_answers = bots.each_mut().map(|bot| bot.player.late_answer());
        for (seat, bot) in players.seats().zip(bots.into_values()) {
            if !leaves[seat] {
                self.waiting.push((players[seat], bot));
            }
        }
        (logs, late_answers)
    }

    fn close_waiting(&mut self) {
        let mut waiting = std::mem::take(&mut self.waiting);
        self.close(&mut waiting.iter_mut().map(|(player, bot)| (*player, bot)));
    }

    /// Tells these bots to exit, all at once, and then waits for each.
    fn close(&self, bots: &mut dyn Iterator<Item = (usize, &mut Bot)>) {
        let plan = self.context.plan;
        let level = self.context.interrupt.level();
        let mut bots: Vec<(usize, &mut Bot)> = bots.collect();
        for (_, bot) in &mut bots {
            bot.player.dismiss();
        }
        for (player, bot) in &mut bots {
            bot.player.close(match level {
                Some(InterruptLevel::BreakOffGames) => Duration::ZERO,
                Some(InterruptLevel::FinishGames) | None => plan.limits_of(*player).quit,
            });
        }
    }
}

fn unstarted_bot(fault: fn(String) -> Fault, problem: String) -> Bot {
    let player = unstarted(move || fault(problem.clone()));
    Box::new(Participant::new(player))
}

impl Drop for Worker<'_> {
    fn drop(&mut self) {
        self.close_waiting();
    }
}
