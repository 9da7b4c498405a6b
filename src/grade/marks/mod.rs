//! What a student gets: what games came to, marks given by hand, and what changed since the last grading.
//!
//! It is handed runs that were played and the configuration, and gives a [`Mark`] for each candidate, and `marks.csv`.

mod by_hand;
mod changes;
mod mark;
mod outcome;

pub use by_hand::{GivenMarks, given_marks, given_to, not_given, unequal};
pub use changes::{ChangedMark, ChangesError, changed_marks, earlier_marks, read};
pub use mark::{Mark, OtherMarks, Status, TestMark, mark, mark_text, write_marks};
pub use outcome::{Outcome, outcome};
