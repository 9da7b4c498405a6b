//! This machine, and what it can do for a run: its isolation, counters, processors and limits.
//!
//! [`examine`] looks at everything by the same code as a run does, and plays a short game in each tier of isolation.
//! It returns facts; [`findings()`] says how good each of them is, and what it means for a run.

mod findings;

use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::time::Duration;
use std::{fs, io};

pub use findings::{Finding, findings, verdict};
use rustix::fs::statvfs;
use rustix::process::{Resource, getrlimit};
use serde::Serialize;

use crate::bot::supervise::{self, ControlGroups, signals_can_be_kept};
use crate::bot::{Confinement, CpuSource, Language, Launch, OffTurn, Supervisor, Tier};
use crate::check::{self, CheckPlan, CheckVerdict};
use crate::clock::TimeControl;
use crate::config::{Plan, PlannedGame};
use crate::runner::{Demands, Host, HostError, HostOptions, HostWarning, Machine, Placing, Turns};
use crate::runs::{MachineTable, Stamp};

/// The facts about this machine that matter to a run.
#[derive(Debug, Serialize)]
#[serde(rename_all = "kebab-case")]
pub struct Facts {
    /// The machine as manifests have it.
    pub machine: MachineTable,
    /// The tiers of isolation, the weakest first.
    pub isolation: Vec<TierFacts>,
    /// Whether a bot can be kept from signalling and tracing other processes.
    pub signals_kept: bool,
    /// Limits and accounts that a control group of a bot would have.
    pub control_groups: ControlGroups,
    /// Processors and the games that they can play.
    pub processors: Processors,
    /// The clock of the kernel, if it is known.
    pub clock_source: Option<String>,
    /// Whether the kernel counts how long a thread waits for a processor.
    pub waits_counted: bool,
    /// Limits of this process, which bots inherit.
    pub limits: Limits,
    /// The folder for temporary files.
    pub temporary: Temporary,
    /// Languages of bots.
    pub programs: Vec<Program>,
    /// Warnings of a run of the default kind, as it would print them.
    pub warnings: Vec<String>,
}

/// A tier of isolation on this machine.
#[derive(Debug, Serialize)]
pub struct TierFacts {
    /// The tier.
    pub tier: Tier,
    /// Why no game can be played in it, and what would help; `None` if one was played.
    pub problem: Option<String>,
}

/// Processors, as a run counts them.
#[derive(Debug, Serialize)]
#[serde(rename_all = "kebab-case")]
pub struct Processors {
    /// Logical processors.
    pub logical: usize,
    /// Physical cores.
    pub cores: usize,
    /// Games at a time without `-j`.
    pub jobs: usize,
    /// Games at a time with `--pin`.
    pub pinned_jobs: usize,
}

/// Resource limits of this process; `None` is no limit.
#[derive(Debug, Serialize)]
#[serde(rename_all = "kebab-case")]
pub struct Limits {
    /// The most open files that a process may ask for.
    pub open_files: Option<u64>,
    /// The most threads of this user.
    pub processes: Option<u64>,
}

/// The folder for temporary files.
#[derive(Debug, Serialize)]
pub struct Temporary {
    /// Where it is.
    pub folder: PathBuf,
    /// Free bytes, if they are known.
    pub free: Option<u64>,
    /// Why no folder can be made in it.
    pub problem: Option<String>,
}

/// A program that bots may need.
#[derive(Debug, Serialize)]
pub struct Program {
    /// Its name in `PATH`.
    pub name: &'static str,
    /// The words of the program on its version; `None` if it cannot be run.
    pub version: Option<String>,
}

/// Programs of the starter kits, and the arguments with which they tell their version.
const PROGRAMS: [(&str, &str); 7] = [
    ("python3", "--version"),
    ("node", "--version"),
    ("java", "--version"),
    ("javac", "--version"),
    ("g++", "--version"),
    ("rustc", "--version"),
    ("go", "version"),
];

/// Examines this machine for `plan`, a run of the default kind. Games of `bot` are played in each tier.
///
/// # Errors
///
/// A run of the default kind is impossible.
pub fn examine(plan: &Plan, bot: &Launch, supervisor: &Supervisor) -> Result<Facts, HostError> {
    let options = HostOptions {
        jobs: None,
        placing: Placing::default(),
    };
    let (host, warnings) = Host::new(&Demands::of(plan), supervisor.clone(), options)?;
    let machine = Machine::read();
    let stamp = Stamp {
        // A run looks for a counter only if processor time decides something.
        cpu_source: CpuSource::here(),
        ..host.stamp()
    };
    let played = |game: &PlannedGame, tier| play(tier, bot, game, supervisor).err();
    let tier = |tier| TierFacts {
        tier,
        problem: plan.games.iter().find_map(|game| played(game, tier)),
    };
    let read = |path: &str| fs::read_to_string(path).ok();
    let clock = read("/sys/devices/system/clocksource/clocksource0/current_clocksource");
    Ok(Facts {
        machine: MachineTable::this(&stamp),
        isolation: Tier::ALL.into_iter().map(tier).collect(),
        signals_kept: signals_can_be_kept(),
        control_groups: ControlGroups::here(),
        processors: Processors {
            logical: machine.processors(),
            cores: machine.cores().get(),
            jobs: host.jobs.get(),
            pinned_jobs: machine.places(Turns::Alternate, OffTurn::Log).len(),
        },
        clock_source: clock.map(|name| name.trim().to_owned()),
        waits_counted: read("/proc/thread-self/schedstat").is_some(),
        limits: Limits {
            open_files: getrlimit(Resource::Nofile).maximum,
            processes: getrlimit(Resource::Nproc).maximum,
        },
        temporary: temporary(),
        programs: PROGRAMS
            .into_iter()
            .map(|(name, argument)| Program {
                name,
                version: version(name, argument),
            })
            .collect(),
        warnings: warnings.iter().map(HostWarning::to_string).collect(),
    })
}

fn temporary() -> Temporary {
    let folder = std::env::temp_dir();
    let made = supervise::make_temporary_folder("referee-doctor-");
    let removed = made.and_then(fs::remove_dir);
    Temporary {
        free: statvfs(&folder)
            .ok()
            .map(|disk| disk.f_bavail.saturating_mul(disk.f_frsize)),
        problem: removed.err().map(|error: io::Error| error.to_string()),
        folder,
    }
}

/// The first line that a program says of its version.
fn version(program: &str, argument: &str) -> Option<String> {
    let asked = Command::new(program)
        .arg(argument)
        .stdin(Stdio::null())
        .output()
        .ok()?;
    let said = String::from_utf8_lossy(&asked.stdout).into_owned();
    let line = said.lines().next()?.trim().to_owned();
    (asked.status.success() && !line.is_empty()).then_some(line)
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
    match findings.find(|finding| finding.verdict() == CheckVerdict::Failed) {
        Some(finding) => Err(format!("{}: {finding}", finding.check.name())),
        None => Ok(()),
    }
}
