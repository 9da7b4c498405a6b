//! Clocks and limits of bots and builds.

use std::path::PathBuf;
use std::time::Duration;

use serde::{Deserialize, Serialize};
use toml::Spanned;

use super::Flaw;
use super::file::{self, bytes, duration_or, limit, size};
use crate::bot::{BuildLimits, Confinement, OutputLimits, Tier};
use crate::clock::TimeControl;
use crate::game::RulesCommand;

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Limits {
    pub handshake: Duration,
    /// Time to get ready for a game.
    pub start: Duration,
    /// Time between `quit` and the kill.
    pub quit: Duration,
    pub rules: RulesLimits,
    pub output: OutputLimits,
    pub confinement: Confinement,
    pub fallback: Option<Tier>,
    pub build: BuildLimits,
}

pub fn time_control(clock: &file::ClockSection) -> Result<TimeControl, Flaw> {
    let default = TimeControl::default();
    let wall_cap = clock.wall_cap.as_ref();
    let wall_cap = bounded("wall-cap", wall_cap, default.wall_cap, "bot")?;
    let per_game = limit("per-game", clock.per_game.as_ref())?;
    let increment = duration_or("increment", clock.increment.as_ref(), default.increment)?;
    let added = clock.increment.as_ref().filter(|_| !increment.is_zero());
    let added = added.map(|value| ("increment", value.span().start));
    let period = clock.period.as_ref();
    let added = added.or(period.map(|value| ("period", value.span().start)));
    if let (None, Some((key, at))) = (per_game, added) {
        let problem = format!(
            "`{key}` needs `per-game`: without a limit for the game there is no clock that it is added to; expected both, \
             or neither"
        );
        return Err(Flaw::at(at, problem));
    }
    Ok(TimeControl {
        measure: clock
            .measure
            .as_ref()
            .map(|it| *it.get_ref())
            .unwrap_or_default(),
        per_game,
        period: period.map(|value| *value.get_ref()),
        increment,
        per_move: limit("per-move", clock.per_move.as_ref())?,
        margin: duration_or("margin", clock.margin.as_ref(), default.margin)?,
        wall_cap,
    })
}

pub fn limits(limits: &file::LimitsSection) -> Result<Limits, Flaw> {
    let seconds = Duration::from_secs;
    let output = OutputLimits::default();
    let confinement = confinement(limits)?;
    Ok(Limits {
        handshake: duration_or("handshake", limits.handshake.as_ref(), seconds(10))?,
        start: duration_or("start", limits.start.as_ref(), seconds(10))?,
        quit: duration_or("quit", limits.quit.as_ref(), seconds(1))?,
        rules: rules_limits(limits)?,
        output: OutputLimits {
            line: size("line", limits.line.as_ref(), output.line)?,
            turn: size("turn", limits.turn.as_ref(), output.turn)?,
            log: size("log", limits.log.as_ref(), output.log)?,
        },
        build: build_limits(limits, &confinement)?,
        confinement,
        fallback: limits.isolation_fallback.as_ref().map(|it| *it.get_ref()),
    })
}

fn rules_limits(limits: &file::LimitsSection) -> Result<RulesLimits, Flaw> {
    let default = RulesLimits::default();
    let time =
        |key, value: &Option<_>, default| bounded(key, value.as_ref(), default, "rules program");
    Ok(RulesLimits {
        answer: time("rules", &limits.rules, default.answer)?,
        start: time("rules-start", &limits.rules_start, default.start)?,
        memory: memory("rules-memory", limits.rules_memory.as_ref())?.unwrap_or(default.memory),
        plies: plies(limits.plies.as_ref())?,
    })
}

fn plies(value: Option<&Spanned<u32>>) -> Result<u32, Flaw> {
    match value {
        None => Ok(RulesLimits::default().plies),
        Some(value) if (1..=1_000_000).contains(value.get_ref()) => Ok(*value.get_ref()),
        Some(value) => Err(Flaw::of(
            value,
            format!(
                "`plies` is {}: expected a number from 1 to 1000000",
                value.get_ref()
            ),
        )),
    }
}

/// Limits of builds. Resources have defaults for compilers, independent of the bots' limits; isolation and file
/// size are the bots'.
fn build_limits(limits: &file::LimitsSection, bots: &Confinement) -> Result<BuildLimits, Flaw> {
    let default = BuildLimits::default();
    let time = limits.build_time.as_ref();
    Ok(BuildLimits {
        time: bounded("build-time", time, default.time, "build")?,
        log: size("build-log", limits.build_log.as_ref(), default.log)?,
        confinement: Confinement {
            memory: memory("build-memory", limits.build_memory.as_ref())?
                .or(default.confinement.memory),
            file_size: bots.file_size,
            isolation: bots.isolation,
            ..default.confinement
        },
    })
}

fn memory(key: &str, value: Option<&Spanned<file::Amount>>) -> Result<Option<u64>, Flaw> {
    bytes_within(key, value, 1 << 20)
}

fn bytes_within(
    key: &str,
    value: Option<&Spanned<file::Amount>>,
    least: usize,
) -> Result<Option<u64>, Flaw> {
    let bytes = value.map(|value| bytes(key, value, least..=1 << 40));
    Ok(bytes.transpose()?.map(|bytes| bytes as u64))
}

/// A time that cannot be "none": without it a hung bot or build would stop the run.
fn bounded(
    key: &str,
    value: Option<&Spanned<file::Amount>>,
    default: Duration,
    what_hangs: &str,
) -> Result<Duration, Flaw> {
    let Some(value) = value else {
        return Ok(default);
    };
    limit(key, Some(value))?.ok_or_else(|| {
        let problem = format!(
            "`{key}` cannot be \"none\": expected a time; without one a {what_hangs} that hangs \
             would stop the run"
        );
        Flaw::of(value, problem)
    })
}

fn confinement(limits: &file::LimitsSection) -> Result<Confinement, Flaw> {
    let default = Confinement::default();
    let count = |key: &str, least: u32, value: Option<&Spanned<u32>>| match value {
        Some(value) if *value.get_ref() < least => Err(Flaw::of(
            value,
            format!("`{key}` is {}: expected at least {least}", value.get_ref()),
        )),
        value => Ok(value.map(|value| *value.get_ref())),
    };
    let cpu = limit("cpu", limits.cpu.as_ref())?;
    Ok(Confinement {
        memory: memory("memory", limits.memory.as_ref())?,
        processes: count("processes", 1, limits.processes.as_ref())?.or(default.processes),
        open_files: count("open-files", 16, limits.open_files.as_ref())?
            .map(u64::from)
            .or(default.open_files),
        file_size: bytes_within("file-size", limits.file_size.as_ref(), 1)?.or(default.file_size),
        // RLIMIT_CPU counts whole seconds, so round up.
        cpu_seconds: cpu.map(|time| time.as_secs() + u64::from(time.subsec_nanos() > 0)),
        off_turn: limits
            .off_turn
            .as_ref()
            .map_or(default.off_turn, |it| *it.get_ref()),
        isolation: limits
            .isolation
            .as_ref()
            .map_or(default.isolation, |it| *it.get_ref()),
        // tmpfs allocates whole pages, and treats a size of 0 as unlimited.
        scratch: bytes_within("scratch", limits.scratch.as_ref(), 64 << 10)?
            .unwrap_or(default.scratch),
        ..default
    })
}

/// Limits of games whose rules are a program.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RulesLimits {
    pub answer: Duration,
    /// Time for the hello, and to begin a game.
    pub start: Duration,
    /// Memory of the program with all its processes, in bytes.
    pub memory: u64,
    pub plies: u32,
}

impl Default for RulesLimits {
    fn default() -> Self {
        Self {
            answer: Duration::from_secs(10),
            start: Duration::from_secs(60),
            memory: 2 << 30,
            plies: MOST_PLIES,
        }
    }
}

impl RulesLimits {
    pub fn command(self, words: Vec<String>, dir: PathBuf, owns_dir: bool) -> RulesCommand {
        let millis = |time: Duration| time.as_millis().try_into().unwrap_or(u64::MAX);
        RulesCommand {
            words,
            dir,
            seats: None,
            answer_ms: millis(self.answer),
            start_ms: millis(self.start),
            memory: self.memory,
            owns_dir,
        }
    }
}

const MOST_PLIES: u32 = 10_000;

/// Selection of games whose logs are kept. The journal has a row for every game.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum KeepLogs {
    #[default]
    All,
    Forfeits,
    None,
}

impl KeepLogs {
    pub fn keeps(self, forfeited: bool) -> bool {
        match self {
            Self::All => true,
            Self::Forfeits => forfeited,
            Self::None => false,
        }
    }
}
