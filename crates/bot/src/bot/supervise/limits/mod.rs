//! Limits of a bot, and their enforcement: resource limits, a control group, rules for files and a filter of system
//! calls. It is handed a [`Confinement`] and gives restrictions that a process puts on itself before it becomes the
//! bot; it starts no bot.

pub mod cgroup;
pub mod landlock_rules;
pub mod syscall_filter;

use std::fmt::Display;
use std::io;
use std::sync::LazyLock;

pub use cgroup::{Cgroup, CgroupEntry, ControlGroups};
use landlock::{
    CompatLevel, Compatible, Ruleset, RulesetAttr, RulesetCreated, RulesetStatus, Scope,
};
pub use landlock_rules::{VisiblePaths, installations};
use rustix::io::Errno;
use rustix::process::{
    DumpableBehavior, Pid, Resource, Rlimit, Signal, getppid, getrlimit, getuid,
    set_dumpable_behavior, set_parent_process_death_signal, setrlimit, setsid,
};
use rustix::thread::{
    CapabilitySet, CapabilitySets, CpuSet, clear_ambient_capability_set,
    remove_capability_from_bounding_set, sched_setaffinity, set_capabilities, set_no_new_privs,
};
use seccompiler::BpfProgram;
use serde::{Deserialize, Serialize};
use thiserror::Error;

use crate::bot::machine::process_tree;
use crate::bot::supervise::sys;

/// Limits on a supervised bot. A bot that exceeds one forfeits, or its system call fails.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Confinement {
    /// Memory of the bot and all its descendants, in bytes.
    pub memory: Option<u64>,
    pub processes: Option<u32>,
    pub open_files: Option<u64>,
    /// Maximum size of a written file, in bytes.
    pub file_size: Option<u64>,
    /// CPU time per process over its lifetime, in seconds: a backstop behind the clock.
    pub cpu_seconds: Option<u64>,
    /// Restricts its signals to its own descendants, if the kernel can.
    pub signal_scope: bool,
    pub off_turn: OffTurn,
    /// Counts its CPU time by a kernel counter, if there is one: exact, at a few microseconds per action.
    pub cpu_counter: bool,
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

impl Confinement {
    /// Maximum number of threads in all of its processes. Programs in Java or Go have dozens from the start.
    pub fn threads(&self) -> Option<u32> {
        self.processes
            .map(|count| count.saturating_mul(4).max(1024))
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
#[error("{0}")]
pub struct IsolationError(pub String);

crate::named! {
    /// Isolation of a bot from the machine, each tier stricter than the one before. `docs/isolation.md` lists the
    /// guarantees of each. The names are the serialized ones.
    #[derive(Serialize, Deserialize)]
    #[serde(rename_all = "kebab-case")]
    pub enum Tier {
        /// The bot cannot outlive its game or exhaust the machine.
        Containment = "containment",
        /// Besides, it sees only its own folder and the system, writes only to a scratch folder, and has no network.
        Landlock = "landlock",
        /// Besides, it has its own users, processes, files and network, sees no others, and its scratch folder is
        /// bounded.
        Strict = "strict",
    }
}

impl Tier {
    /// The tier for builds of bots in this tier. With `strict` as root, a build could not write to its folder: the
    /// sandbox runs as another user than the folder's owner.
    pub fn of_builds(self) -> Tier {
        match self {
            Tier::Strict => Tier::Landlock,
            tier => tier,
        }
    }
}

crate::named! {
    /// Treatment of a bot that computes while its opponent is to act. The names are the serialized ones.
    #[derive(Serialize, Deserialize)]
    #[serde(rename_all = "kebab-case")]
    pub enum OffTurn {
        /// Allowed; its CPU time is logged.
        Log = "log",
        /// Stopped after each answer, and resumed by the next request.
        Stop = "stop",
        /// Forfeits, beyond an allowance for tidying up.
        Forbid = "forbid",
    }
}

/// Bots with all their threads that a user's limit has room for, beside the present threads.
const BOTS_OF_USER: u64 = 4;

/// Signals with a value that a bot may have pending. The kernel counts all processes of its user together.
const PENDING_SIGNALS: u64 = 256;

pub struct Restrictions {
    limits: Vec<(Resource, u64)>,
    signal_scope: Option<RulesetCreated>,
    parent: Pid,
    visible: Option<VisiblePaths>,
    filter: Option<BpfProgram>,
    drops_capabilities: bool,
    cpus: Option<CpuSet>,
}

impl Restrictions {
    /// Restrictions for a child of `parent`. If `visible` is given, the child sees only it and the system.
    pub fn new(
        confinement: &Confinement,
        parent: Pid,
        visible: Option<VisiblePaths>,
    ) -> io::Result<Self> {
        let mut cpus = CpuSet::new();
        for cpu in &confinement.cpus {
            cpus.set(*cpu as usize);
        }
        if visible.is_some() {
            // Listed before the process that is to become the bot needs them.
            LazyLock::force(&landlock_rules::SETTINGS);
        }
        Ok(Self {
            limits: resource_limits(confinement),
            signal_scope: confinement.signal_scope.then(signal_scope).flatten(),
            parent,
            visible,
            filter: syscall_filter::filter(confinement).map_err(io::Error::other)?,
            drops_capabilities: confinement.isolation != Tier::Containment,
            cpus: (!confinement.cpus.is_empty()).then_some(cpus),
        })
    }

    /// Applies the restrictions to this process, which is to become the bot.
    pub fn apply(&mut self) -> io::Result<()> {
        // A session of its own: no terminal, and a process group that the harness can stop as a whole.
        setsid()?;
        sys::reset_signals();
        die_with(self.parent)?;
        for (resource, value) in &self.limits {
            let hard = getrlimit(*resource).maximum;
            let value = hard.map_or(*value, |hard| hard.min(*value));
            setrlimit(
                *resource,
                Rlimit {
                    current: Some(value),
                    maximum: Some(value),
                },
            )?;
        }
        if let Some(cpus) = &self.cpus {
            sched_setaffinity(None, cpus)?;
        }
        // Landlock and seccomp require this of an unprivileged process.
        set_no_new_privs(true)?;
        prefer_for_oom_kill();
        let refused = |error: &dyn Display| {
            io::Error::other(format!("the bot cannot be restricted: {error}"))
        };
        if let Some(visible) = &self.visible {
            if let (Some(folder), true) = (&visible.folder, visible.writes_folder) {
                landlock_rules::all_but(&[folder, &visible.scratch], folder)
                    .map_err(|error| refused(&error))?;
            }
            // Either all rules hold or the bot does not start: the tier is a guarantee.
            let rules = landlock_rules::rules(visible).map_err(|error| refused(&error))?;
            let status = rules.restrict_self().map_err(|error| refused(&error))?;
            if status.ruleset == RulesetStatus::NotEnforced {
                return Err(refused(&"Landlock is off"));
            }
        } else if let Some(scope) = self.signal_scope.take() {
            scope.restrict_self().map_err(|error| refused(&error))?;
        }
        if self.drops_capabilities {
            drop_capabilities().map_err(|error| refused(&error))?;
        }
        // Last, since the filter denies some of the calls above.
        if let Some(filter) = &self.filter {
            syscall_filter::apply(filter).map_err(|error| refused(&error))?;
        }
        Ok(())
    }
}

/// Drops all capabilities, also for programs that this process will execute.
fn drop_capabilities() -> io::Result<()> {
    for capability in CapabilitySet::all() {
        match remove_capability_from_bounding_set(capability) {
            // Without CAP_SETPCAP there is nothing to drop.
            Err(Errno::PERM) => break,
            // The kernel does not know this newer capability.
            Err(Errno::INVAL) => {}
            result => result?,
        }
    }
    clear_ambient_capability_set()?;
    let none = CapabilitySet::empty();
    set_capabilities(
        None,
        CapabilitySets {
            effective: none,
            permitted: none,
            inheritable: none,
        },
    )?;
    Ok(())
}

/// Raises this process's limit on open files to the highest that it may have, which is above its bots' limit.
pub fn raise_open_files() {
    let limit = getrlimit(Resource::Nofile);
    // Without the right to, bots start while none holds many descriptors.
    let _ = setrlimit(
        Resource::Nofile,
        Rlimit {
            current: limit.maximum,
            ..limit
        },
    );
}

fn resource_limits(confinement: &Confinement) -> Vec<(Resource, u64)> {
    // A backstop between two samples of the tree's memory. RLIMIT_DATA counts mapped and not used memory, and every
    // thread maps megabytes for its stack, hence twice the limit. The address space as a whole is not limited: Node
    // and Java reserve far more of it than they use.
    let data = confinement
        .memory
        .map(|bytes| bytes.saturating_mul(2).max(256 << 20));
    // RLIMIT_NPROC counts all threads of the user, including the harness's and other bots', and it does not limit
    // root. So this is only a backstop against a bot that forks faster than the shim samples.
    let user = getuid();
    let threads = confinement.threads().filter(|_| !user.is_root());
    let threads = threads.map(|threads| {
        process_tree::threads_of_user(user.as_raw()) + BOTS_OF_USER * u64::from(threads)
    });
    // A user's descriptors that are sent and not read are compared with the sender's limit. So the harness, which sends
    // each bot its pipes, needs a higher one.
    let most_files = getrlimit(Resource::Nofile).maximum.map(|most| most / 2);
    let open_files = confinement.open_files;
    let open_files = open_files.map(|files| most_files.map_or(files, |most| most.min(files)));
    let limits = [
        (Resource::Core, Some(0)),
        (Resource::Data, data),
        (Resource::Cpu, confinement.cpu_seconds),
        (Resource::Fsize, confinement.file_size),
        (Resource::Nofile, open_files),
        (Resource::Sigpending, Some(PENDING_SIGNALS)),
        (Resource::Nproc, threads),
    ];
    let limits = limits.into_iter();
    limits
        .filter_map(|(resource, value)| Some((resource, value?)))
        .collect()
}

/// Makes the kernel kill this process when `parent` exits. Fails if it is no longer the parent.
pub fn die_with(parent: Pid) -> io::Result<()> {
    set_parent_process_death_signal(Some(Signal::KILL))?;
    if getppid() == Some(parent) {
        Ok(())
    } else {
        // The parent exited before the signal was set.
        Err(rustix::io::Errno::SRCH.into())
    }
}

/// Makes the kernel prefer the bot to the harness when the machine runs out of memory.
pub fn prefer_for_oom_kill() {
    // A shim's child is not dumpable, and then this file belongs to root.
    let _ = set_dumpable_behavior(DumpableBehavior::Dumpable);
    let _ = std::fs::write("/proc/self/oom_score_adj", "800");
    let _ = set_dumpable_behavior(DumpableBehavior::NotDumpable);
}

/// Whether this kernel can prevent a bot from signalling and tracing other processes.
pub fn signals_can_be_kept() -> bool {
    signal_scope().is_some()
}

/// A Landlock scope by which the bot can signal only its own descendants; `None` if the kernel has no such rule
/// (before Linux 6.12). It also prevents tracing a process outside.
fn signal_scope() -> Option<RulesetCreated> {
    Ruleset::default()
        .set_compatibility(CompatLevel::HardRequirement)
        .scope(Scope::Signal)
        .ok()?
        .create()
        .ok()
}
