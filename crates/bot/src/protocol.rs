//! The lines exchanged by the referee and a bot, protocol version 1.
//!
//! One message per line, tokens separated by spaces. An action is an opaque token: this module knows no rules.
//! `docs/protocol.md` is the specification.
//!
//! ```
//! use referee_bot::protocol::ToBot;
//!
//! let line = "did blue d2 c3 c4";
//! let message = ToBot::parse(line)?;
//! assert_eq!(message, ToBot::Did { seat: "blue", action: "d2", public: "c3 c4" });
//! assert_eq!(message.to_string(), line);
//! # Ok::<(), referee_bot::protocol::BadMessage>(())
//! ```

use std::borrow::Cow;
use std::fmt::{self, Display};
use std::num::NonZeroU32;

use thiserror::Error;

use crate::text::{foreign_encoding, is_hidden};

/// The bot's answer to `start`: it is ready for requests.
pub const READY: &str = "ready";

/// A bot's answer to `act` where it gives the game up. An action of the game that is called so goes before.
pub const RESIGN: &str = "resign";

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ToBot<'a> {
    /// Handshake: `referee 1`. The bot answers with a [`Hello`].
    Hello {
        version: u32,
    },
    /// A value of a parameter that is tuned, before `start`, for a bot that said `tunes`.
    Set {
        name: &'a str,
        value: &'a str,
    },
    /// A game begins. The bot answers [`READY`].
    Start(Start<'a>),
    Did {
        seat: &'a str,
        action: &'a str,
        /// Information made public by the action: tokens separated by spaces, possibly none.
        public: &'a str,
    },
    /// Something that this seat is told: its private cards, or a result that not all may know.
    See {
        words: &'a str,
    },
    /// Legal actions of this seat, before the request for one: tokens separated by spaces, or one action where actions
    /// are lines. Several such lines add up.
    Can {
        actions: &'a str,
    },
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
    End {
        /// Name of the winning seat, several joined by `+`, `draw`, or `none` if nobody won.
        winner: &'a str,
        termination: &'a str,
        /// Details in words; for a bot at fault, its mistake.
        detail: &'a str,
    },
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
            "set" => {
                let (name, value) = split(rest);
                if name.is_empty() || value.is_empty() {
                    return Err(BadMessage::new("expected a name and a value after `set`"));
                }
                Ok(Self::Set { name, value })
            }
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
                "expected `referee`, `set`, `start`, `did`, `see`, `can`, `act`, `points`, `end` or `quit`",
            )),
        }
    }
}

impl Display for ToBot<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Hello { version } => write!(f, "referee {version}"),
            Self::Set { name, value } => write!(f, "set {name} {value}"),
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

pub fn debug_text(line: &str) -> Option<&str> {
    line.strip_prefix('#')
}

#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("{problem}")]
pub struct BadMessage {
    /// The problem, as a fragment that follows the line itself.
    pub problem: String,
}

impl BadMessage {
    fn new(problem: impl Into<String>) -> Self {
        Self {
            problem: problem.into(),
        }
    }
}

fn split(line: &str) -> (&str, &str) {
    line.split_once(' ').unwrap_or((line, ""))
}

pub const VERSION: u32 = 1;

/// A bot introduces itself: `bot 1 NAME`, with `eager` and `tunes` after it where they hold.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Hello {
    /// The bot's own name: one token of at most [`Hello::LONGEST_NAME`] characters.
    pub name: String,
    /// Whether the bot wants its opponent's action at once, to think on the opponent's time, instead of with its next
    /// request.
    pub eager: bool,
    /// Whether the bot takes [`ToBot::Set`].
    pub tunes: bool,
}

impl Hello {
    pub const LONGEST_NAME: usize = 64;

    /// Parses the answer to `referee 1`.
    ///
    /// # Errors
    /// The line is not a valid answer; the error names the expected form.
    pub fn parse(line: &str) -> Result<Self, BadMessage> {
        if let Some(encoding) = foreign_encoding(line.as_bytes()) {
            return Err(BadMessage::new(format!(
                "it looks like {encoding}: expected plain UTF-8"
            )));
        }
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
        let mut hello = Self {
            name: name.to_owned(),
            eager: false,
            tunes: false,
        };
        for feature in features {
            let said = match *feature {
                "eager" => &mut hello.eager,
                "tunes" => &mut hello.tunes,
                _ => {
                    return Err(BadMessage::new(
                        "expected `eager`, `tunes` or nothing after the name; a name has no spaces",
                    ));
                }
            };
            *said = true;
        }
        Ok(hello)
    }
}

impl Display for Hello {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "bot {VERSION} {}", self.name)?;
        let features = [(self.eager, " eager"), (self.tunes, " tunes")];
        let mut said = features.iter().filter(|(holds, _)| *holds);
        said.try_for_each(|(_, word)| f.write_str(word))
    }
}

/// A time in whole milliseconds, rounded down; `none` if unlimited.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Millis(pub Option<u64>);

impl Millis {
    fn parse(token: &str) -> Result<Self, BadMessage> {
        if token == "none" {
            return Ok(Self(None));
        }
        token
            .parse()
            .map(|millis| Self(Some(millis)))
            .map_err(|_| BadMessage::new("expected a number of milliseconds, or none"))
    }
}

impl Display for Millis {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            Some(millis) => f.write_str(itoa::Buffer::new().format(millis)),
            None => f.write_str("none"),
        }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TimeTerms<'a> {
    /// The kind of time that counts: `wall` or `cpu`.
    pub measure: &'a str,
    /// Budget for all of a player's actions in the game.
    pub per_game: Millis,
    /// Added to a player's clock after each of its actions.
    pub increment: Millis,
    pub per_move: Millis,
    /// Number of actions after which the budget is given once more.
    pub period: Option<NonZeroU32>,
}

/// Content of a `start` message: `start GAME SEAT seed=… measure=… per-game=… increment=…
/// per-move=… OPTION=VALUE…`, with `seats=…` after the seed where there are not two, and `period=…` before the options
/// where there is one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Start<'a> {
    pub game: &'a str,
    pub seat: &'a str,
    /// Seed for the bot's own reproducible randomness.
    pub seed: u64,
    pub seats: usize,
    pub time: TimeTerms<'a>,
    /// Options of the game that a player may know.
    pub options: Vec<(&'a str, &'a str)>,
}

impl<'a> Start<'a> {
    /// The value of an option, if a player may know it.
    pub fn option(&self, key: &str) -> Option<&'a str> {
        let mut options = self.options.iter();
        options.find_map(|(known, value)| (*known == key).then_some(*value))
    }

    fn parse(rest: &'a str) -> Result<Self, BadMessage> {
        let (game, rest) = split(rest);
        let (seat, rest) = split(rest);
        if game.is_empty() || seat.is_empty() {
            return Err(BadMessage::new("expected a game and a seat after `start`"));
        }
        let mut options = Vec::new();
        for token in rest.split(' ').filter(|token| !token.is_empty()) {
            options.push(
                token
                    .split_once('=')
                    .ok_or_else(|| BadMessage::new(format!("expected KEY=VALUE, not `{token}`")))?,
            );
        }
        let mut take = |key: &str| {
            let index = options
                .iter()
                .position(|option| option.0 == key)
                .ok_or_else(|| BadMessage::new(format!("expected `{key}=` after the seat")))?;
            Ok::<&str, BadMessage>(options.remove(index).1)
        };
        let seats = take("seats").unwrap_or("2").parse();
        let period = take("period").ok().map(str::parse).transpose();
        Ok(Self {
            game,
            seat,
            seats: seats.map_err(|_| BadMessage::new("expected a number after `seats=`"))?,
            seed: take("seed")?
                .parse()
                .map_err(|_| BadMessage::new("expected a number after `seed=`"))?,
            time: TimeTerms {
                measure: take("measure")?,
                per_game: Millis::parse(take("per-game")?)?,
                increment: Millis::parse(take("increment")?)?,
                per_move: Millis::parse(take("per-move")?)?,
                period: period.map_err(|_| BadMessage::new("expected a number after `period=`"))?,
            },
            options,
        })
    }
}

impl Display for Start<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let time = &self.time;
        write!(f, "{} {} seed={}", self.game, self.seat, self.seed)?;
        if self.seats != 2 {
            write!(f, " seats={}", self.seats)?;
        }
        write!(
            f,
            " measure={} per-game={} increment={} per-move={}",
            time.measure, time.per_game, time.increment, time.per_move
        )?;
        if let Some(period) = time.period {
            write!(f, " period={period}")?;
        }
        self.options
            .iter()
            .try_for_each(|(key, value)| write!(f, " {key}={value}"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_message_survives_a_round_trip() {
        for line in [
            "referee 1",
            "set depth 4",
            "start cachex red seed=7 measure=cpu per-game=81000 increment=0 per-move=none size=9",
            "start dark-chess second seed=0 measure=wall per-game=none increment=100 per-move=50",
            "start cachex red seed=7 measure=cpu per-game=60000 increment=0 per-move=none period=40 size=9",
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
            "set depth",
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

    #[test]
    fn hellos() {
        for line in ["bot 1 alice", "bot 1 alice eager", "bot 1 alice tunes"] {
            assert_eq!(Hello::parse(line).expect(line).to_string(), line);
        }
        for line in ",bot,bot 1,bot 1 ,bot 2 alice,bot one alice,bot 1 alice bob,hello".split(',') {
            assert!(Hello::parse(line).is_err(), "{line}");
        }
        assert!(Hello::parse(&format!("bot 1 {}", "x".repeat(65))).is_err());
    }
}
