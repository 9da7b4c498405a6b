//! Formats that end when their results are clear: the sequential test and the adaptive tournament.

use std::ops::RangeInclusive;

use toml::Spanned;

use super::super::Flaw;
use super::super::file::{FormatTable, did_you_mean, in_brackets};
use super::keys::needed;
use crate::rating::{EloModel, RankingTest, Sprt};
use crate::schedule::Format;

/// Default of `indifference`: an Elo difference below which the order does not matter in an adaptive
/// tournament.
const INDIFFERENCE: f64 = 10.0;

/// A sequential test.
pub(super) fn sprt(
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
pub(super) fn adaptive(at: usize, format: &FormatTable) -> Result<Format, Flaw> {
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
