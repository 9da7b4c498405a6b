//! Read access to a run.

pub(super) mod difference;
pub(super) mod output;
pub(super) mod recording;
pub(super) mod run;
