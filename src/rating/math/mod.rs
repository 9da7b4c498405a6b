//! Linear algebra and statistics without games: matrices, distributions, intervals and estimates.

pub mod brownian_motion;
mod conjugate_gradients;
pub mod constrained_likelihood;
mod information;
mod matrix;
pub mod normal;
mod wilson;

pub use information::Information;
pub use matrix::Symmetric;
pub use normal::normal_tails;
pub use wilson::wilson_interval;
