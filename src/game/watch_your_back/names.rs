//! Names of the seats, and of the rules that end a game.

use crate::game::{Reason, ReasonInfo};

/// The seats, in the order of play.
pub(super) const SEATS: &[&str] = &["white", "black"];

/// Fewer than two pieces at the end of the placing phase.
pub const AFTER_PLACING: Reason = Reason(&ReasonInfo::rule("after_placing"));
/// Fewer than two pieces after a move.
pub const ELIMINATION: Reason = Reason(&ReasonInfo::rule("elimination"));
/// Fewer than two pieces after the first shrink.
pub const SHRINK_128: Reason = Reason(&ReasonInfo::rule("shrink128"));
/// Fewer than two pieces after the second shrink.
pub const SHRINK_192: Reason = Reason(&ReasonInfo::rule("shrink192"));
/// Ours: the game reached its greatest number of plies.
pub const MAX_PLIES: Reason = Reason(&ReasonInfo::ours("max_plies"));
