//! The `[format]` table: from it to a [`Format`], and back.

use std::ops::RangeInclusive;

use toml::Spanned;

use super::file::{FormatKind, FormatTable, did_you_mean, in_brackets, whole};
use super::{Flaw, FormatError};
use crate::rating::{EloModel, RankingTest, Sprt};
use crate::schedule::{Format, GamesPerPairing};

/// Upper bound of `rounds`.
const MOST_ROUNDS: u32 = 100_000;

/// Default of `indifference`: an Elo difference below which the order does not matter in an adaptive
/// tournament.
const INDIFFERENCE: f64 = 10.0;

/// The format of a configuration's or a manifest's table, given the names of the players and the number of seats.
pub(crate) fn format(
    table: &Spanned<FormatTable>,
    players: &[String],
    seats: usize,
) -> Result<Format, Flaw> {
    let at = table.span().start;
    let table = table.get_ref();
    refuse_keys_of_other_kinds(table)?;
    let format = match table.kind {
        FormatKind::RoundRobin => Format::RoundRobin(games_per_pairing(at, table)?),
        FormatKind::Gauntlet => Format::Gauntlet {
            challengers: challengers(at, table, players)?,
            games: games_per_pairing(at, table)?,
        },
        FormatKind::Swiss => Format::Swiss {
            rounds: rounds(at, table)?,
            games: games_per_pairing(at, table)?,
        },
        FormatKind::Knockout => Format::Knockout {
            games: games_per_pairing(at, table)?,
        },
        FormatKind::Sprt => sprt(at, table, &challengers(at, table, players)?)?,
        FormatKind::Adaptive => adaptive(at, table)?,
    };
    let fits = format.fits(players.len(), seats);
    fits.map_err(|problem| Flaw::at(at, problem.to_string()))?;
    refuse_cut_blocks(table, seats)?;
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
            Format::Swiss { rounds, games } => Self {
                games_per_pairing: some(games.get()),
                rounds: some(*rounds),
                ..empty
            },
            Format::Knockout { games } => Self {
                games_per_pairing: some(games.get()),
                ..empty
            },
            Format::Sprt {
                challenger,
                test,
                most_games,
            } => Self {
                challengers: Some(whole(vec![name(challenger)])),
                elo0: Some(whole(test.elo0)),
                elo1: Some(whole(test.elo1)),
                alpha: Some(whole(test.alpha)),
                beta: Some(whole(test.beta)),
                model: Some(whole(test.model.name().to_owned())),
                max_games: most_games.map(whole),
                ..empty
            },
            Format::Adaptive { test, most_games } => Self {
                confidence: Some(whole(test.confidence)),
                indifference: Some(whole(test.indifference)),
                max_games: Some(whole(*most_games)),
                ..empty
            },
        }
    }

    /// A table without the keys of its kind.
    fn of_kind(kind: FormatKind, opening_plies: u32) -> Self {
        Self {
            kind,
            games_per_pairing: None,
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

    /// The table of a round robin.
    pub(in crate::config) fn round_robin(games: u32, opening_plies: u32) -> Self {
        Self {
            games_per_pairing: Some(whole(games)),
            ..Self::of_kind(FormatKind::RoundRobin, opening_plies)
        }
    }

    /// Whether this has the games of `before` and more behind them: the seatings are fixed, and all blocks before are
    /// whole.
    pub fn only_adds_games_to(&self, before: &Self, seats: usize) -> bool {
        let games = |table: &Self| Some(*table.games_per_pairing.as_ref()?.get_ref());
        let is_fixed = matches!(before.kind, FormatKind::RoundRobin | FormatKind::Gauntlet);
        let more = games(before).zip(games(self));
        is_fixed && more.is_some_and(|(was, is)| (was as usize).is_multiple_of(seats) && is > was)
    }

    /// The table without the number of games per pairing.
    pub fn without_number_of_games(self) -> Self {
        Self {
            games_per_pairing: None,
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
            Format::Sprt { .. } => Self::Sprt,
            Format::Adaptive { .. } => Self::Adaptive,
        }
    }

    fn name(self) -> &'static str {
        match self {
            Self::RoundRobin => "round-robin",
            Self::Gauntlet => "gauntlet",
            Self::Swiss => "swiss",
            Self::Knockout => "knockout",
            Self::Sprt => "sprt",
            Self::Adaptive => "adaptive",
        }
    }
}

/// Refuses keys that belong to other formats.
fn refuse_keys_of_other_kinds(table: &FormatTable) -> Result<(), Flaw> {
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
            &[FormatKind::Sprt, FormatKind::Adaptive],
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
    Ok(())
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

/// Refuses numbers of games that cut a block, in kinds that look at the results of whole blocks.
fn refuse_cut_blocks(table: &FormatTable, seats: usize) -> Result<(), Flaw> {
    let per_pairing = table.games_per_pairing.as_ref();
    let per_pairing = per_pairing.map(|games| (u64::from(*games.get_ref()), games.span().start));
    let most = table.max_games.as_ref();
    let most = most.map(|games| (*games.get_ref(), games.span().start));
    let (key, value) = match table.kind {
        FormatKind::RoundRobin | FormatKind::Gauntlet => return Ok(()),
        FormatKind::Swiss | FormatKind::Knockout => ("games-per-pairing", per_pairing),
        FormatKind::Sprt | FormatKind::Adaptive => ("max-games", most),
    };
    match value {
        Some((games, at)) if games == 0 || !games.is_multiple_of(seats as u64) => {
            let problem = format!(
                "`{key}` is {games}: expected a multiple of {seats}, since all games are played in blocks of \
                 {seats}, with each player in each seat once"
            );
            Err(Flaw::at(at, problem))
        }
        _ => Ok(()),
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

/// A sequential test.
fn sprt(at: usize, format: &FormatTable, challengers: &[usize]) -> Result<Format, Flaw> {
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
        most_games: format.max_games.as_ref().map(|games| *games.get_ref()),
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
        most_games: match &format.max_games {
            Some(games) => *games.get_ref(),
            None => return Err(Flaw::at(at, missing)),
        },
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
