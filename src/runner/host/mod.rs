//! What the machine adds to a plan: its cores, the placement of bots on them, and the tier that isolates bots.
//!
//! It is handed a plan and options, and gives a [`Host`] that starts bots, with warnings about the machine.

mod machine;
mod placing;
mod settings;

pub use machine::MachineWarning;
pub use placing::Placing;
pub use settings::{
    Demands, Host, HostError, HostOptions, HostWarning, TierError, program_launches,
    tier_that_holds,
};
