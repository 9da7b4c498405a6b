//! The folder of a plan on disk: how the tournament is cut, the frozen bots, its waves, and its shards.

mod folder;
mod freeze;
pub(super) mod waves;

pub use folder::{FolderError, PlanFolder, PlanTable, ShardProgress};
pub use freeze::freeze;
