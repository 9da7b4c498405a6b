//! The folder of a plan on disk: how the tournament is cut, the frozen bots, its waves, and the attempts at its
//! shards.

mod attempts;
mod folder;
mod freeze;
pub(super) mod waves;

pub(super) use attempts::ALIVE;
pub use attempts::{Attempt, AttemptSummary, ShardUnit};
pub use folder::{FolderError, PlanFolder, PlanTable, UnbuiltTable};
pub use freeze::{FreezeError, freeze};
