//! Measures a bot on its machine: load, waits for a processor, lost time, processor time, the tree of
//! processes, and the processor that a game keeps to. It is handed process IDs and gives measurements;
//! it starts nothing and knows no limit of a bot.

mod contention;
mod cpu_meter;
pub mod lane;
pub mod lost_time;
pub mod probe;
pub mod process_tree;

pub use contention::{Contention, ContentionMeter, DelayVerdict, Patience};
pub use cpu_meter::{CpuCounter, CpuMeter, CpuSource, StartedBot};
pub use lane::{Lane, Lanes};
pub use probe::Probe;
pub use process_tree::{BotSample, SmallTree};
