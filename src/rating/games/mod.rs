//! Results of games: by player, by block, and of each two players.

pub mod connectivity;
mod blocks;
mod counter;
mod kind;
mod match_score;
mod means;
mod meeting;
mod score;
mod standings;

pub use blocks::{Blocks, ByPlace, CountedBlock, Group, SeatPlaces};
pub use kind::{Choice, GameKind};
pub use match_score::{MatchScore, moments};
pub use means::BlockMean;
pub use meeting::Meeting;
pub use score::{Score, Tally, elo_of_score};
pub use standings::{GameCounter, PlayerStanding, RatedGame, Standings, Totals};
