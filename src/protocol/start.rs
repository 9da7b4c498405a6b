//! The `start` message.

use std::fmt::{self, Display};

use super::bad_message::{BadMessage, split};

/// A time in whole milliseconds, rounded down; `none` if unlimited.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Millis(pub Option<u64>);

impl Millis {
    pub(super) fn parse(token: &str) -> Result<Self, BadMessage> {
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

/// The time control in a `start` message.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TimeTerms<'a> {
    /// The kind of time that counts: `wall` or `cpu`.
    pub measure: &'a str,
    /// Budget for all of a player's actions in the game.
    pub per_game: Millis,
    /// Added to a player's clock after each of its actions.
    pub increment: Millis,
    /// Limit for each action.
    pub per_move: Millis,
}

/// Content of a `start` message: `start GAME SEAT seed=… measure=… per-game=… increment=…
/// per-move=… OPTION=VALUE…`, with `seats=…` after the seed where there are not two.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Start<'a> {
    /// Name of the game.
    pub game: &'a str,
    /// Name of the bot's seat.
    pub seat: &'a str,
    /// Seed for the bot's own reproducible randomness.
    pub seed: u64,
    /// Number of seats.
    pub seats: usize,
    /// The time control.
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

    pub(super) fn parse(rest: &'a str) -> Result<Self, BadMessage> {
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
        self.options
            .iter()
            .try_for_each(|(key, value)| write!(f, " {key}={value}"))
    }
}
