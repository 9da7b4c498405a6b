//! The form of a tournament: from what was typed to what it means.

use std::num::NonZeroU32;

use toml::Spanned;

use super::Flaw;
use super::file::{self, Kind};
use crate::rating::Sprt;
use crate::schedule::{Format, GamesPerPairing};

/// More rounds than anybody waits for.
const MOST_ROUNDS: u32 = 100_000;

/// A difference beyond which nobody needs a test.
const MOST_ELO: f64 = 1000.0;

pub(super) fn format(format: &Spanned<file::Format>, players: &[String]) -> Result<Format, Flaw> {
    let at = format.span().start;
    let format = format.get_ref();
    let challengers = match (&format.challengers, &format.kind) {
        (Some(names), Kind::Gauntlet | Kind::Sprt) => Some(challengers(names, players)?),
        (None, Kind::Gauntlet | Kind::Sprt) => {
            return Err(Flaw::at(at, "missing key `challengers`"));
        }
        (Some(names), _) => return Err(stray("challengers", names, "gauntlet\" or kind = \"sprt")),
        (None, _) => None,
    };
    let rounds = match (&format.rounds, &format.kind) {
        (Some(rounds), Kind::Swiss | Kind::Ladder) => Some(in_range(rounds)?),
        (None, Kind::Swiss | Kind::Ladder) => return Err(Flaw::at(at, "missing key `rounds`")),
        (Some(rounds), _) => return Err(stray("rounds", rounds, "swiss\" or kind = \"ladder")),
        (None, _) => None,
    };
    if let Some(value) = &format.confidence
        && !matches!(format.kind, Kind::Adaptive)
    {
        return Err(stray("confidence", value, "adaptive"));
    }
    if let (Kind::Sprt, Some(challengers)) = (&format.kind, &challengers) {
        return sprt(at, format, challengers);
    }
    for (key, value) in [
        ("elo0", &format.elo0),
        ("elo1", &format.elo1),
        ("alpha", &format.alpha),
        ("beta", &format.beta),
    ] {
        if let Some(value) = value {
            return Err(stray(key, value, "sprt"));
        }
    }
    if matches!(format.kind, Kind::Adaptive) {
        return adaptive(at, format);
    }
    if let Some(value) = &format.max_games {
        return Err(stray("max-games", value, "sprt\" or kind = \"adaptive"));
    }
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
        // All others have what they need, or were refused above.
        (
            Kind::RoundRobin
            | Kind::Gauntlet
            | Kind::Swiss
            | Kind::Ladder
            | Kind::Sprt
            | Kind::Adaptive,
            _,
            _,
        ) => Format::RoundRobin(games),
    })
}

/// A sequential test.
fn sprt(at: usize, format: &file::Format, challengers: &[usize]) -> Result<Format, Flaw> {
    ends_by_itself(format, "sprt", "when the test is decided")?;
    let [challenger] = challengers else {
        return Err(Flaw::at(at, "expected one challenger with kind = \"sprt\""));
    };
    let missing = |key: &str| Flaw::at(at, format!("missing key `{key}`"));
    let elo0 = format.elo0.as_ref().ok_or_else(|| missing("elo0"))?;
    let elo1 = format.elo1.as_ref().ok_or_else(|| missing("elo1"))?;
    let in_order = elo0.get_ref() < elo1.get_ref();
    if !in_order || elo0.get_ref().abs() > MOST_ELO || elo1.get_ref().abs() > MOST_ELO {
        return Err(Flaw::at(
            elo1.span().start,
            format!(
                "expected `elo1` to be more than `elo0`, and both from -{MOST_ELO} to {MOST_ELO}"
            ),
        ));
    }
    Ok(Format::Sprt {
        challenger: *challenger,
        test: Sprt {
            elo0: *elo0.get_ref(),
            elo1: *elo1.get_ref(),
            alpha: rate("alpha", format.alpha.as_ref())?,
            beta: rate("beta", format.beta.as_ref())?,
        },
        most_pairs: most_pairs(format)?,
    })
}

/// A ranking that is made as sure as was asked for.
fn adaptive(at: usize, format: &file::Format) -> Result<Format, Flaw> {
    ends_by_itself(format, "adaptive", "when the ranking is clear")?;
    let missing = "missing key `max-games`: players of equal strength would play for ever";
    Ok(Format::Adaptive {
        confidence: match &format.confidence {
            None => 0.95,
            Some(value) if (0.6..=0.9999).contains(value.get_ref()) => *value.get_ref(),
            Some(value) => {
                return Err(Flaw::at(
                    value.span().start,
                    format!(
                        "`confidence` cannot be {}: expected from 0.6 to 0.9999",
                        value.get_ref()
                    ),
                ));
            }
        },
        most_pairs: most_pairs(format)?.ok_or_else(|| Flaw::at(at, missing))?,
    })
}

/// Refuses a number of games where that follows from the results.
fn ends_by_itself(format: &file::Format, kind: &str, when: &str) -> Result<(), Flaw> {
    match &format.games_per_pairing {
        None => Ok(()),
        Some(games) => Err(Flaw::at(
            games.span().start,
            format!(
                "`games-per-pairing` does not go with kind = \"{kind}\", which ends {when}; \
                 `max-games` ends it before"
            ),
        )),
    }
}

/// The greatest number of game pairs.
fn most_pairs(format: &file::Format) -> Result<Option<u64>, Flaw> {
    match &format.max_games {
        Some(games) if *games.get_ref() < 2 || !games.get_ref().is_multiple_of(2) => Err(Flaw::at(
            games.span().start,
            "`max-games` is odd or 0: expected an even number, since all games are played as \
                 game pairs",
        )),
        Some(games) => Ok(Some(games.get_ref() / 2)),
        None => Ok(None),
    }
}

/// How often an error may occur.
fn rate(key: &str, value: Option<&Spanned<f64>>) -> Result<f64, Flaw> {
    match value {
        None => Ok(0.05),
        Some(value) if (0.0001..0.5).contains(value.get_ref()) => Ok(*value.get_ref()),
        Some(value) => Err(Flaw::at(
            value.span().start,
            format!(
                "`{key}` cannot be {}: expected at least 0.0001 and less than 0.5",
                value.get_ref()
            ),
        )),
    }
}

fn challengers(names: &Spanned<Vec<String>>, players: &[String]) -> Result<Vec<usize>, Flaw> {
    let bad = |problem: String| Flaw::at(names.span().start, problem);
    let mut challengers = Vec::new();
    for name in names.get_ref() {
        let player = players.iter().position(|player| player == name);
        let player = player.ok_or_else(|| {
            bad(format!(
                "no player is called `{name}`: expected some of {}",
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
