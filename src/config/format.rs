//! Converts the `[format]` table to a [`Format`] and back.

use std::num::NonZeroU32;
use std::ops::RangeInclusive;

use toml::Spanned;

use super::file::{FormatKind, FormatTable, did_you_mean, in_brackets, whole};
use super::{Flaw, FormatError};
use crate::rating::{EloModel, RankingTest, Sprt};
use crate::schedule::{Format, GamesPerPairing, SeatProblem, TableFormat, TableKind};

/// Default of `indifference`: an Elo difference below which the order does not matter in an adaptive
/// tournament.
const INDIFFERENCE: f64 = 10.0;

/// Upper bound of `rounds`.
const MOST_ROUNDS: u32 = 100_000;

/// The format of a configuration's or a manifest's table, given the names of the players and the number of seats.
pub(crate) fn format(
    table: &Spanned<FormatTable>,
    players: &[String],
    seats: usize,
) -> Result<Format, Flaw> {
    let at = table.span().start;
    let table = table.get_ref();
    refuse_keys_of_other_kinds(table, seats)?;
    let format = match seats {
        2 => of_two(at, table, players)?,
        _ => of_tables(at, table, players, seats)?,
    };
    let fits = format.fits(players.len(), seats);
    fits.map_err(|problem| Flaw::at(at, problem.to_string()))?;
    Ok(format)
}

fn of_two(at: usize, table: &FormatTable, players: &[String]) -> Result<Format, Flaw> {
    Ok(match table.kind {
        FormatKind::RoundRobin => Format::RoundRobin(games_per_pairing(at, table)?),
        FormatKind::Gauntlet => Format::Gauntlet {
            challengers: challengers(at, table, players)?,
            games: games_per_pairing(at, table)?,
        },
        FormatKind::Swiss => Format::Swiss {
            rounds: rounds(at, table)?,
            pairs: pairs(at, table)?,
        },
        FormatKind::Knockout => Format::Knockout {
            pairs: pairs(at, table)?,
        },
        FormatKind::Ladder => Format::Ladder {
            rounds: rounds(at, table)?,
            pairs: pairs(at, table)?,
        },
        FormatKind::Sprt => sprt(at, table, &challengers(at, table, players)?, 2)?,
        FormatKind::Adaptive => adaptive(at, table)?,
    })
}

impl FormatTable {
    /// The table for a format.
    pub fn new(format: &Format, players: &[&str], opening_plies: u32) -> Self {
        let name = |player: &usize| players[*player].to_owned();
        let some = |number: u32| Some(whole(number));
        let empty = Self::of_kind(FormatKind::of(format), opening_plies);
        match format {
            Format::RoundRobin(games) => Self {
                games_per_pairing: some(games.get()),
                ..empty
            },
            Format::Gauntlet { challengers, games } => Self {
                games_per_pairing: some(games.get()),
                challengers: Some(whole(challengers.iter().map(name).collect())),
                ..empty
            },
            Format::Swiss { rounds, pairs } | Format::Ladder { rounds, pairs } => Self {
                games_per_pairing: some(pairs.get() * 2),
                rounds: some(*rounds),
                ..empty
            },
            Format::Knockout { pairs } => Self {
                games_per_pairing: some(pairs.get() * 2),
                ..empty
            },
            Format::Sprt {
                challenger,
                test,
                most_pairs,
                seats,
            } => Self {
                challengers: Some(whole(vec![name(challenger)])),
                elo0: Some(whole(test.elo0)),
                elo1: Some(whole(test.elo1)),
                alpha: Some(whole(test.alpha)),
                beta: Some(whole(test.beta)),
                model: Some(whole(test.model.name().to_owned())),
                max_games: most_pairs.map(|blocks| whole(blocks * *seats as u64)),
                ..empty
            },
            Format::Adaptive { test, most_pairs } => Self {
                confidence: Some(whole(test.confidence)),
                indifference: Some(whole(test.indifference)),
                max_games: Some(whole(most_pairs * 2)),
                ..empty
            },
            Format::Tables(TableFormat { seats, kind }) => match kind {
                TableKind::RoundRobin { games } => empty.with_table_games(*games, *seats),
                TableKind::Gauntlet {
                    challengers,
                    blocks,
                } => Self {
                    blocks: Some(whole(*blocks as u32)),
                    challengers: Some(whole(challengers.iter().map(name).collect())),
                    ..empty
                },
                TableKind::Swiss { rounds, blocks } => Self {
                    blocks: Some(whole(*blocks as u32)),
                    rounds: some(*rounds),
                    ..empty
                },
            },
        }
    }

    /// A table without the keys of its kind.
    fn of_kind(kind: FormatKind, opening_plies: u32) -> Self {
        Self {
            kind,
            games_per_pairing: None,
            blocks: None,
            opening_plies: Some(whole(opening_plies)),
            challengers: None,
            rounds: None,
            elo0: None,
            elo1: None,
            alpha: None,
            beta: None,
            model: None,
            confidence: None,
            indifference: None,
            max_games: None,
        }
    }

    /// The table of a round robin. In games of more than two seats, these are all games.
    pub(super) fn round_robin(games: u32, seats: usize, opening_plies: u32) -> Self {
        let empty = Self::of_kind(FormatKind::RoundRobin, opening_plies);
        match seats {
            2 => Self {
                games_per_pairing: Some(whole(games)),
                ..empty
            },
            _ => empty.with_table_games(games.into(), seats),
        }
    }

    /// This table with the number of games at tables. `max-games` cuts the last block where it is not whole.
    fn with_table_games(self, games: u64, seats: usize) -> Self {
        let blocks = games.div_ceil(seats as u64);
        Self {
            blocks: Some(whole(blocks.try_into().unwrap_or(u32::MAX))),
            max_games: (!games.is_multiple_of(seats as u64)).then(|| whole(games)),
            ..self
        }
    }

    /// The format of a manifest's table, given the names of the players and the number of seats.
    ///
    /// # Errors
    /// The table is invalid; the error says why.
    pub fn format(&self, players: &[String], seats: usize) -> Result<Format, FormatError> {
        format(&whole(self.clone()), players, seats).map_err(|flaw| FormatError(flaw.problem))
    }

    /// Whether this has the games of `before` and more behind them: the pairings are fixed and played as game
    /// pairs.
    pub fn only_adds_games_to(&self, before: &Self) -> bool {
        let games = |table: &Self| Some(*table.games_per_pairing.as_ref()?.get_ref());
        let blocks = |table: &Self| Some(*table.blocks.as_ref()?.get_ref());
        let is_fixed = matches!(before.kind, FormatKind::RoundRobin | FormatKind::Gauntlet);
        let more = games(before).zip(games(self));
        let more_blocks = blocks(before).zip(blocks(self));
        let are_whole = before.kind == FormatKind::RoundRobin && before.max_games.is_none();
        is_fixed && more.is_some_and(|(was, is)| was % 2 == 0 && is > was)
            || are_whole && more_blocks.is_some_and(|(was, is)| is > was)
    }

    /// The table without the number of games per pairing.
    pub fn without_number_of_games(self) -> Self {
        Self {
            games_per_pairing: None,
            blocks: None,
            ..self
        }
    }

    /// Number of random plies at the start of games without listed openings.
    pub fn opening_plies(&self) -> u32 {
        self.opening_plies
            .as_ref()
            .map_or(0, |plies| *plies.get_ref())
    }
}

impl FormatKind {
    fn of(format: &Format) -> Self {
        match format {
            Format::RoundRobin(_) => Self::RoundRobin,
            Format::Gauntlet { .. } => Self::Gauntlet,
            Format::Swiss { .. } => Self::Swiss,
            Format::Knockout { .. } => Self::Knockout,
            Format::Ladder { .. } => Self::Ladder,
            Format::Sprt { .. } => Self::Sprt,
            Format::Adaptive { .. } => Self::Adaptive,
            Format::Tables(format) => match format.kind {
                TableKind::RoundRobin { .. } => Self::RoundRobin,
                TableKind::Gauntlet { .. } => Self::Gauntlet,
                TableKind::Swiss { .. } => Self::Swiss,
            },
        }
    }

    fn name(self) -> &'static str {
        match self {
            Self::RoundRobin => "round-robin",
            Self::Gauntlet => "gauntlet",
            Self::Swiss => "swiss",
            Self::Knockout => "knockout",
            Self::Ladder => "ladder",
            Self::Sprt => "sprt",
            Self::Adaptive => "adaptive",
        }
    }
}

/// A format for games of more than two seats. Kinds that are for two alone are refused by their name later.
fn of_tables(
    at: usize,
    table: &FormatTable,
    players: &[String],
    seats: usize,
) -> Result<Format, Flaw> {
    let kind = match table.kind {
        FormatKind::RoundRobin => {
            let games = blocks(at, table)?.saturating_mul(seats as u64);
            let most = table.max_games.as_ref().map(|games| *games.get_ref());
            TableKind::RoundRobin {
                games: most.unwrap_or(games).min(games),
            }
        }
        FormatKind::Gauntlet => TableKind::Gauntlet {
            challengers: challengers(at, table, players)?,
            blocks: blocks(at, table)?,
        },
        FormatKind::Swiss => TableKind::Swiss {
            rounds: rounds(at, table)?,
            blocks: blocks(at, table)?,
        },
        FormatKind::Sprt => {
            return sprt(at, table, &challengers(at, table, players)?, seats);
        }
        kind @ (FormatKind::Knockout | FormatKind::Ladder | FormatKind::Adaptive) => {
            let kind = kind.name();
            let problem = SeatProblem::MatchesOfTwo { kind, seats };
            return Err(Flaw::at(at, problem.to_string()));
        }
    };
    Ok(Format::Tables(TableFormat { seats, kind }))
}

/// Number of blocks, at least one.
fn blocks(at: usize, table: &FormatTable) -> Result<u64, Flaw> {
    let blocks = needed(at, "blocks", &table.blocks)?;
    match *blocks.get_ref() {
        0 => Err(Flaw::of(blocks, "`blocks` is 0: expected at least 1")),
        number => Ok(number.into()),
    }
}

/// Refuses keys that belong to other formats, or to another number of seats.
fn refuse_keys_of_other_kinds(table: &FormatTable, seats: usize) -> Result<(), Flaw> {
    fn at<T>(value: &Option<Spanned<T>>) -> Option<usize> {
        value.as_ref().map(|value| value.span().start)
    }
    for (key, at, kinds) in [
        (
            "challengers",
            at(&table.challengers),
            &[FormatKind::Gauntlet, FormatKind::Sprt][..],
        ),
        (
            "rounds",
            at(&table.rounds),
            &[FormatKind::Swiss, FormatKind::Ladder],
        ),
        ("confidence", at(&table.confidence), &[FormatKind::Adaptive]),
        (
            "indifference",
            at(&table.indifference),
            &[FormatKind::Adaptive],
        ),
        ("elo0", at(&table.elo0), &[FormatKind::Sprt]),
        ("elo1", at(&table.elo1), &[FormatKind::Sprt]),
        ("alpha", at(&table.alpha), &[FormatKind::Sprt]),
        ("beta", at(&table.beta), &[FormatKind::Sprt]),
        ("model", at(&table.model), &[FormatKind::Sprt]),
        (
            "max-games",
            at(&table.max_games),
            match seats {
                2 => &[FormatKind::Sprt, FormatKind::Adaptive],
                _ => &[FormatKind::RoundRobin, FormatKind::Sprt],
            },
        ),
    ] {
        if let Some(at) = at
            && !kinds.contains(&table.kind)
        {
            let kinds: Vec<String> = kinds
                .iter()
                .map(|kind| format!("kind = \"{}\"", kind.name()))
                .collect();
            let problem = format!("`{key}` goes with {} only", kinds.join(" or "));
            return Err(Flaw::at(at, problem));
        }
    }
    match (seats, at(&table.blocks), at(&table.games_per_pairing)) {
        (2, Some(at), _) => Err(Flaw::at(
            at,
            "`blocks` goes with games of more than two seats only: expected `games-per-pairing`",
        )),
        (3.., _, Some(at)) => {
            let problem = format!(
                "`games-per-pairing` goes with games of two, and the game has {seats} seats: expected `blocks`, \
                 the number of tables, each with a game for each rotation of its seats"
            );
            Err(Flaw::at(at, problem))
        }
        _ => Ok(()),
    }
}

/// The value of a required key; `at` is the offset of the table.
fn needed<'a, T>(
    at: usize,
    key: &str,
    value: &'a Option<Spanned<T>>,
) -> Result<&'a Spanned<T>, Flaw> {
    let missing = || Flaw::at(at, format!("missing key `{key}`"));
    value.as_ref().ok_or_else(missing)
}

fn games_per_pairing(at: usize, table: &FormatTable) -> Result<GamesPerPairing, Flaw> {
    let games = needed(at, "games-per-pairing", &table.games_per_pairing)?;
    GamesPerPairing::new(*games.get_ref())
        .ok_or_else(|| Flaw::of(games, "`games-per-pairing` is 0: expected at least 1"))
}

/// Game pairs per pairing; an odd number of games is refused.
fn pairs(at: usize, table: &FormatTable) -> Result<NonZeroU32, Flaw> {
    let games = games_per_pairing(at, table)?;
    let even = games.get().is_multiple_of(2);
    let value = needed(at, "games-per-pairing", &table.games_per_pairing)?;
    let pairs = NonZeroU32::new(games.get() / 2).filter(|_| even);
    pairs.ok_or_else(|| {
        let problem = format!(
            "`games-per-pairing` is {games}: expected an even number, since all games of this kind are \
             played as game pairs"
        );
        Flaw::of(value, problem)
    })
}

/// A sequential test.
fn sprt(
    at: usize,
    format: &FormatTable,
    challengers: &[usize],
    seats: usize,
) -> Result<Format, Flaw> {
    ends_by_itself(format, "sprt", "when the test is decided")?;
    let [challenger] = challengers else {
        return Err(Flaw::at(at, "expected one challenger with kind = \"sprt\""));
    };
    let elo0 = needed(at, "elo0", &format.elo0)?;
    let elo1 = needed(at, "elo1", &format.elo1)?;
    let model = elo_model(format.model.as_ref())?;
    let most = model.most_elo();
    let in_order = elo0.get_ref() < elo1.get_ref();
    if !in_order || elo0.get_ref().abs() > most || elo1.get_ref().abs() > most {
        return Err(Flaw::of(
            elo1,
            format!("expected `elo1` to be more than `elo0`, and both from -{most} to {most}"),
        ));
    }
    Ok(Format::Sprt {
        challenger: *challenger,
        test: Sprt {
            elo0: *elo0.get_ref(),
            elo1: *elo1.get_ref(),
            alpha: rate("alpha", format.alpha.as_ref())?,
            beta: rate("beta", format.beta.as_ref())?,
            model,
        },
        most_pairs: most_blocks(format, seats)?,
        seats,
    })
}

/// The Elo model of a test.
fn elo_model(value: Option<&Spanned<String>>) -> Result<EloModel, Flaw> {
    let Some(value) = value else {
        return Ok(EloModel::default());
    };
    let mut all = EloModel::ALL.into_iter();
    all.find(|model| model.name() == value.get_ref())
        .ok_or_else(|| {
            let names = EloModel::ALL.map(EloModel::name);
            let problem = format!(
                "unknown value `{}`{}, expected one of `{}`",
                value.get_ref(),
                in_brackets(did_you_mean(value.get_ref(), names)),
                names.join("`, `")
            );
            Flaw::of(value, problem)
        })
}

/// An adaptive tournament.
fn adaptive(at: usize, format: &FormatTable) -> Result<Format, Flaw> {
    ends_by_itself(format, "adaptive", "when the ranking is clear")?;
    let missing = "missing key `max-games`: it can take many games to tell players apart";
    Ok(Format::Adaptive {
        test: RankingTest {
            confidence: number("confidence", format.confidence.as_ref(), 0.95, 0.6..=0.9999)?,
            indifference: number(
                "indifference",
                format.indifference.as_ref(),
                INDIFFERENCE,
                0.1..=500.0,
            )?,
        },
        most_pairs: most_blocks(format, 2)?.ok_or_else(|| Flaw::at(at, missing))?,
    })
}

/// A number within a range.
fn number(
    key: &str,
    value: Option<&Spanned<f64>>,
    default: f64,
    range: RangeInclusive<f64>,
) -> Result<f64, Flaw> {
    match value {
        None => Ok(default),
        Some(value) if range.contains(value.get_ref()) => Ok(*value.get_ref()),
        Some(value) => {
            let (least, most) = (range.start(), range.end());
            let problem = format!(
                "`{key}` cannot be {}: expected from {least} to {most}",
                value.get_ref()
            );
            Err(Flaw::of(value, problem))
        }
    }
}

/// Refuses `games-per-pairing` in a format whose number of games follows from results.
fn ends_by_itself(format: &FormatTable, kind: &str, when: &str) -> Result<(), Flaw> {
    match &format.games_per_pairing {
        None => Ok(()),
        Some(games) => Err(Flaw::of(
            games,
            format!(
                "`games-per-pairing` does not go with kind = \"{kind}\", which ends {when}; \
                 `max-games` ends it before"
            ),
        )),
    }
}

/// `max-games` as blocks, which are game pairs in a game of two.
fn most_blocks(format: &FormatTable, seats: usize) -> Result<Option<u64>, Flaw> {
    let Some(games) = &format.max_games else {
        return Ok(None);
    };
    let seats = seats as u64;
    let is_whole = games.get_ref().is_multiple_of(seats) && *games.get_ref() >= seats;
    match (is_whole, seats) {
        (true, _) => Ok(Some(games.get_ref() / seats)),
        (false, 2) => Err(Flaw::of(
            games,
            "`max-games` is odd or 0: expected an even number, since all games are played as \
                 game pairs",
        )),
        (false, _) => {
            let problem = format!(
                "`max-games` is {}: expected a multiple of {seats}, since all games are played in blocks of {seats}",
                games.get_ref()
            );
            Err(Flaw::of(games, problem))
        }
    }
}

/// An error rate, 0.05 by default.
fn rate(key: &str, value: Option<&Spanned<f64>>) -> Result<f64, Flaw> {
    match value {
        None => Ok(0.05),
        Some(value) if (0.0001..0.5).contains(value.get_ref()) => Ok(*value.get_ref()),
        Some(value) => Err(Flaw::of(
            value,
            format!(
                "`{key}` cannot be {}: expected at least 0.0001 and less than 0.5",
                value.get_ref()
            ),
        )),
    }
}

fn challengers(at: usize, table: &FormatTable, players: &[String]) -> Result<Vec<usize>, Flaw> {
    let names = needed(at, "challengers", &table.challengers)?;
    let bad = |problem: String| Flaw::of(names, problem);
    let mut challengers = Vec::new();
    for name in names.get_ref() {
        let player = players.iter().position(|player| player == name);
        let player = player.ok_or_else(|| {
            bad(format!(
                "no player is called `{name}`{}: expected some of {}",
                in_brackets(did_you_mean(name, players.iter().map(String::as_str))),
                players.join(", ")
            ))
        })?;
        if challengers.contains(&player) {
            return Err(bad(format!("`{name}` is there twice")));
        }
        challengers.push(player);
    }
    match challengers.len() {
        0 => Err(bad("expected at least one challenger".to_owned())),
        all if all == players.len() => Err(bad(
            "all players are challengers: expected somebody whom they meet".to_owned(),
        )),
        _ => Ok(challengers),
    }
}

fn rounds(at: usize, table: &FormatTable) -> Result<u32, Flaw> {
    let rounds = needed(at, "rounds", &table.rounds)?;
    match *rounds.get_ref() {
        number @ 1..=MOST_ROUNDS => Ok(number),
        number => Err(Flaw::of(
            rounds,
            format!("`rounds` is {number}: expected a number from 1 to {MOST_ROUNDS}"),
        )),
    }
}
