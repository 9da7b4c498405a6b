//! What a bot may use, and how far it is kept from the rest of the machine.

use std::io;
use std::path::PathBuf;

use serde::{Deserialize, Serialize};
use thiserror::Error;

/// What a supervised bot may use. Beyond that it forfeits, or the system refuses.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Confinement {
    /// Memory of the bot with all its descendants, in bytes.
    pub memory: Option<u64>,
    /// Processes at one time, its own included.
    pub processes: Option<u32>,
    /// Open files of each process.
    pub open_files: Option<u64>,
    /// The size of each file it writes, in bytes.
    pub file_size: Option<u64>,
    /// Processor time of each process in its whole life, in seconds: a backstop behind the clock.
    pub cpu_seconds: Option<u64>,
    /// Whether the kernel is asked to keep its signals among its own descendants, where it can.
    pub signal_scope: bool,
    /// What becomes of a bot that computes while it is not asked.
    pub off_turn: OffTurn,
    /// Whether the kernel counts its processor time, if it can: exactly, and at the cost of a few
    /// microseconds an action.
    pub cpu_counter: bool,
    /// How far it is kept from the rest of the machine.
    pub isolation: Tier,
    /// The size of the folder it may write to, in bytes, in the tier that can bound one.
    pub scratch: u64,
    /// The logical processors that it may run on. If there are none, all that the harness may use.
    pub cpus: Vec<u32>,
    /// Whether it may write to its own folder and run what it wrote, in every tier: a build must.
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

/// Why a tier of isolation does not hold on this machine, and what would help.
#[derive(Debug, Error)]
pub enum IsolationError {
    /// The kernel is too old, or Landlock is switched off.
    #[error(
        "the kernel has no Landlock with rules for TCP, which came with Linux 6.7; take a newer \
         kernel and see that `landlock` is in its list of security modules (lsm=)"
    )]
    NoLandlock(#[source] landlock::RulesetError),
    /// The processor is not one that the filter is made for.
    #[error("{0}; the filter of system calls is for x86-64, ARM and RISC-V")]
    NoSyscallFilter(#[source] seccompiler::BackendError),
    /// No folders that bots may write to can be made.
    #[error(
        "bots need folders for what they write, and none can be made in `{}`: {source}; make that folder, let \
         this user write to it, or set TMPDIR to another one",
        .folder.display()
    )]
    NoScratch {
        /// Where they are to be made.
        folder: PathBuf,
        /// Why they cannot.
        #[source]
        source: io::Error,
    },
    /// Bubblewrap is not installed.
    #[error(
        "there is no {}; install the package `bubblewrap`",
        BUBBLEWRAP_LOCATIONS.join(" or ")
    )]
    NoBubblewrap,
    /// Bubblewrap is installed and cannot be run.
    #[error("bubblewrap did not start: {0}")]
    BubblewrapNotStarted(#[source] io::Error),
    /// Bubblewrap cannot make a sandbox for these bots.
    #[error("{complaint}; {remedy}")]
    BubblewrapFailed {
        /// What it wrote.
        complaint: String,
        /// What would help.
        remedy: String,
    },
}

/// How far a bot is kept from the rest of the machine. `docs/isolation.md` says what each promises.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Tier {
    /// It cannot outlive its game or exhaust the machine.
    Containment,
    /// Besides, it sees only its own folder and the system, writes only to a scratch folder, and has
    /// no network.
    Landlock,
    /// Besides, it has users, processes, files and a network of its own and sees no others, and its
    /// scratch folder is bounded.
    Strict,
}

impl Tier {
    /// All of them, each with more than the one before.
    pub const ALL: [Tier; 3] = [Tier::Containment, Tier::Landlock, Tier::Strict];

    /// The tier of the builds of bots that have this one. In the tier `strict` of root a build could not write to
    /// its folder, which belongs to another user than the sandbox has.
    pub fn of_builds(self) -> Tier {
        match self {
            Tier::Strict => Tier::Landlock,
            tier => tier,
        }
    }

    /// The name in configurations and records, which is also the serialized one.
    pub fn name(self) -> &'static str {
        match self {
            Tier::Containment => "containment",
            Tier::Landlock => "landlock",
            Tier::Strict => "strict",
        }
    }
}

/// What becomes of a bot that computes while its opponent is to act.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum OffTurn {
    /// It may; how much it computes is logged.
    Log,
    /// It is stopped after each answer and goes on with the next request.
    Stop,
    /// It forfeits, beyond an allowance for tidying up.
    Forbid,
}

impl OffTurn {
    /// The name in configurations and records, which is also the serialized one.
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
