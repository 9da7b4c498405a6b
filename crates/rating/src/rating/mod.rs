//! From results to ratings, and to the limits of what results can show. It opens no file and reads no clock.
//! The order of the games does not matter. `docs/ratings.md` has every formula with its source.

mod games;
mod intervals;
mod math;
mod model;
mod order;
mod sequential;

pub use games::{
    BlockMean, Blocks, ByPlace, GameCounter, GameKind, MatchScore, Meeting, PlayerStanding,
    RatedGame, SeatPlaces, Standings, Tally, Totals, WinDrawLoss,
};
pub use intervals::{
    Anchor, FitOptions, MAX_CORRECTED_PLAYERS, MAX_EXACT_PLAYERS, Openings, Posterior, Ratings,
};
pub use math::wilson_interval;
pub use model::{ADVANTAGE_DEVIATION, DRAWS_DEVIATION, Estimate, Model, PRIOR_DEVIATION};
pub use order::{Diagnostics, FEW_GAMES, OrderVerdict, RankingTest, bands};
pub use sequential::{BlockScores, EloModel, Sprt, SprtEstimate, SprtVerdict};

pub(crate) use intervals::{dot, log_deviations, product, unleveraged};
pub(crate) use math::{Symmetric, cdf};
pub(crate) use model::{Expected, Weights, draw_rate, elo_scale};

/// Elo per unit of the natural logarithm of the odds of winning.
pub(crate) const ELO: f64 = 400.0 / std::f64::consts::LN_10;

/// The 97.5 % quantile of the normal distribution: 95 % lie within this many deviations of the mean.
pub(crate) const Z95: f64 = 1.959_963_984_540_054;

/// The lower end of a 95 % interval, the value, and the upper end.
pub type Interval = [f64; 3];
