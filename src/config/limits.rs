//! What a bot may use of time and of the machine.

use std::time::Duration;

use toml::Spanned;

use super::amounts::{bytes, duration_or, limit, size};
use super::file;
use super::{Flaw, Limits};
use crate::clock::TimeControl;
use crate::player::{BuildLimits, Confinement, OutputLimits};

/// The cap on the wall for one action, where the configuration names none.
const DEFAULT_WALL_CAP: Duration = Duration::from_secs(600);

pub(super) fn time_control(clock: &file::ClockSection) -> Result<TimeControl, Flaw> {
    let wall_cap = match &clock.wall_cap {
        Some(value) => limit("wall-cap", Some(value))?.ok_or_else(|| {
            Flaw::at(
                value.span().start,
                "`wall-cap` cannot be \"none\": expected a time; without one a bot that hangs \
                 would stop the run",
            )
        })?,
        None => DEFAULT_WALL_CAP,
    };
    Ok(TimeControl {
        measure: clock.measure,
        per_game: limit("per-game", clock.per_game.as_ref())?,
        increment: duration_or("increment", clock.increment.as_ref(), Duration::ZERO)?,
        per_move: limit("per-move", clock.per_move.as_ref())?,
        margin: duration_or("margin", clock.margin.as_ref(), Duration::ZERO)?,
        wall_cap,
    })
}

pub(super) fn limits(limits: &file::LimitsSection) -> Result<Limits, Flaw> {
    let seconds = Duration::from_secs;
    let output = OutputLimits::default();
    let confinement = confinement(limits)?;
    Ok(Limits {
        handshake: duration_or("handshake", limits.handshake.as_ref(), seconds(10))?,
        start: duration_or("start", limits.start.as_ref(), seconds(10))?,
        quit: duration_or("quit", limits.quit.as_ref(), seconds(1))?,
        output: OutputLimits {
            line: size("line", limits.line.as_ref(), output.line)?,
            turn: size("turn", limits.turn.as_ref(), output.turn)?,
            log: size("log", limits.log.as_ref(), output.log)?,
        },
        build: build_limits(limits, &confinement)?,
        confinement,
        fallback: limits.isolation_fallback,
    })
}

/// What a build may use: as much as compilers need, whatever the bots may have. From the rest of the
/// machine it is kept as they are.
fn build_limits(limits: &file::LimitsSection, bots: &Confinement) -> Result<BuildLimits, Flaw> {
    let default = BuildLimits::default();
    let time = match &limits.build_time {
        Some(value) => limit("build-time", Some(value))?.ok_or_else(|| {
            Flaw::at(
                value.span().start,
                "`build-time` cannot be \"none\": expected a time; without one a build that hangs would \
                 stop the run",
            )
        })?,
        None => default.time,
    };
    Ok(BuildLimits {
        time,
        log: size("build-log", limits.build_log.as_ref(), default.log)?,
        confinement: Confinement {
            memory: match &limits.build_memory {
                Some(value) => Some(memory("build-memory", value)?),
                None => default.confinement.memory,
            },
            file_size: bots.file_size,
            isolation: bots.isolation,
            ..default.confinement
        },
    })
}

/// An amount of memory that a tree of processes may hold.
fn memory(key: &str, value: &Spanned<file::Amount>) -> Result<u64, Flaw> {
    bytes(key, value, (1 << 20)..=(1 << 40)).map(|bytes| bytes as u64)
}

fn confinement(limits: &file::LimitsSection) -> Result<Confinement, Flaw> {
    let default = Confinement::default();
    let count = |key: &str, least: u32, value: Option<&Spanned<u32>>| match value {
        Some(value) if *value.get_ref() < least => Err(Flaw::at(
            value.span().start,
            format!("`{key}` is {}: expected at least {least}", value.get_ref()),
        )),
        value => Ok(value.map(|value| *value.get_ref())),
    };
    let cpu = match &limits.cpu {
        Some(value) => limit("cpu", Some(value))?,
        None => None,
    };
    Ok(Confinement {
        memory: limits
            .memory
            .as_ref()
            .map(|value| memory("memory", value))
            .transpose()?,
        processes: count("processes", 1, limits.processes.as_ref())?.or(default.processes),
        open_files: count("open-files", 16, limits.open_files.as_ref())?
            .map(u64::from)
            .or(default.open_files),
        file_size: limits
            .file_size
            .as_ref()
            .map(|value| bytes("file-size", value, 1..=(1 << 40)))
            .transpose()?
            .map(|bytes| bytes as u64)
            .or(default.file_size),
        // The system counts whole seconds.
        cpu_seconds: cpu.map(|time| time.as_secs() + u64::from(time.subsec_nanos() > 0)),
        off_turn: limits.off_turn.unwrap_or(default.off_turn),
        isolation: limits.isolation.unwrap_or(default.isolation),
        // The system gives out whole pages, and takes "no bytes" for "no bound".
        scratch: match &limits.scratch {
            Some(value) => bytes("scratch", value, (64 << 10)..=(1 << 40))? as u64,
            None => default.scratch,
        },
        ..default
    })
}
