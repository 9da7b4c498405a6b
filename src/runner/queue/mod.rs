//! The games of a plan in the order of its schedules.
//!
//! It is handed a plan and the games of a journal, and gives the games to play. The queue also checks a journal against the schedules.

mod fold;
mod game_queue;
mod queued_game;
mod schedule_check;

pub use fold::{Fold, fold};
pub use game_queue::{GameQueue, count_games, sample_games};
pub use queued_game::{Portion, QueueStep, QueuedGame, UnfitGame};
pub use schedule_check::{ScheduleCheck, check_against_schedule};
