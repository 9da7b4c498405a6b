//! A tournament cut into shards that any number of machines play: a folder with the plan, the frozen bots, the
//! shards, and the merged run.
//!
//! ```text
//! config.toml                the configuration, with the seed and with paths to the frozen copies
//! plan.toml                  number of shards, and findings of planning
//! bots/  openings/           frozen copies
//! frozen.sha256              their digests, as `sha256sum --check` reads them
//! run/                       the run; without games until shards are merged
//! shards/0007/               shard 7, as the folder of a run
//! waves/0003.csv             the games of wave 3, if pairings depend on results
//! ```

mod folder;
mod freeze;
mod merge;
mod scripts;
mod waves;
mod work;

pub use folder::{FolderError, PlanFolder, PlanTable, ShardProgress};
pub use freeze::freeze;
pub use merge::{Led, Merged, lead, merge};
pub use scripts::{Engine, LEAD, check_path, lead_script, ranges, script, submit, submit_again};
pub use work::{WorkError, Worker};
