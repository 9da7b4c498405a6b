//! Resource limits of a bot, and its isolation from the machine.

use std::io;
use std::path::PathBuf;

use serde::{Deserialize, Serialize};
use thiserror::Error;

/// Limits on a supervised bot. A bot that exceeds one forfeits, or its system call fails.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Confinement {
    /// Memory of the bot and all its descendants, in bytes.
    pub memory: Option<u64>,
    /// Concurrent processes, including its own.
    pub processes: Option<u32>,
    /// Open files per process.
    pub open_files: Option<u64>,
    /// Maximum size of a written file, in bytes.
    pub file_size: Option<u64>,
    /// CPU time per process over its lifetime, in seconds: a backstop behind the clock.
    pub cpu_seconds: Option<u64>,
    /// Restricts its signals to its own descendants, if the kernel can.
    pub signal_scope: bool,
    /// Treatment of a bot that computes off turn.
    pub off_turn: OffTurn,
    /// Counts its CPU time by a kernel counter, if there is one: exact, at a few microseconds per action.
    pub cpu_counter: bool,
    /// Tier of isolation from the machine.
    pub isolation: Tier,
    /// Size of its writable folder, in bytes, in the tier that can bound it.
    pub scratch: u64,
    /// Logical processors that it may run on. Empty: all of the harness's.
    pub cpus: Vec<u32>,
    /// Write and execute permission in its own folder, in every tier: a build needs them.
    pub writes_own_folder: bool,
}

impl Default for Confinement {
    fn default() -> Self {
        Self {
            memory: None,
            processes: Some(256),
            open_files: Some(1024),
            file_size: Some(1 << 30),
            cpu_seconds: None,
            signal_scope: true,
            off_turn: OffTurn::Log,
            cpu_counter: true,
            isolation: Tier::Containment,
            scratch: 64 << 20,
            cpus: Vec::new(),
            writes_own_folder: false,
        }
    }
}

/// Where bubblewrap is looked for. Not in `PATH`, which may be the bot's.
pub const BUBBLEWRAP_LOCATIONS: [&str; 3] = [
    "/usr/bin/bwrap",
    "/usr/local/bin/bwrap",
    "/run/current-system/sw/bin/bwrap",
];

/// Why a tier of isolation cannot be enforced on this machine, with a remedy.
#[derive(Debug, Error)]
pub enum IsolationError {
    /// The kernel is too old, or Landlock is switched off.
    #[error(
        "the kernel has no Landlock with rules for TCP, which came with Linux 6.7; take a newer \
         kernel and see that `landlock` is in its list of security modules (lsm=)"
    )]
    NoLandlock(#[source] landlock::RulesetError),
    /// The filter does not support this processor.
    #[error("{0}; the filter of system calls is for x86-64, ARM and RISC-V")]
    NoSyscallFilter(#[source] seccompiler::BackendError),
    /// No writable folder for a bot can be created.
    #[error(
        "bots need folders for what they write, and none can be made in `{}`: {source}; make that folder, let \
         this user write to it, or set TMPDIR to another one",
        .folder.display()
    )]
    NoScratch {
        /// Parent of these folders.
        folder: PathBuf,
        /// The cause.
        #[source]
        source: io::Error,
    },
    /// Bubblewrap is not installed.
    #[error(
        "there is no {}; install the package `bubblewrap`",
        BUBBLEWRAP_LOCATIONS.join(" or ")
    )]
    NoBubblewrap,
    /// Bubblewrap is installed and cannot be executed.
    #[error("bubblewrap did not start: {0}")]
    BubblewrapNotStarted(#[source] io::Error),
    /// Bubblewrap cannot make a sandbox for these bots.
    #[error("{complaint}; {remedy}")]
    BubblewrapFailed {
        /// The output of bubblewrap.
        complaint: String,
        /// The remedy.
        remedy: String,
    },
}

/// Isolation of a bot from the machine. `docs/isolation.md` lists the guarantees of each tier.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Tier {
    /// The bot cannot outlive its game or exhaust the machine.
    Containment,
    /// Besides, it sees only its own folder and the system, writes only to a scratch folder, and has no network.
    Landlock,
    /// Besides, it has its own users, processes, files and network, sees no others, and its scratch folder is bounded.
    Strict,
}

impl Tier {
    /// All tiers, each stricter than the one before.
    pub const ALL: [Tier; 3] = [Tier::Containment, Tier::Landlock, Tier::Strict];

    /// The tier for builds of bots in this tier. With `strict` as root, a build could not write to its folder: the
    /// sandbox runs as another user than the folder's owner.
    pub fn of_builds(self) -> Tier {
        match self {
            Tier::Strict => Tier::Landlock,
            tier => tier,
        }
    }

    /// Name in configurations and records, identical to the serialized one.
    pub fn name(self) -> &'static str {
        match self {
            Tier::Containment => "containment",
            Tier::Landlock => "landlock",
            Tier::Strict => "strict",
        }
    }
}

/// Treatment of a bot that computes while its opponent is to act.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum OffTurn {
    /// Allowed; its CPU time is logged.
    Log,
    /// Stopped after each answer, and resumed by the next request.
    Stop,
    /// Forfeits, beyond an allowance for tidying up.
    Forbid,
}

impl OffTurn {
    /// Name in configurations and records, identical to the serialized one.
    pub fn name(self) -> &'static str {
        match self {
            OffTurn::Log => "log",
            OffTurn::Stop => "stop",
            OffTurn::Forbid => "forbid",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tiers_and_off_turn_are_serialized_by_their_names() {
        for tier in Tier::ALL {
            assert_eq!(serde_json::to_value(tier).expect("JSON"), tier.name());
        }
        for off_turn in [OffTurn::Log, OffTurn::Stop, OffTurn::Forbid] {
            let json = serde_json::to_value(off_turn).expect("JSON");
            assert_eq!(json, off_turn.name());
        }
    }
}
