//! What holds a bot in: set up in the shim, put up between fork and exec.

use std::io;

use landlock::{
    CompatLevel, Compatible, Ruleset, RulesetAttr, RulesetCreated, RulesetStatus, Scope,
};
use rustix::process::{
    Pid, Resource, Rlimit, Signal, getppid, getrlimit, getuid, set_parent_process_death_signal,
    setrlimit, setsid,
};
use rustix::thread::{CpuSet, sched_setaffinity, set_no_new_privs};

use seccompiler::BpfProgram;

use super::landlock_rules::{self, VisiblePaths};
use super::{Confinement, Tier, tree};

/// How many more threads a bot can start where the system counts those of its user.
const THREADS: u64 = 4096;

/// The fences of one bot.
pub(super) struct Restrictions {
    limits: Vec<(Resource, u64)>,
    signals: Option<RulesetCreated>,
    parent: Pid,
    visible: Option<VisiblePaths>,
    filter: Option<BpfProgram>,
    place: Option<CpuSet>,
}

impl Restrictions {
    /// Fences for a child of the process `parent`, with walls around `visible`, where there are any.
    pub(super) fn new(
        confinement: &Confinement,
        parent: Pid,
        visible: Option<VisiblePaths>,
    ) -> io::Result<Self> {
        let mut limits = vec![(Resource::Core, 0)];
        let mut limit = |resource, value: Option<u64>| {
            limits.extend(value.map(|value| (resource, value)));
        };
        // A backstop between two looks at the tree's memory. It counts what is mapped and not what is
        // used, and every thread maps megabytes for its stack, so it leaves room. The address
        // space as a whole is not limited: Node and Java reserve far more of it than they use.
        limit(
            Resource::Data,
            confinement
                .memory
                .map(|bytes| bytes.saturating_mul(2).max(256 << 20)),
        );
        limit(Resource::Cpu, confinement.cpu_seconds);
        limit(Resource::Fsize, confinement.file_size);
        limit(Resource::Nofile, confinement.open_files);
        // It counts all threads of the user, the harness's and other bots' too, and nobody counts those of
        // root. So it is a backstop against a bot that forks faster than it is looked at, and no more.
        if !getuid().is_root() && confinement.processes.is_some() {
            let now = tree::threads_of_user(getuid().as_raw());
            limit(Resource::Nproc, Some(now + THREADS));
        }
        let filter = match confinement.isolation {
            Tier::Containment => None,
            Tier::Landlock | Tier::Strict => {
                Some(landlock_rules::filter().map_err(io::Error::other)?)
            }
        };
        let mut place = CpuSet::new();
        for cpu in &confinement.cpus {
            place.set(*cpu as usize);
        }
        Ok(Self {
            limits,
            signals: confinement.signal_scope.then(signals).flatten(),
            parent,
            visible,
            filter,
            place: (!confinement.cpus.is_empty()).then_some(place),
        })
    }

    /// Puts the fences up around this process, which is to become the bot.
    pub(super) fn apply(&mut self) -> io::Result<()> {
        // A session of its own: no terminal, and a group that the harness can stop as a whole.
        setsid()?;
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
        if let Some(place) = &self.place {
            sched_setaffinity(None, place)?;
        }
        set_no_new_privs(true)?;
        be_chosen_when_memory_runs_out();
        // A number that the start of a program never gives: this is not the bot's failure.
        let refused = || io::Error::from(rustix::io::Errno::OPNOTSUPP);
        if let Some(visible) = &self.visible {
            // All of it holds or the bot does not start: the tier is a promise.
            let rules = landlock_rules::rules(visible).map_err(|_| refused())?;
            let status = rules.restrict_self().map_err(|_| refused())?;
            if status.ruleset == RulesetStatus::NotEnforced {
                return Err(refused());
            }
        } else if let Some(signals) = self.signals.take() {
            signals.restrict_self().map_err(|_| refused())?;
        }
        if let Some(filter) = &self.filter {
            seccompiler::apply_filter(filter).map_err(|_| refused())?;
        }
        Ok(())
    }
}

/// Has this process killed when `parent` ends, which must be its parent still.
pub(super) fn die_with(parent: Pid) -> io::Result<()> {
    set_parent_process_death_signal(Some(Signal::KILL))?;
    match getppid() == Some(parent) {
        true => Ok(()),
        // It ended before that was set.
        false => Err(rustix::io::Errno::SRCH.into()),
    }
}

/// When memory runs out on the machine, the kernel is to choose the bot and not the harness.
pub(super) fn be_chosen_when_memory_runs_out() {
    let _ = std::fs::write("/proc/self/oom_score_adj", "800");
}

/// Whether this kernel can keep a bot's signals, and its looks at other processes, among its own.
pub fn signals_can_be_kept() -> bool {
    signals().is_some()
}

/// A rule by which the bot can signal its own descendants alone; `None` where the kernel has no such
/// rule (before Linux 6.12). It also keeps the bot from tracing anybody outside.
fn signals() -> Option<RulesetCreated> {
    Ruleset::default()
        .set_compatibility(CompatLevel::HardRequirement)
        .scope(Scope::Signal)
        .ok()?
        .create()
        .ok()
}
