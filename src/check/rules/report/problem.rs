//! Aspects of rules programs that are checked, and problems that a check may find.

use std::time::Duration;

use super::Variation;
use crate::check::CheckVerdict;
use crate::game::RulesFault;

/// An aspect of a rules program that is checked.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Check {
    /// The answer to `rules 1`.
    Handshake,
    /// The values of each option.
    Options,
    /// Plays whole random games.
    Games,
    /// The lists of legal actions.
    Legal,
    /// Accepts each action that it lists.
    Accepted,
    /// Refuses all other actions, and changes nothing by that.
    Refused,
    /// Gives the same answers again.
    Replay,
    /// Gives the same answers in other surroundings.
    Twin,
    /// Tells seats nothing that is hidden from them.
    Secrets,
    /// Treats the seats alike.
    Symmetry,
    /// Goes on without a seat that forfeited.
    Drop,
    /// Ends each game, with points and a reason.
    End,
    /// Shows positions.
    Show,
    /// Time for an answer.
    Time,
    /// Memory does not grow from game to game.
    Memory,
    /// Exits when it is told to.
    Exit,
}

impl Check {
    /// All checks, in the order of a report.
    pub const ALL: [Check; 16] = [
        Check::Handshake,
        Check::Options,
        Check::Games,
        Check::Legal,
        Check::Accepted,
        Check::Refused,
        Check::Replay,
        Check::Twin,
        Check::Secrets,
        Check::Symmetry,
        Check::Drop,
        Check::End,
        Check::Show,
        Check::Time,
        Check::Memory,
        Check::Exit,
    ];

    /// Name in reports.
    pub fn name(self) -> &'static str {
        match self {
            Check::Handshake => "handshake",
            Check::Options => "options",
            Check::Games => "games",
            Check::Legal => "legal",
            Check::Accepted => "accepted",
            Check::Refused => "refused",
            Check::Replay => "replay",
            Check::Twin => "twin",
            Check::Secrets => "secrets",
            Check::Symmetry => "symmetry",
            Check::Drop => "drop",
            Check::End => "end",
            Check::Show => "show",
            Check::Time => "time",
            Check::Memory => "memory",
            Check::Exit => "exit",
        }
    }
}

/// A kind of request, whose answer differs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RequestKind {
    /// `new`.
    New,
    /// `play`.
    Play,
    /// `drop`.
    Drop,
    /// `legal`.
    Legal,
    /// `show`.
    Show,
}

/// A difference between two answers to one request.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Difference {
    /// The kind of request.
    pub part: RequestKind,
    /// Whether the words are equal and in another order.
    pub is_order: bool,
}

/// A problem of a rules program.
#[derive(Debug, Clone, PartialEq, Eq)]
#[expect(
    missing_docs,
    reason = "the words of each problem say what the fields are"
)]
pub enum RulesFlaw {
    /// No answer, or one that the protocol does not allow. `stderr` has the program's last words.
    Fault {
        fault: RulesFault,
        stderr: Vec<String>,
    },
    /// The hello differs from process to process.
    HelloChanges,
    /// `new` refuses a value that the hello allows.
    OptionRefused {
        key: String,
        value: String,
        words: String,
    },
    /// `new` refuses a number of seats, or the options as they are.
    NewRefused { words: String },
    /// `has score`, and a turn without a score.
    NoScore,
    /// `has offers`, and a seat that acts is offered nothing.
    NoOffer { seat: u8 },
    /// The offered actions differ from `legal`.
    OfferDiffers { seat: u8 },
    /// A seat that does not act is offered actions.
    OfferToOther { seat: u8 },
    /// All hear of an action that was not played.
    WrongNews { seat: u8, action: String },
    /// A seat acts and has no legal action.
    LegalEmpty { seat: u8 },
    /// An action is listed twice.
    LegalDouble { seat: u8, action: String },
    /// A second list differs from the first.
    LegalChanges { seat: u8 },
    /// A seat that does not act has legal actions.
    LegalOfOther { seat: u8 },
    /// A listed action is refused.
    LegalRefused {
        seat: u8,
        action: String,
        words: String,
    },
    /// Another spelling of a listed action is accepted.
    Spelling {
        seat: u8,
        spelling: String,
        action: String,
    },
    /// An action that is not listed is accepted.
    Unlisted { seat: u8, action: String },
    /// An action of a seat that does not act is accepted.
    OtherSeat { seat: u8 },
    /// An action after the end is accepted.
    AfterEnd { seat: u8 },
    /// A refusal of several actions names other seats than those at fault.
    WrongBlame { guilty: Vec<u8>, blamed: Vec<u8> },
    /// A refused action changed something.
    RefusalChanges { difference: Difference },
    /// Two new processes differ.
    Unseeded { difference: Difference },
    /// A game differs if `legal` and `show` are not asked.
    AskingChanges { difference: Difference },
    /// A game differs after other games in the process.
    KeepsState { difference: Difference },
    /// A game that is sent in one write differs.
    OneWrite { difference: Option<Difference> },
    /// A process in other surroundings differs.
    Surroundings {
        variation: Variation,
        difference: Difference,
    },
    /// Equal news for a seat, and other legal actions.
    LegalLeaks { seat: u8, is_order: bool },
    /// Equal news for a seat, and another answer to an action.
    RefusalLeaks { seat: u8, action: String },
    /// Equal news for a seat, and another board for it.
    ShowLeaks { seat: u8 },
    /// A game with exchanged seats differs.
    NotSymmetric { ply: usize },
    /// A seat may not leave.
    DropRefused { seat: u8, words: String },
    /// One seat is left, and the game goes on.
    DropGoesOn { seat: u8 },
    /// A seat that left is to act.
    DroppedActs { seat: u8 },
    /// A game did not end.
    NoEnd { plies: usize },
    /// No game ended in the time.
    NoneEnded { plies: usize },
    /// A reason without a line in the hello.
    UnknownReason { reason: String },
    /// All games were drawn.
    NeverDecided { games: u32 },
    /// Two positions of one `state` differ.
    StateDiffers { state: String },
    /// An answer took more than half of the limit.
    Slow { took: Duration, limit: Duration },
    /// Memory grew.
    Grows { bytes: u64, games: u32 },
    /// It does not exit at `quit`.
    IgnoresQuit { waited: Duration },
    /// It does not exit at the end of the input.
    IgnoresEnd { waited: Duration },
}

impl RulesFlaw {
    /// Name in reports for programs.
    pub fn name(&self) -> &'static str {
        match self {
            RulesFlaw::Fault { fault, .. } => of_fault(fault),
            RulesFlaw::HelloChanges => "hello-changes",
            RulesFlaw::OptionRefused { .. } => "option-refused",
            RulesFlaw::NewRefused { .. } => "new-refused",
            RulesFlaw::NoScore => "no-score",
            RulesFlaw::NoOffer { .. } => "no-offer",
            RulesFlaw::OfferDiffers { .. } => "offer-differs",
            RulesFlaw::OfferToOther { .. } => "offer-to-other-seat",
            RulesFlaw::WrongNews { .. } => "wrong-news",
            RulesFlaw::LegalEmpty { .. } => "legal-empty",
            RulesFlaw::LegalDouble { .. } => "legal-double",
            RulesFlaw::LegalChanges { .. } => "legal-changes",
            RulesFlaw::LegalOfOther { .. } => "legal-of-other-seat",
            RulesFlaw::LegalRefused { .. } => "legal-refused",
            RulesFlaw::Spelling { .. } => "spelling",
            RulesFlaw::Unlisted { .. } => "unlisted",
            RulesFlaw::OtherSeat { .. } => "other-seat",
            RulesFlaw::AfterEnd { .. } => "after-end",
            RulesFlaw::WrongBlame { .. } => "wrong-blame",
            RulesFlaw::RefusalChanges { .. } => "refusal-changes",
            RulesFlaw::Unseeded { .. } => "unseeded",
            RulesFlaw::AskingChanges { .. } => "asking-changes",
            RulesFlaw::KeepsState { .. } => "keeps-state",
            RulesFlaw::OneWrite { .. } => "one-write",
            RulesFlaw::Surroundings { variation, .. } => variation.problem(),
            RulesFlaw::LegalLeaks { .. } => "legal-leaks",
            RulesFlaw::RefusalLeaks { .. } => "refusal-leaks",
            RulesFlaw::ShowLeaks { .. } => "show-leaks",
            RulesFlaw::NotSymmetric { .. } => "not-symmetric",
            RulesFlaw::DropRefused { .. } => "drop-refused",
            RulesFlaw::DropGoesOn { .. } => "drop-goes-on",
            RulesFlaw::DroppedActs { .. } => "dropped-acts",
            RulesFlaw::NoEnd { .. } => "no-end",
            RulesFlaw::NoneEnded { .. } => "none-ended",
            RulesFlaw::UnknownReason { .. } => "unknown-reason",
            RulesFlaw::NeverDecided { .. } => "never-decided",
            RulesFlaw::StateDiffers { .. } => "state-differs",
            RulesFlaw::Slow { .. } => "slow",
            RulesFlaw::Grows { .. } => "grows",
            RulesFlaw::IgnoresQuit { .. } => "ignores-quit",
            RulesFlaw::IgnoresEnd { .. } => "ignores-end",
        }
    }

    /// Consequence for a tournament: a problem that fails makes games void, unfair or impossible to verify.
    pub fn verdict(&self) -> CheckVerdict {
        match self {
            RulesFlaw::NoneEnded { .. }
            | RulesFlaw::UnknownReason { .. }
            | RulesFlaw::NeverDecided { .. }
            | RulesFlaw::StateDiffers { .. }
            | RulesFlaw::Slow { .. }
            | RulesFlaw::Grows { .. }
            | RulesFlaw::IgnoresQuit { .. }
            | RulesFlaw::IgnoresEnd { .. } => CheckVerdict::Warn,
            _ => CheckVerdict::Failed,
        }
    }
}

fn of_fault(fault: &RulesFault) -> &'static str {
    match fault {
        RulesFault::TimedOut(_) => "no-answer",
        RulesFault::Malformed { .. } => "malformed",
        RulesFault::WithLog { cause, .. } => of_fault(cause),
        _ => "ended",
    }
}
