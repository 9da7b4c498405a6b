//! Hints: remedies for findings.

use super::{Check, CheckVerdict, Evidence, Finding, ForfeitedGame, Request};
use crate::bot::{LateAnswer, LateCause, seconds};
use crate::referee::FaultKind;
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
            _ if self.verdict() < CheckVerdict::Warn => return None,
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

fn hint_for(forfeit: &ForfeitedGame) -> Option<String> {
    let hint = match forfeit.fault.kind {
        FaultKind::Late => {
            return Some(hint_for_late(forfeit.late_answer.as_ref(), forfeit.request));
        }
        FaultKind::Exited | FaultKind::HungUp => {
            "what it wrote last usually says why; `referee play` with it shows the same"
        }
        FaultKind::OutOfTurn | FaultKind::LineTooLong | FaultKind::Flood | FaultKind::NotText => {
            "standard output is for answers alone: write debug output to standard error, or begin \
             such lines with #"
        }
        FaultKind::NotStarted | FaultKind::NotBuilt | FaultKind::Left => return None,
        FaultKind::NoAction => {
            "the adapter or bridge in the bot's command says this of the program behind it; its README \
             says what that program may answer"
        }
        FaultKind::Memory => "hold less at a time, or ask for a higher limit",
        FaultKind::CpuSpent => {
            "stop thinking in time: look at a clock of processor time in the search \
             (time.process_time(), clock()), which all threads and child processes share; an endless loop \
             ends here too"
        }
        FaultKind::OffTurn | FaultKind::DelayedOpponent => {
            "compute only when the bot is asked to act"
        }
        FaultKind::Uncounted => "make the programs that the bot starts readable: chmod +r",
        FaultKind::BadHello => {
            "the first line on standard output must be the answer to `referee 1`: nothing may be \
             printed before it, not even by an import"
        }
        FaultKind::Refused => {
            "the engine has to take each command of the game; docs/engines.md lists them"
        }
        FaultKind::NotReady => "answer `start ...` with the single word ready",
        FaultKind::Overrun => "stop thinking in time, with a margin for a busy machine",
        FaultKind::Illegal => {
            "follow the `did` lines, your own actions among them; docs/rules has the rules, \
             and `referee position` lists what is legal in a position"
        }
        FaultKind::NotAnAction => {
            "an answer is one action and nothing else, in the notation of docs/protocol.md"
        }
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
    let Some(LateAnswer { line, late, cause }) = answer else {
        return format!("{advice}; if the bot did answer, {FLUSH}");
    };
    let line = excerpt(line, EXCERPT);
    match cause {
        LateCause::Buffered => format!(
            "`{line}` came when its input was closed: the answer lay in its buffer; {FLUSH}"
        ),
        LateCause::Unended => {
            format!("`{line}` came without a line end: end each line with a newline, and flush it")
        }
        LateCause::Slow => format!(
            "`{line}` came {} after the limit: the bot is too slow; {advice}",
            seconds(*late)
        ),
    }
}
