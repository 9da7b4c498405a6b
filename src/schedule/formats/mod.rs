//! The formats of tournaments: one file a format.
//!
//! Each is handed the number of players and the options of its format, and gives a
//! [`Schedule`](super::Schedule), or the waves of a [`WaveSchedule`](super::pairings::WaveSchedule).

mod adaptive;
mod gauntlet;
mod knockout;
#[cfg(test)]
mod properties;
mod round_robin;
mod sprt;
mod swiss;

pub use adaptive::Adaptive;
pub use gauntlet::Gauntlet;
pub use knockout::Knockout;
pub use round_robin::RoundRobin;
pub use sprt::SprtSchedule;
pub use swiss::Swiss;
