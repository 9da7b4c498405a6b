//! Works on a shard: one attempt, which takes over what earlier attempts left.

use std::collections::BTreeMap;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::mpsc::{RecvTimeoutError, Sender, channel};
use std::thread;
use std::time::{Duration, Instant, SystemTime};

use super::attempts::{Attempt, Done, Unit};
use super::folder::{FolderError, PlanFolder};
use super::freeze::FreezeError;
use super::speed::{load, speed};
use super::status::{ShardState, Traces, state_of, traces};
use super::waves;
use crate::record::{Changes, RecordError, RecordProblem, RunFolder, draw_seed, utc};
use crate::runner::{self, Event, Host, Interrupt, RunError};

/// How often an attempt shows that it is going on.
const HEARTBEAT: Duration = Duration::from_secs(5);

/// How long nothing may change of a shard that looks dead before it is played again.
const WATCH: Duration = Duration::from_secs(3 * HEARTBEAT.as_secs());

/// How often it is looked whether the next wave is there.
const LOOK: Duration = Duration::from_millis(500);

/// What is asked of this machine.
#[derive(Debug, Clone)]
pub struct Work {
    /// The number of the attempt.
    pub attempt: u32,
    /// A folder on this machine in which the attempt is made, before it is copied to the plan's.
    pub scratch: Option<PathBuf>,
    /// How fast this machine may be, as parts of the speed of the machine that planned.
    pub speed: Option<(f64, f64)>,
}

/// Why a shard was not played to its end.
#[derive(Debug, thiserror::Error)]
#[expect(missing_docs, reason = "the messages say what the fields are")]
pub enum WorkError {
    /// The plan cannot be used here.
    #[error(transparent)]
    Folder(#[from] FolderError),
    /// What is frozen changed.
    #[error(transparent)]
    Frozen(#[from] FreezeError),
    /// It was interrupted while it waited for the next wave, or watched a shard.
    #[error("it was stopped while it waited for games to play")]
    Interrupted,
    /// There is no such shard.
    #[error("there is no shard {shard}: expected one of 0 to {}", shards - 1)]
    NoShard { shard: u32, shards: u32 },
    /// The shards were cut otherwise.
    #[error("this plan has {shards} shards, and not {named}: name one as 0/{shards} to {}/{shards}", shards - 1)]
    OtherShards { shards: u32, named: u32 },
    /// This machine is not like the one that planned.
    #[error(
        "on this machine {}: every machine needs the same programs; begin anew with `referee plan` if they are \
         to be these",
        .0.words.join("; ")
    )]
    OtherMachine(Changes),
    /// The machine is too fast or too slow for a clock on the wall.
    #[error(
        "this machine has {share:.2} times the speed of the one that planned, which is not within {low} to {high}"
    )]
    Speed { share: f64, low: f64, high: f64 },
    /// A file cannot be read or written.
    #[error(transparent)]
    Record(#[from] RecordError),
    /// The games were not played to the end.
    #[error(transparent)]
    Run(#[from] RunError),
}

impl WorkError {
    /// Whether the same command may work later, or on another machine.
    pub fn is_worth_another_try(&self) -> bool {
        match self {
            Self::Speed { .. } | Self::Record(_) | Self::Run(_) | Self::Interrupted => true,
            Self::Folder(_)
            | Self::Frozen(_)
            | Self::NoShard { .. }
            | Self::OtherShards { .. }
            | Self::OtherMachine(_) => false,
        }
    }
}

/// What became of a shard.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Worked {
    /// It was played: so many games, of which so many are of earlier attempts.
    Played {
        /// All games of the shard.
        games: u64,
        /// Those that were taken over.
        adopted: u64,
    },
    /// Another attempt has done it.
    Already,
}

/// Plays a shard to its end. The process must be in the folder of the plan.
///
/// # Errors
/// The shard was not played to its end. What was played is kept for the next attempt.
pub fn work(
    folder: &PlanFolder,
    unit: Unit,
    asked: &Work,
    host: &Host,
    interrupt: &Interrupt,
    listen: &mut dyn FnMut(&Event<'_>),
) -> Result<Worked, WorkError> {
    let earlier = folder.attempts(unit)?;
    if earlier.iter().any(|attempt| attempt.done.is_some()) {
        return Ok(Worked::Already);
    }
    folder.check_frozen()?;
    let changes = Changes::since(
        &PlanFolder::run_path(folder.path()),
        &folder.plan,
        host.stamp(),
    )?;
    if !changes.is_empty() {
        return Err(WorkError::OtherMachine(changes));
    }
    let (speed, load) = (speed(), load());
    let share = speed / folder.table.speed;
    if let Some((low, high)) = asked.speed
        && !(low..=high).contains(&share)
    {
        return Err(WorkError::Speed { share, low, high });
    }
    let began = now();
    let name = attempt_name(asked.attempt)?;
    let (plan, seed) = (&folder.plan, folder.table.seed);
    let shard = folder.unit_path(unit);
    fs::create_dir_all(&shard).map_err(RecordError::at(&shard, RecordProblem::Make))?;
    let place = shard.join(&name);
    let path = match &asked.scratch {
        Some(scratch) => scratch.join(&name),
        None => place.clone(),
    };
    let mut record = RunFolder::create_attempt(&path, plan, seed, host.stamp())?;
    let mut adopted = 0;
    for attempt in &earlier {
        adopted += record.adopt(&attempt.path, plan)?;
    }
    let portion = folder.portion(unit)?;
    let unbuilt = folder.unbuilt();
    let alive = Attempt::alive(&shard, &name);
    let played = while_alive(&alive, || {
        runner::run_portion(
            portion,
            &unbuilt,
            plan,
            host,
            &mut record,
            interrupt,
            listen,
        )
    });
    let ended = match played {
        Ok(_) => record.end_attempt().map_err(WorkError::from),
        Err(error) => {
            drop(record);
            Err(error.into())
        }
    };
    if path != place {
        // Also what was not played to its end: the next attempt takes it over.
        move_to(&path, &place)?;
    }
    let files = ended?;
    let games = files.rows;
    Done {
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

/// Plays shards that nobody plays, one after another, until there are none. `each` is told which one.
///
/// # Errors
/// The first error of a shard.
pub fn work_any(
    folder: &PlanFolder,
    asked: &Work,
    host: &Host,
    interrupt: &Interrupt,
    listen: &mut dyn FnMut(Unit, &Event<'_>),
    each: &mut dyn FnMut(Unit, Worked),
) -> Result<(), WorkError> {
    let mut watched = Watched::default();
    while let Some(unit) = claim(folder, &mut watched, interrupt)? {
        let mut listen = |event: &Event<'_>| listen(unit, event);
        let worked = work(folder, unit, asked, host, interrupt, &mut listen)?;
        each(unit, worked);
    }
    Ok(())
}

/// Plays a shard of each wave, as soon as the wave is there, until there are no more. `each` is told which one.
///
/// # Errors
/// The first error of a shard.
pub fn follow(
    folder: &PlanFolder,
    shard: u32,
    asked: &Work,
    host: &Host,
    interrupt: &Interrupt,
    listen: &mut dyn FnMut(Unit, &Event<'_>),
    each: &mut dyn FnMut(Unit, Worked),
) -> Result<(), WorkError> {
    for wave in 1.. {
        let unit = Unit { wave, shard };
        while !folder.waves()?.contains(&wave) {
            if waves::are_over(folder.path()) {
                return Ok(());
            }
            if interrupt.level().is_some() {
                return Err(WorkError::Interrupted);
            }
            thread::sleep(LOOK);
        }
        let mut listen = |event: &Event<'_>| listen(unit, event);
        let worked = work(folder, unit, asked, host, interrupt, &mut listen)?;
        each(unit, worked);
    }
    Ok(())
}

/// The next shard to play, which no other process that looks for one takes at this moment: first those that
/// were never begun, then those whose attempts are dead. Clocks of machines differ, so that a shard which looks dead by
/// its time stamps is watched, too.
fn claim(
    folder: &PlanFolder,
    watched: &mut Watched,
    interrupt: &Interrupt,
) -> Result<Option<Unit>, WorkError> {
    loop {
        let mut dead = Vec::new();
        for unit in folder.waves()?.flat_map(|wave| folder.units(wave)) {
            match state_of(folder, unit)?.0 {
                ShardState::Open if claimed(folder, unit)? => return Ok(Some(unit)),
                ShardState::Dead => dead.push(unit),
                ShardState::Open | ShardState::Playing | ShardState::Done => {}
            }
        }
        let mut rest = false;
        for unit in dead {
            match watched.look(unit, traces(folder, unit), Instant::now()) {
                Seen::Still => return Ok(Some(unit)),
                Seen::New => rest = true,
                Seen::Moving => {}
            }
        }
        if !rest {
            return Ok(None);
        }
        if interrupt.level().is_some() {
            return Err(WorkError::Interrupted);
        }
        thread::sleep(LOOK);
    }
}

/// What was seen of shards that look dead: since when, and whether it ever changed.
#[derive(Debug, Default)]
struct Watched(BTreeMap<Unit, (Traces, Instant, bool)>);

/// What becomes of a shard that looks dead.
#[derive(Debug, PartialEq)]
enum Seen {
    /// It was not watched for long enough.
    New,
    /// Nothing changes.
    Still,
    /// Somebody plays it.
    Moving,
}

impl Watched {
    fn look(&mut self, unit: Unit, traces: Traces, now: Instant) -> Seen {
        let (before, since, moves) = self
            .0
            .entry(unit)
            .or_insert_with(|| (traces.clone(), now, false));
        if *before != traces {
            (*before, *since, *moves) = (traces, now, true);
        }
        match now.duration_since(*since) >= WATCH {
            true => Seen::Still,
            false if *moves => Seen::Moving,
            false => Seen::New,
        }
    }
}

/// Makes the folder of a shard, which only one of several processes does.
fn claimed(folder: &PlanFolder, unit: Unit) -> Result<bool, RecordError> {
    let path = folder.unit_path(unit);
    let made =
        path.parent()
            .map_or(Ok(()), fs::create_dir_all)
            .and_then(|()| match fs::create_dir(&path) {
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists => Ok(false),
                made => made.map(|()| true),
            });
    made.map_err(|error| RecordError {
        path,
        problem: RecordProblem::Make(error),
    })
}

/// Shows that an attempt is going on, as long as `run` does.
fn while_alive<T>(alive: &Path, run: impl FnOnce() -> T) -> T {
    let result = thread::scope(|scope| {
        let (ends, ended): (Sender<()>, _) = channel();
        scope.spawn(move || {
            loop {
                // Where it cannot be written, the attempt looks dead, and its shard may be played twice.
                let _ = fs::write(alive, now());
                match ended.recv_timeout(HEARTBEAT) {
                    Err(RecvTimeoutError::Timeout) => {}
                    _ => return,
                }
            }
        });
        let result = run();
        drop(ends);
        result
    });
    // Left behind, it would make the attempt look alive for a while.
    let _ = fs::remove_file(alive);
    result
}

/// Copies an attempt to the plan's folder, where it appears with all its files at once.
fn move_to(from: &Path, to: &Path) -> Result<(), RecordError> {
    let shard = to.parent().unwrap_or(to);
    // It does not begin with a number, so it is no attempt yet.
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
    copied.map_err(RecordError::at(to, RecordProblem::Write))
}

/// A name that no other attempt has, on any machine.
fn attempt_name(number: u32) -> Result<String, RecordError> {
    let random = draw_seed().map_err(RecordError::at(
        Path::new("an attempt"),
        RecordProblem::Seed,
    ))?;
    let (host, process) = (host_name(), std::process::id());
    Ok(format!("{number}-{host}-{process}-{:08x}", random as u32))
}

/// The name of this machine, as far as it can be part of a file's name.
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_shard_whose_traces_change_is_played_whatever_its_time_stamps_say() {
        let unit = Unit { wave: 0, shard: 3 };
        let traces = |content: &str| BTreeMap::from([("alive-0".into(), content.into())]);
        let begun = Instant::now();
        let at = |seconds: u64| begun + Duration::from_secs(seconds);
        let mut watched = Watched::default();
        assert_eq!(watched.look(unit, traces("a"), at(0)), Seen::New);
        assert_eq!(watched.look(unit, traces("a"), at(14)), Seen::New);
        assert_eq!(watched.look(unit, traces("b"), at(14)), Seen::Moving);
        assert_eq!(watched.look(unit, traces("b"), at(28)), Seen::Moving);
        assert_eq!(watched.look(unit, traces("b"), at(29)), Seen::Still);
        let dead = Unit { wave: 0, shard: 4 };
        assert_eq!(watched.look(dead, BTreeMap::new(), at(0)), Seen::New);
        assert_eq!(watched.look(dead, BTreeMap::new(), at(15)), Seen::Still);
    }
}
