//! One worker: plays one game after another.

use std::path::Path;
use std::time::Instant;

use super::{Job, Seeds};
use crate::config::Plan;
use crate::game::Seat;
use crate::player::{Absent, Fault, Launch, Player, Process};
use crate::record::{GameLog, GameRow, RecordError, write_bot_log, write_game_log};
use crate::referee::{self, GameSpec, Termination};

/// What became of a game.
pub(super) enum Played {
    Finished(Box<GameRow>),
    Void { detail: String },
}

pub(super) struct Worker<'a> {
    plan: &'a Plan,
    run: &'a Path,
    /// The options of each game of the plan, as players are told them.
    options: Vec<Vec<(&'static str, String)>>,
    /// Bots that wait for their next game, with their player's index.
    waiting: Vec<(usize, Process)>,
}

/// A bot at the table, or the reason why it is not there.
type Seated = Result<Process, Absent>;

fn as_player(seated: &mut Seated) -> &mut dyn Player {
    match seated {
        Ok(process) => process,
        Err(absent) => absent,
    }
}

impl<'a> Worker<'a> {
    pub fn new(plan: &'a Plan, run: &'a Path) -> Self {
        Self {
            plan,
            run,
            options: plan
                .games
                .iter()
                .map(|setup| setup.public_options())
                .collect(),
            waiting: Vec::new(),
        }
    }

    /// Plays one game and writes its log. The error is a file that could not be written.
    pub fn play(&mut self, job: &Job) -> Result<Played, RecordError> {
        let [mut first, mut second] = match self.seat(job.ticket.players) {
            Ok(seated) => seated,
            Err(detail) => return Ok(Played::Void { detail }),
        };
        let setup = &self.plan.games[job.game];
        let game = setup.game();
        let mut seeds = Seeds::new(self.plan.seed, game, job.ticket.pair);
        let mut position = setup.start(&mut seeds.chance);
        let mut log = GameLog::new(game);
        let begun = Instant::now();
        let end = referee::play(
            &GameSpec {
                game,
                options: &self.options[job.game],
                bot_seeds: seeds.bots,
                opening_plies: self.plan.opening_plies,
                time: &self.plan.time,
                handshake: self.plan.limits.handshake,
                start: self.plan.limits.start,
            },
            position.as_mut(),
            [as_player(&mut first), as_player(&mut second)],
            &mut seeds.chance,
            &mut log,
        );
        let took = begun.elapsed();
        let void = end.termination == Termination::Void;
        let out_of_step = [&mut first, &mut second]
            .map(|seated| seated.as_mut().is_ok_and(|process| process.out_of_step()));
        let peaks =
            [&mut first, &mut second].map(|seated| Some(seated.as_mut().ok()?.usage()?.peak_kib));
        let mut seated = [first, second];
        let leaves = Seat::BOTH.map(|seat| {
            // A new process for its next game, so that no game depends on the one before. Where
            // something is hidden, a bot would remember what the other game of the pair showed it.
            end.blame.includes(seat)
                || void
                || out_of_step[seat.index()]
                || self.plan.players[job.ticket.players[seat.index()]].fresh_process
                || game.hides_something()
        });
        self.part(
            seated
                .iter_mut()
                .zip(leaves)
                .filter_map(|(seated, leaves)| seated.as_mut().ok().filter(|_| leaves)),
        );
        // Of who leaves, with what it wrote until it was gone.
        let logs = seated.each_mut().map(|seated| as_player(seated).take_log());
        for ((seated, player), leaves) in seated.into_iter().zip(job.ticket.players).zip(leaves) {
            if let Ok(process) = seated
                && !leaves
            {
                self.waiting.push((player, process));
            }
        }
        let names = job
            .ticket
            .players
            .map(|player| self.plan.players[player].name.as_str());
        let options: Vec<String> = self.options[job.game]
            .iter()
            .map(|(key, value)| format!("{key}={value}"))
            .collect();
        let row = GameRow::new(
            (job.id, job.ticket.pair),
            (game, &options.join(" ")),
            names,
            &end,
            log.digest(),
            took,
        );
        let Some(mut row) = row else {
            return Ok(Played::Void { detail: end.detail });
        };
        [row.first_peak_kib, row.second_peak_kib] = peaks;
        write_game_log(self.run, job.id, &log.into_bytes())?;
        for (seat, log) in Seat::BOTH.into_iter().zip(&logs) {
            if !log.is_empty() {
                write_bot_log(self.run, job.id, game.seat_name(seat), log)?;
            }
        }
        Ok(Played::Finished(Box::new(row)))
    }

    /// A process for each of the two players: the one that waits for it, or a new one. All others
    /// that wait are sent away first. The error is the machine's.
    fn seat(&mut self, players: [usize; 2]) -> Result<[Seated; 2], String> {
        let (mut known, mut others): (Vec<_>, Vec<_>) = std::mem::take(&mut self.waiting)
            .into_iter()
            .partition(|(player, _)| players.contains(player));
        self.part(others.iter_mut().map(|(_, process)| process));
        drop(others);
        let mut take = |player: usize| match known.iter().position(|(other, _)| *other == player) {
            Some(index) => Ok(Ok(known.swap_remove(index).1)),
            None => {
                let entry = &self.plan.players[player];
                match self.start(&entry.launch) {
                    Ok(process) => Ok(Ok(process)),
                    Err(Fault::NotStarted { problem }) => Ok(Err(Absent::new(problem))),
                    Err(fault) => Err(format!(
                        "the bot of `{}` could not be started: {fault}",
                        entry.name
                    )),
                }
            }
        };
        Ok([take(players[0])?, take(players[1])?])
    }

    fn start(&self, launch: &Launch) -> Result<Process, Fault> {
        let limits = &self.plan.limits;
        match &self.plan.supervisor {
            Some(supervisor) => {
                Process::supervised(launch, limits.output, supervisor, &limits.confinement)
            }
            None => Process::spawn(launch, limits.output),
        }
    }

    /// Tells bots to exit, all at once, and sees that they do.
    fn part<'p>(&self, processes: impl Iterator<Item = &'p mut Process>) {
        let mut processes: Vec<&mut Process> = processes.collect();
        for process in &mut processes {
            process.dismiss();
        }
        for process in &mut processes {
            process.close(self.plan.limits.quit);
        }
    }
}

impl Drop for Worker<'_> {
    fn drop(&mut self) {
        let mut waiting = std::mem::take(&mut self.waiting);
        self.part(waiting.iter_mut().map(|(_, process)| process));
    }
}
