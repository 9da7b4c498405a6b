//! The model: the strengths of all players, fitted together by penalised maximum likelihood.
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
//! where `θ` is the strength of a player and `γ` the worth of its seat. For two seats this is the model of Bradley and
//! Terry (Biometrika 39, 1952) with Davidson's draws (JASA 65, 1970), `ν = δ(2)`, and the first seat's advantage
//! `γ₁ - γ₂` (Davidson and Beaver, Biometrics 33, 1977). All parameters are fitted at once. Weak normal priors keep all
//! of them finite.

mod difference;
mod elo;
mod fit;
mod limit;
mod outcome;
mod pool;
mod priors;
mod problem;

pub use difference::Difference;
pub use elo::{Estimate, draw_rate, elo_scale};
pub use fit::{Fit, solve};
pub use limit::limit;
pub use outcome::Expected;
pub use pool::{GameModel, MOST_LOCAL, Pool, Ties};
pub use priors::{ADVANTAGE_DEVIATION, DRAWS_DEVIATION, Model, PRIOR_DEVIATION};
pub use problem::Problem;
