//! Settings of a run that depend on the machine: its cores, the placement of bots on them, and the tier that isolates
//! bots.
//!
//! It is handed a plan and options, and gives a [`Host`] that starts bots, with warnings about the machine.

mod machine;
mod settings;

use std::num::NonZeroUsize;
use std::path::PathBuf;

pub use machine::{Machine, Turns};
pub use settings::{Host, tier_that_holds};

use crate::bot::{IsolationError, Launch, Tier};
use crate::clock::{Measure, TimeControl};
use crate::config::{Entry, Limits, Plan, PlannedGame};
use crate::text::counted;

#[derive(Debug)]
pub struct Demands<'a> {
    /// Launches of the programs of bots. House bots are left out, as they need nothing of the machine.
    pub bots: Vec<&'a Launch>,
    pub folders: Vec<PathBuf>,
    pub builds: bool,
    pub turns: Turns,
    /// Whether any player's time has a limit besides the wall cap.
    pub is_limited: bool,
    pub time: &'a TimeControl,
    pub limits: &'a Limits,
}

impl<'a> Demands<'a> {
    pub fn of(plan: &'a Plan) -> Self {
        let mut players = 0..plan.players.len();
        let entries = plan.players.iter();
        Self {
            turns: turns_of(&plan.games),
            bots: program_launches(&plan.players),
            folders: Vec::new(),
            builds: entries.clone().any(|player| player.build.is_some()),
            is_limited: players.any(|player| plan.time_of(player).is_limited()),
            time: &plan.time,
            limits: &plan.limits,
        }
    }
}

/// How many players act at a time in these games, at most.
pub fn turns_of<'a>(games: impl IntoIterator<Item = &'a PlannedGame>) -> Turns {
    match games.into_iter().any(PlannedGame::acts_at_once) {
        true => Turns::AtOnce,
        false => Turns::Alternate,
    }
}

pub fn program_launches(players: &[Entry]) -> Vec<&Launch> {
    let programs = players.iter().filter(|player| player.house.is_none());
    programs.map(|player| &player.launch).collect()
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Placing {
    /// On the core of the thread that referees them while they answer at once; otherwise the system decides.
    #[default]
    Lanes,
    Pinned,
    Free,
}

impl Placing {
    pub fn pinned(pin: bool) -> Self {
        if pin { Self::Pinned } else { Self::Lanes }
    }
}

#[derive(Debug, Clone, Copy, Default)]
pub struct HostOptions {
    /// Number of games at a time; `None` takes one per core.
    pub jobs: Option<NonZeroUsize>,
    pub placing: Placing,
    /// A game of a player with a lower share of the processor is played again.
    pub again_below: Option<f64>,
}

pub struct GamePlacement {
    pub jobs: NonZeroUsize,
    pub places: Vec<Vec<u32>>,
}

pub fn place(
    machine: &Machine,
    demands: &Demands<'_>,
    options: HostOptions,
) -> Result<GamePlacement, HostError> {
    let placed = match options.placing {
        Placing::Pinned => pin(machine, demands, options.jobs)?,
        Placing::Lanes | Placing::Free => GamePlacement {
            jobs: options.jobs.unwrap_or_else(|| room(machine, demands.turns)),
            places: Vec::new(),
        },
    };
    let cores = machine.cores();
    let bots = placed.jobs.get().saturating_mul(demands.turns.width());
    let on_the_wall = demands.time.measure == Measure::Wall && demands.is_limited;
    if demands.turns == Turns::AtOnce
        && on_the_wall
        && bots > cores.get()
        && options.placing != Placing::Free
    {
        return Err(HostError::BothAtOnce {
            jobs: placed.jobs,
            cores,
        });
    }
    Ok(placed)
}

/// Number of games that have cores of their own, one at least.
fn room(machine: &Machine, turns: Turns) -> NonZeroUsize {
    let games = machine.cores().get() / turns.width();
    NonZeroUsize::new(games).unwrap_or(NonZeroUsize::MIN)
}

fn pin(
    machine: &Machine,
    demands: &Demands<'_>,
    jobs: Option<NonZeroUsize>,
) -> Result<GamePlacement, HostError> {
    let places = machine.places(demands.turns, demands.limits.off_turn);
    let most = NonZeroUsize::new(places.len()).unwrap_or(NonZeroUsize::MIN);
    let jobs = jobs.unwrap_or(most);
    match jobs <= most {
        true => Ok(GamePlacement { jobs, places }),
        false => Err(HostError::TooFewCores { most }),
    }
}

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
