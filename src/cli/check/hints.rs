//! What helps a bot that forfeited.

use super::games::{Played, Seen};
use super::observed::{Moment, Trouble};
use crate::player::excerpt;
use crate::referee::Termination;

/// How many lines are shown of what a bot wrote last.
const LINES: usize = 6;

/// How many characters of a line of a bot are shown.
pub(super) const EXCERPT: usize = 160;

const FLUSH: &str = "flush after every line: print(..., flush=True) or python3 -u, \
                     fflush(stdout), std::endl, System.out.flush()";
const STDOUT: &str = "standard output is for answers alone: write debug output to standard error, \
                      or begin such lines with #";

/// What to do about a forfeit.
pub(super) fn hint(game: &Played, seen: &Seen) -> Option<String> {
    let words = seen
        .departures
        .iter()
        .find_map(|departure| departure.last_words.as_ref());
    let hint = match (game.notes.trouble, game.notes.asked) {
        (Some(Trouble::Late), _) if let Some(words) = words => {
            let words = excerpt(words, EXCERPT);
            return Some(format!(
                "`{words}` came when its input was closed: the answer lay in its buffer; {FLUSH}"
            ));
        }
        (Some(Trouble::Late), Some(Moment::Hello | Moment::Start)) => {
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
        (Some(Trouble::Noise), _) => STDOUT,
        (Some(Trouble::NotStarted), _) => return None,
        (Some(Trouble::Memory), _) => "hold less at a time, or ask for a higher limit",
        (Some(Trouble::Other), _) => "compute when it is asked, and not before",
        (None, Some(Moment::Hello)) => {
            "the first line on standard output answers `referee 1`: nothing may be printed before \
             it, by an import neither"
        }
        (None, Some(Moment::Start)) => "answer `start ...` with the one word ready",
        (None, _) => match game.end.termination {
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

/// The end of what a bot wrote in a game, fit for a terminal.
pub(super) fn last_lines(game: &Played) -> Vec<String> {
    let text = game.log.text();
    let text = String::from_utf8_lossy(&text);
    let lines = text.lines().filter(|line| !line.trim().is_empty());
    let mut last: Vec<String> = lines
        .rev()
        .take(LINES)
        .map(|line| excerpt(line, EXCERPT))
        .collect();
    last.reverse();
    last
}
