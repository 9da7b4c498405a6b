//! Tables of a manifest that hold for all games and players.

use std::fs;
use std::time::Duration;

use serde::{Deserialize, Serialize};

use crate::bot::{CpuSource, OffTurn, Tier};
use crate::config::{KeepLogs, Limits, RulesLimits};
use crate::units;

/// Facts that this machine and this moment add to a plan.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Stamp {
    /// How many games are played at a time.
    pub jobs: usize,
    /// Whether a supervisor stands above each bot.
    pub supervised: bool,
    /// Whether bots are pinned to processors.
    pub pinned: bool,
    /// Source of the bots' processor time.
    pub cpu_source: CpuSource,
    /// The tier of isolation that holds.
    pub isolation: Tier,
}

/// `[limits]`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub struct LimitsTable {
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
    #[serde(with = "units::count_limit")]
    pub processes: Option<u64>,
    #[serde(with = "units::count_limit")]
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
    #[serde(with = "units::bytes_limit")]
    pub scratch: Option<u64>,
    pub supervised: bool,
}

/// `[record]`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct RecordTable {
    /// Selection of the games with a kept log.
    pub logs: KeepLogs,
}

/// `[machine]`.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct MachineTable {
    /// The operating system.
    pub os: String,
    /// The version of its kernel.
    pub kernel: String,
    /// The architecture of the processor.
    pub arch: String,
    /// The model of the processor.
    pub processor: String,
    /// Number of processors available to the referee.
    pub cores: usize,
    /// Whether bots were pinned to processors.
    pub pinned: bool,
    /// The source of the bots' processor times.
    #[serde(rename = "cpu-source")]
    pub cpu_source: CpuSource,
}

impl LimitsTable {
    /// Limits of games whose rules are a program.
    pub(super) fn of_rules(&self) -> RulesLimits {
        RulesLimits {
            answer: self.rules,
            start: self.rules_start,
            memory: self.rules_memory as u64,
            plies: self.plies,
        }
    }

    pub(in crate::runs) fn new(limits: &Limits, stamp: &Stamp) -> Self {
        let bots = &limits.confinement;
        Self {
            handshake: limits.handshake,
            start: limits.start,
            quit: limits.quit,
            rules: limits.rules.answer,
            rules_start: limits.rules.start,
            rules_memory: limits.rules.memory.try_into().unwrap_or(usize::MAX),
            plies: limits.rules.plies,
            line: limits.output.line,
            turn: limits.output.turn,
            log: limits.output.log,
            memory: bots.memory,
            processes: bots.processes.map(u64::from),
            open_files: bots.open_files,
            file_size: bots.file_size,
            cpu: bots.cpu_seconds,
            build_time: limits.build.time,
            build_memory: limits.build.confinement.memory,
            build_log: limits.build.log,
            off_turn: bots.off_turn,
            isolation: stamp.isolation,
            scratch: Some(bots.scratch),
            supervised: stamp.supervised,
        }
    }
}

impl MachineTable {
    /// This machine.
    pub fn this(stamp: &Stamp) -> Self {
        let read = |path: &str| fs::read_to_string(path).unwrap_or_default();
        let processor = read("/proc/cpuinfo")
            .lines()
            .find_map(|line| line.strip_prefix("model name")?.split_once(": "))
            .map_or_else(String::new, |(_, model)| model.to_owned());
        Self {
            os: std::env::consts::OS.to_owned(),
            kernel: read("/proc/sys/kernel/osrelease").trim().to_owned(),
            arch: std::env::consts::ARCH.to_owned(),
            processor,
            cores: std::thread::available_parallelism().map_or(1, usize::from),
            pinned: stamp.pinned,
            cpu_source: stamp.cpu_source,
        }
    }
}
