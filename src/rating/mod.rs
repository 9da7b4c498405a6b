//! From results to ratings and marks, and to what they can and cannot show. It opens no file and reads no clock.
//! Only for [`Elo`] and [`MarkRule::Reach`] does the order of the games matter.
//! `docs/ratings.md` and `docs/marks.md` have every formula with its source.

mod anchors;
mod bands;
mod covariance;
mod field;
mod cycles;
mod findings;
mod fit;
mod groups;
mod information;
mod likelihood;
mod marks;
mod matrix;
mod meetings;
mod normal;
mod opening_games;
mod openings;
mod pair_games;
mod pairs;
mod pentanomial;
mod plan;
mod posterior;
mod sampled;
mod ranking;
mod score;
mod sequential;
mod sprt;
mod standings;
mod uncertainty;
mod unlike;
mod stopped;
mod wilson;

pub use covariance::{Anchor, Estimate, Ratings};
pub use cycles::{Cycle, Misfit};
pub use findings::{FEW_GAMES, Findings};
pub use fit::{ADVANTAGE_DEVIATION, DRAWS_DEVIATION, Model, PRIOR_DEVIATION};
pub use marks::{
    Change, Doubt, Fraction, MarkRule, MarkedGame, MarkedPair, Reliability, SIMULATIONS, Scheme,
    SchemeTest, TestGames, curve, fraction,
};
pub use meetings::Meeting;
pub use normal::normal_tails;
pub use pentanomial::{Interval, MatchScore};
pub use plan::GamesNeeded;
pub use posterior::MAX_CORRECTED_PLAYERS;
pub use ranking::{Apart, RankingTest};
pub use score::{Score, Tally, elo_of_score};
pub use sequential::Elo;
pub use sprt::{EloModel, Sprt, SprtEstimate, SprtVerdict};
pub use standings::{PlayerStanding, RatedGame, Standings};
pub use uncertainty::MAX_EXACT_PLAYERS;

/// Elo per unit of the natural logarithm of the odds of winning.
const ELO: f64 = 400.0 / std::f64::consts::LN_10;

/// The 97.5 % quantile of the normal distribution: 95 % lie within this many deviations of the mean.
const Z95: f64 = 1.959_963_984_540_054;
