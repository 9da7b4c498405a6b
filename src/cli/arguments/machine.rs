//! How a command uses this machine.

use std::num::NonZeroUsize;

use super::values::parse_jobs;
use crate::runner::{HostOptions, Placing};

/// Options of `run` and `grade`.
#[derive(Debug, clap::Args)]
pub struct MachineArgs {
    /// How many games to play at a time; the number of physical cores if not given
    #[arg(short, long, value_name = "N", value_parser = parse_jobs, allow_negative_numbers = true)]
    pub jobs: Option<NonZeroUsize>,
    /// Pin the bots of each game to a physical core of their own, or to two where off-turn is "log"
    ///
    /// Not more games are played at a time than there are cores for.
    #[arg(long)]
    pub pin: bool,
}

impl MachineArgs {
    /// The options of a host.
    pub fn options(&self) -> HostOptions {
        HostOptions {
            jobs: self.jobs,
            placing: Placing::pinned(self.pin),
        }
    }
}
