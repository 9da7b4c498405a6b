//! Converts the `[format]` table to a [`Format`](crate::schedule::Format) and back.

mod ends_by_itself;
mod keys;
mod of_table;
mod table;

pub(crate) use of_table::format;
