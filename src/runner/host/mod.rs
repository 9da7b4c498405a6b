//! Settings of a run that depend on the machine: its cores, the placement of bots on them, and the tier that isolates
//! bots.
//!
//! It is handed a plan and options, and gives a [`Host`] that starts bots, with warnings about the machine.

mod demands;
mod error;
mod machine;
mod options;
mod placing;
mod settings;

pub use demands::{Demands, program_launches, turns_of};
pub use error::{HostError, HostWarning, TierError};
pub use machine::{Machine, Turns};
pub use options::{HostOptions, Placing};
pub use settings::{Host, tier_that_holds};
