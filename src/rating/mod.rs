//! From results to ratings, and what they can and cannot tell. Pure: it opens no file and reads no
//! clock. The order of the games does not matter, but for [`Elo`] and [`Glicko`].
//! `docs/ratings.md` has every formula with its source.

mod covariance;
mod fit;
mod groups;
mod matrix;
mod normal;
mod notes;
mod pentanomial;
mod performance;
mod sequential;
mod standings;
mod telling;

pub use covariance::{Anchor, Estimate, Ratings};
pub use fit::{ADVANTAGE_DEVIATION, DRAWS_DEVIATION, Model, PRIOR_DEVIATION};
pub use notes::{Cycle, FEW_GAMES, Findings, find};
pub use pentanomial::{Interval, MatchScore, Sprt, SprtVerdict};
pub use performance::{elo_of_score, performance};
pub use sequential::{Elo, Glicko, START_GLICKO};
pub use standings::{Line, Meeting, RatedGame, Score, Standings, Tally};

/// Elo per unit of the natural logarithm of the odds of winning.
const ELO: f64 = 400.0 / std::f64::consts::LN_10;

/// The 97.5 % quantile of the normal distribution: 95 % lie within so many deviations.
const Z95: f64 = 1.959_963_984_540_054;
