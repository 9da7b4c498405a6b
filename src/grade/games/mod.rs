//! The games of a class: tests in rounds, and the tournament.
//!
//! It is handed bots that can play, and gives runs on disk. Marks tell it only where more games are needed.

mod kept_rules;
mod play;
mod rounds;
mod tournament;

pub use play::TestRun;
pub use rounds::{Player, Rounds};
pub use tournament::{TournamentRank, keep_ranks, kept_ranks, tournament, tournament_games};
