//! What to do about a finding.

use super::{Check, Evidence, Finding, Forfeit, Request, Trouble, Verdict};
use crate::referee::Termination;

const FLUSH: &str = "flush after every line: print(..., flush=True) or python3 -u, \
                     fflush(stdout), std::endl, System.out.flush()";

impl Finding {
    /// What to do about it, where it failed or may surprise.
    pub fn hint(&self) -> Option<String> {
        let hint = match &self.evidence {
            Evidence::Forfeit(forfeit) => return hint_for(forfeit),
            _ if self.verdict() < Verdict::Warn => return None,
            Evidence::Hello { .. } | Evidence::Ready { .. } | Evidence::SlowestAction { .. } => {
                "more than half of the limit: on a busy machine it may take twice as long and forfeit"
            }
            Evidence::Repeated { .. } if self.check == Check::NextGame => {
                "`start` begins everything anew: something of the game before was kept; if it must \
                 be, enter the bot with fresh-process = true"
            }
            Evidence::Repeated { .. } => {
                "draw all randomness from the seed in `start`, and no other; a search that stops by \
                 the clock differs too. It loses no game, but nobody can play a lost one again"
            }
            Evidence::OffTurn { .. } => "it forfeits where a tournament says off-turn = \"forbid\"",
            Evidence::UnaskedLine { .. } => {
                "only `referee`, `start` and `act` want an answer: `did` and `end` want none"
            }
            Evidence::DebugOutput { .. } => {
                "write less: what a tournament keeps of a game is limited, by default to 256 KiB"
            }
            Evidence::Killed { .. } => {
                "exit at `quit`, or when the input ends, which it does right after; nobody reads \
                 what it still writes"
            }
            Evidence::Leftovers { left: 0, .. } => {
                "wait for the processes that the bot starts, before it exits"
            }
            Evidence::Leftovers { .. } => "look for them by hand: the machine may be stuck",
            Evidence::Missing { .. }
            | Evidence::Results(_)
            | Evidence::PeakMemory { .. }
            | Evidence::Exited => return None,
        };
        Some(hint.to_owned())
    }
}

fn hint_for(forfeit: &Forfeit) -> Option<String> {
    let hint = match (forfeit.trouble, forfeit.request) {
        (Some(Trouble::Late), _) if let Some(answer) = &forfeit.buffered_answer => {
            return Some(format!(
                "`{answer}` came when its input was closed: the answer lay in its buffer; {FLUSH}"
            ));
        }
        (Some(Trouble::Late), Some(Request::Hello | Request::Start)) => {
            return Some(format!(
                "{FLUSH}; and what takes long to load, load after the answer, or ask for a higher \
                 limit"
            ));
        }
        (Some(Trouble::Late), _) => {
            return Some(format!(
                "stop thinking in time, with a margin for a busy machine; if it has answered, \
                 {FLUSH}"
            ));
        }
        (Some(Trouble::Gone), _) => {
            "what it wrote last usually says why; `referee play` against it shows the same"
        }
        (Some(Trouble::Noise), _) => {
            "standard output is for answers alone: write debug output to standard error, or begin \
             such lines with #"
        }
        (Some(Trouble::NotStarted), _) => return None,
        (Some(Trouble::Memory), _) => "hold less at a time, or ask for a higher limit",
        (Some(Trouble::Other), _) => "compute when it is asked, and not before",
        (None, Some(Request::Hello)) => {
            "the first line on standard output answers `referee 1`: nothing may be printed before \
             it, by an import neither"
        }
        (None, Some(Request::Start)) => "answer `start ...` with the one word ready",
        (None, _) => match forfeit.termination {
            Termination::Time => "stop thinking in time, with a margin for a busy machine",
            Termination::IllegalAction => {
                "follow the `did` lines, your own too; docs/rules has the rules, and `referee \
                 position` says what is legal after which actions"
            }
            _ => "an answer is one action and nothing else, in the notation of docs/protocol.md",
        },
    };
    Some(hint.to_owned())
}
