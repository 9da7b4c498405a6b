//! Progress on stderr: of a run, of work in stages, and of one piece of work, with or without a known end.

mod count;
mod line;
mod open_work;
mod run;
mod stages;
mod work;

pub use count::rough;
pub use open_work::OpenWork;
pub use run::Progress;
pub use stages::Stages;
pub use work::Work;
