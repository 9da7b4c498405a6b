//! Notes in words: facts and warnings about ratings, and what a format concluded.

mod conclusion;
mod facts;
mod names;
mod planned_games;
mod sequential_test;
mod slow_rules;
mod stopping;
mod strength;
mod warnings;

pub use conclusion::{conclusion, conclusion_words};
pub use facts::facts;
pub use sequential_test::unit;
pub use slow_rules::slow_rules;
pub use stopping::{NotesOn, stopping};
pub use strength::{TOLD_APART, strength};
pub use warnings::warnings;
