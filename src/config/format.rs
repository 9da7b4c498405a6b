//! The form of a tournament: from what was typed to what it means.

use std::num::NonZeroU32;

use toml::Spanned;

use super::file::{self, Kind};
use super::{Entry, Flaw};
use crate::schedule::{Format, GamesPerPairing};

/// More rounds than anybody waits for.
const MOST_ROUNDS: u32 = 100_000;

pub(super) fn format(format: &Spanned<file::Format>, players: &[Entry]) -> Result<Format, Flaw> {
    let at = format.span().start;
    let format = format.get_ref();
    let challengers = match (&format.challengers, &format.kind) {
        (Some(names), Kind::Gauntlet) => Some(challengers(names, players)?),
        (None, Kind::Gauntlet) => return Err(Flaw::at(at, "missing key `challengers`")),
        (Some(names), _) => return Err(stray("challengers", names, "gauntlet")),
        (None, _) => None,
    };
    let rounds = match (&format.rounds, &format.kind) {
        (Some(rounds), Kind::Swiss | Kind::Ladder) => Some(in_range(rounds)?),
        (None, Kind::Swiss | Kind::Ladder) => return Err(Flaw::at(at, "missing key `rounds`")),
        (Some(rounds), _) => return Err(stray("rounds", rounds, "swiss\" or kind = \"ladder")),
        (None, _) => None,
    };
    let typed = format
        .games_per_pairing
        .as_ref()
        .ok_or_else(|| Flaw::at(at, "missing key `games-per-pairing`"))?;
    let games = GamesPerPairing::new(*typed.get_ref()).ok_or_else(|| {
        Flaw::at(
            typed.span().start,
            "`games-per-pairing` is 0: expected at least 1",
        )
    })?;
    let pairs = || {
        NonZeroU32::new(games.get() / 2)
            .filter(|_| games.get().is_multiple_of(2))
            .ok_or_else(|| {
                Flaw::at(
                    typed.span().start,
                    format!(
                        "`games-per-pairing` is {games}: expected an even number, since all games \
                         of this kind are played as game pairs"
                    ),
                )
            })
    };
    Ok(match (&format.kind, challengers, rounds) {
        (Kind::Gauntlet, Some(challengers), _) => Format::Gauntlet { challengers, games },
        (Kind::Swiss, _, Some(rounds)) => Format::Swiss {
            rounds,
            pairs: pairs()?,
        },
        (Kind::Ladder, _, Some(rounds)) => Format::Ladder {
            rounds,
            pairs: pairs()?,
        },
        (Kind::Knockout, _, _) => Format::Knockout { pairs: pairs()? },
        (Kind::RoundRobin | Kind::Gauntlet | Kind::Swiss | Kind::Ladder, _, _) => {
            Format::RoundRobin(games)
        }
    })
}

fn challengers(names: &Spanned<Vec<String>>, players: &[Entry]) -> Result<Vec<usize>, Flaw> {
    let bad = |problem: String| Flaw::at(names.span().start, problem);
    let mut challengers = Vec::new();
    for name in names.get_ref() {
        let player = players.iter().position(|entry| entry.name == *name);
        let player = player.ok_or_else(|| {
            let known: Vec<&str> = players.iter().map(|entry| entry.name.as_str()).collect();
            bad(format!(
                "no player is called `{name}`: expected some of {}",
                known.join(", ")
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

fn in_range(rounds: &Spanned<u32>) -> Result<u32, Flaw> {
    match *rounds.get_ref() {
        number @ 1..=MOST_ROUNDS => Ok(number),
        number => Err(Flaw::at(
            rounds.span().start,
            format!("`rounds` is {number}: expected a number from 1 to {MOST_ROUNDS}"),
        )),
    }
}

/// A key that says something about another kind of tournament.
fn stray<T>(key: &str, value: &Spanned<T>, kind: &str) -> Flaw {
    Flaw::at(
        value.span().start,
        format!("`{key}` goes with kind = \"{kind}\" only"),
    )
}
