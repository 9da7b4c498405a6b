//! The meaning of the facts about a machine for a run.

use super::{Facts, TierFacts};
use crate::bot::{Confinement, CpuSource, Tier};
use crate::check::CheckVerdict;
use crate::runner::HostWarning;
use crate::text::counted;

/// A line of the report: a fact, and what follows from it.
#[derive(Debug)]
pub struct Finding {
    /// Name of the subject.
    pub name: &'static str,
    /// How good it is. `Failed` means that no run of the default kind works.
    pub verdict: CheckVerdict,
    /// The fact.
    pub seen: String,
    /// The consequence for a run, or a remedy.
    pub hint: Option<String>,
}

impl Finding {
    fn ok(name: &'static str, seen: impl Into<String>) -> Self {
        Self {
            name,
            verdict: CheckVerdict::Ok,
            seen: seen.into(),
            hint: None,
        }
    }

    fn warn(name: &'static str, seen: impl Into<String>, hint: impl Into<String>) -> Self {
        Self {
            verdict: CheckVerdict::Warn,
            hint: Some(hint.into()),
            ..Self::ok(name, seen)
        }
    }
}

/// All findings, in the order of the report.
pub fn findings(facts: &Facts) -> Vec<Finding> {
    let mut all: Vec<Finding> = facts.isolation.iter().map(of_tier).collect();
    all.extend([
        of_signals(facts),
        of_cpu_clock(facts),
        of_groups(facts),
        of_processors(facts),
        of_waits(facts),
        of_limits(facts),
        of_temporary(facts),
        of_programs(facts),
    ]);
    all
}

/// The worst verdict.
pub fn verdict(findings: &[Finding]) -> CheckVerdict {
    let verdicts = findings.iter().map(|finding| finding.verdict);
    verdicts.max().unwrap_or(CheckVerdict::Ok)
}

fn of_tier(facts: &TierFacts) -> Finding {
    let tier = facts.tier;
    let Some(problem) = &facts.problem else {
        let promise = match tier {
            Tier::Containment => "a bot cannot outlive its game or exhaust the machine",
            Tier::Landlock => "a bot sees its own folder and the system alone, and has no network",
            Tier::Strict => "a bot has processes, files and a network of its own, in a sandbox",
        };
        return Finding::ok(tier.name(), format!("{promise}; a game was played"));
    };
    match tier {
        Tier::Containment => Finding {
            verdict: CheckVerdict::Failed,
            hint: Some("bots cannot be run here as `referee run` does by default".to_owned()),
            ..Finding::ok(tier.name(), problem)
        },
        Tier::Landlock => Finding::warn(
            tier.name(),
            problem,
            "`referee grade` takes \"containment\" here: bots may read and write what your user may",
        ),
        Tier::Strict => Finding::warn(
            tier.name(),
            problem,
            "`isolation = \"strict\"` does not hold here; nothing else needs it",
        ),
    }
}

fn of_signals(facts: &Facts) -> Finding {
    if facts.signals_kept {
        return Finding::ok("signals", "a bot can signal its own processes alone");
    }
    Finding::warn(
        "signals",
        "the kernel has no scopes for signals, which came with Linux 6.12",
        "in \"containment\" and \"landlock\" a bot can kill other programs of your user",
    )
}

fn of_cpu_clock(facts: &Facts) -> Finding {
    match facts.machine.cpu_source {
        CpuSource::Counter => Finding::ok(
            "cpu clock",
            "exact: a counter of the kernel has all processes of a bot",
        ),
        CpuSource::Processes => Finding::warn(
            "cpu clock",
            "the processor time of processes that can be seen",
            HostWarning::HiddenCpu.to_string(),
        ),
    }
}

fn of_groups(facts: &Facts) -> Finding {
    let groups = facts.control_groups;
    let parts = [
        (groups.memory, "memory"),
        (groups.processes, "processes"),
        (groups.processor_time, "processor time"),
    ];
    let has = |wanted: bool| -> String {
        let parts = parts.iter().filter(|(is, _)| *is == wanted);
        parts.map(|(_, name)| *name).collect::<Vec<_>>().join(", ")
    };
    let (there, missing) = (has(true), has(false));
    match (there.as_str(), missing.as_str()) {
        (there, "") => Finding::ok("groups", format!("control groups with {there}")),
        ("", _) => Finding::warn(
            "groups",
            "no control group can be made",
            "memory is measured by looks at all processes, which miss short peaks; `systemd-run --user --scope -p \
             Delegate=yes` gives groups",
        ),
        (there, missing) => Finding::warn(
            "groups",
            format!("control groups with {there}, without {missing}"),
            "the other limits hold by looks at all processes",
        ),
    }
}

fn of_processors(facts: &Facts) -> Finding {
    let found = &facts.processors;
    let seen = format!(
        "{} on {}: {} at a time, and {} with --pin",
        counted(found.logical as u64, "processor", "processors"),
        counted(found.cores as u64, "core", "cores"),
        counted(found.jobs as u64, "game", "games"),
        found.pinned_jobs,
    );
    match facts.warnings.first() {
        Some(warning) => Finding::warn("processors", seen, warning),
        None => Finding::ok("processors", seen),
    }
}

fn of_waits(facts: &Facts) -> Finding {
    let clock = facts.clock_source.as_deref().unwrap_or("not known");
    if facts.waits_counted {
        let seen =
            format!("clock source {clock}; the kernel counts how long a bot waits for a processor");
        return Finding::ok("clocks", seen);
    }
    Finding::warn(
        "clocks",
        format!("clock source {clock}; the kernel does not count waits for a processor"),
        "a game that a bot loses on the wall because others kept the processors busy counts; use measure = \"cpu\", or \
         fewer games at a time",
    )
}

fn of_limits(facts: &Facts) -> Finding {
    let limits = &facts.limits;
    let shown = |limit: Option<u64>| limit.map_or_else(|| "any".to_owned(), |it| it.to_string());
    let (files, processes) = (shown(limits.open_files), shown(limits.processes));
    let seen = format!("{files} open files of a process, {processes} processes of this user");
    let bots = Confinement::default();
    let short = [
        ("open-files", limits.open_files, bots.open_files),
        ("processes", limits.processes, bots.processes.map(u64::from)),
    ];
    let mut short = short
        .into_iter()
        .filter_map(|(key, here, of_bots)| Some((key, here?, of_bots?)))
        .filter(|(_, here, of_bots)| here < of_bots);
    match short.next() {
        Some((key, here, of_bots)) => Finding::warn(
            "limits",
            seen,
            format!(
                "bots get {here} in place of `{key}` = {of_bots}; raise it by `ulimit`, or ask who runs the machine"
            ),
        ),
        None => Finding::ok("limits", seen),
    }
}

fn of_temporary(facts: &Facts) -> Finding {
    let temporary = &facts.temporary;
    let folder = temporary.folder.display();
    if let Some(problem) = &temporary.problem {
        return Finding::warn(
            "temporary",
            format!("no folder can be made in {folder}: {problem}"),
            "\"landlock\" and some commands need one: set TMPDIR to a folder that this user may write to",
        );
    }
    let Some(free) = temporary.free else {
        return Finding::ok("temporary", format!("{folder}, free space not known"));
    };
    let seen = format!("{folder} has {} MiB free", free >> 20);
    // Both bots of each game fill their scratch folders.
    let wanted = 2 * facts.processors.jobs as u64 * Confinement::default().scratch;
    if free < wanted {
        let hint = format!(
            "bots may write {} MiB there; set TMPDIR to a larger disk",
            wanted >> 20
        );
        return Finding::warn("temporary", seen, hint);
    }
    Finding::ok("temporary", seen)
}

fn of_programs(facts: &Facts) -> Finding {
    let mut found = Vec::new();
    let mut missing = Vec::new();
    for program in &facts.programs {
        match &program.version {
            Some(version) if version.starts_with(program.name) => found.push(version.clone()),
            Some(version) => found.push(format!("{} ({version})", program.name)),
            None => missing.push(program.name),
        }
    }
    let seen = match (found.is_empty(), missing.is_empty()) {
        (true, _) => format!("none of {}", missing.join(", ")),
        (false, true) => found.join(", "),
        (false, false) => format!("{}; not here: {}", found.join(", "), missing.join(", ")),
    };
    Finding::ok("programs", seen)
}

#[cfg(test)]
mod tests {
    use std::path::PathBuf;

    use super::*;
    use crate::bot::supervise::ControlGroups;
    use crate::doctor::{Limits, Processors, Temporary};
    use crate::runs::MachineTable;

    /// A machine that has everything.
    fn facts() -> Facts {
        let tier = |tier| TierFacts {
            tier,
            problem: None,
        };
        Facts {
            machine: MachineTable {
                cpu_source: CpuSource::Counter,
                ..MachineTable::default()
            },
            isolation: Tier::ALL.map(tier).into(),
            signals_kept: true,
            control_groups: ControlGroups {
                memory: true,
                processes: true,
                processor_time: true,
            },
            processors: Processors {
                logical: 4,
                cores: 2,
                jobs: 2,
                pinned_jobs: 1,
            },
            clock_source: Some("tsc".to_owned()),
            waits_counted: true,
            limits: Limits {
                open_files: None,
                processes: Some(4096),
            },
            temporary: Temporary {
                folder: PathBuf::from("/tmp"),
                free: Some(1 << 30),
                problem: None,
            },
            programs: Vec::new(),
            warnings: Vec::new(),
        }
    }

    /// The names of findings that are not ok, with the worst verdict.
    fn missed(change: impl FnOnce(&mut Facts)) -> (Vec<&'static str>, CheckVerdict) {
        let mut facts = facts();
        change(&mut facts);
        let all = findings(&facts);
        let missed = all.iter().filter(|it| it.verdict != CheckVerdict::Ok);
        let hints = missed.clone().all(|it| it.hint.is_some());
        assert!(hints, "{all:?}");
        (missed.map(|it| it.name).collect(), verdict(&all))
    }

    #[test]
    fn each_thing_that_is_missing_is_one_warning_with_its_consequence() {
        assert_eq!(missed(|_| {}), (vec![], CheckVerdict::Ok));
        let warning = |name| (vec![name], CheckVerdict::Warn);
        let broken = || Some("it is missing".to_owned());
        assert_eq!(
            missed(|it| it.isolation[1].problem = broken()),
            warning("landlock")
        );
        assert_eq!(
            missed(|it| it.isolation[2].problem = broken()),
            warning("strict")
        );
        assert_eq!(missed(|it| it.signals_kept = false), warning("signals"));
        assert_eq!(
            missed(|it| it.machine.cpu_source = CpuSource::Processes),
            warning("cpu clock")
        );
        assert_eq!(
            missed(|it| it.control_groups.memory = false),
            warning("groups")
        );
        assert_eq!(
            missed(|it| it.warnings.extend(broken())),
            warning("processors")
        );
        assert_eq!(missed(|it| it.waits_counted = false), warning("clocks"));
        assert_eq!(
            missed(|it| it.limits.processes = Some(100)),
            warning("limits")
        );
        assert_eq!(
            missed(|it| it.temporary.free = Some(64 << 20)),
            warning("temporary")
        );
    }

    #[test]
    fn only_the_default_tier_fails_a_machine() {
        let failed = missed(|it| it.isolation[0].problem = Some("no /proc".to_owned()));
        assert_eq!(failed, (vec!["containment"], CheckVerdict::Failed));
    }
}
