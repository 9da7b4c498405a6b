//! Placement of bots on processors.

use std::num::NonZeroUsize;

use super::error::{HostError, HostWarning};
use super::machine::Machine;
use super::options::{HostOptions, Placing};
use crate::bot::OffTurn;
use crate::config::Limits;

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
/// Too few cores to pin the games.
pub fn place(
    machine: &Machine,
    limits: &Limits,
    HostOptions { jobs, placing }: HostOptions,
) -> Result<GamePlacement, HostError> {
    if placing != Placing::Pinned {
        return Ok(GamePlacement {
            jobs: jobs.unwrap_or_else(|| machine.games()),
            places: Vec::new(),
            warning: None,
        });
    }
    let places = machine.places(limits.confinement.off_turn);
    let most = NonZeroUsize::new(places.len()).unwrap_or(NonZeroUsize::MIN);
    let jobs = jobs.unwrap_or(most);
    if jobs <= most {
        return Ok(GamePlacement {
            jobs,
            places,
            warning: None,
        });
    }
    let single = machine.places(OffTurn::Stop);
    match NonZeroUsize::new(single.len()) {
        Some(room) if jobs <= room => {
            let most = most.get();
            Ok(GamePlacement {
                jobs,
                places: single,
                warning: Some(HostWarning::OneCore { most }),
            })
        }
        room => Err(HostError::TooFewCores {
            most: room.unwrap_or(NonZeroUsize::MIN),
        }),
    }
}
