//! `games.csv`, a row per finished game, and `set-aside.csv` beside it.

mod columns;
pub(super) mod done;
pub(super) mod game_start;
pub(super) mod ids;
pub(super) mod in_order;
pub(super) mod row;
pub(super) mod rows;
pub(super) mod seat_columns;
pub(super) mod set_aside;
pub(super) mod writer;
