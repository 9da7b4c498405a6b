//! Results of games: by player, by meeting, in game pairs, and by opening.

pub mod connectivity;
mod game_pairs;
mod index;
mod match_score;
mod meetings;
mod opening_games;
mod score;
mod standings;

pub use index::key;
pub use match_score::{MatchScore, moments};
pub use meetings::Meeting;
pub use opening_games::OpeningGames;
pub use score::{Score, Tally, elo_of_score};
pub use standings::{RatedGame, Standings};
