//! Marks: the results of a candidate's games, marks given by hand, the total, and changes since an earlier grading.
//!
//! It is handed runs on disk and the configuration, and gives a [`Mark`] for each candidate, and `marks.csv`.

mod by_hand;
mod changes;
mod mark;
mod outcome;

pub use by_hand::{GivenMarks, given_marks, given_to, not_given, unequal};
pub use changes::{ChangedMark, ChangesError, changed_marks, earlier_marks};
pub use mark::{Mark, OtherMarks, Status, TestMark, mark, mark_text, write_marks};
pub use outcome::{Hold, Outcome, ends_early, first_portion, outcome};
