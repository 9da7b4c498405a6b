//! The requests to a rules program.

use std::fmt::{self, Display, Formatter};

use super::{EXCERPT, split_word};
use crate::text::excerpt;

/// Greatest seed: every language holds it exactly.
const LARGEST_SEED: u64 = (1 << 53) - 1;

/// A request to a rules program, displayed as its lines. A seat is not checked against the game.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Request {
    Hello,
    New(NewGame),
    Play(Actions),
    Legal(u8),
    /// Show the board as a seat may see it; whole for `None`.
    Show(Option<u8>),
    Quit,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewGame {
    pub seed: u64,
    pub seats: u8,
    pub options: Vec<(String, String)>,
}

/// The actions of the seats that act, in rising order of the seats.
pub type Actions = Vec<(u8, String)>;

impl Display for Request {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Self::Hello => f.write_str("rules 1\n"),
            Self::New(NewGame {
                seed,
                seats,
                options,
            }) => {
                write!(f, "new seed={seed} seats={seats}")?;
                let mut options = options.iter();
                options.try_for_each(|(key, value)| write!(f, " {key}={value}"))?;
                f.write_str("\n")
            }
            Self::Play(actions) => actions.iter().enumerate().try_for_each(|(index, it)| {
                let is_last = index + 1 == actions.len();
                let word = if is_last { "play" } else { "with" };
                writeln!(f, "{word} {} {}", it.0, it.1)
            }),
            Self::Legal(seat) => writeln!(f, "legal {seat}"),
            Self::Show(Some(seat)) => writeln!(f, "show {seat}"),
            Self::Show(None) => f.write_str("show all\n"),
            Self::Quit => f.write_str("quit\n"),
        }
    }
}

/// A request that is none, or that this game has not.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("the request was `{line}`; expected {expected}")]
pub struct BadRequest {
    /// The request, shortened, with control characters made visible.
    pub line: String,
    pub expected: &'static str,
}

impl BadRequest {
    pub(super) fn new(line: &str, expected: &'static str) -> Self {
        Self {
            line: excerpt(line, EXCERPT),
            expected,
        }
    }
}

impl Request {
    pub fn parse(line: &str) -> Result<Self, BadRequest> {
        let (word, rest) = line.split_once(' ').unwrap_or((line, ""));
        let parsed = match word {
            "rules" => (rest == "1").then_some(Self::Hello),
            "new" => new_game(rest),
            "play" => {
                let (seat, action) = rest.split_once(' ').unwrap_or((rest, ""));
                let seat = seat.parse().ok();
                seat.map(|seat| Self::Play(vec![(seat, action.to_owned())]))
            }
            "legal" => rest.parse().ok().map(Self::Legal),
            "show" if rest == "all" => Some(Self::Show(None)),
            "show" => rest.parse().ok().map(Some).map(Self::Show),
            "quit" => rest.is_empty().then_some(Self::Quit),
            _ => None,
        };
        parsed.ok_or_else(|| {
            let problem = "rules 1, new seed=N seats=N KEY=VALUE…, play SEAT ACTION, legal SEAT, show SEAT, show all or quit";
            BadRequest::new(line, problem)
        })
    }
}

fn new_game(rest: &str) -> Option<Request> {
    let (seed, rest) = split_word(rest);
    let (seats, rest) = split_word(rest);
    let seed = seed.strip_prefix("seed=")?.parse().ok();
    let options = rest.split_ascii_whitespace().map(|option| {
        let (key, value) = option.split_once('=')?;
        Some((key.to_owned(), value.to_owned()))
    });
    Some(Request::New(NewGame {
        seed: seed.filter(|seed| *seed <= LARGEST_SEED)?,
        seats: seats.strip_prefix("seats=")?.parse().ok()?,
        options: options.collect::<Option<_>>()?,
    }))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn requests_are_read() {
        for (line, request) in [
            ("rules 1", Request::Hello),
            (
                "new seed=9007199254740991 seats=2 size=9 layout=x=y",
                Request::New(NewGame {
                    seed: LARGEST_SEED,
                    seats: 2,
                    options: [("size", "9"), ("layout", "x=y")]
                        .map(|(key, value)| (key.to_owned(), value.to_owned()))
                        .to_vec(),
                }),
            ),
            ("play 1  a b", Request::Play(vec![(1, " a b".to_owned())])),
            ("play 0", Request::Play(vec![(0, String::new())])),
            ("legal 0", Request::Legal(0)),
            ("show all", Request::Show(None)),
            ("show 1", Request::Show(Some(1))),
            ("quit", Request::Quit),
        ] {
            assert_eq!(Request::parse(line).as_ref(), Ok(&request), "{line}");
            assert_eq!(request.to_string().trim_end(), line);
        }
        for line in [
            "",
            "rules 2",
            "new",
            "new seed=1",
            "new seats=2 seed=1",
            "new seed=9007199254740992 seats=2",
            "new seed=1 seats=2 size",
            "play",
            "play x a",
            "with 0 a",
            "drop 0",
            "legal",
            "show",
            "quit now",
        ] {
            Request::parse(line).expect_err(line);
        }
    }
}
