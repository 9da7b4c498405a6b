//! Whether the files of a run are those that it wrote.

pub(super) mod digests;
pub(super) mod strangers;
