//! Pages for a browser, from the records of a run. They work from a folder, without a network or a
//! server. This module starts no bots.

mod article;
mod context;
mod error;
mod exports;
mod game;
mod parts;
mod seats;
mod run;

pub use article::{Article, Block, Table, Words, heading_id};
pub use error::PageError;
pub use game::{DrawnGames, GAME_PAGE, GAMES, GamesRead, WritePage, game_page, game_pages};
pub(crate) use parts::columns::columns_chart;
pub(crate) use parts::svg::{Axis, Chart, Shape, round};
pub(crate) use parts::table::{CellView, ColumnView, TableView};
pub use run::{ScheduleState, Wanted, page_files, run_pages};
