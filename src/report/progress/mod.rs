//! Progress on stderr: of a run, of work in stages, and of one piece of work.

mod count;
mod line;
mod run;
mod stages;
mod work;

pub use count::{Count, rough};
pub use run::{Progress, test_ratio};
pub use stages::Stages;
pub use work::Work;
