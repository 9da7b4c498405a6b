//! From the results of games to ratings: runs and other files of results → [`Results`] → [`Rated`].

mod games;
mod programs;
mod rated;
mod settings;

pub(crate) use games::game_name;
pub use games::{ManyResults, Results};
pub use programs::programs;
pub use rated::{Rated, shared_ranks};
pub use settings::{ByResults, Settings, run_test};
