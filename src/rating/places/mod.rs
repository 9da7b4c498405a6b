//! Ratings of games with places: three seats or more, with ties.
//!
//! Plackett and Luce's model (R. Plackett, Applied Statistics 24, 1975; R. Luce, *Individual Choice Behavior*, 1959) with
//! ties (H. Turner, J. van Etten, D. Firth, I. Kosmidis, Computational Statistics 35, 2020) and the worth of a seat. The
//! places of a game are choices, the best first. Of the players who are left, the set `T` is chosen with a probability in
//! proportion to
//!
//! ```text
//! δ(|T|) × exp(mean over T of (θ + γ))      δ(1) = 1
//! ```
//!
//! where `θ` is the strength of a player and `γ` the worth of its seat. For two seats this is Davidson's model, with
//! `ν = δ(2)`, and the first seat's advantage is `γ₁ - γ₂`. All parameters are fitted at once, with the weak priors of
//! the model for two.

mod game;
mod choice;
mod problem;
mod leverage;
mod blocks;
mod block_roots;
mod sampled;
mod ratings;
mod order;
mod planner;
mod means;
mod counts;

pub use counts::{ByPlace, Met, PlaceCounts};
pub use game::{Ending, PlacedError, PlacedGame, PlacedSeat};
pub use means::BlockMean;
pub use ratings::PlaceRatings;
