//! Files of any kind: digests, whole writes, locks, dates.

pub(super) mod atomic_write;
pub(super) mod csv_text;
pub(super) mod date;
pub(super) mod digest;
pub(super) mod durability;
pub(super) mod folders;
pub(super) mod lock;
