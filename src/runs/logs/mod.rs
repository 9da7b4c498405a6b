//! The files of each game: its log, and its bots' standard error.

pub(super) mod game_files;
pub(super) mod game_log;
pub(super) mod pack;
pub(super) mod reported;
pub(super) mod row;
pub(super) mod rules_times;
