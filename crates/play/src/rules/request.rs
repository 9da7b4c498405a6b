//! The requests to a rules program.

use super::split_word;
use crate::text::excerpt;

/// Maximum characters of a quoted request.
const EXCERPT: usize = 80;

/// Greatest seed: every language holds it exactly.
const LARGEST_SEED: u64 = (1 << 53) - 1;

/// A request to a rules program. A seat is not checked against the game.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Request<'a> {
    Hello,
    New {
        seed: u64,
        seats: u8,
        options: Vec<(&'a str, &'a str)>,
    },
    Play {
        seat: u8,
        action: &'a str,
    },
    Legal(u8),
    /// Show the board as a seat may see it; whole for `None`.
    Show(Option<u8>),
    Quit,
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

impl<'a> Request<'a> {
    pub fn parse(line: &'a str) -> Result<Self, BadRequest> {
        let (word, rest) = line.split_once(' ').unwrap_or((line, ""));
        let parsed = match word {
            "rules" => (rest == "1").then_some(Self::Hello),
            "new" => new_game(rest),
            "play" => {
                let (seat, action) = rest.split_once(' ').unwrap_or((rest, ""));
                let seat = seat.parse().ok();
                seat.map(|seat| Self::Play { seat, action })
            }
            "legal" => rest.parse().ok().map(Self::Legal),
            "show" if rest == "all" => Some(Self::Show(None)),
            "show" => rest.parse().ok().map(Some).map(Self::Show),
            "quit" => rest.is_empty().then_some(Self::Quit),
            _ => None,
        };
        parsed.ok_or_else(|| {
            BadRequest::new(
                line,
                "rules 1, new seed=N seats=N KEY=VALUE…, play SEAT ACTION, legal SEAT, show SEAT, show all or quit",
            )
        })
    }
}

fn new_game(rest: &str) -> Option<Request<'_>> {
    let (seed, rest) = split_word(rest);
    let (seats, rest) = split_word(rest);
    let seed = seed.strip_prefix("seed=")?.parse().ok();
    let options: Option<Vec<(&str, &str)>> = rest
        .split_ascii_whitespace()
        .map(|option| option.split_once('='))
        .collect();
    Some(Request::New {
        seed: seed.filter(|seed| *seed <= LARGEST_SEED)?,
        seats: seats.strip_prefix("seats=")?.parse().ok()?,
        options: options?,
    })
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
                Request::New {
                    seed: LARGEST_SEED,
                    seats: 2,
                    options: vec![("size", "9"), ("layout", "x=y")],
                },
            ),
            (
                "play 1  a b",
                Request::Play {
                    seat: 1,
                    action: " a b",
                },
            ),
            (
                "play 0",
                Request::Play {
                    seat: 0,
                    action: "",
                },
            ),
            ("legal 0", Request::Legal(0)),
            ("show all", Request::Show(None)),
            ("show 1", Request::Show(Some(1))),
            ("quit", Request::Quit),
        ] {
            assert_eq!(Request::parse(line).as_ref(), Ok(&request), "{line}");
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
