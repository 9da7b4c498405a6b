//! Settings of a run that depend on the machine. A plan says nothing of the machine.

use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use super::machine::{Machine, Turns};
use super::{Demands, GamePlacement, HostOptions, Placing, place};
use super::{HIDDEN_CPU, HostError, TierError};
use crate::bot::{
    BuildLimits, Confinement, CpuSource, Fault, Lane, OffTurn, Patience, Probe, Process,
    Supervisor, Tier, withheld_variables,
};
use crate::clock::{Measure, TimeControl};
use crate::config::{Limits, Plan};
use crate::runs::Stamp;
use crate::schedule::Values;

#[derive(Debug, Clone)]
pub struct Host {
    pub jobs: NonZeroUsize,
    pub supervisor: Supervisor,
    /// Logical processors to which each worker's bots are pinned; empty pins none.
    pub places: Vec<Vec<u32>>,
    /// Lanes of the workers. A game stays on its lane's processor while both bots answer at once. Empty: the
    /// system places bots.
    pub lanes: Vec<Arc<Lane>>,
    pub cpu_source: CpuSource,
    /// Probe of the machine's load; `None` reads the machine itself.
    pub probe: Option<Arc<dyn Probe>>,
    /// Isolation tier of bots. The tier of builds follows from it.
    pub isolation: Tier,
    /// Pause before a game that was void twice is played again. Each later pause is four times as long.
    pub pause: Duration,
    /// A game of a player with a lower share of the processor is played again. The last attempt counts.
    pub again_below: Option<f64>,
}

const PAUSE: Duration = Duration::from_secs(1);

impl Host {
    /// Decides how to run games on this machine. Returns warnings too.
    pub fn new(
        demands: &Demands<'_>,
        supervisor: Supervisor,
        options: HostOptions,
    ) -> Result<(Self, Vec<String>), HostError> {
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
        let GamePlacement { jobs, places } = place(&machine, demands, options)?;
        let (turns, is_limited) = (demands.turns, demands.is_limited);
        warnings.extend(machine.warnings(jobs.get(), turns, time.measure, is_limited));
        let cpu_source = if counts_cpu(time, limits) {
            CpuSource::here()
        } else {
            CpuSource::Processes
        };
        if counts_cpu(time, limits) && cpu_source == CpuSource::Processes {
            warnings.push(HIDDEN_CPU.to_owned());
        }
        let withheld = withheld_variables(demands.bots.iter().copied());
        if !withheld.is_empty() {
            warnings.push(format!(
                "set here and not given to bots: {}; what a bot needs stands in its `env`",
                withheld.join(", ")
            ));
        }
        let host = Self {
            jobs,
            supervisor,
            lanes: match (options.placing, demands.turns) {
                (Placing::Lanes, Turns::Alternate) => machine.lanes(jobs),
                // Players that act at once are not to share a processor.
                (Placing::Lanes, Turns::AtOnce) | (Placing::Pinned | Placing::Free, _) => {
                    Vec::new()
                }
            },
            places,
            cpu_source,
            probe: None,
            isolation,
            pause: PAUSE,
            again_below: options.again_below,
        };
        Ok((host, warnings))
    }

    /// Checks the placement of `plan`'s bots on this machine. Starts nothing.
    pub fn check_places(plan: &Plan, options: HostOptions) -> Result<(), HostError> {
        place(&Machine::read(), &Demands::of(plan), options).map(|_| ())
    }

    /// A host for one lane, which plays one game at a time beside the other lanes.
    pub fn lane(&self, lane: usize) -> Self {
        Self {
            jobs: NonZeroUsize::MIN,
            places: self.places.get(lane).cloned().into_iter().collect(),
            lanes: self.lanes.get(lane).cloned().into_iter().collect(),
            ..self.clone()
        }
    }

    pub fn stamp(&self) -> Stamp {
        Stamp {
            jobs: self.jobs.get(),
            pinned: !self.places.is_empty(),
            cpu_source: self.cpu_source,
            isolation: self.isolation,
        }
    }

    pub fn build_limits(&self, limits: &Limits) -> BuildLimits {
        let mut limits = limits.build();
        limits.confinement.isolation = self.isolation;
        limits
    }

    /// Starts the bot of a player, by index in the plan, with values of its parameters, for the worker with this number.
    ///
    /// # Errors
    ///
    /// The bot cannot be started; the fault tells whether its program or the machine is to blame.
    pub fn start(
        &self,
        plan: &Plan,
        player: usize,
        values: Option<&Values>,
        worker: usize,
        patience: Patience,
    ) -> Result<Process, Fault> {
        let entry = plan.entry(player, values);
        let launch = &entry.launch;
        let limits = plan.limits_of(player);
        let lane = self.lanes.get(worker);
        if let Some(lane) = lane {
            lane.before_start();
        }
        let confinement = Confinement {
            cpus: self.places.get(worker).cloned().unwrap_or_default(),
            isolation: self.isolation,
            // A game is replayed with long patience after a bot was delayed: its opponent may have caused that with
            // hidden work. On the wall a hostile bot could load the machine by hidden work, so that its own waits are
            // not charged. The counter makes each change of processes slower.
            cpu_counter: counts_cpu(&plan.time, &plan.limits)
                || self.isolation != Tier::Containment && plan.time_of(player).is_limited()
                || patience == Patience::Long,
            ..limits.confinement()
        };
        let process = Process::start(launch, limits.output(), &self.supervisor, &confinement)?
            .speaking(&entry.language, plan.time_of(player).margin)
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

fn counts_cpu(time: &TimeControl, limits: &Limits) -> bool {
    time.measure == Measure::Cpu || limits.off_turn != OffTurn::Log
}

/// The tier that these limits ask for where it holds here, with these paths within reach, or else its fallback, with a
/// warning.
pub fn tier_that_holds(
    limits: &Limits,
    mut paths: Vec<PathBuf>,
    supervisor: &Supervisor,
) -> Result<(Tier, Option<String>), HostError> {
    paths.push(supervisor.program.clone());
    let probe = |tier: Tier| {
        let isolation = tier;
        let confinement = limits.confinement();
        Confinement {
            isolation,
            ..confinement
        }
        .probe(&paths)
        .map_err(|problem| TierError { tier, problem })
    };
    let wanted = limits.isolation;
    let Err(wanted) = probe(wanted) else {
        return Ok((wanted, None));
    };
    let Some(tier) = limits.fallback else {
        return Err(HostError::Isolation(wanted));
    };
    match probe(tier) {
        Ok(()) => {
            let fallback = tier.name();
            let warning =
                format!("{wanted}; this run takes \"{fallback}\", as `isolation-fallback` says");
            Ok((tier, Some(warning)))
        }
        Err(fallback) => Err(HostError::IsolationFallback {
            wanted: Box::new(wanted),
            fallback: Box::new(fallback),
        }),
    }
}

fn probe_builds(limits: &Limits, bots: Tier) -> Result<(), HostError> {
    let mut confinement = limits.build().confinement;
    confinement.isolation = bots.of_builds();
    confinement
        .probe(&[])
        .map_err(|problem| HostError::BuildIsolation { problem })
}
