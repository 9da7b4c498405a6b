//! Why a machine cannot play a plan as asked.

use std::num::NonZeroUsize;

use super::machine::Turns;
use crate::bot::{IsolationError, Tier};
use crate::text::counted;

#[derive(Debug, thiserror::Error)]
#[error("`isolation = \"{}\"` cannot hold on this machine: {problem}", .tier.name())]
pub struct TierError {
    pub tier: Tier,
    #[source]
    pub problem: IsolationError,
}

#[derive(Debug, thiserror::Error)]
pub enum HostError {
    #[error("{0}; or name in `isolation-fallback` what is to be taken instead")]
    Isolation(#[source] TierError),
    #[error("{wanted}; {fallback}")]
    IsolationFallback {
        wanted: Box<TierError>,
        #[source]
        fallback: Box<TierError>,
    },
    #[error("the isolation of builds cannot hold on this machine: {problem}")]
    BuildIsolation {
        #[source]
        problem: IsolationError,
    },
    #[error(
        "`--pin` has room for {most} at a time here, with cores of its own for each game: use -j {most}, or leave `--pin` out"
    )]
    TooFewCores { most: NonZeroUsize },
    #[error(
        "both players act at once, and {} at a time {} a core for each of them; this machine has {}, and a clock on the \
         wall would charge a bot for its opponent's work: {}take `measure = \"cpu\"`, or `--spread` all the same",
        counted(jobs.get() as u64, "game", "games"),
        if jobs.get() == 1 { "needs" } else { "need" },
        cores,
        fewer(*cores),
    )]
    BothAtOnce {
        jobs: NonZeroUsize,
        cores: NonZeroUsize,
    },
}

/// The advice to play fewer games at a time, where that is possible.
fn fewer(cores: NonZeroUsize) -> String {
    match cores.get() / Turns::AtOnce.width() {
        0 => String::new(),
        games => format!("use -j {games}, "),
    }
}

/// The warning that processor time counts, and a bot can hide some of it.
pub const HIDDEN_CPU: &str = "processor time counts, and this machine has no counter that misses none of it: a bot can \
                              hide short processes that it does not wait for. \
                              `sysctl kernel.perf_event_paranoid=2` allows the counter, and in a container the system \
                              call perf_event_open must be allowed";
