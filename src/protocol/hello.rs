//! A bot's side of the handshake.

use std::fmt::{self, Display};

use super::bad_message::BadMessage;
use crate::text::is_hidden;

/// Protocol version of this module.
pub const VERSION: u32 = 1;

/// A bot introduces itself: `bot 1 NAME`, or `bot 1 NAME eager`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Hello {
    /// The bot's own name: one token of at most [`Hello::LONGEST_NAME`] characters.
    pub name: String,
    /// Whether the bot wants its opponent's action at once, to think on the opponent's time, instead of with its next
    /// request.
    pub eager: bool,
}

impl Hello {
    /// Maximum number of characters in a bot's name.
    pub const LONGEST_NAME: usize = 64;

    /// Parses the answer to `referee 1`.
    ///
    /// # Errors
    /// The line is not a valid answer; the error names the expected form.
    pub fn parse(line: &str) -> Result<Self, BadMessage> {
        let tokens: Vec<&str> = line.split(' ').collect();
        let (version, name, features) = match tokens[..] {
            ["bot", version, name, ref features @ ..] if !name.is_empty() => {
                (version, name, features)
            }
            _ => return Err(BadMessage::new(format!("expected `bot {VERSION} NAME`"))),
        };
        if version.parse() != Ok(VERSION) {
            return Err(BadMessage::new(format!(
                "expected version {VERSION} of the protocol after `bot`"
            )));
        }
        if name.chars().count() > Self::LONGEST_NAME || name.chars().any(is_hidden) {
            return Err(BadMessage::new(format!(
                "expected a name of at most {} printable characters",
                Self::LONGEST_NAME
            )));
        }
        match features {
            [] | ["eager"] => Ok(Self {
                name: name.to_owned(),
                eager: !features.is_empty(),
            }),
            _ => Err(BadMessage::new(
                "expected `eager` or nothing after the name; a name has no spaces",
            )),
        }
    }
}

impl Display for Hello {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "bot {VERSION} {}", self.name)?;
        if self.eager {
            f.write_str(" eager")?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hellos() {
        for line in ["bot 1 alice", "bot 1 alice eager"] {
            assert_eq!(Hello::parse(line).expect(line).to_string(), line);
        }
        for line in [
            "",
            "bot",
            "bot 1",
            "bot 1 ",
            "bot 2 alice",
            "bot one alice",
            "bot 1 alice bob",
            "hello",
        ] {
            assert!(Hello::parse(line).is_err(), "{line}");
        }
        assert!(Hello::parse(&format!("bot 1 {}", "x".repeat(65))).is_err());
    }
}
