//! The formats of tournaments: one file a format.
//!
//! Each is handed the number of players and of seats and the options of its format, and gives a
//! [`Schedule`](super::Schedule), or what one of them is made of: [`Seatings`](super::seating::Seatings) or the waves of a
//! [`WaveSchedule`](super::seating::WaveSchedule).

mod adaptive;
mod gauntlet;
mod knockout;
mod list;
#[cfg(test)]
mod properties;
mod round_robin;
mod sprt;
mod swiss;
mod tune;

pub use adaptive::Adaptive;
pub use gauntlet::{Gauntlet, seatings_in_turn};
pub use knockout::Knockout;
pub use list::List;
pub use round_robin::RoundRobin;
pub use sprt::SprtSchedule;
pub use swiss::Swiss;
pub use tune::TuneSchedule;
