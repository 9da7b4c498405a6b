//! The players of a configuration: a table each, or a grid of variants.
//!
//! It is handed the tables of a file, and gives an [`Entry`] for each player, with the clock and
//! limits of its own.

mod entries;
mod entry;
mod grid;
mod own_terms;

pub use entries::players;
pub(crate) use entries::{course_files, entries};
pub use entry::Entry;
pub use own_terms::OwnTerms;
