//! The tables of rated results, of conclusions and of games. `docs/formats.md` and `docs/ratings.md` explain all
//! columns.

mod conclusions;
mod games;
mod matches;
mod pairings;
mod ratings;
mod run;

pub use conclusions::{places, verdicts};
pub use games::games;
pub use matches::matches;
pub use pairings::{NEIGHBOURS, covariance, crosstable, pairings, superiority};
pub use ratings::{MARGIN, PLACES, ratings, standings};
pub use run::{finish_run, write_tables};
