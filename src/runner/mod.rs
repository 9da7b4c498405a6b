//! Plays a whole plan: workers play games; one dispatcher hands them out, keeps the journal and emits events.
//!
//! Workers never touch the journal or the terminal. They send messages to the dispatcher, which handles one at
//! a time, in the thread of [`Tournament::play`]. Interrupts are messages too.

mod builds;
mod dispatch;
mod engines;
mod error;
mod event;
mod host;
mod queue;
mod threads;
mod tournament;

pub use crate::schedule::{Conclusion, GameCount, TestState};
pub use dispatch::{
    Audience, Bot, Completed, Interrupt, InterruptLevel, Starter, report_file_limits,
};
pub use engines::{AskedEngines, UnfitEngine, check_engines};
pub use error::RunError;
pub use event::Event;
pub use host::{
    Demands, Host, HostError, HostOptions, HostWarning, Machine, Placing, TierError, Turns,
    program_launches, tier_that_holds, turns_of,
};
pub use queue::{
    Fold, Portion, QueuedGame, ScheduleCheck, UnfitGame, check_against_schedule, count_games, fold,
    sample_games,
};
pub use tournament::{Bots, Programs, Tournament};
