//! Progress on stderr, of a run and of work in stages.

mod count;
mod line;
mod run;
mod stages;

pub use count::{Count, rough};
pub use run::{Progress, test_ratio};
pub use stages::Stages;
