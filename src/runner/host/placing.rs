//! Placement of bots on processors.

use std::num::NonZeroUsize;

use super::demands::Demands;
use super::error::{HostError, HostWarning};
use super::machine::{Machine, Turns};
use super::options::{HostOptions, Placing};
use crate::bot::OffTurn;
use crate::clock::Measure;

/// Placement of all games of a plan.
pub struct GamePlacement {
    pub jobs: NonZeroUsize,
    /// The logical processors of each worker's bots.
    pub places: Vec<Vec<u32>>,
    pub warning: Option<HostWarning>,
}

/// Number of games at a time, and their processors.
///
/// # Errors
/// Too few cores to pin the games, or for players that act at once with time on the wall.
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
            warning: None,
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
    let turns = demands.turns;
    let places = machine.places(turns, demands.limits.confinement.off_turn);
    let most = NonZeroUsize::new(places.len()).unwrap_or(NonZeroUsize::MIN);
    let jobs = jobs.unwrap_or(most);
    if jobs <= most {
        return Ok(GamePlacement {
            jobs,
            places,
            warning: None,
        });
    }
    let narrow = machine.places(turns, OffTurn::Stop);
    match NonZeroUsize::new(narrow.len()) {
        Some(room) if jobs <= room => {
            let most = most.get();
            Ok(GamePlacement {
                jobs,
                places: narrow,
                warning: Some(HostWarning::OneCore { most }),
            })
        }
        room => Err(HostError::TooFewCores {
            most: room.unwrap_or(NonZeroUsize::MIN),
        }),
    }
}
