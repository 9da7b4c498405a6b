//! How a tournament runs in the process of a test. Two test programs have it.

use std::num::NonZeroUsize;
use std::time::Duration;

use referee::bot::{CpuSource, Supervisor};
use referee::config::Plan;
use referee::runner::Host;

pub fn supervisor() -> Supervisor {
    Supervisor {
        program: env!("CARGO_BIN_EXE_referee").into(),
    }
}

/// So many games at a time, with the isolation of the plan, on any processor.
pub fn host(plan: &Plan, jobs: usize) -> Host {
    Host {
        jobs: NonZeroUsize::new(jobs).expect("some"),
        supervisor: supervisor(),
        places: Vec::new(),
        lanes: Vec::new(),
        cpu_source: CpuSource::Processes,
        probe: None,
        isolation: plan.limits.isolation,
        pause: Duration::ZERO,
        again_below: None,
    }
}
