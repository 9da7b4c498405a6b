//! From the games of a test to marks, with their intervals and the probability that a repetition changes them.
//! `docs/marks.md` has the formulas, their sources and their measured errors.

mod forecast;
mod fraction;
mod games;
mod interval;
mod reach;
mod repetition;
mod rule;
mod urn;

pub use forecast::Forecast;
pub use fraction::{Fraction, curve, fraction};
pub use games::{MarkedBlock, MarkedGame, TestGames};
pub use interval::share;
pub use repetition::{Change, Reliability, SIMULATIONS, Scheme};
pub use rule::{Doubt, MarkRule, SchemeTest};
