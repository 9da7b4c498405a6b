//! The [`Format`] of a table.

use toml::Spanned;

use super::super::file::{FormatKind, FormatTable, whole};
use super::super::{Flaw, FormatError};
use super::ends_by_itself::{adaptive, sprt};
use super::keys::{blocks, challengers, games_per_pairing, pairs, rounds};
use crate::schedule::{Format, SeatProblem, TableFormat, TableKind};

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

impl FormatTable {
    /// The format of a manifest's table, given the names of the players and the number of seats.
    ///
    /// # Errors
    /// The table is invalid; the error says why.
    pub fn format(&self, players: &[String], seats: usize) -> Result<Format, FormatError> {
        format(&whole(self.clone()), players, seats).map_err(|flaw| FormatError(flaw.problem))
    }
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
        FormatKind::Sprt => sprt(at, table, &challengers(at, table, players)?, 2)?,
        FormatKind::Adaptive => adaptive(at, table)?,
    })
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
        kind @ (FormatKind::Knockout | FormatKind::Adaptive) => {
            let kind = kind.name();
            let problem = SeatProblem::MatchesOfTwo { kind, seats };
            return Err(Flaw::at(at, problem.to_string()));
        }
    };
    Ok(Format::Tables(TableFormat { seats, kind }))
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
        ("rounds", at(&table.rounds), &[FormatKind::Swiss]),
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
