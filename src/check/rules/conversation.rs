//! Requests to a rules program, as values, and its answers.

use std::fmt::Write as _;

use crate::check::last_lines::EXCERPT;
use crate::text::excerpt;

/// Number of requests at the end of a transcript whose answers it has.
const ANSWERED: usize = 2;

/// The beginning of a game.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Start {
    pub seed: u64,
    pub seats: u8,
    pub options: Vec<(String, String)>,
}

/// The actions of the seats that act, in rising order of the seats.
pub type Actions = Vec<(u8, String)>;

/// A request.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Request {
    New(Start),
    Play(Actions),
    Legal(u8),
    /// The board as a seat may see it; all of it for `None`.
    Show(Option<u8>),
}

/// A request and the lines of its answer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Exchange {
    pub request: Request,
    pub answer: Vec<String>,
}

impl Request {
    /// Its lines, as they are sent.
    pub fn text(&self) -> String {
        match self {
            Self::New(start) => {
                let mut text = format!("new seed={} seats={}", start.seed, start.seats);
                for (key, value) in &start.options {
                    // Writing to a `String` cannot fail.
                    let _ = write!(text, " {key}={value}");
                }
                text + "\n"
            }
            Self::Play(actions) => {
                let line = |(index, (seat, action)): (usize, &(u8, String))| {
                    let is_last = index + 1 == actions.len();
                    let word = if is_last { "play" } else { "with" };
                    format!("{word} {seat} {action}\n")
                };
                actions.iter().enumerate().map(line).collect()
            }
            Self::Legal(seat) => format!("legal {seat}\n"),
            Self::Show(Some(seat)) => format!("show {seat}\n"),
            Self::Show(None) => "show all\n".to_owned(),
        }
    }

    /// How its answer differs from another one, in words.
    pub fn differs(&self, is_order: bool) -> String {
        let (word, how) = match self {
            Self::New(_) => ("new", "is another one"),
            Self::Play(_) => ("play", "is another one"),
            Self::Legal(_) => ("legal", "has other actions"),
            Self::Show(_) => ("show", "is another one"),
        };
        let how = if is_order { "is in another order" } else { how };
        format!("the answer to `{word}` {how}")
    }
}

/// The conversation in lines: all requests that change something and the last one, and the last answers.
pub fn transcript(exchanges: &[Exchange]) -> Vec<String> {
    let mut lines = Vec::new();
    let answered = exchanges.len().saturating_sub(ANSWERED);
    for (index, exchange) in exchanges.iter().enumerate() {
        let asks = matches!(exchange.request, Request::Legal(_) | Request::Show(_));
        if asks && index < answered {
            continue;
        }
        let text = exchange.request.text();
        let requests = text.lines().map(|line| excerpt(line, EXCERPT));
        lines.extend(requests.map(|line| format!("> {line}")));
        if index >= answered {
            lines.extend(answer_lines(&exchange.answer));
        }
    }
    lines
}

/// The lines of an answer in a transcript.
pub fn answer_lines(answer: &[String]) -> impl Iterator<Item = String> {
    answer
        .iter()
        .map(|line| format!("< {}", excerpt(line, EXCERPT)))
}

/// The first request whose answers differ, and how.
pub fn first_difference(one: &[Exchange], other: &[Exchange]) -> Option<(usize, String)> {
    let mut pairs = one.iter().zip(other).enumerate();
    let (index, (one, other)) = pairs.find(|(_, (one, other))| one.answer != other.answer)?;
    let is_order = words(&one.answer) == words(&other.answer);
    Some((index, one.request.differs(is_order)))
}

/// The words of an answer without their order.
fn words(answer: &[String]) -> Vec<&str> {
    let lines = answer.iter().flat_map(|line| line.split(' '));
    let mut words: Vec<&str> = lines.collect();
    words.sort_unstable();
    words
}
