//! A tournament cut into shards that any number of machines play: a folder with the plan, the frozen bots, the
//! attempts at each shard, and the merged run.
//!
//! ```text
//! config.toml                the configuration, with the seed and with paths to the frozen copies
//! plan.toml                  number of shards, and measurements from planning
//! bots/  openings/           frozen copies
//! frozen.sha256              their digests, as `sha256sum --check` reads them
//! run/                       the run; without games until shards are merged
//! shards/0007/ATTEMPT/       an attempt at shard 7: games.csv, logs.tar, and done.toml once it has ended
//! waves/0003.csv             the games of wave 3, if pairings depend on results; its shards are in shards/w0003/
//! merge.toml                 which attempt counts
//! ```
//!
//! No two processes ever write to the same file, so this works on file systems that lock nothing.

mod merge;
mod plan;
mod scripts;
mod work;

pub use merge::{LeadError, Led, MergeError, Merged, NODES, lead, merge};
pub use plan::{FolderError, FreezeError, PlanFolder, PlanTable, ShardUnit, UnbuiltTable, freeze};
pub use scripts::{Engine, LEAD, check_path, lead_script, ranges, script, submit, submit_again};
pub use work::{ShardState, Shards, Status, Work, WorkError, Worked, Worker, status};
