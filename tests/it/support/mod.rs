//! What several suites need.

pub mod browser;
pub mod conduct;
pub mod config;
pub mod content;
pub mod doubles;
pub mod engines;
pub mod executable;
pub mod fastchess;
pub mod files;
pub mod kills;
pub mod landlock;
pub mod layout;
#[expect(dead_code, reason = "the last test program tells the totals")]
pub mod needs;
pub mod pages;
pub mod program;
pub mod properties;
pub mod python;
pub mod quick;
pub mod rules_games;
pub mod rules_program;
pub mod run;
pub mod schemes;
pub mod served;
pub mod simulated_places;
pub mod stubborn;
pub mod tables;
pub mod tournament;
pub mod writes;
