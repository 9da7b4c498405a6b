//! A tournament as it is played on this machine.

use std::borrow::Cow;
use std::sync::mpsc::channel;
use std::thread;

use super::builds::build_all;
use super::dispatch::{
    Audience, Bot, Completed, Dispatcher, Interrupt, Starter, WorkerContext, spawn_worker,
};
use super::host::Host;
use super::queue::{GameQueue, Portion};
use super::{Event, RunError};
use crate::bot::supervise::end_idle_shims;
use crate::bot::{Fault, Patience};
use crate::config::Plan;
use crate::referee::Participant;
use crate::runs::RunFolder;
use crate::schedule::Values;

pub struct Tournament<'a> {
    pub plan: &'a Plan,
    pub host: &'a Host,
    pub interrupt: &'a Interrupt,
    pub bots: Bots<'a>,
    pub programs: Programs<'a>,
    pub portion: Portion,
    pub audience: Option<&'a dyn Audience>,
}

#[derive(Clone, Copy)]
pub enum Bots<'a> {
    Processes,
    From(Starter<'a>),
}

#[derive(Debug, Clone, Copy)]
pub enum Programs<'a> {
    ToBuild,
    /// They are built. Players with a reason, by index, have no program and forfeit.
    Built(&'a [Option<String>]),
}

impl<'a> Tournament<'a> {
    pub fn new(plan: &'a Plan, host: &'a Host, interrupt: &'a Interrupt) -> Self {
        Self {
            plan,
            host,
            interrupt,
            bots: Bots::Processes,
            programs: Programs::ToBuild,
            portion: Portion::All,
            audience: None,
        }
    }

    /// Builds the programs. Returns the reason of each failure, by the index of the player.
    pub fn build(
        &self,
        folder: &mut RunFolder,
        listen: &mut dyn FnMut(&Event<'_>),
    ) -> Result<Vec<Option<String>>, RunError> {
        build_all(self.plan, self.host, folder, self.interrupt, listen)
    }

    /// Plays the games into `folder` until interrupted. A void game is played again alone, after growing pauses, and set
    /// aside if it is void each time.
    ///
    /// # Errors
    ///
    /// The run ended before all games were played. Finished games are in the folder.
    pub fn play(
        mut self,
        folder: &mut RunFolder,
        listen: &mut dyn FnMut(&Event<'_>),
    ) -> Result<Completed, RunError> {
        let plan = self.plan;
        let portion = std::mem::take(&mut self.portion);
        let (seed, done) = (folder.seed(), folder.take_done());
        let mut queue =
            GameQueue::of_portion(plan, seed, portion, done).with_pause(self.host.pause);
        let unbuilt = match self.programs {
            Programs::Built(unbuilt) => Cow::Borrowed(unbuilt),
            Programs::ToBuild if queue.is_over() => vec![None; plan.players.len()].into(),
            Programs::ToBuild => self.build(folder, listen)?.into(),
        };
        if let Some((game, test)) = queue.current_test() {
            let game = plan.games[game].game().name();
            listen(&Event::Tested { game, test });
        }
        let completed = self.play_queue(&mut queue, &unbuilt, folder, listen);
        // A stopped test also has a likelihood ratio to report.
        for (game, conclusion) in queue.conclusions() {
            listen(&Event::Concluded {
                game,
                conclusion: &conclusion,
            });
        }
        completed
    }

    fn play_queue(
        &self,
        queue: &mut GameQueue,
        unbuilt: &[Option<String>],
        folder: &mut RunFolder,
        listen: &mut dyn FnMut(&Event<'_>),
    ) -> Result<Completed, RunError> {
        listen(&Event::Begun {
            games: queue.count(),
        });
        let start = |player, values: Option<&Values>, worker, patience| {
            self.start(player, values, worker, patience)
        };
        let context = WorkerContext {
            plan: self.plan,
            seed: folder.seed(),
            start: &start,
            unbuilt,
            interrupt: self.interrupt,
            audience: self.audience,
            host: self.host,
        };
        let completed = thread::scope(|scope| {
            let (sender, messages) = channel();
            let mut workers = Vec::new();
            for index in 0..self.host.jobs.get() {
                let tell = sender.clone();
                workers.push(spawn_worker(scope, context, index, folder.logs(), tell)?);
            }
            let connection = self.interrupt.connect(sender);
            let messages = (connection, messages);
            let interrupt = self.interrupt;
            Dispatcher::new(
                self.plan, queue, folder, interrupt, listen, messages, workers,
            )
            .run()
        });
        // Idle shims are kept for reuse within a run; a process that goes on must not leak them.
        end_idle_shims();
        completed
    }

    fn start(
        &self,
        player: usize,
        values: Option<&Values>,
        worker: usize,
        patience: Patience,
    ) -> Result<Bot, Fault> {
        match self.bots {
            Bots::From(start) => start(player, worker, patience),
            Bots::Processes => {
                let process = self
                    .host
                    .start(self.plan, player, values, worker, patience)?;
                let process = process.cancelled_by(self.interrupt.cancel_pipe());
                Ok(Box::new(Participant::new(process)))
            }
        }
    }
}
