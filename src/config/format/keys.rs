//! Keys that several kinds of format have.

use std::num::NonZeroU32;

use toml::Spanned;

use super::super::Flaw;
use super::super::file::{FormatTable, did_you_mean, in_brackets};
use crate::schedule::GamesPerPairing;

/// Upper bound of `rounds`.
const MOST_ROUNDS: u32 = 100_000;

/// The value of a required key; `at` is the offset of the table.
pub(super) fn needed<'a, T>(
    at: usize,
    key: &str,
    value: &'a Option<Spanned<T>>,
) -> Result<&'a Spanned<T>, Flaw> {
    let missing = || Flaw::at(at, format!("missing key `{key}`"));
    value.as_ref().ok_or_else(missing)
}

pub(super) fn games_per_pairing(at: usize, table: &FormatTable) -> Result<GamesPerPairing, Flaw> {
    let games = needed(at, "games-per-pairing", &table.games_per_pairing)?;
    GamesPerPairing::new(*games.get_ref())
        .ok_or_else(|| Flaw::of(games, "`games-per-pairing` is 0: expected at least 1"))
}

/// Game pairs per pairing; an odd number of games is refused.
pub(super) fn pairs(at: usize, table: &FormatTable) -> Result<NonZeroU32, Flaw> {
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

pub(super) fn challengers(
    at: usize,
    table: &FormatTable,
    players: &[String],
) -> Result<Vec<usize>, Flaw> {
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

pub(super) fn rounds(at: usize, table: &FormatTable) -> Result<u32, Flaw> {
    let rounds = needed(at, "rounds", &table.rounds)?;
    match *rounds.get_ref() {
        number @ 1..=MOST_ROUNDS => Ok(number),
        number => Err(Flaw::of(
            rounds,
            format!("`rounds` is {number}: expected a number from 1 to {MOST_ROUNDS}"),
        )),
    }
}

/// Number of blocks, at least one.
pub(super) fn blocks(at: usize, table: &FormatTable) -> Result<u64, Flaw> {
    let blocks = needed(at, "blocks", &table.blocks)?;
    match *blocks.get_ref() {
        0 => Err(Flaw::of(blocks, "`blocks` is 0: expected at least 1")),
        number => Ok(number.into()),
    }
}
