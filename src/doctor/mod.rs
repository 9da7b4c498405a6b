//! This machine, and what it can do for a run: its isolation, counters, processors and limits.
//!
//! [`examine`] looks at everything by the same code as a run does, and plays a short game in each tier of isolation. A
//! [`Finding`] has a fact, how good it is, and its meaning for a run; `Failed` means that no run of the default kind works.

use std::fs;
use std::path::Path;
use std::time::Duration;

use rustix::fs::statvfs;
use rustix::process::{Resource, getrlimit};

use crate::bot::supervise::{self, ControlGroups, signals_can_be_kept};
use crate::bot::{Confinement, CpuSource, Language, Launch, OffTurn, Supervisor, Tier};
use crate::check::{self, CheckPlan, CheckVerdict, Finding};
use crate::clock::TimeControl;
use crate::config::{Plan, PlannedGame};
use crate::runner::{Demands, HIDDEN_CPU, Host, HostError, HostOptions, Machine, Turns};
use crate::runs::{Lock, MachineTable, Stamp, remove_folder};
use crate::text::counted;

#[derive(Debug)]
pub struct Examined {
    pub machine: MachineTable,
    /// The tiers of isolation that hold, the weakest first.
    pub tiers: Vec<Tier>,
    pub jobs: usize,
    pub findings: Vec<Finding>,
}

fn ok(name: &'static str, seen: impl Into<String>) -> Finding {
    Finding::new(name, CheckVerdict::Ok, seen, "")
}

fn warn(name: &'static str, seen: impl Into<String>, hint: impl AsRef<str>) -> Finding {
    Finding::new(name, CheckVerdict::Warn, seen, hint.as_ref())
}

/// Examines this machine for `plan`, a run of the default kind. Games of `bot` are played in each tier.
pub fn examine(plan: &Plan, bot: &Launch, supervisor: &Supervisor) -> Result<Examined, HostError> {
    let (host, warnings) = Host::new(
        &Demands::of(plan),
        supervisor.clone(),
        HostOptions::default(),
    )?;
    let jobs = host.jobs.get();
    let stamp = Stamp {
        // A run looks for a counter only if processor time decides something.
        cpu_source: CpuSource::here(),
        ..host.stamp()
    };
    let (mut tiers, mut findings) = (Vec::new(), Vec::new());
    for tier in Tier::ALL {
        let played = |game| play(tier, bot, game, supervisor).err();
        let problem = plan.games.iter().find_map(played);
        if problem.is_none() {
            tiers.push(tier);
        }
        findings.push(of_tier(tier, problem));
    }
    findings.extend([
        of_signals(),
        of_cpu_clock(stamp.cpu_source),
        of_groups(),
        of_processors(jobs, &warnings),
        of_waits(),
        of_limits(),
        of_temporary(jobs),
        of_locks(),
    ]);
    Ok(Examined {
        machine: MachineTable::this(&stamp),
        tiers,
        jobs,
        findings,
    })
}

fn of_tier(tier: Tier, problem: Option<String>) -> Finding {
    let promise = match tier {
        Tier::Containment => "a bot cannot outlive its game or exhaust the machine",
        Tier::Landlock => "a bot sees its own folder and the system alone, and has no network",
        Tier::Strict => "a bot has processes, files and a network of its own, in a sandbox",
    };
    let Some(problem) = problem else {
        return ok(tier.name(), format!("{promise}; a game was played"));
    };
    let hint = match tier {
        Tier::Containment => "bots cannot be run here as `referee run` does by default",
        Tier::Landlock => {
            "`referee grade` takes \"containment\" here: bots may read and write what your user may"
        }
        Tier::Strict => "`isolation = \"strict\"` does not hold here; nothing else needs it",
    };
    let verdict = match tier {
        Tier::Containment => CheckVerdict::Failed,
        Tier::Landlock | Tier::Strict => CheckVerdict::Warn,
    };
    Finding::new(tier.name(), verdict, problem, hint)
}

fn of_signals() -> Finding {
    match signals_can_be_kept() {
        true => ok("signals", "a bot can signal its own processes alone"),
        false => warn(
            "signals",
            "the kernel has no scopes for signals, which came with Linux 6.12",
            "in \"containment\" and \"landlock\" a bot can kill other programs of your user",
        ),
    }
}

fn of_cpu_clock(source: CpuSource) -> Finding {
    match source {
        CpuSource::Counter => ok(
            "cpu clock",
            "exact: a counter of the kernel has all processes of a bot",
        ),
        CpuSource::Processes => warn(
            "cpu clock",
            "the processor time of processes that can be seen",
            HIDDEN_CPU,
        ),
    }
}

fn of_groups() -> Finding {
    let groups = ControlGroups::here();
    let parts = [
        (groups.memory, "memory"),
        (groups.processes, "processes"),
        (groups.processor_time, "processor time"),
    ];
    let [there, missing] = [true, false].map(|wanted| {
        let parts = parts.iter().filter(|(is, _)| *is == wanted);
        parts.map(|(_, name)| *name).collect::<Vec<_>>().join(", ")
    });
    match (there.as_str(), missing.as_str()) {
        (there, "") => ok("groups", format!("control groups with {there}")),
        ("", _) => warn(
            "groups",
            "no control group can be made",
            "memory is measured by looks at all processes, which miss short peaks; `systemd-run --user --scope -p \
             Delegate=yes` gives groups",
        ),
        (there, missing) => warn(
            "groups",
            format!("control groups with {there}, without {missing}"),
            "the other limits hold by looks at all processes",
        ),
    }
}

fn of_processors(jobs: usize, warnings: &[String]) -> Finding {
    let machine = Machine::read();
    let seen = format!(
        "{} on {}: {} at a time, and {} with --pin",
        counted(machine.processors() as u64, "processor", "processors"),
        counted(machine.cores().get() as u64, "core", "cores"),
        counted(jobs as u64, "game", "games"),
        machine.places(Turns::Alternate, OffTurn::Log).len(),
    );
    match warnings.first() {
        Some(warning) => warn("processors", seen, warning),
        None => ok("processors", seen),
    }
}

fn of_waits() -> Finding {
    let clock =
        fs::read_to_string("/sys/devices/system/clocksource/clocksource0/current_clocksource");
    let clock = clock.as_deref().map_or("not known", str::trim);
    match fs::read_to_string("/proc/thread-self/schedstat") {
        Ok(_) => ok(
            "clocks",
            format!("clock source {clock}; the kernel counts how long a bot waits for a processor"),
        ),
        Err(_) => warn(
            "clocks",
            format!("clock source {clock}; the kernel does not count waits for a processor"),
            "a game that a bot loses on the wall because others kept the processors busy counts; use measure = \"cpu\", or \
             fewer games at a time",
        ),
    }
}

fn of_limits() -> Finding {
    let [files, processes] = [Resource::Nofile, Resource::Nproc].map(|it| getrlimit(it).maximum);
    let shown = |limit: Option<u64>| limit.map_or_else(|| "any".to_owned(), |it| it.to_string());
    let seen = format!(
        "{} open files of a process, {} processes of this user",
        shown(files),
        shown(processes)
    );
    let bots = Confinement::default();
    let short = [
        // They get half of what `referee` may have.
        ("open-files", files.map(|files| files / 2), bots.open_files),
        ("processes", processes, bots.processes.map(u64::from)),
    ];
    let mut short = short
        .into_iter()
        .filter_map(|(key, here, of_bots)| Some((key, here?, of_bots?)));
    match short.find(|(_, here, of_bots)| here < of_bots) {
        Some((key, here, of_bots)) => warn(
            "limits",
            seen,
            format!(
                "bots get {here} in place of `{key}` = {of_bots}; raise it by `ulimit`, or ask who runs the machine"
            ),
        ),
        None => ok("limits", seen),
    }
}

fn of_temporary(jobs: usize) -> Finding {
    let path = std::env::temp_dir();
    let folder = path.display();
    let made = supervise::make_temporary_folder("referee-doctor-");
    if let Err(problem) = made.and_then(fs::remove_dir) {
        return warn(
            "temporary",
            format!("no folder can be made in {folder}: {problem}"),
            "\"landlock\" and some commands need one: set TMPDIR to a folder that this user may write to",
        );
    }
    let Ok(disk) = statvfs(&path) else {
        return ok("temporary", format!("{folder}, free space not known"));
    };
    let free = disk.f_bavail.saturating_mul(disk.f_frsize);
    let seen = format!("{folder} has {} MiB free", free >> 20);
    // Both bots of each game fill their scratch folders.
    let wanted = 2 * jobs as u64 * Confinement::default().scratch;
    match free < wanted {
        false => ok("temporary", seen),
        true => warn(
            "temporary",
            seen,
            format!(
                "bots may write {} MiB there; set TMPDIR to a larger disk",
                wanted >> 20
            ),
        ),
    }
}

fn of_locks() -> Finding {
    const NAME: &str = "locks";
    let made = Path::new(".").canonicalize().and_then(|here| {
        let name = format!(".referee-doctor-{}", std::process::id());
        let folder = here.join(name);
        fs::create_dir(&folder).map(|()| folder)
    });
    let folder = match made {
        Ok(folder) => folder,
        Err(problem) => {
            return warn(
                NAME,
                format!("no folder can be made in the current one: {problem}"),
                "keep results elsewhere with --out",
            );
        }
    };
    let locked = Lock::take(&folder);
    // It has at most the file that is locked.
    let _ = remove_folder(&folder);
    match locked {
        Ok(_) => ok(NAME, "folders of results can be locked here"),
        Err(error) => warn(
            NAME,
            "folders of results cannot be locked here",
            error.problem.to_string(),
        ),
    }
}

/// Time for each step of a bot, on a very busy machine.
const PATIENCE: Duration = Duration::from_secs(20);

/// Plays two games of `bot` against itself in a tier.
///
/// # Errors
///
/// The tier does not hold here, or no game could be played in it; the text says why, and what would help.
fn play(
    tier: Tier,
    bot: &Launch,
    game: &PlannedGame,
    supervisor: &Supervisor,
) -> Result<(), String> {
    let confinement = Confinement {
        isolation: tier,
        ..Confinement::default()
    };
    confinement
        .probe(std::slice::from_ref(&supervisor.program))
        .map_err(|problem| problem.to_string())?;
    let plan = CheckPlan {
        game: game.clone(),
        bot: bot.clone(),
        language: Language::default(),
        opponent: bot.clone(),
        supervisor: supervisor.clone(),
        confinement,
        time: TimeControl {
            per_move: Some(PATIENCE),
            wall_cap: PATIENCE,
            ..TimeControl::default()
        },
        handshake: PATIENCE,
        start: PATIENCE,
        quit: PATIENCE,
        games: 2,
        seed: 0,
        cancel: None,
    };
    let report = check::check(&plan, &mut |_| {}).map_err(|error| error.to_string())?;
    let mut findings = report.findings.iter();
    match findings.find(|finding| finding.verdict == CheckVerdict::Failed) {
        Some(finding) => Err(format!("{}: {}", finding.name, finding.words)),
        None => Ok(()),
    }
}
