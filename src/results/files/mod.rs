//! Other people's files of results: tables, PGN, anchors.

pub(super) mod anchors;
mod block_numbers;
mod column;
mod gzip;
mod pgn;
pub(super) mod problem;
pub(super) mod read;
mod score;
pub(super) mod summary;
mod table;
mod table_rows;
mod table_seats;
