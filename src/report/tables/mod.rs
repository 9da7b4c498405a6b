//! The tables of rated results, of conclusions and of games. `docs/formats.md` and `docs/ratings.md` explain all
//! columns.

mod conclusions;
mod games;
mod matches;
mod pairings;
mod ratings;
mod run;
mod seats;

pub use conclusions::{places, verdicts};
pub use games::games;
pub use matches::matches;
pub use pairings::{NEIGHBOURS, crosstable, pairings, superiority};
pub use ratings::{MARGIN, ratings, standings};
pub use run::{Digests, WriteTable, each_table, finish_run};
pub use seats::{PLACES, all_ratings, all_standings, table_ratings, table_standings};
