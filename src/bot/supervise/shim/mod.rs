//! The shim, on both ends of its lifeline: the process above a bot, and the harness's handle of it, with
//! the maker and the pool that shims come from. It is handed the command of a bot and a program that can
//! be a shim, and gives the bot's pipes, its exit status, and a report of the cleanup.

mod handle;
pub mod maker;
mod pool;
pub mod shim_process;

pub use handle::{ShimHandle, Streams};
pub use pool::end_idle_shims;
