//! Names of the rules that end a game.

use crate::game::{Reason, ReasonInfo};

/// A side reached 60 points.
pub const SCORE_60: Reason = Reason(&ReasonInfo::rule("score60"));
/// In the reading ntu: no piece of one side is left.
pub const ELIMINATION: Reason = Reason(&ReasonInfo::rule("elimination"));
/// The seat to act has no legal action.
pub const NO_LEGAL: Reason = Reason(&ReasonInfo::rule("no_legal"));
/// A repetition that the option `repetitions` declares a draw.
pub const REPETITION: Reason = Reason(&ReasonInfo::rule("repetition"));
/// Ours: too many plies in a row without a flip or a capture.
pub const QUIET_PLIES: Reason = Reason(&ReasonInfo::ours("quiet_plies"));
/// Ours: the game reached its greatest number of plies.
pub const MAX_PLIES: Reason = Reason(&ReasonInfo::ours("max_plies"));
