//! Hints: remedies for findings.

use super::{Check, Evidence, Finding, Forfeit, Request, Trouble, Verdict};
use crate::player::{LateAnswer, seconds};
use crate::referee::Termination;
use crate::text::excerpt;

/// Maximum characters of a quoted answer.
const EXCERPT: usize = 60;

const FLUSH: &str = "flush after every line: print(..., flush=True) or python3 -u, \
                     fflush(stdout), std::endl, System.out.flush()";

impl Finding {
    /// Remedy for a finding that failed or warns.
    pub fn hint(&self) -> Option<String> {
        let hint = match &self.evidence {
            Evidence::Forfeit(forfeit) => return hint_for(forfeit),
            _ if self.verdict() < Verdict::Warn => return None,
            Evidence::Hello { .. } | Evidence::Ready { .. } | Evidence::SlowestAction { .. } => {
                "more than half of the limit: on a busy machine it may take twice as long and forfeit"
            }
            Evidence::Repeated { .. } if self.check == Check::NextGame => {
                "forget the game before at `start`: the bot kept something from it; if it must, enter \
                 the bot with fresh-process = true"
            }
            Evidence::Repeated { .. } => {
                "draw all randomness from the seed in `start`; a search that stops by the clock \
                 differs too. This loses no game, but a lost game cannot be reproduced"
            }
            Evidence::OffTurn { .. } => "it forfeits in a tournament with off-turn = \"forbid\"",
            Evidence::UnaskedLine { .. } => {
                "answer `referee`, `start` and `act` only; `did` and `end` want no answer"
            }
            Evidence::DebugOutput { .. } => {
                "write less: a tournament keeps a limited amount of each game, by default 256 KiB"
            }
            Evidence::Killed { .. } => {
                "exit at `quit` or at the end of the input, which follows at once; nobody reads what \
                 the bot writes after that"
            }
            Evidence::Leftovers { survivors: 0, .. } => {
                "before the bot exits, let it wait for the processes that it started"
            }
            Evidence::Leftovers { .. } => "look for them by hand; the machine may be stuck",
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
        (Some(Trouble::Late), request) => {
            return Some(hint_for_late(forfeit.late_answer.as_ref(), request));
        }
        (Some(Trouble::Gone), _) => {
            "what it wrote last usually says why; `referee play` with it shows the same"
        }
        (Some(Trouble::Noise), _) => {
            "standard output is for answers alone: write debug output to standard error, or begin \
             such lines with #"
        }
        (Some(Trouble::NotStarted), _) => return None,
        (Some(Trouble::NoAction), _) => {
            "the adapter or bridge in the bot's command says this of the program behind it; its README \
             says what that program may answer"
        }
        (Some(Trouble::Memory), _) => "hold less at a time, or ask for a higher limit",
        (Some(Trouble::CpuSpent), _) => {
            "stop thinking in time: look at a clock of processor time in the search \
             (time.process_time(), clock()), which all threads and child processes share; an endless loop \
             ends here too"
        }
        (Some(Trouble::OffTurn), _) => "compute only when the bot is asked to act",
        (Some(Trouble::Uncounted), _) => "make the programs that the bot starts readable: chmod +r",
        (None, Some(Request::Hello)) => {
            "the first line on standard output must be the answer to `referee 1`: nothing may be \
             printed before it, not even by an import"
        }
        (None, Some(Request::Start)) => "answer `start ...` with the single word ready",
        (None, _) => match forfeit.termination {
            Termination::Time => "stop thinking in time, with a margin for a busy machine",
            Termination::IllegalAction => {
                "follow the `did` lines, your own actions among them; docs/rules has the rules, \
                 and `referee position` lists what is legal in a position"
            }
            _ => "an answer is one action and nothing else, in the notation of docs/protocol.md",
        },
    };
    Some(hint.to_owned())
}

fn hint_for_late(answer: Option<&LateAnswer>, request: Option<Request>) -> String {
    let advice = match request {
        Some(Request::Hello | Request::Start) => {
            "if loading takes long, load after the answer, or ask for a higher limit"
        }
        _ => "stop thinking in time, with a margin for a busy machine",
    };
    match answer {
        Some(LateAnswer::Buffered { line }) => format!(
            "`{}` came when its input was closed: the answer lay in its buffer; {FLUSH}",
            excerpt(line, EXCERPT)
        ),
        Some(LateAnswer::Unended { line }) => format!(
            "`{}` came without a line end: end each line with a newline, and flush it",
            excerpt(line, EXCERPT)
        ),
        Some(LateAnswer::Slow { line, late }) => format!(
            "`{}` came {} after the limit: the bot is too slow; {advice}",
            excerpt(line, EXCERPT),
            seconds(*late)
        ),
        None => format!("{advice}; if the bot did answer, {FLUSH}"),
    }
}
