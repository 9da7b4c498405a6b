//! Claims shards that nobody plays.

use std::collections::BTreeMap;
use std::time::{Duration, Instant};
use std::{fs, io, thread};

use super::{ShardState, Traces, WorkError, state_of, traces};
use crate::runner::Interrupt;
use crate::runs::{RunFileError, RunFileProblem};
use crate::shards::plan::{PlanFolder, ShardUnit};

/// Interval between heartbeats of an attempt.
pub(super) const HEARTBEAT: Duration = Duration::from_secs(5);

/// Time that a shard that looks dead must stay unchanged before it is played again.
const WATCH: Duration = Duration::from_secs(3 * HEARTBEAT.as_secs());

/// Polling interval for the next wave and for watched shards.
pub(super) const LOOK: Duration = Duration::from_millis(500);

/// Claims the next shard: first shards without an attempt, then shards whose attempts are dead. Clocks of
/// machines differ, so a shard that looks dead by its timestamps is also watched for changes.
pub(super) fn claim(
    folder: &PlanFolder,
    watched: &mut Watched,
    interrupt: &Interrupt,
) -> Result<Option<ShardUnit>, WorkError> {
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
                Activity::Idle => return Ok(Some(unit)),
                Activity::Unknown => rest = true,
                Activity::Busy => {}
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
pub(super) struct Watched(BTreeMap<ShardUnit, (Traces, Instant, bool)>);

/// Verdict on a watched shard.
#[derive(Debug, PartialEq)]
enum Activity {
    /// Not watched for long enough.
    Unknown,
    /// Unchanged for the whole watch.
    Idle,
    /// It has changed: an attempt is going on.
    Busy,
}

impl Watched {
    fn look(&mut self, unit: ShardUnit, traces: Traces, now: Instant) -> Activity {
        let (before, since, moves) = self
            .0
            .entry(unit)
            .or_insert_with(|| (traces.clone(), now, false));
        if *before != traces {
            (*before, *since, *moves) = (traces, now, true);
        }
        if now.duration_since(*since) >= WATCH {
            Activity::Idle
        } else if *moves {
            Activity::Busy
        } else {
            Activity::Unknown
        }
    }
}

/// Claims a shard by creating its folder. `mkdir` is atomic, also on network file systems, so only one process
/// succeeds.
fn claimed(folder: &PlanFolder, unit: ShardUnit) -> Result<bool, RunFileError> {
    let path = folder.unit_path(unit);
    let made =
        path.parent()
            .map_or(Ok(()), fs::create_dir_all)
            .and_then(|()| match fs::create_dir(&path) {
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists => Ok(false),
                made => made.map(|()| true),
            });
    made.map_err(|error| RunFileError {
        path,
        problem: RunFileProblem::Make(error),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_shard_whose_traces_change_is_played_whatever_its_time_stamps_say() {
        let unit = ShardUnit { wave: 0, shard: 3 };
        let traces = |content: &str| BTreeMap::from([("alive-0".into(), content.into())]);
        let begun = Instant::now();
        let at = |seconds: u64| begun + Duration::from_secs(seconds);
        let mut watched = Watched::default();
        assert_eq!(watched.look(unit, traces("a"), at(0)), Activity::Unknown);
        assert_eq!(watched.look(unit, traces("a"), at(14)), Activity::Unknown);
        assert_eq!(watched.look(unit, traces("b"), at(14)), Activity::Busy);
        assert_eq!(watched.look(unit, traces("b"), at(28)), Activity::Busy);
        assert_eq!(watched.look(unit, traces("b"), at(29)), Activity::Idle);
        let dead = ShardUnit { wave: 0, shard: 4 };
        assert_eq!(
            watched.look(dead, BTreeMap::new(), at(0)),
            Activity::Unknown
        );
        assert_eq!(watched.look(dead, BTreeMap::new(), at(15)), Activity::Idle);
    }
}
