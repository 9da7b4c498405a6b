//! What the machine adds to a plan, which itself says nothing of the machine.

use std::num::NonZeroUsize;
use std::sync::Arc;

use crate::config::Plan;
use crate::player::{BuildLimits, Confinement, Fault, Probe, Process, Supervisor, Tier};
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
    /// What tells of the load of the machine; `None` is the machine itself.
    pub probe: Option<Arc<dyn Probe>>,
    /// The tier of isolation that holds for bots.
    pub isolation: Tier,
    /// The tier of isolation that holds for builds.
    pub build_isolation: Tier,
}

impl Host {
    /// A host that takes the isolation of `plan` for granted, supervises no bot and pins none.
    pub fn unsupervised(plan: &Plan, jobs: NonZeroUsize) -> Self {
        Self {
            jobs,
            supervisor: None,
            places: Vec::new(),
            probe: None,
            isolation: plan.limits.confinement.isolation,
            build_isolation: plan.limits.build.confinement.isolation,
        }
    }

    /// What the manifest of a run tells of this host.
    pub fn stamp(&self) -> Stamp {
        Stamp {
            jobs: self.jobs.get(),
            supervised: self.supervisor.is_some(),
            pinned: !self.places.is_empty(),
            isolation: self.isolation,
        }
    }

    /// What a build may use here.
    pub(super) fn build_limits(&self, plan: &Plan) -> BuildLimits {
        let mut limits = plan.limits.build.clone();
        limits.confinement.isolation = self.build_isolation;
        limits
    }

    /// Starts the bot of a player, by its index in the plan, for the worker of a number.
    pub(super) fn start(
        &self,
        plan: &Plan,
        player: usize,
        worker: usize,
    ) -> Result<Process, Fault> {
        let launch = &plan.players[player].launch;
        let limits = &plan.limits;
        let process = match &self.supervisor {
            Some(supervisor) => {
                let confinement = Confinement {
                    cpus: self.places.get(worker).cloned().unwrap_or_default(),
                    isolation: self.isolation,
                    ..limits.confinement.clone()
                };
                Process::supervised(launch, limits.output, supervisor, &confinement)
            }
            None => Process::spawn(launch, limits.output),
        }?;
        Ok(match &self.probe {
            Some(probe) => process.on_machine(Arc::clone(probe)),
            None => process,
        })
    }
}
