//! Failures of a game's rules, and refusals of an action.

use std::borrow::Cow;

use crate::game::{PerSeat, Seat};

/// Why the rules of a game gave no usable answer. No player is to blame. Built-in rules do not fail; a rules
/// program may.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum RulesFault {
    #[error("the rules program ended: {0}")]
    Ended(String),
    #[error("the rules program {0} before it said hello")]
    Killed(String),
    #[error("the machine failed the rules program: {0}")]
    Machine(String),
    #[error("the rules program gave no answer within {0} ms")]
    TimedOut(u64),
    #[error("the rules program was waited for when the run was broken off")]
    BrokenOff,
    #[error("the rules program answered `{line}`: expected {expected}")]
    Malformed {
        line: String,
        /// The line that the protocol has in its place.
        expected: String,
    },
    #[error("{cause}; its last words are: {words}")]
    WithLog {
        cause: Box<RulesFault>,
        /// The last line that it wrote.
        words: String,
        /// The kept part of what it wrote beside its answers.
        log: Vec<u8>,
    },
    /// The rules say what cannot be, in words.
    #[error("{0}")]
    Broken(String),
    #[error("the rules program lists no legal actions: it does not say `has legal`")]
    NotListed,
    #[error("the rules program lists `{action}` as legal and refuses it: {words}")]
    ListedRefused { action: String, words: String },
    #[error(
        "the rules name seat {seat} to act in ply {ply}, and list no legal action of it; `referee game check` shows the requests"
    )]
    NoAction { seat: u8, ply: u32 },
    #[error("the rules name neither a seat to act nor an outcome")]
    NoOutcome,
    #[error("the rules name several seats to act at once, and take no such actions")]
    NotAtOnce,
    #[error("the rules cannot go on without a seat: they do not say `has drop`")]
    NoDrop,
}

impl RulesFault {
    pub fn is_end(&self) -> bool {
        match self {
            Self::Ended(_) | Self::Killed(_) => true,
            Self::WithLog { cause, .. } => cause.is_end(),
            _ => false,
        }
    }

    pub fn is_of_machine(&self) -> bool {
        match self {
            Self::Machine(_) => true,
            Self::WithLog { cause, .. } => cause.is_of_machine(),
            _ => false,
        }
    }

    /// Whether the rules program was killed before it said hello, which its author cannot mend.
    pub fn is_kill(&self) -> bool {
        match self {
            Self::Killed(_) => true,
            Self::WithLog { cause, .. } => cause.is_kill(),
            _ => false,
        }
    }
}

/// Why a token was not played. The words complete "the token is …".
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Refusal {
    #[error("not an action: expected {expected}")]
    Unparsable {
        /// Notation of an action, for the player.
        expected: Cow<'static, str>,
    },
    #[error("illegal: {rule}")]
    Illegal {
        /// The rule it breaks, in words for the player.
        rule: String,
    },
}

#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ActError {
    #[error(transparent)]
    Refused(#[from] Refusal),
    #[error(transparent)]
    Rules(#[from] RulesFault),
}

/// The refusal of actions that several seats chose at once, by the seats at fault.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Refusals(Vec<(Seat, Refusal)>);

impl Refusals {
    pub fn of(&self, seat: Seat) -> Option<&Refusal> {
        let mut refusals = self.0.iter();
        refusals.find_map(|(at_fault, refusal)| (*at_fault == seat).then_some(refusal))
    }

    /// One refusal for all seats, whose words name each action at fault. Unparsable if one of them is.
    fn in_one(self, actions: &PerSeat<&str>) -> Refusal {
        let is_unparsable = |refusal| matches!(refusal, &Refusal::Unparsable { .. });
        let is_unparsable = self.0.iter().any(|(_, refusal)| is_unparsable(refusal));
        let words = self.0.iter().map(|(seat, refusal)| {
            let words = match refusal {
                Refusal::Unparsable { expected } => expected.as_ref(),
                Refusal::Illegal { rule } => rule,
            };
            format!("`{}`: {words}", actions[*seat])
        });
        let words = words.collect::<Vec<_>>().join("; ");
        match is_unparsable {
            true => Refusal::Unparsable {
                expected: words.into(),
            },
            false => Refusal::Illegal { rule: words },
        }
    }
}

impl FromIterator<(Seat, Refusal)> for Refusals {
    fn from_iter<I: IntoIterator<Item = (Seat, Refusal)>>(refusals: I) -> Self {
        Self(refusals.into_iter().collect())
    }
}

/// Why actions of several seats at once were not played.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum AtOnceError {
    /// The rules refuse one of them, or several. The position is as it was.
    Refused(Refusals),
    Rules(RulesFault),
}

impl AtOnceError {
    pub(super) fn in_one(self, actions: &PerSeat<&str>) -> ActError {
        match self {
            Self::Refused(refused) => refused.in_one(actions).into(),
            Self::Rules(fault) => fault.into(),
        }
    }
}
