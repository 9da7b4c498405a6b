//! Observations of a rules program without a problem.

use std::time::Duration;

use super::{Check, Variation};
use crate::bot::{mebibytes, seconds};
use crate::text::counted;

/// Results of the random games.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Results {
    /// Games to their end.
    pub ended: u32,
    /// Plies of all games.
    pub plies: u64,
    /// Plies of the longest game.
    pub longest: usize,
    /// Games that each seat won alone.
    pub won: Vec<u32>,
    /// Games that the best seats shared.
    pub shared: u32,
    /// Lists of legal actions that were asked for.
    pub lists: u64,
    /// Boards that were asked for.
    pub boards: u64,
}

/// Observations without a problem. A part is `None` where its check was not made, or not to its end.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Facts {
    /// The game as the hello describes it, in words.
    pub hello: Option<String>,
    /// Values of options that were tried with a game each.
    pub option_values: Option<usize>,
    /// Results of the random games.
    pub results: Option<Results>,
    /// Listed actions that were accepted, and the positions where they were tried.
    pub accepted: Option<(usize, usize)>,
    /// Actions that were refused, and the positions where they were tried.
    pub refused: Option<(usize, usize)>,
    /// Behaviour at actions that the harness never sends, in words.
    pub unsendable: Option<String>,
    /// Games that were played again.
    pub replayed: Option<usize>,
    /// Surroundings that were varied.
    pub varied: Vec<Variation>,
    /// Pairs of positions with equal news for a seat.
    pub alike: Option<usize>,
    /// Games that were played with exchanged seats.
    pub exchanged: Option<usize>,
    /// Seats that left games.
    pub dropped: Option<usize>,
    /// Names of positions that were compared.
    pub states: usize,
    /// Median and maximum time of an answer to `play`, and the limit.
    pub times: Option<(Duration, Duration, Duration)>,
    /// Peak memory in an early part of the random games and in the last part, in bytes.
    pub memory: Option<(u64, u64)>,
    /// Whether it exits at `quit` and at the end of the input.
    pub exits: bool,
    /// Number of sequences of actions of each length from 1.
    pub perft: Vec<u64>,
}

impl Facts {
    /// The observation of a check in words; `None` where it was not made.
    pub fn text(&self, check: Check) -> Option<String> {
        let results = self.results.as_ref();
        match check {
            Check::Handshake => self.hello.clone(),
            Check::Options => self.option_values.map(of_options),
            Check::Games => results.map(of_games),
            Check::Legal => {
                let lists = results
                    .map(|results| results.lists)
                    .filter(|lists| *lists > 0)?;
                Some(format!(
                    "{}: no list is empty or has doubles",
                    counted(lists, "list", "lists")
                ))
            }
            Check::Accepted => self.accepted.map(|(actions, positions)| {
                format!("{} at {}", of_actions(actions), of_positions(positions))
            }),
            Check::Refused => self.refused.map(|(actions, positions)| {
                let (actions, positions) = (of_actions(actions), of_positions(positions));
                let beside = self.unsendable.as_deref().unwrap_or_default();
                format!("{actions} at {positions}, and nothing changed{beside}")
            }),
            Check::Replay => self.replayed.map(|games| {
                let games = counted(games as u64, "game", "games");
                format!("{games}: the same in one write, in a new process and after other games")
            }),
            Check::Twin => (!self.varied.is_empty()).then(|| of_variations(&self.varied)),
            Check::Secrets => self.alike.map(|pairs| {
                let pairs = counted(pairs as u64, "pair", "pairs");
                format!("{pairs} of positions with equal news for a seat: equal for it")
            }),
            Check::Symmetry => self.exchanged.map(|games| {
                let games = counted(games as u64, "game", "games");
                format!("{games} with exchanged seats: exchanged points")
            }),
            Check::Drop => self.dropped.map(|seats| {
                let seats = counted(seats as u64, "seat", "seats");
                format!("{seats} left games, and each went on without it or ended")
            }),
            Check::End => results.filter(|results| results.ended > 0).map(of_end),
            Check::Show => results.filter(|results| results.boards > 0).map(|results| {
                let boards = counted(results.boards, "board", "boards");
                match self.states {
                    0 => format!("{boards}; no position has a `state`"),
                    states => format!("{boards}, {}", counted(states as u64, "state", "states")),
                }
            }),
            Check::Time => self.times.map(|(median, slowest, limit)| {
                let micros = median.as_micros();
                format!(
                    "half of all plies within {micros} µs, the slowest {} of {}",
                    seconds(slowest),
                    seconds(limit)
                )
            }),
            Check::Memory => self.memory.map(|(early, late)| {
                format!("{} at first, {} at last", mebibytes(early), mebibytes(late))
            }),
            Check::Exit => self
                .exits
                .then(|| "at `quit`, and at the end of the input".to_owned()),
        }
    }
}

fn of_actions(count: usize) -> String {
    counted(count as u64, "action", "actions")
}

fn of_positions(count: usize) -> String {
    counted(count as u64, "position", "positions")
}

fn of_options(values: usize) -> String {
    match values {
        0 => "the game has none".to_owned(),
        values => format!(
            "a game with {}",
            counted(values as u64, "value each", "values, one at a time")
        ),
    }
}

fn of_games(results: &Results) -> String {
    let games = counted(results.ended.into(), "random game", "random games");
    let plies = results.plies / u64::from(results.ended.max(1));
    format!(
        "{games} to their end, {plies} plies on average, {} at most",
        results.longest
    )
}

fn of_end(results: &Results) -> String {
    let won =
        (results.won.iter().enumerate()).map(|(seat, games)| format!("seat {seat} won {games}"));
    let shared = format!("{} shared", results.shared);
    won.chain([shared]).collect::<Vec<_>>().join(", ")
}

fn of_variations(varied: &[Variation]) -> String {
    let names: Vec<&str> = varied.iter().map(|variation| variation.name()).collect();
    format!("the same with another {}", names.join(", "))
}
