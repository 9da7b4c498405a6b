//! What the machine adds to a plan, which itself says nothing of the machine.

use std::fmt::{self, Display};
use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::sync::Arc;

use super::machine::{Machine, MachineWarning};
use super::placing::{Placed, Placing, place};
use crate::clock::{Measure, TimeControl};
use crate::config::{Entry, Limits, Plan};
use crate::player::{
    BuildLimits, Confinement, CpuSource, Fault, IsolationError, Lane, Launch, OffTurn, Patience,
    Peculiarities, Probe, Process, Supervisor, Tier,
};
use crate::record::Stamp;

/// How bots and builds run on this machine.
#[derive(Debug, Clone)]
pub struct Host {
    /// How many games are played at a time.
    pub jobs: NonZeroUsize,
    /// The program below which each bot is run; `None` leaves the bots unsupervised.
    pub supervisor: Option<Supervisor>,
    /// The logical processors that each worker's bots are pinned to; empty leaves them to the system.
    pub places: Vec<Vec<u32>>,
    /// The lanes of the workers, on which games keep to a processor while their bots answer at once; without
    /// any, the system puts bots where it likes.
    pub lanes: Vec<Arc<Lane>>,
    /// What tells the processor time of bots.
    pub cpu_source: CpuSource,
    /// What tells of the load of the machine; `None` is the machine itself.
    pub probe: Option<Arc<dyn Probe>>,
    /// The tier of isolation that holds for bots; that of builds follows from it.
    pub isolation: Tier,
}

/// What the user asks of the machine.
#[derive(Debug, Clone, Copy)]
pub struct HostOptions {
    /// How many games to play at a time; `None` is as many as the machine has cores for.
    pub jobs: Option<NonZeroUsize>,
    /// Where bots run.
    pub placing: Placing,
}

/// A tier of isolation that this machine cannot provide.
#[derive(Debug, thiserror::Error)]
#[error("`isolation = \"{}\"` cannot hold on this machine: {problem}", .tier.name())]
pub struct TierError {
    /// The tier.
    pub tier: Tier,
    /// Why it cannot hold, and what would help.
    #[source]
    pub problem: IsolationError,
}

/// Why a plan cannot be run on this machine as it was asked for.
#[derive(Debug, thiserror::Error)]
#[expect(missing_docs, reason = "the messages say what the fields are")]
pub enum HostError {
    /// The isolation that the plan asks for cannot hold, and the plan names no fallback.
    #[error("{0}; or name in `isolation-fallback` what is to be taken instead")]
    Isolation(#[source] TierError),
    /// Neither the isolation that the plan asks for nor its fallback can hold.
    #[error("{wanted}; {fallback}")]
    IsolationFallback {
        wanted: Box<TierError>,
        #[source]
        fallback: Box<TierError>,
    },
    /// The isolation of builds cannot hold.
    #[error("the isolation of builds cannot hold on this machine: {problem}")]
    BuildIsolation {
        #[source]
        problem: IsolationError,
    },
    /// There are not enough cores to pin so many games.
    #[error(
        "`--pin` has room for {most} at a time here, with a core for each game: use -j {most}, or leave `--pin` out"
    )]
    TooFewCores { most: NonZeroUsize },
}

/// Something that the user should know before a run.
#[derive(Debug)]
pub enum HostWarning {
    /// The isolation that the plan asks for cannot hold, so its fallback is taken.
    IsolationFallback {
        /// Why it cannot hold.
        wanted: TierError,
        /// The tier that is taken.
        fallback: Tier,
    },
    /// The machine is too small or too busy.
    Machine(MachineWarning),
    /// Each game is pinned to one core, although both bots may compute at once.
    OneCore {
        /// How many games could have two cores each.
        most: usize,
    },
    /// Processor time counts, and a bot can hide some.
    HiddenCpu,
    /// These variables are set here, and bots are not given them.
    Withheld(Vec<&'static str>),
}

impl Display for HostWarning {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::IsolationFallback { wanted, fallback } => write!(
                f,
                "{wanted}; this run takes \"{}\", as `isolation-fallback` says",
                fallback.name()
            ),
            Self::Machine(warning) => warning.fmt(f),
            Self::OneCore { most } => write!(
                f,
                "`--pin` has one core for each game here: bots may compute off turn, since `off-turn` is \"log\", and \
                 then take their opponent's time. With two cores a game there is room for {most} at a time; \
                 `off-turn = \"stop\"` needs only one"
            ),
            Self::HiddenCpu => f.write_str(
                "processor time counts, and this machine has no counter that misses none of it: a bot can \
                 hide short processes that it does not wait for. \
                 `sysctl kernel.perf_event_paranoid=2` allows the counter, and in a container the system \
                 call perf_event_open must be allowed",
            ),
            Self::Withheld(names) => write!(
                f,
                "set here and not given to bots: {}; what a bot needs stands in its `env`",
                names.join(", ")
            ),
        }
    }
}

/// What a machine is needed for.
#[derive(Debug)]
pub struct Demands<'a> {
    /// How the programs of bots are started. House bots need nothing more.
    pub bots: Vec<&'a Launch>,
    /// Where other bots will lie.
    pub folders: Vec<PathBuf>,
    /// Whether there are builds.
    pub builds: bool,
    /// Whether any player's time is limited, but for the wall cap.
    pub is_limited: bool,
    /// The time control.
    pub time: &'a TimeControl,
    /// All other limits.
    pub limits: &'a Limits,
}

impl<'a> Demands<'a> {
    /// What a plan needs.
    pub fn of(plan: &'a Plan) -> Self {
        let mut players = 0..plan.players.len();
        let entries = plan.players.iter();
        Self {
            bots: program_launches(&plan.players),
            folders: Vec::new(),
            builds: entries.clone().any(|player| player.build.is_some()),
            is_limited: players.any(|player| plan.time_of(player).is_limited()),
            time: &plan.time,
            limits: &plan.limits,
        }
    }
}

/// How the players are started that are no house bots.
pub fn program_launches(players: &[Entry]) -> Vec<&Launch> {
    let programs = players.iter().filter(|player| player.house.is_none());
    programs.map(|player| &player.launch).collect()
}

impl Host {
    /// Decides how games are played on this machine, and what the user should know about that.
    ///
    /// # Errors
    ///
    /// The isolation that is asked for cannot hold here, or there are too few cores to pin the
    /// games to.
    pub fn new(
        demands: &Demands<'_>,
        supervisor: Supervisor,
        options: HostOptions,
    ) -> Result<(Self, Vec<HostWarning>), HostError> {
        let mut warnings = Vec::new();
        let Demands { time, limits, .. } = *demands;
        let needs = demands.bots.iter().flat_map(|bot| bot.needs());
        let folders = demands.folders.iter();
        let folders = folders.filter_map(|folder| std::path::absolute(folder).ok());
        let needs = needs.chain(folders).collect();
        let (isolation, warning) = tier_that_holds(limits, needs, &supervisor)?;
        warnings.extend(warning);
        if demands.builds {
            probe_builds(limits, isolation)?;
        }
        let machine = Machine::read();
        let Placed {
            jobs,
            places,
            warning,
        } = place(&machine, limits, options)?;
        warnings.extend(warning);
        let of_machine = machine.warnings(jobs.get(), time.measure, demands.is_limited);
        warnings.extend(of_machine.into_iter().map(HostWarning::Machine));
        let cpu_source = match counts_cpu(time, limits) {
            true => CpuSource::here(),
            false => CpuSource::Processes,
        };
        if counts_cpu(time, limits) && cpu_source == CpuSource::Processes {
            warnings.push(HostWarning::HiddenCpu);
        }
        let Peculiarities { withheld, .. } = Peculiarities::of(demands.bots.iter().copied());
        if !withheld.is_empty() {
            warnings.push(HostWarning::Withheld(withheld));
        }
        let host = Self {
            jobs,
            supervisor: Some(supervisor),
            lanes: match options.placing {
                Placing::Lanes => machine.lanes(jobs),
                Placing::Pinned | Placing::Free => Vec::new(),
            },
            places,
            cpu_source,
            probe: None,
            isolation,
        };
        Ok((host, warnings))
    }

    /// What the user should know about where the bots of `plan` would run on this machine. Starts nothing.
    ///
    /// # Errors
    ///
    /// There are too few cores to pin the games to.
    pub fn check_places(
        plan: &Plan,
        options: HostOptions,
    ) -> Result<Option<HostWarning>, HostError> {
        place(&Machine::read(), &plan.limits, options).map(|placed| placed.warning)
    }

    /// A host that takes the isolation of `plan` for granted, supervises no bot and pins none.
    pub fn unsupervised(plan: &Plan, jobs: NonZeroUsize) -> Self {
        Self {
            jobs,
            supervisor: None,
            places: Vec::new(),
            lanes: Vec::new(),
            cpu_source: CpuSource::Processes,
            probe: None,
            isolation: plan.limits.confinement.isolation,
        }
    }

    /// One of the lanes on which runs are played side by side, each with a game at a time.
    pub fn lane(&self, lane: usize) -> Self {
        Self {
            jobs: NonZeroUsize::MIN,
            places: self.places.get(lane).cloned().into_iter().collect(),
            lanes: self.lanes.get(lane).cloned().into_iter().collect(),
            ..self.clone()
        }
    }

    /// What the manifest of a run tells of this host.
    pub fn stamp(&self) -> Stamp {
        Stamp {
            jobs: self.jobs.get(),
            supervised: self.supervisor.is_some(),
            pinned: !self.places.is_empty(),
            cpu_source: self.cpu_source,
            isolation: self.isolation,
        }
    }

    /// What a build may use here, given what it may use anywhere.
    pub fn build_limits(&self, limits: &BuildLimits) -> BuildLimits {
        let mut limits = limits.clone();
        limits.confinement.isolation = self.isolation;
        limits
    }

    /// Starts the bot of a player, by its index in the plan, for the worker of a number.
    ///
    /// # Errors
    ///
    /// The bot cannot be started; the fault says whether its program or the machine is to blame.
    pub fn start(
        &self,
        plan: &Plan,
        player: usize,
        worker: usize,
        patience: Patience,
    ) -> Result<Process, Fault> {
        let launch = &plan.players[player].launch;
        let limits = plan.limits_of(player);
        let lane = self.lanes.get(worker);
        if let Some(lane) = lane {
            lane.before_start();
        }
        let process = match &self.supervisor {
            Some(supervisor) => {
                let confinement = Confinement {
                    cpus: self.places.get(worker).cloned().unwrap_or_default(),
                    isolation: self.isolation,
                    // A bot whose opponent was delayed may have done that by hidden work.
                    cpu_counter: counts_cpu(&plan.time, &plan.limits) || patience == Patience::Long,
                    ..limits.confinement.clone()
                };
                Process::supervised(launch, limits.output, supervisor, &confinement)
            }
            None => Process::spawn(launch, limits.output),
        }?
        .with_patience(patience);
        let process = match lane {
            Some(lane) => process.on_lane(Arc::clone(lane)),
            None => process,
        };
        Ok(match &self.probe {
            Some(probe) => process.on_machine(Arc::clone(probe)),
            None => process,
        })
    }
}

/// Whether processor time decides anything.
fn counts_cpu(time: &TimeControl, limits: &Limits) -> bool {
    time.measure == Measure::Cpu || limits.confinement.off_turn != OffTurn::Log
}

/// The tier that these limits ask for where it holds here, with these paths within reach, or else its fallback, with a
/// warning.
///
/// # Errors
///
/// Neither of them can hold on this machine.
pub fn tier_that_holds(
    limits: &Limits,
    mut paths: Vec<PathBuf>,
    supervisor: &Supervisor,
) -> Result<(Tier, Option<HostWarning>), HostError> {
    paths.push(supervisor.program.clone());
    let probe = |tier: Tier| {
        let mut confinement = limits.confinement.clone();
        confinement.isolation = tier;
        confinement
            .probe(&paths)
            .map_err(|problem| TierError { tier, problem })
    };
    let wanted = limits.confinement.isolation;
    let Err(wanted) = probe(wanted) else {
        return Ok((wanted, None));
    };
    let Some(tier) = limits.fallback else {
        return Err(HostError::Isolation(wanted));
    };
    match probe(tier) {
        Ok(()) => {
            let fallback = tier;
            let warning = HostWarning::IsolationFallback { wanted, fallback };
            Ok((tier, Some(warning)))
        }
        Err(fallback) => Err(HostError::IsolationFallback {
            wanted: Box::new(wanted),
            fallback: Box::new(fallback),
        }),
    }
}

/// Tries the tier of builds, given that of the bots.
fn probe_builds(limits: &Limits, bots: Tier) -> Result<(), HostError> {
    let mut confinement = limits.build.confinement.clone();
    confinement.isolation = bots.of_builds();
    confinement
        .probe(&[])
        .map_err(|problem| HostError::BuildIsolation { problem })
}
