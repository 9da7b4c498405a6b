//! Marks for a class of programs that play games, and what of them goes out.

pub mod copies;
pub mod leaks;
pub mod pseudonyms;
pub mod sheet;
pub mod standings;
