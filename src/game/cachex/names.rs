//! Names of the seats, and of the rules that end a game.

use crate::game::{Reason, ReasonInfo};

/// The seats, in the order of play.
pub(super) const SEATS: &[&str] = &["red", "blue"];

/// An unbroken chain between one's two sides.
pub const CONNECTION: Reason = Reason(&ReasonInfo::rule("connection"));
/// A position occurred for the seventh time.
pub const REPETITION: Reason = Reason(&ReasonInfo::rule("repetition"));
/// The 343rd turn was played.
pub const MAX_TURNS_PLAYED: Reason = Reason(&ReasonInfo::rule("max_turns"));
