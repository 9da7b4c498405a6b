//! The page that shows games on their boards, and the files with the games.

mod board;
mod data;
mod files;
mod reported;
mod views;
mod written;

pub use files::{
    DrawnGames, GAME_PAGE, GAMES, GAMES_PER_FILE, GamesRead, MOST_GAMES, WritePage, game_page,
    game_pages,
};
pub use reported::{MOST_PLAYERS as MOST_REPORTING, Reported, SPEED};
