//! Clocks and limits of bots and builds.

use std::path::PathBuf;
use std::time::Duration;

use serde::{Deserialize, Serialize};
use toml::Spanned;

use super::Flaw;
use super::file::{self, bytes, duration_or, limit, size};
use crate::bot::{BuildLimits, Confinement, OffTurn, OutputLimits, Tier};
use crate::clock::TimeControl;
use crate::game::RulesCommand;
use crate::units;

/// `[limits]`. A manifest has all of them, as they hold.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub struct Limits {
    #[serde(with = "units::duration")]
    pub handshake: Duration,
    #[serde(with = "units::duration")]
    pub start: Duration,
    #[serde(with = "units::duration")]
    pub quit: Duration,
    #[serde(with = "units::duration")]
    pub rules: Duration,
    #[serde(with = "units::duration")]
    pub rules_start: Duration,
    #[serde(with = "units::bytes")]
    pub rules_memory: usize,
    pub plies: u32,
    #[serde(with = "units::bytes")]
    pub line: usize,
    #[serde(with = "units::bytes")]
    pub turn: usize,
    #[serde(with = "units::bytes")]
    pub log: usize,
    #[serde(with = "units::bytes_limit")]
    pub memory: Option<u64>,
    pub processes: Option<u64>,
    pub open_files: Option<u64>,
    #[serde(with = "units::bytes_limit")]
    pub file_size: Option<u64>,
    #[serde(with = "units::seconds_limit")]
    pub cpu: Option<u64>,
    #[serde(with = "units::duration")]
    pub build_time: Duration,
    #[serde(with = "units::bytes_limit")]
    pub build_memory: Option<u64>,
    #[serde(with = "units::bytes")]
    pub build_log: usize,
    pub off_turn: OffTurn,
    pub isolation: Tier,
    #[serde(skip)]
    pub fallback: Option<Tier>,
    #[serde(with = "units::bytes")]
    pub scratch: usize,
}

impl Limits {
    pub fn rules(&self) -> RulesLimits {
        RulesLimits {
            answer: self.rules,
            start: self.rules_start,
            memory: self.rules_memory as u64,
            plies: self.plies,
        }
    }

    pub fn output(&self) -> OutputLimits {
        OutputLimits {
            line: self.line,
            turn: self.turn,
            log: self.log,
        }
    }

    pub fn confinement(&self) -> Confinement {
        Confinement {
            memory: self.memory,
            processes: self.processes.and_then(|count| count.try_into().ok()),
            open_files: self.open_files,
            file_size: self.file_size,
            cpu_seconds: self.cpu,
            off_turn: self.off_turn,
            isolation: self.isolation,
            scratch: self.scratch as u64,
            ..Confinement::default()
        }
    }

    pub fn build(&self) -> BuildLimits {
        BuildLimits {
            time: self.build_time,
            log: self.build_log,
            confinement: Confinement {
                memory: self.build_memory,
                file_size: self.file_size,
                isolation: self.isolation,
                ..BuildLimits::default().confinement
            },
        }
    }
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
        measure: value_or(clock.measure.as_ref(), default.measure),
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
    let (output, build) = (OutputLimits::default(), BuildLimits::default());
    let (bots, rules) = (Confinement::default(), RulesLimits::default());
    let of_rules =
        |key, value: &Option<_>, default| bounded(key, value.as_ref(), default, "rules program");
    let cpu = limit("cpu", limits.cpu.as_ref())?;
    Ok(Limits {
        // RLIMIT_CPU counts whole seconds, so round up.
        cpu: cpu.map(|time| time.as_secs() + u64::from(time.subsec_nanos() > 0)),
        memory: memory("memory", limits.memory.as_ref())?,
        processes: count("processes", 1, limits.processes.as_ref())?
            .or(bots.processes.map(u64::from)),
        open_files: count("open-files", 16, limits.open_files.as_ref())?.or(bots.open_files),
        file_size: bytes_within("file-size", limits.file_size.as_ref(), 1)?
            .map(|bytes| bytes as u64)
            .or(bots.file_size),
        off_turn: value_or(limits.off_turn.as_ref(), bots.off_turn),
        isolation: value_or(limits.isolation.as_ref(), bots.isolation),
        // tmpfs allocates whole pages, and treats a size of 0 as unlimited.
        scratch: bytes_within("scratch", limits.scratch.as_ref(), 64 << 10)?
            .unwrap_or(bots.scratch as usize),
        handshake: duration_or("handshake", limits.handshake.as_ref(), seconds(10))?,
        start: duration_or("start", limits.start.as_ref(), seconds(10))?,
        quit: duration_or("quit", limits.quit.as_ref(), seconds(1))?,
        rules: of_rules("rules", &limits.rules, rules.answer)?,
        rules_start: of_rules("rules-start", &limits.rules_start, rules.start)?,
        rules_memory: bytes_within("rules-memory", limits.rules_memory.as_ref(), 1 << 20)?
            .unwrap_or(rules.memory as usize),
        plies: plies(limits.plies.as_ref())?,
        line: size("line", limits.line.as_ref(), output.line)?,
        turn: size("turn", limits.turn.as_ref(), output.turn)?,
        log: size("log", limits.log.as_ref(), output.log)?,
        build_time: bounded(
            "build-time",
            limits.build_time.as_ref(),
            build.time,
            "build",
        )?,
        build_log: size("build-log", limits.build_log.as_ref(), build.log)?,
        // The resources of builds have defaults for compilers, independent of the bots' limits.
        build_memory: memory("build-memory", limits.build_memory.as_ref())?
            .or(build.confinement.memory),
        fallback: limits.isolation_fallback.as_ref().map(|it| *it.get_ref()),
    })
}

fn value_or<T: Copy>(value: Option<&Spanned<T>>, default: T) -> T {
    value.map_or(default, |value| *value.get_ref())
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

fn memory(key: &str, value: Option<&Spanned<file::Amount>>) -> Result<Option<u64>, Flaw> {
    Ok(bytes_within(key, value, 1 << 20)?.map(|bytes| bytes as u64))
}

fn bytes_within(
    key: &str,
    value: Option<&Spanned<file::Amount>>,
    least: usize,
) -> Result<Option<usize>, Flaw> {
    value
        .map(|value| bytes(key, value, least..=1 << 40))
        .transpose()
}

fn count(key: &str, least: u32, value: Option<&Spanned<u32>>) -> Result<Option<u64>, Flaw> {
    match value {
        Some(value) if *value.get_ref() < least => Err(Flaw::of(
            value,
            format!("`{key}` is {}: expected at least {least}", value.get_ref()),
        )),
        value => Ok(value.map(|value| u64::from(*value.get_ref()))),
    }
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

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RulesLimits {
    pub answer: Duration,
    pub start: Duration,
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
