//! Tables of three to eight players: their players and their order.
//!
//! A *block* is one table of players with one start and one seed, played once for each rotation of the players
//! around the seats, so that everybody sits in each seat once. A game pair is a block of two.

mod balanced;
mod block;
mod block_test;
mod differences;
mod fixed_blocks;
mod gauntlet;
mod meetings;
mod plane;
mod schedule;
mod seat_orders;
mod swiss;
mod swiss_blocks;

#[cfg(test)]
pub use block_test::MOST_LEFT_OUT;
pub use block_test::{BlockGame, BlockTest};
pub use gauntlet::tables_in_turn;
pub use meetings::Meetings;
pub use schedule::{TableFormat, TableKind};
