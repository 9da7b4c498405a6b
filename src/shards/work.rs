//! Works on a shard: one attempt, which adopts the games of earlier attempts.

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
use crate::runner::{Event, Host, Interrupt, Programs, RunError, Tournament};
use crate::runs::{Changes, RecordError, RecordProblem, RunFolder, draw_seed, utc};

/// Interval between heartbeats of an attempt.
const HEARTBEAT: Duration = Duration::from_secs(5);

/// Time that a shard that looks dead must stay unchanged before it is played again.
const WATCH: Duration = Duration::from_secs(3 * HEARTBEAT.as_secs());

/// Polling interval for the next wave and for watched shards.
const LOOK: Duration = Duration::from_millis(500);

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

/// Why a shard was not played to the end.
#[derive(Debug, thiserror::Error)]
#[expect(missing_docs, reason = "the messages say what the fields are")]
pub enum WorkError {
    /// The plan cannot be used here.
    #[error(transparent)]
    Folder(#[from] FolderError),
    /// A frozen file has changed.
    #[error(transparent)]
    Frozen(#[from] FreezeError),
    /// Interrupted while it waited for the next wave, or watched a shard.
    #[error("it was stopped while it waited for games to play")]
    Interrupted,
    /// The plan has no shard of this number.
    #[error("there is no shard {shard}: expected one of 0 to {}", shards - 1)]
    NoShard { shard: u32, shards: u32 },
    /// The plan has another number of shards than the command says.
    #[error("this plan has {shards} shards, and not {named}: name one as 0/{shards} to {}/{shards}", shards - 1)]
    OtherShards { shards: u32, named: u32 },
    /// This machine differs from the planning machine.
    #[error(
        "on this machine {}: every machine needs the same programs; begin anew with `referee plan` if they are \
         to be these",
        .0.words.join("; ")
    )]
    OtherMachine(Changes),
    /// The speed of this machine is out of range for wall time.
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
    /// Whether a retry may succeed, later or on another machine.
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

/// Plays a shard to the end. The working directory must be the folder of the plan.
///
/// # Errors
/// The shard was not played to the end. Finished games are kept for the next attempt.
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
    let unbuilt = folder.unbuilt();
    let tournament = Tournament {
        programs: Programs::Built(&unbuilt),
        portion: folder.portion(unit)?,
        ..Tournament::new(plan, host, interrupt)
    };
    let alive = Attempt::alive(&shard, &name);
    let played = while_alive(&alive, || tournament.play(&mut record, listen));
    let ended = match played {
        Ok(_) => record.end_attempt().map_err(WorkError::from),
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

/// Plays unclaimed shards one after another until none is left. `each` hears of every shard played.
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

/// Plays this shard of each wave, as soon as the wave is written, until no wave follows. `each` hears of every
/// shard.
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

/// Claims the next shard: first shards without an attempt, then shards whose attempts are dead. Clocks of
/// machines differ, so a shard that looks dead by its timestamps is also watched for changes.
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

/// Per watched shard: last snapshot, time of the last change, and whether it ever changed.
#[derive(Debug, Default)]
struct Watched(BTreeMap<Unit, (Traces, Instant, bool)>);

/// Verdict on a watched shard.
#[derive(Debug, PartialEq)]
enum Seen {
    /// Not watched for long enough.
    New,
    /// Unchanged for the whole watch.
    Still,
    /// It has changed: an attempt is going on.
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
        if now.duration_since(*since) >= WATCH {
            Seen::Still
        } else if *moves {
            Seen::Moving
        } else {
            Seen::New
        }
    }
}

/// Claims a shard by creating its folder. `mkdir` is atomic, also on network file systems, so only one process
/// succeeds.
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
fn move_to(from: &Path, to: &Path) -> Result<(), RecordError> {
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
    copied.map_err(RecordError::at(to, RecordProblem::Write))
}

/// Folder name for an attempt, unique across machines.
fn attempt_name(number: u32) -> Result<String, RecordError> {
    let random = draw_seed().map_err(RecordError::at(
        Path::new("an attempt"),
        RecordProblem::Seed,
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
