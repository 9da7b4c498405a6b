//! What the rest of the program must know about the game.

use super::super::Reason;
use super::super::reason::Ending;

/// A side reached 60 points.
pub const SCORE_60: Reason = Reason(&Ending::rule("score60"));
/// In the reading ntu: no piece of one side is left.
pub const ELIMINATION: Reason = Reason(&Ending::rule("elimination"));
/// The seat to act has no legal action.
pub const NO_LEGAL: Reason = Reason(&Ending::rule("no_legal"));
/// What the option repetitions says.
pub const REPETITION: Reason = Reason(&Ending::rule("repetition"));
/// Ours: too many plies in a row without a flip or a capture.
pub const QUIET_PLIES: Reason = Reason(&Ending::ours("quiet_plies"));
/// Ours: the game reached its greatest number of plies.
pub const MAX_PLIES: Reason = Reason(&Ending::ours("max_plies"));

/// How a game can end.
pub const REASONS: &[Reason] = &[
    SCORE_60,
    ELIMINATION,
    NO_LEGAL,
    REPETITION,
    QUIET_PLIES,
    MAX_PLIES,
];
