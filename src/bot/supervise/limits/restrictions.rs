//! Restrictions of a bot: prepared in the shim, applied between fork and exec.

use std::fmt::Display;
use std::io;

use landlock::{
    CompatLevel, Compatible, Ruleset, RulesetAttr, RulesetCreated, RulesetStatus, Scope,
};
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

use super::landlock_rules::{self, VisiblePaths};
use super::{Confinement, Tier, read_only, syscall_filter};
use crate::bot::machine::process_tree;
use crate::bot::supervise::sys;

/// Threads that a bot may start in addition to its user's present ones, under RLIMIT_NPROC.
const THREADS: u64 = 4096;

/// The restrictions of one bot.
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
                read_only::all_but(&[folder, &visible.scratch], folder)
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

/// Resource limits per process of the bot, where the system supports them.
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
    let limits_threads = !user.is_root() && confinement.processes.is_some();
    let threads = limits_threads.then(|| process_tree::threads_of_user(user.as_raw()) + THREADS);
    let limits = [
        (Resource::Core, Some(0)),
        (Resource::Data, data),
        (Resource::Cpu, confinement.cpu_seconds),
        (Resource::Fsize, confinement.file_size),
        (Resource::Nofile, confinement.open_files),
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
