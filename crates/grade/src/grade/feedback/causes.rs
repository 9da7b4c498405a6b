//! Forfeits in words, once per cause.

use std::path::Path;

use super::Links;
use super::facts::Cause;
use super::games::{AT_HOME, link, sent_file};
use crate::pages::{Passage, Words};
use crate::referee::{FaultKind, Termination};
use crate::report::shell_word;
use crate::text::counted;

pub(super) fn blocks(cause: &Cause, links: Links) -> Vec<Passage> {
    let example = &cause.example;
    let [what, remedy] = words(cause.termination, cause.fault);
    let mut title = format!("{}: {what}", counted(cause.count(), "game", "games"));
    if let Some(trace) = &example.trace {
        title.push_str(&format!(" at {}", trace.place));
    }
    let name = format!("{}, game {}", example.test, example.id);
    let tests = cause.games.iter();
    let tests = tests.map(|(test, games)| format!("{test} {games}"));
    let mut blocks = vec![
        Passage::Subheading(title),
        Passage::Text(vec![
            Words::Plain(format!(
                "By test: {}. The first is ",
                tests.collect::<Vec<_>>().join(", ")
            )),
            match links {
                Links::Games => Words::Link(name, link(&example.test, example.id, example.plies)),
                Links::None => Words::Plain(name),
            },
            Words::Plain(format!(
                ", as {} against {}, after {}: {}.",
                example.seat,
                example.opponents,
                counted(example.plies.into(), "ply", "plies"),
                example.detail.trim_end_matches('.')
            )),
        ]),
    ];
    if let Some(trace) = &example.trace {
        blocks.push(Passage::Lines(trace.lines.join("\n")));
    }
    blocks.push(text(format!("What to look for: {remedy}")));
    if let Some(board) = &example.board {
        blocks.push(text("The board at that moment:"));
        blocks.push(Passage::Lines(board.clone()));
    }
    if links == Links::Games
        && let Some(command) = command(cause)
    {
        blocks.push(text("See it again:"));
        blocks.push(Passage::Lines(command));
    }
    blocks
}

pub(in crate::grade) fn text(words: impl Into<String>) -> Passage {
    Passage::Text(vec![Words::Plain(words.into())])
}

fn words(termination: Termination, fault: FaultKind) -> [&'static str; 2] {
    match termination {
        Termination::IllegalAction if fault == FaultKind::NoAction => [
            "it answered with nothing that is an action",
            "each way through the code has to return an action, in the form that the course's page gives.",
        ],
        Termination::IllegalAction => [
            "it played an action that the rules forbid",
            "does your program know the same board as the referee at that moment, and every rule about the action?",
        ],
        Termination::ProtocolError => match fault {
            FaultKind::OutOfTurn => [
                "it wrote before it was asked",
                "one line answers one request. Do you write two lines for an action, or answer a message that wants no \
                 answer? Write everything else to standard error, or begin such lines with #.",
            ],
            FaultKind::LineTooLong => [
                "it wrote a line that is too long",
                "output without line ends, or a line with too much in it. The limit holds for lines that begin with #, \
                 too. Write long texts to standard error.",
            ],
            FaultKind::Flood => [
                "it wrote too much before its answer",
                "a loop that writes and never answers, or too many lines that begin with #, which count, too. Write \
                 less of them, or write to standard error.",
            ],
            FaultKind::NotText => [
                "it wrote a line that is no text",
                "bytes that are not UTF-8, such as an object written as bytes, or text in another encoding. Write \
                 answers as plain letters and digits.",
            ],
            _ => [
                "its answer was no action",
                "an answer is one action and nothing else, with the capitals and signs that the course's page gives. \
                 Write everything else to standard error, or begin such lines with #.",
            ],
        },
        Termination::Time => [
            "it used more time than it had",
            "stop thinking in time, with a margin; where there is a limit for the whole game, share it out over the \
             moves that may come.",
        ],
        Termination::Stall => [
            "it gave no answer",
            "an endless loop, a wait for input that does not come, or an answer that stays in a buffer because it is \
             not flushed.",
        ],
        Termination::Crash => [
            "it ended in the middle of the game",
            "the lines above, where there are any; else what your program writes to standard error before it ends.",
        ],
        Termination::Memory => [
            "it held more memory than it may",
            "what grows with each move, such as a table without a bound.",
        ],
        Termination::Handshake => [
            "it did not get ready for the game",
            "the lines above, where there are any. Before its first action a program has to start in its own folder, be \
             ready in time, and write nothing to standard output but its two answers.",
        ],
        Termination::Rules | Termination::Adjudication | Termination::Left => {
            ["it lost by its own fault", "the last moves."]
        }
    }
}

/// Command that brings the program to this point again, if the game has a log; a program that failed before the first
/// request is checked instead.
pub(super) fn command(cause: &Cause) -> Option<String> {
    let example = &cause.example;
    let words = example
        .command
        .iter()
        .map(|word| shell_word(Path::new(word)));
    let bot = words.collect::<Vec<_>>().join(" ");
    match cause.termination {
        Termination::Handshake => {
            let options = example
                .options
                .split(' ')
                .filter(|option| !option.is_empty());
            let options: String = options.map(|option| format!(" --set {option}")).collect();
            let bot = shell_word(Path::new(&bot));
            Some(format!(
                "referee check {bot} --game {}{options}",
                example.game
            ))
        }
        _ => {
            example.sent.as_ref()?;
            let file = Path::new(AT_HOME).join(sent_file(&example.test, example.id));
            Some(format!("{bot} < {}", shell_word(&file)))
        }
    }
}
