//! Settings of a run that depend on the machine: its cores, the placement of bots on them, and the tier that isolates
//! bots.
//!
//! It is handed a plan and options, and gives a [`Host`] that starts bots, with warnings about the machine.

mod error;
mod machine;
mod options;
mod placing;
mod settings;

pub use error::{HostError, HostWarning, TierError};
pub use options::{HostOptions, Placing};
pub use settings::{Demands, Host, program_launches, tier_that_holds};
