//! Contradictions in the records of a game.

use crate::game::{Reason, Refusal, RulesFault};
use crate::runs::error::journal::RowError;

/// A contradiction in the records of a game.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[expect(missing_docs, reason = "the messages say what the fields are")]
pub enum Difference {
    /// The options differ from the manifest.
    #[error("`options` is `{row}`, and the manifest says `{manifest}`")]
    Options { row: String, manifest: String },
    /// There is a ply after the end.
    #[error("ply {ply}: the game was over already")]
    AfterTheEnd { ply: u32 },
    /// Another seat was to act.
    #[error("ply {ply}: it was {expected}'s turn, not {found}'s")]
    Turn {
        ply: u32,
        expected: String,
        found: String,
    },
    /// A ply of the opening differs from the seed's.
    #[error("ply {ply}: the opening is `{logged}`, and the seed says `{drawn}`")]
    Opening {
        ply: u32,
        logged: String,
        drawn: String,
    },
    /// A ply that a player chose has no time.
    #[error("ply {ply}: it has no time, and is not of the opening")]
    NoTime { ply: u32 },
    /// The rules refuse an action.
    #[error("ply {ply}: `{action}` is {refusal}")]
    Refused {
        ply: u32,
        action: String,
        refusal: Refusal,
    },
    /// The public result differs.
    #[error(
        "ply {ply}: `{action}` made `{logged}` public, and the rules and the seed say `{made}`"
    )]
    Public {
        ply: u32,
        action: String,
        logged: String,
        made: String,
    },
    /// A rules program answered otherwise than when the game was played.
    #[error(
        "ply {ply}: after `{action}` the digest of the rules' answers was `{logged}` and is `{made}`: the rules \
             changed, or do not depend on the seed and the actions alone"
    )]
    Answers {
        ply: u32,
        action: String,
        logged: String,
        made: String,
    },
    /// The numbers of plies differ.
    #[error("the journal has {journal} plies, the log {log}")]
    Plies { journal: u32, log: usize },
    /// The digests of the actions differ.
    #[error("`actions_digest` is `{journal}`, and the log's is `{log}`")]
    Digest { journal: String, log: String },
    /// A column of the journal contradicts the rules.
    #[error(transparent)]
    Column(#[from] RowError),
    /// A forfeit is recorded of a game that was over.
    #[error("`termination` is `{termination}`, and the game was over by `{reason}`")]
    WasOver {
        termination: &'static str,
        reason: Reason,
    },
    /// An end by the rules is recorded of a game that goes on.
    #[error("`termination` is `{termination}`, and after the last ply the game goes on")]
    GoesOn { termination: &'static str },
    /// A seat left that was not to act, or a ply is not one of seats that leave.
    #[error("ply {ply}: {seat} left the game, and its player was not asked")]
    Unasked { ply: u32, seat: &'static str },
    /// Seats left without a fault, other than one that resigned.
    #[error("ply {ply}: {seat} left the game, and its row has no fault of its player")]
    NoFault { ply: u32, seat: &'static str },
    /// A player at fault did not leave a game that went on.
    #[error("the row has a fault of the player of {seat}, and by the log that seat did not leave")]
    NotLeft { seat: &'static str },
    /// The rules failed, so nothing is known about the records.
    #[error(transparent)]
    Rules(#[from] RulesFault),
}
