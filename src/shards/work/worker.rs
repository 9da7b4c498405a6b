//! Plays shards, each in an attempt, which adopts the games of earlier attempts.

use std::path::{Path, PathBuf};
use std::sync::mpsc::{RecvTimeoutError, Sender, channel};
use std::time::SystemTime;
use std::{fs, thread};

use super::WorkError;
use super::claim::{HEARTBEAT, LOOK, Watched, claim};
use crate::opponents::cachex::nodes_per_second;
use crate::runner::{Event, Host, Interrupt, Programs, Tournament};
use crate::runs::{Changes, RunFileError, RunFileProblem, RunFolder, draw_seed, utc};
use crate::shards::plan::{Attempt, AttemptSummary, PlanFolder, ShardUnit, waves};

/// Options of an attempt on this machine.
#[derive(Debug, Clone)]
pub struct Work {
    /// Number of the attempt.
    pub attempt: u32,
    /// Local folder for the attempt; it is copied to the plan's folder at the end.
    pub scratch: Option<PathBuf>,
    /// Allowed range of this machine's speed, relative to the planning machine.
    pub speed: Option<(f64, f64)>,
}

/// Outcome of work on a shard.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Worked {
    /// The attempt is done.
    Played {
        /// Number of games in the shard.
        games: u64,
        /// Number of games adopted from earlier attempts.
        adopted: u64,
    },
    /// Another attempt had done it already.
    Already,
}

/// Selection of the shards to play.
#[derive(Debug, Clone, Copy)]
pub enum Shards {
    /// One shard.
    One(ShardUnit),
    /// Unclaimed shards, one after another until none is left.
    Any,
    /// This shard of each wave, as soon as the wave is written, until no wave follows.
    EachWave(u32),
}

/// Plays shards of a plan on this machine. The working directory must be the folder of the plan.
#[derive(Debug, Clone, Copy)]
pub struct Worker<'a> {
    /// Folder of the plan.
    pub folder: &'a PlanFolder,
    /// Options of the attempts.
    pub options: &'a Work,
    /// This machine.
    pub host: &'a Host,
    /// Interrupts games, and the wait for them.
    pub interrupt: &'a Interrupt,
}

impl Worker<'_> {
    /// Plays shards to their end. `each` hears of every shard played.
    ///
    /// # Errors
    /// The first error of a shard. Finished games are kept for the next attempt.
    pub fn work(
        &self,
        shards: Shards,
        listen: &mut dyn FnMut(ShardUnit, &Event<'_>),
        each: &mut dyn FnMut(ShardUnit, Worked),
    ) -> Result<(), WorkError> {
        let mut watched = Watched::default();
        for turn in 1.. {
            let unit = match shards {
                Shards::One(unit) => (turn == 1).then_some(unit),
                Shards::Any => claim(self.folder, &mut watched, self.interrupt)?,
                Shards::EachWave(shard) => self
                    .is_written(turn)?
                    .then_some(ShardUnit { wave: turn, shard }),
            };
            let Some(unit) = unit else {
                break;
            };
            let worked = self.play(unit, &mut |event| listen(unit, event))?;
            each(unit, worked);
        }
        Ok(())
    }

    /// Waits until a wave is written; false if it never will be.
    fn is_written(&self, wave: u32) -> Result<bool, WorkError> {
        while !self.folder.waves()?.contains(&wave) {
            if waves::are_over(self.folder.path()) {
                return Ok(false);
            }
            if self.interrupt.level().is_some() {
                return Err(WorkError::Interrupted);
            }
            thread::sleep(LOOK);
        }
        Ok(true)
    }

    /// The speed of this machine, which may play shards of the plan.
    fn fit_speed(&self) -> Result<f64, WorkError> {
        let folder = self.folder;
        folder.check_frozen()?;
        let run = PlanFolder::run_path(folder.path());
        let changes = Changes::since(&run, &folder.plan, self.host.stamp())?;
        if !changes.is_empty() {
            return Err(WorkError::OtherMachine(changes));
        }
        let speed = nodes_per_second();
        let share = speed / folder.table.speed;
        match self.options.speed {
            Some((low, high)) if !(low..=high).contains(&share) => {
                Err(WorkError::Speed { share, low, high })
            }
            _ => Ok(speed),
        }
    }

    /// Plays a shard to the end.
    fn play(
        &self,
        unit: ShardUnit,
        listen: &mut dyn FnMut(&Event<'_>),
    ) -> Result<Worked, WorkError> {
        let Self {
            folder,
            options,
            host,
            interrupt,
        } = *self;
        let earlier = folder.attempts(unit)?;
        if earlier.iter().any(|attempt| attempt.done.is_some()) {
            return Ok(Worked::Already);
        }
        let (speed, load) = (self.fit_speed()?, load());
        let began = now();
        let name = attempt_name(options.attempt)?;
        let (plan, seed) = (&folder.plan, folder.table.seed);
        let shard = folder.unit_path(unit);
        fs::create_dir_all(&shard).map_err(RunFileError::at(&shard, RunFileProblem::Make))?;
        let place = shard.join(&name);
        let path = match &options.scratch {
            Some(scratch) => scratch.join(&name),
            None => place.clone(),
        };
        let mut record = RunFolder::create_attempt(&path, plan, seed, host.stamp())?;
        let mut adopted = 0;
        for attempt in &earlier {
            adopted += record.adopt(&attempt.path, plan)?;
        }
        let unbuilt = folder.unbuilt();
        let tournament = Tournament {
            programs: Programs::Built(&unbuilt),
            portion: folder.portion(unit)?,
            ..Tournament::new(plan, host, interrupt)
        };
        let alive = Attempt::alive(&shard, &name);
        let played = while_alive(&alive, || tournament.play(&mut record, listen));
        let ended = match played {
            Ok(_) => record.end_attempt(plan).map_err(WorkError::from),
            Err(error) => {
                drop(record);
                Err(error.into())
            }
        };
        if path != place {
            // Move a partial attempt too: the next attempt adopts its games.
            move_to(&path, &place)?;
        }
        let files = ended?;
        let games = files.rows;
        AttemptSummary {
            host: host_name(),
            began,
            ended: now(),
            adopted,
            speed,
            load,
            files,
        }
        .write(&place)?;
        Ok(Worked::Played { games, adopted })
    }
}

/// Writes heartbeats while `run` runs.
fn while_alive<T>(alive: &Path, run: impl FnOnce() -> T) -> T {
    let result = thread::scope(|scope| {
        let (ends, ended): (Sender<()>, _) = channel();
        scope.spawn(move || {
            loop {
                // On failure the attempt only looks dead, and the shard may be played twice.
                let _ = fs::write(alive, now());
                match ended.recv_timeout(HEARTBEAT) {
                    Err(RecvTimeoutError::Timeout) => {}
                    _ => return,
                }
            }
        });
        let result = run();
        // Disconnects the channel, which ends the heartbeat thread at once.
        drop(ends);
        result
    });
    // A leftover heartbeat would make the attempt look alive for a while.
    let _ = fs::remove_file(alive);
    result
}

/// Copies an attempt to the plan's folder. The final rename makes it appear with all its files at once.
fn move_to(from: &Path, to: &Path) -> Result<(), RunFileError> {
    let shard = to.parent().unwrap_or(to);
    // A name without a leading number is no attempt yet.
    let name = to.file_name().unwrap_or_default().to_string_lossy();
    let temporary = shard.join(format!("copy-{name}"));
    let copied = fs::create_dir_all(&temporary).and_then(|()| {
        for entry in fs::read_dir(from)? {
            let entry = entry?;
            fs::copy(entry.path(), temporary.join(entry.file_name()))?;
        }
        fs::rename(&temporary, to)?;
        fs::remove_dir_all(from)
    });
    copied.map_err(RunFileError::at(to, RunFileProblem::Write))
}

/// Folder name for an attempt, unique across machines.
fn attempt_name(number: u32) -> Result<String, RunFileError> {
    let random = draw_seed().map_err(RunFileError::at(
        Path::new("an attempt"),
        RunFileProblem::Seed,
    ))?;
    let (host, process) = (host_name(), std::process::id());
    Ok(format!("{number}-{host}-{process}-{:08x}", random as u32))
}

/// Host name, reduced to characters that are safe in a file name.
fn host_name() -> String {
    let name = rustix::system::uname()
        .nodename()
        .to_string_lossy()
        .into_owned();
    let plain = name
        .chars()
        .filter(|c| c.is_ascii_alphanumeric() || ".-_".contains(*c));
    plain.take(64).collect()
}

fn now() -> String {
    utc(SystemTime::now())
}

/// Load average over one minute; 0 if the system does not report one.
fn load() -> f64 {
    let text = std::fs::read_to_string("/proc/loadavg").unwrap_or_default();
    let first = text.split(' ').next().and_then(|load| load.parse().ok());
    first.unwrap_or(0.0)
}
