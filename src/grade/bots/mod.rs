//! From a submission to a bot that can play: unpacked, built, checked, and kept with the packages that it loads.
//!
//! It is handed candidates, and gives an entry of a plan for each, or the [`Cause`] why there is none.

mod build;
mod cause;
mod fitness;
mod kit;
mod loaded_packages;
mod missing_files;
mod module;
mod readiness;
mod unpacking;

pub use build::{BUILD_LOG, Builder, Prepared, keep_reference, prepare, restore};
pub use cause::{BrokenBot, Cause, CommonCause, SEVERAL};
pub use fitness::{Checker, Fitness};
pub use loaded_packages::Loaded;
pub use readiness::{PreparedBots, why_not};
