//! Requests to a rules program, as values.

use std::fmt::Write as _;

use super::report::RequestKind;

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
    /// A seat that forfeited leaves.
    Drop(u8),
    Legal(u8),
    /// The board as a seat may see it; all of it for `None`.
    Show(Option<u8>),
}

impl Request {
    /// Its lines, as they are sent.
    pub fn text(&self) -> String {
        let mut text = String::new();
        // Writing to a `String` cannot fail.
        let _ = match self {
            Self::New(start) => {
                let Start {
                    seed,
                    seats,
                    options,
                } = start;
                let _ = write!(text, "new seed={seed} seats={seats}");
                for (key, value) in options {
                    let _ = write!(text, " {key}={value}");
                }
                writeln!(text)
            }
            Self::Play(actions) => {
                for (index, (seat, action)) in actions.iter().enumerate() {
                    let is_last = index + 1 == actions.len();
                    let word = if is_last { "play" } else { "with" };
                    let _ = writeln!(text, "{word} {seat} {action}");
                }
                Ok(())
            }
            Self::Drop(seat) => writeln!(text, "drop {seat}"),
            Self::Legal(seat) => writeln!(text, "legal {seat}"),
            Self::Show(Some(seat)) => writeln!(text, "show {seat}"),
            Self::Show(None) => writeln!(text, "show all"),
        };
        text
    }

    /// Its kind.
    pub fn part(&self) -> RequestKind {
        match self {
            Self::New(_) => RequestKind::New,
            Self::Play(_) => RequestKind::Play,
            Self::Drop(_) => RequestKind::Drop,
            Self::Legal(_) => RequestKind::Legal,
            Self::Show(_) => RequestKind::Show,
        }
    }
}
