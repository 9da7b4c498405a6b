//! The dispatcher of a run, its workers, and the interrupts that reach it.
//!
//! It is handed a queue of games and a folder, and gives the rows of the games to the journal and events to the
//! listener.

mod dispatcher;
mod interrupt;
mod messages;
mod signals;
mod worker;

pub use dispatcher::{Completed, Dispatcher};
pub use interrupt::{Interrupt, InterruptLevel};
pub use signals::report_file_limits;
pub use worker::{Audience, Bot, Starter, WorkerContext, spawn_worker};
