//! The lines exchanged by the referee and a bot, protocol version 1.
//!
//! One message per line, tokens separated by spaces. An action is an opaque token: this module knows no rules.
//! `docs/protocol.md` is the specification.
//!
//! ```
//! use referee::protocol::ToBot;
//!
//! let line = "did blue d2 c3 c4";
//! let message = ToBot::parse(line)?;
//! assert_eq!(message, ToBot::Did { seat: "blue", action: "d2", public: "c3 c4" });
//! assert_eq!(message.to_string(), line);
//! # Ok::<(), referee::protocol::BadMessage>(())
//! ```

use std::borrow::Cow;
use std::fmt::{self, Display};

use crate::text::is_hidden;

mod bad_message;
mod hello;
mod start;

pub use bad_message::BadMessage;
use bad_message::split;
pub use hello::{Hello, VERSION};
pub use start::{Millis, Start, TimeTerms};

/// The bot's answer to `start`: it is ready for requests.
pub const READY: &str = "ready";

/// A bot's answer to `act` where it gives the game up. An action of the game that is called so goes before.
pub const RESIGN: &str = "resign";

/// A line from the referee to a bot.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ToBot<'a> {
    /// Handshake: `referee 1`. The bot answers with a [`Hello`].
    Hello {
        /// Protocol version.
        version: u32,
    },
    /// A game begins. The bot answers [`READY`].
    Start(Start<'a>),
    /// A seat acted.
    Did {
        /// Name of the seat.
        seat: &'a str,
        /// The action, in the game's notation.
        action: &'a str,
        /// Information made public by the action: tokens separated by spaces, possibly none.
        public: &'a str,
    },
    /// Something that this seat is told: its private cards, or a result that not all may know.
    See {
        /// In the words of the game.
        words: &'a str,
    },
    /// Legal actions of this seat, before the request for one: tokens separated by spaces, or one action where actions
    /// are lines. Several such lines add up.
    Can {
        /// The actions.
        actions: &'a str,
    },
    /// Request for an action.
    Act {
        /// Time left on the bot's own clock.
        mine: Millis,
        /// Time left on the clock of each opponent, in the order of the seats.
        others: Cow<'a, [Millis]>,
    },
    /// The points of a game that is over, by its rules, in the order of the seats. Told where there are not two.
    Points {
        /// Decimal numbers separated by spaces.
        points: &'a str,
    },
    /// The game is over.
    End {
        /// Name of the winning seat, several joined by `+`, `draw`, or `none` if nobody won.
        winner: &'a str,
        /// Why the game ended.
        termination: &'a str,
        /// Details in words; for a bot at fault, its mistake.
        detail: &'a str,
    },
    /// No more games: exit.
    Quit,
}

impl<'a> ToBot<'a> {
    /// Parses one line, without its line ending.
    ///
    /// # Errors
    /// The line is not a message of this protocol; the error names the expected messages.
    pub fn parse(line: &'a str) -> Result<Self, BadMessage> {
        let (word, rest) = split(line);
        match word {
            "referee" => Ok(Self::Hello {
                version: rest
                    .parse()
                    .map_err(|_| BadMessage::new("expected a version number after `referee`"))?,
            }),
            "start" => Start::parse(rest).map(Self::Start),
            "did" => {
                let (seat, rest) = split(rest);
                let (action, public) = split(rest);
                if seat.is_empty() || action.is_empty() {
                    return Err(BadMessage::new("expected a seat and an action after `did`"));
                }
                Ok(Self::Did {
                    seat,
                    action,
                    public,
                })
            }
            "see" => Ok(Self::See { words: rest }),
            "can" => Ok(Self::Can { actions: rest }),
            "act" => {
                let (mine, others) = split(rest);
                let others = others.split(' ').map(Millis::parse);
                Ok(Self::Act {
                    mine: Millis::parse(mine)?,
                    others: others.collect::<Result<Vec<_>, _>>()?.into(),
                })
            }
            "points" => Ok(Self::Points { points: rest }),
            "end" => {
                let (winner, rest) = split(rest);
                let (termination, detail) = split(rest);
                if winner.is_empty() || termination.is_empty() {
                    return Err(BadMessage::new(
                        "expected a winner and a termination after `end`",
                    ));
                }
                Ok(Self::End {
                    winner,
                    termination,
                    detail,
                })
            }
            "quit" if rest.is_empty() => Ok(Self::Quit),
            _ => Err(BadMessage::new(
                "expected `referee`, `start`, `did`, `see`, `can`, `act`, `points`, `end` or `quit`",
            )),
        }
    }
}

impl Display for ToBot<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Hello { version } => write!(f, "referee {version}"),
            Self::Start(start) => write!(f, "start {start}"),
            Self::Did {
                seat,
                action,
                public,
            } => {
                write!(f, "did {seat} {action}")?;
                if public.is_empty() {
                    Ok(())
                } else {
                    write!(f, " {public}")
                }
            }
            Self::See { words } => write!(f, "see {words}"),
            Self::Can { actions } => write!(f, "can {actions}"),
            Self::Act { mine, others } => {
                write!(f, "act {mine}")?;
                others.iter().try_for_each(|left| write!(f, " {left}"))
            }
            Self::Points { points } => write!(f, "points {points}"),
            Self::End {
                winner,
                termination,
                detail,
            } => {
                write!(f, "end {winner} {termination}")?;
                if detail.is_empty() {
                    return Ok(());
                }
                // A detail may quote a bot's output; it must stay on one line.
                f.write_str(" ")?;
                detail
                    .chars()
                    .try_for_each(|c| fmt::Write::write_char(f, if is_hidden(c) { ' ' } else { c }))
            }
            Self::Quit => f.write_str("quit"),
        }
    }
}

/// The reason in an answer `illegal REASON`. A bridge to another program answers `act` like this if the program's move
/// is no action.
pub fn said_illegal(answer: &str) -> Option<&str> {
    answer.strip_prefix("illegal ")
}

/// A bot's debug line: kept in its log, never an answer.
pub fn is_debug(line: &str) -> bool {
    debug_text(line).is_some()
}

/// The text of a debug line.
pub fn debug_text(line: &str) -> Option<&str> {
    line.strip_prefix('#')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_message_survives_a_round_trip() {
        for line in [
            "referee 1",
            "start cachex red seed=7 measure=cpu per-game=81000 increment=0 per-move=none size=9",
            "start dark-chess second seed=0 measure=wall per-game=none increment=100 per-move=50",
            "did red d2",
            "did first b3-b4 N",
            "see the queen of hearts",
            "can d2 d3 pass",
            "start cards p2 seed=0 seats=3 measure=wall per-game=none increment=100 per-move=50",
            "act 81000 none",
            "act 81000 none 7",
            "points 2 0.5 -1",
            "end red rules connection",
            "end draw adjudication",
            "quit",
        ] {
            let message = ToBot::parse(line).expect(line);
            assert_eq!(message.to_string(), line);
        }
    }

    #[test]
    fn what_is_not_a_message_is_refused() {
        for line in [
            "",
            "hello",
            "referee",
            "referee one",
            "did red",
            "act",
            "act 1",
            "act x 1",
            "end",
            "end red",
            "quit now",
            "start",
            "start cachex",
            "start cachex red",
            "start cachex red seed=1 size",
        ] {
            assert!(ToBot::parse(line).is_err(), "{line}");
        }
    }
}
