//! Where the bots of a game run.

use std::num::NonZeroUsize;

use super::host::{HostError, HostOptions, HostWarning};
use super::machine::Machine;
use crate::config::Limits;
use crate::player::OffTurn;

/// Where the bots of a game run.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Placing {
    /// Together with the thread that referees them while they answer at once, and else where the system likes.
    #[default]
    Lanes,
    /// On cores of their own.
    Pinned,
    /// Where the system likes.
    Free,
}

impl Placing {
    /// On cores of their own, if they are to be.
    pub fn pinned(pin: bool) -> Self {
        match pin {
            true => Self::Pinned,
            false => Self::Lanes,
        }
    }
}

/// Where the games of a plan run.
pub(super) struct Placed {
    pub jobs: NonZeroUsize,
    /// The logical processors of each worker's bots.
    pub places: Vec<Vec<u32>>,
    pub warning: Option<HostWarning>,
}

/// How many games are played at a time, and where.
///
/// # Errors
/// There are too few cores to pin the games to.
pub(super) fn place(
    machine: &Machine,
    limits: &Limits,
    HostOptions { jobs, placing }: HostOptions,
) -> Result<Placed, HostError> {
    if placing != Placing::Pinned {
        return Ok(Placed {
            jobs: jobs.unwrap_or_else(|| machine.games()),
            places: Vec::new(),
            warning: None,
        });
    }
    let places = machine.places(limits.confinement.off_turn);
    let most = NonZeroUsize::new(places.len()).unwrap_or(NonZeroUsize::MIN);
    let jobs = jobs.unwrap_or(most);
    if jobs <= most {
        return Ok(Placed {
            jobs,
            places,
            warning: None,
        });
    }
    let single = machine.places(OffTurn::Stop);
    match NonZeroUsize::new(single.len()) {
        Some(room) if jobs <= room => {
            let most = most.get();
            Ok(Placed {
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
