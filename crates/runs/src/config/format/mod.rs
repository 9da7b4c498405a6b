//! The `[format]` table: from it to a [`Format`], and back.

mod tuning;

use std::collections::BTreeMap;
use std::ops::RangeInclusive;

use serde::de::DeserializeOwned;
use toml::{Spanned, Value};

use super::file::{FormatTable, did_you_mean, in_brackets, in_words, one_of, whole};
use super::{Flaw, FormatError};
use crate::rating::{EloModel, RankingTest, Sprt};
use crate::schedule::{Format, GamesPerPairing};

const MOST_ROUNDS: u32 = 100_000;

/// Default of `indifference`: an Elo difference below which the order does not matter in an adaptive
/// tournament.
const INDIFFERENCE: f64 = 10.0;

const KIND: &str = "kind";
const GAMES: &str = "games-per-pairing";
const MOST_GAMES: &str = "max-games";
const OPENING_PLIES: &str = "opening-plies";
const ROUND_ROBIN: &str = "round-robin";
const GAUNTLET: &str = "gauntlet";
const SWISS: &str = "swiss";
const KNOCKOUT: &str = "knockout";
const SPRT: &str = "sprt";
const ADAPTIVE: &str = "adaptive";
const LIST: &str = "list";
pub(super) const TUNE: &str = "tune";
/// The table of a tuned player's parameters, which [`super::laying`] moves here.
pub(super) const PARAMETERS: &str = "parameters";
const KINDS: [&str; 8] = [
    ROUND_ROBIN,
    GAUNTLET,
    SWISS,
    KNOCKOUT,
    SPRT,
    ADAPTIVE,
    LIST,
    TUNE,
];

/// The format of a configuration's or a manifest's table, given the names of the players and the number of seats.
pub fn format(
    table: &Spanned<FormatTable>,
    players: &[String],
    seats: usize,
) -> Result<Format, Flaw> {
    let at = table.span().start;
    let mut keys = Keys {
        at,
        known: Vec::new(),
        left: table.get_ref().0.clone(),
    };
    let kind = keys.needed::<String>(KIND)?;
    keys.take::<u32>(OPENING_PLIES)?;
    let format = match one_of("kind", &kind, KINDS, |kind| kind)? {
        ROUND_ROBIN => Format::RoundRobin(keys.games(1)?),
        GAUNTLET => Format::Gauntlet {
            challengers: keys.challengers(players)?,
            games: keys.games(1)?,
        },
        SWISS => Format::Swiss {
            rounds: keys.rounds()?,
            games: keys.games(seats)?,
        },
        // More than two seats are refused later, and not for their blocks.
        KNOCKOUT => Format::Knockout {
            games: keys.games(if seats == 2 { 2 } else { 1 })?,
        },
        SPRT => keys.sprt(players, seats)?,
        ADAPTIVE => keys.adaptive(seats)?,
        LIST => Format::List(keys.pairings(players, seats)?),
        TUNE => Format::Tune(keys.tuning(seats)?),
        other => unreachable!("{other} is one of `KINDS`"),
    };
    if let Some((key, _)) = keys.left.first_key_value() {
        let hint = in_brackets(did_you_mean(key.get_ref(), keys.known.iter().copied()));
        let problem = format!(
            "`{}` does not go with kind = \"{}\"{hint}: expected some of `{}`",
            key.get_ref(),
            kind.get_ref(),
            keys.known.join("`, `")
        );
        return Err(Flaw::of(key, problem));
    }
    let fits = format.fits(players.len(), seats);
    fits.map_err(|problem| Flaw::at(at, problem))?;
    Ok(format)
}

impl FormatTable {
    pub fn format(&self, players: &[String], seats: usize) -> Result<Format, FormatError> {
        format(&whole(self.clone()), players, seats).map_err(|flaw| FormatError(flaw.problem))
    }

    pub fn new(format: &Format, players: &[&str], opening_plies: u32) -> Self {
        let name = |player: &usize| players[*player].to_owned();
        let games = |games: &GamesPerPairing| (GAMES, games.get().into());
        let most = |games: u64| (MOST_GAMES, i64::try_from(games).unwrap_or(i64::MAX).into());
        let (kind, keys): (&str, Vec<(&str, Value)>) = match format {
            Format::RoundRobin(number) => (ROUND_ROBIN, vec![games(number)]),
            Format::Gauntlet {
                challengers,
                games: number,
            } => {
                let names: Vec<String> = challengers.iter().map(name).collect();
                (GAUNTLET, vec![("challengers", names.into()), games(number)])
            }
            Format::List(pairings) => {
                let names =
                    |pairing: &Vec<usize>| -> Vec<String> { pairing.iter().map(name).collect() };
                let pairings: Vec<Value> = pairings.iter().map(|it| names(it).into()).collect();
                (LIST, vec![("pairings", pairings.into())])
            }
            Format::Swiss {
                rounds,
                games: number,
            } => (SWISS, vec![("rounds", (*rounds).into()), games(number)]),
            Format::Knockout { games: number } => (KNOCKOUT, vec![games(number)]),
            Format::Sprt {
                challenger,
                test,
                most_games,
            } => {
                let mut keys = vec![
                    ("challengers", vec![name(challenger)].into()),
                    ("elo0", test.elo0.into()),
                    ("elo1", test.elo1.into()),
                    ("alpha", test.alpha.into()),
                    ("beta", test.beta.into()),
                    ("model", test.model.name().into()),
                ];
                keys.extend(most_games.map(most));
                (SPRT, keys)
            }
            Format::Adaptive { test, most_games } => {
                let keys = [
                    ("confidence", test.confidence.into()),
                    ("indifference", test.indifference.into()),
                    most(*most_games),
                ];
                (ADAPTIVE, keys.into())
            }
            Format::Tune(tuning) => (TUNE, tuning::keys(tuning)),
        };
        let common = [(KIND, kind.into()), (OPENING_PLIES, opening_plies.into())];
        let keys = common.into_iter().chain(keys);
        Self(
            keys.map(|(key, value)| (whole(key.to_owned()), whole(value)))
                .collect(),
        )
    }

    /// Whether this has the games of `before` and more behind them: in a sequential test, or where the seatings are
    /// fixed and all blocks before are whole.
    pub fn only_adds_games_to(&self, before: &Self, seats: usize) -> bool {
        let games = |table: &Self, key| table.0.get(key)?.get_ref().as_integer();
        let (was, is) = (|key| games(before, key), |key| games(self, key));
        let kind = before.0.get(KIND).and_then(|kind| kind.get_ref().as_str());
        match kind {
            Some(ROUND_ROBIN | GAUNTLET) => was(GAMES)
                .zip(is(GAMES))
                .is_some_and(|(was, is)| was % seats as i64 == 0 && is > was),
            Some(SPRT) => {
                was(MOST_GAMES).is_some_and(|was| is(MOST_GAMES).is_none_or(|is| is > was))
            }
            _ => false,
        }
    }

    pub fn without_number_of_games(mut self) -> Self {
        for key in [GAMES, MOST_GAMES] {
            self.0.remove(key);
        }
        self
    }

    /// Number of random plies at the start of games without listed openings.
    pub(crate) fn opening_plies(&self) -> Result<Option<Spanned<u32>>, Flaw> {
        let value = self.0.get(OPENING_PLIES);
        value.map(|value| read(value.clone())).transpose()
    }
}

fn read<T: DeserializeOwned>(value: Spanned<Value>) -> Result<Spanned<T>, Flaw> {
    let span = value.span();
    let read = value.into_inner().try_into();
    let read = read.map_err(|error| Flaw::at(span.start, in_words(error.message())))?;
    Ok(Spanned::new(span, read))
}

struct Keys {
    at: usize,
    known: Vec<&'static str>,
    left: BTreeMap<Spanned<String>, Spanned<Value>>,
}

impl Keys {
    fn take<T: DeserializeOwned>(&mut self, key: &'static str) -> Result<Option<Spanned<T>>, Flaw> {
        self.known.push(key);
        self.left.remove(key).map(read).transpose()
    }

    fn needed<T: DeserializeOwned>(&mut self, key: &'static str) -> Result<Spanned<T>, Flaw> {
        let misspelt =
            |key_there: &&Spanned<String>| did_you_mean(key_there.get_ref(), [key]).is_some();
        self.take(key)?
            .ok_or_else(|| match self.left.keys().find(misspelt) {
                Some(wrong) => {
                    let problem =
                        format!("unknown key `{}` (did you mean `{key}`?)", wrong.get_ref());
                    Flaw::of(wrong, problem)
                }
                None => Flaw::at(self.at, format!("missing key `{key}`")),
            })
    }

    fn games(&mut self, block: usize) -> Result<GamesPerPairing, Flaw> {
        let games = self.needed(GAMES)?;
        let number = GamesPerPairing::new(*games.get_ref());
        let number = number
            .ok_or_else(|| Flaw::of(&games, "`games-per-pairing` is 0: expected at least 1"))?;
        refuse_cut_blocks(GAMES, &games, u64::from(*games.get_ref()), block)?;
        Ok(number)
    }

    /// The end of a format whose number of games follows from the results.
    fn most_games(&mut self, seats: usize) -> Result<Option<u64>, Flaw> {
        let games = self.take::<u64>(MOST_GAMES)?;
        if let Some(games) = &games {
            refuse_cut_blocks(MOST_GAMES, games, *games.get_ref(), seats)?;
        }
        Ok(games.map(Spanned::into_inner))
    }

    fn challengers(&mut self, players: &[String]) -> Result<Vec<usize>, Flaw> {
        let names = self.needed::<Vec<String>>("challengers")?;
        let bad = |problem: String| Flaw::of(&names, problem);
        let challengers = indices(names.get_ref(), players).map_err(bad)?;
        match challengers.len() {
            0 => Err(bad("expected at least one challenger".to_owned())),
            all if all == players.len() => Err(bad(
                "all players are challengers: expected somebody whom they meet".to_owned(),
            )),
            _ => Ok(challengers),
        }
    }

    fn pairings(&mut self, players: &[String], seats: usize) -> Result<Vec<Vec<usize>>, Flaw> {
        let pairings = self.needed::<Vec<Vec<String>>>("pairings")?;
        let pairing = |names: &Vec<String>| match names.len() {
            count if count == seats => indices(names, players),
            count => Err(format!(
                "a pairing has {count} names, and the game has {seats} seats: expected a name for each"
            )),
        };
        let found: Result<Vec<_>, String> = pairings.get_ref().iter().map(pairing).collect();
        let found = found.map_err(|problem| Flaw::of(&pairings, problem))?;
        match found.is_empty() {
            true => Err(Flaw::of(&pairings, "expected at least one pairing")),
            false => Ok(found),
        }
    }

    fn rounds(&mut self) -> Result<u32, Flaw> {
        let rounds = self.needed("rounds")?;
        match *rounds.get_ref() {
            number @ 1..=MOST_ROUNDS => Ok(number),
            number => {
                let problem =
                    format!("`rounds` is {number}: expected a number from 1 to {MOST_ROUNDS}");
                Err(Flaw::of(&rounds, problem))
            }
        }
    }

    fn sprt(&mut self, players: &[String], seats: usize) -> Result<Format, Flaw> {
        let [challenger] = self.challengers(players)?[..] else {
            let problem = "expected one challenger with kind = \"sprt\"";
            return Err(Flaw::at(self.at, problem));
        };
        let [elo0, elo1] = [self.needed::<f64>("elo0")?, self.needed::<f64>("elo1")?];
        let model = match self.take("model")? {
            Some(model) => one_of("model", &model, EloModel::ALL, EloModel::name)?,
            None => EloModel::default(),
        };
        let most = model.most_elo();
        let in_order = elo0.get_ref() < elo1.get_ref();
        if !in_order || elo0.get_ref().abs() > most || elo1.get_ref().abs() > most {
            let problem =
                format!("expected `elo1` to be more than `elo0`, and both from -{most} to {most}");
            return Err(Flaw::of(&elo1, problem));
        }
        Ok(Format::Sprt {
            challenger,
            test: Sprt {
                elo0: elo0.into_inner(),
                elo1: elo1.into_inner(),
                alpha: self.number("alpha", 0.05, 0.0001..=0.4999)?,
                beta: self.number("beta", 0.05, 0.0001..=0.4999)?,
                model,
            },
            most_games: self.most_games(seats)?,
        })
    }

    fn adaptive(&mut self, seats: usize) -> Result<Format, Flaw> {
        let missing = "missing key `max-games`: it can take many games to tell players apart";
        let most_games = self.most_games(seats)?;
        Ok(Format::Adaptive {
            test: RankingTest {
                confidence: self.number("confidence", 0.95, 0.6..=0.9999)?,
                indifference: self.number("indifference", INDIFFERENCE, 0.1..=500.0)?,
            },
            most_games: most_games.ok_or_else(|| Flaw::at(self.at, missing))?,
        })
    }

    fn number(
        &mut self,
        key: &'static str,
        default: f64,
        range: RangeInclusive<f64>,
    ) -> Result<f64, Flaw> {
        Ok(self.number_in(key, range)?.unwrap_or(default))
    }

    fn number_in(
        &mut self,
        key: &'static str,
        range: RangeInclusive<f64>,
    ) -> Result<Option<f64>, Flaw> {
        match self.take(key)? {
            None => Ok(None),
            Some(value) if range.contains(value.get_ref()) => Ok(Some(value.into_inner())),
            Some(value) => {
                let (least, most) = (range.start(), range.end());
                let value_was = value.get_ref();
                let problem =
                    format!("`{key}` cannot be {value_was}: expected from {least} to {most}");
                Err(Flaw::of(&value, problem))
            }
        }
    }
}

/// The players of these names, which differ; otherwise the problem in words.
fn indices(names: &[String], players: &[String]) -> Result<Vec<usize>, String> {
    let mut found = Vec::new();
    for name in names {
        let player = players.iter().position(|player| player == name);
        let player = player.ok_or_else(|| {
            format!(
                "no player is called `{name}`{}: expected some of {}",
                in_brackets(did_you_mean(name, players.iter().map(String::as_str))),
                players.join(", ")
            )
        })?;
        if found.contains(&player) {
            return Err(format!("`{name}` is there twice"));
        }
        found.push(player);
    }
    Ok(found)
}

/// Refuses a number of games that cuts a block of this many, in kinds that look at the results of whole blocks.
fn refuse_cut_blocks<T>(
    key: &str,
    value: &Spanned<T>,
    games: u64,
    block: usize,
) -> Result<(), Flaw> {
    if games > 0 && games.is_multiple_of(block as u64) {
        return Ok(());
    }
    let problem = format!(
        "`{key}` is {games}: expected a multiple of {block}, since all games are played in blocks of {block}, with each \
         player in each seat once"
    );
    Err(Flaw::of(value, problem))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn more_games_come_behind_a_test_or_whole_blocks_of_fixed_pairings_alone() {
        for (kind, was, is, are_more) in [
            (GAUNTLET, 4, 6, true),
            (ROUND_ROBIN, 2, 3, true),
            (ROUND_ROBIN, 3, 4, false),
            (ROUND_ROBIN, 4, 2, false),
            (SWISS, 2, 4, false),
            (SPRT, 100, 400, true),
            (SPRT, 400, 100, false),
        ] {
            let key = if kind == SPRT { MOST_GAMES } else { GAMES };
            let [was, is] = [was, is].map(|games| {
                let text = format!("{KIND} = {kind:?}\n{key} = {games}");
                toml::from_str::<FormatTable>(&text).expect("a table")
            });
            assert_eq!(is.only_adds_games_to(&was, 2), are_more, "{was:?}");
        }
    }
}
