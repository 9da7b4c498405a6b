//! Why a machine cannot play a plan as asked, and what it warns of.

use std::fmt::{self, Display};
use std::num::NonZeroUsize;

use super::machine::{MachineWarning, Turns};
use crate::bot::{IsolationError, Tier};
use crate::text::counted;

/// An isolation tier that this machine cannot provide.
#[derive(Debug, thiserror::Error)]
#[error("`isolation = \"{}\"` cannot hold on this machine: {problem}", .tier.name())]
pub struct TierError {
    pub tier: Tier,
    #[source]
    pub problem: IsolationError,
}

/// Why a plan cannot run on this machine as asked.
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

/// A warning to the user before a run.
#[derive(Debug)]
pub enum HostWarning {
    /// The plan's isolation cannot hold, so its fallback is taken.
    IsolationFallback {
        /// Why the isolation cannot hold.
        wanted: TierError,
        fallback: Tier,
    },
    /// The machine is too small or too busy.
    Machine(MachineWarning),
    /// Each game is pinned to one core, although both bots may compute at once.
    OneCore {
        /// Number of games that could have two cores each.
        most: usize,
    },
    /// Processor time counts, but a bot can hide some of it.
    HiddenCpu,
    /// These environment variables are set here and withheld from bots.
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
