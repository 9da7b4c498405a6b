//! Pages for a browser, from the records of a run. They work from a folder, without a network or a
//! server. This module starts no bots.

mod article;
mod context;
mod error;
mod exports;
mod game;
mod live;
mod parts;
mod run;

pub use article::{Article, Block, Table, Words};
pub use error::PageError;
pub use game::{DrawnGames, GAMES, GamesRead, WritePage, game_page, game_pages};
pub use live::{LIVE, LiveRun, LiveState};
pub use run::{ScheduleState, run_pages};
