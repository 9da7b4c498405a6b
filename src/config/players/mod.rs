//! The players of a configuration: a table each, or a grid of variants.
//!
//! It is handed the tables of a file, and gives an [`Entry`] for each player, with the clock and
//! limits of its own.

mod entries;
mod entry;
mod grid;
mod language;
mod own_terms;

pub use entries::players;
pub(crate) use entries::{course_files, entries};
pub(super) use entry::unfit_house_bot;
pub use entry::{Entry, is_told_legal};
pub(crate) use language::unfit_language;
pub use own_terms::OwnTerms;
