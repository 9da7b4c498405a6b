//! Options that commands share: their values, games, filters, and bots named on the command line.
//!
//! It is handed the words of the command line, and gives what a command needs to start: a game, a plan without a
//! file, a started bot, a host.

mod filter;
mod games;
mod language;
mod launch;
mod machine;
mod quick_match;
mod setup;
mod temporary_folder;
mod values;

pub use filter::{FilterCounts, FilterError, GameFilter, UnmatchedFilters};
pub use games::{GameParser, close_rules_programs, game_names, known_games, parse_rules};
pub use language::LanguageArgs;
pub use launch::{
    StartError, ask_engines, host, launch, own_program, see_that_it_is_built, signals, supervisor,
    tier,
};
pub use machine::MachineArgs;
pub use quick_match::{COMMAND_LINE, MatchArgs, game_options, named, players};
pub use setup::{SetupArgs, SetupError, setup};
pub use temporary_folder::TemporaryFolder;
pub use values::{
    parse_jobs, parse_memory, parse_nodes, parse_seed, parse_small, parse_time, parse_whole,
    wall_time,
};
