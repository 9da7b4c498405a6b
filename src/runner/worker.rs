//! One worker: plays one game after another.

use std::time::{Duration, Instant, SystemTime};

use super::{Job, Starter, Stop};
use crate::config::Plan;
use crate::game::Seat;
use crate::player::{Fault, Player, unstarted};
use crate::record::{GameLog, GameRow, Logs, RecordError};
use crate::referee::{self, GameSpec, Participant, Void};

/// What became of a game.
pub(super) enum GameReport {
    Finished(Box<GameRow>),
    Void(VoidGame),
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

pub(super) struct Worker<'a> {
    plan: &'a Plan,
    /// Its number.
    index: usize,
    start: Starter<'a>,
    /// Why the programs of players could not be built, by the player's index.
    unbuilt: &'a [Option<String>],
    logs: Logs,
    /// The master seed of the run.
    seed: u64,
    stop: &'a Stop,
    /// Bots that wait for their next game, with their player's index.
    waiting: Vec<(usize, Box<Participant<dyn Player>>)>,
}

impl<'a> Worker<'a> {
    /// The worker of that number.
    pub fn new(
        plan: &'a Plan,
        index: usize,
        (start, unbuilt): (Starter<'a>, &'a [Option<String>]),
        logs: Logs,
        seed: u64,
        stop: &'a Stop,
    ) -> Self {
        Self {
            plan,
            index,
            start,
            unbuilt,
            logs,
            seed,
            stop,
            waiting: Vec::new(),
        }
    }

    /// Plays one game and writes its log. The error is a file that could not be written.
    pub fn play(&mut self, job: &Job) -> Result<GameReport, RecordError> {
        let [mut first, mut second] = match self.seat(job.ticket.players) {
            Ok(seated) => seated,
            Err(void) => return Ok(GameReport::Void(void)),
        };
        let planned = &self.plan.games[job.game];
        let game = planned.game();
        let mut start = planned.start(self.seed, job.ticket.pair);
        let mut log = GameLog::new(game);
        let begun = Instant::now();
        let end = referee::play(
            &GameSpec {
                game,
                options: &planned.options,
                bot_seeds: start.bot_seeds,
                opening_plies: start.opening_plies,
                time: &self.plan.time,
                handshake: self.plan.limits.handshake,
                start: self.plan.limits.start,
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
                || self.plan.players[job.ticket.players[seat.index()]].fresh_process
                || game.hides_something()
        });
        let leaving = bots.iter_mut().zip(leaves);
        self.part(leaving.filter_map(|(bot, leaves)| leaves.then_some(bot)));
        // Of who leaves, with what it wrote until it was gone.
        let bot_logs = bots.each_mut().map(|bot| bot.player.take_log());
        for ((bot, player), leaves) in bots.into_iter().zip(job.ticket.players).zip(leaves) {
            if !leaves {
                self.waiting.push((player, bot));
            }
        }
        let end = match end {
            Ok(end) => end,
            Err(void) => return Ok(GameReport::Void(void.into())),
        };
        let row = GameRow {
            id: job.id,
            game,
            options: planned.options_text(),
            pair: job.ticket.pair,
            players: job
                .ticket
                .players
                .map(|player| self.plan.players[player].name.clone()),
            end,
            actions_digest: log.digest(),
            date: humantime::format_rfc3339_seconds(SystemTime::now()).to_string(),
            took,
            peak_kib: peaks,
        };
        let [first, second] = game.seat_names();
        let [first_log, second_log] = &bot_logs;
        self.logs.write(
            job.id,
            row.is_forfeited(),
            &log.into_bytes(),
            [(first, first_log), (second, second_log)],
        )?;
        Ok(GameReport::Finished(Box::new(row)))
    }

    /// A bot for each of the two players: the one that waits for its next game, or a new one. All
    /// others that wait are sent away first. The error is the machine's.
    fn seat(&mut self, players: [usize; 2]) -> Result<[Box<Participant<dyn Player>>; 2], VoidGame> {
        let (mut known, mut others): (Vec<_>, Vec<_>) = std::mem::take(&mut self.waiting)
            .into_iter()
            .partition(|(player, _)| players.contains(player));
        self.part(others.iter_mut().map(|(_, bot)| bot));
        drop(others);
        let mut take = |player: usize| match known.iter().position(|(other, _)| *other == player) {
            Some(index) => Ok(known.swap_remove(index).1),
            None if let Some(problem) = &self.unbuilt[player] => {
                let problem = problem.clone();
                let player = unstarted(move || Fault::NotBuilt {
                    problem: problem.clone(),
                });
                Ok(Box::new(Participant::new(player)) as Box<Participant<dyn Player>>)
            }
            None => match (self.start)(player, self.index) {
                Ok(bot) => Ok(bot),
                Err(Fault::NotStarted { problem }) => {
                    let player = unstarted(move || Fault::NotStarted {
                        problem: problem.clone(),
                    });
                    Ok(Box::new(Participant::new(player)) as Box<Participant<dyn Player>>)
                }
                Err(fault) => Err(VoidGame::Start {
                    player: self.plan.players[player].name.clone(),
                    fault,
                }),
            },
        };
        Ok([take(players[0])?, take(players[1])?])
    }

    /// Sends away all bots that wait for their next game.
    pub fn rest(&mut self) {
        let mut waiting = std::mem::take(&mut self.waiting);
        self.part(waiting.iter_mut().map(|(_, bot)| bot));
    }

    /// Tells bots to exit, all at once, and sees that they do.
    fn part<'p>(&self, bots: impl Iterator<Item = &'p mut Box<Participant<dyn Player>>>) {
        let grace = match self.stop.is_now() {
            true => Duration::ZERO,
            false => self.plan.limits.quit,
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
        self.rest();
    }
}
