//! The order of the players: what the games show about it, and what they cannot show.

mod bands;
mod cycles;
mod diagnostics;
mod misfit;
mod ranking_test;
mod residuals;

pub use bands::bands;
pub use cycles::Cycle;
pub use diagnostics::{Diagnostics, FEW_GAMES};
pub use ranking_test::{OrderVerdict, RankingTest};
