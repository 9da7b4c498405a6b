//! The results of a set of games.

use std::collections::BTreeMap;
use std::hash::{DefaultHasher, Hash, Hasher};

use super::rated::Rated;
use super::rated_tables::RatedTables;
use super::row::ResultRow;
use super::settings::Settings;
use super::strengths::Strengths;
use super::table_games::TableGames;
use crate::rating::{Anchor, Diagnostics, RatedGame, Ratings, Standings};
use crate::runs::{Run, RunFileError};

/// The ratings of all games.
#[derive(Debug, Default)]
pub struct AllRated<'a> {
    /// The games of two seats.
    pub of_two: Vec<Rated<'a>>,
    /// The games with more seats.
    pub tables: Vec<RatedTables<'a>>,
}

impl AllRated<'_> {
    /// Whether there is no game.
    pub fn is_empty(&self) -> bool {
        self.of_two.is_empty() && self.tables.is_empty()
    }

    /// Each game, however many seats it has.
    pub fn each(&self) -> impl Iterator<Item = &dyn Strengths> {
        let of_two = self.of_two.iter().map(|one| one as &dyn Strengths);
        of_two.chain(self.tables.iter().map(|one| one as &dyn Strengths))
    }
}

/// The results of a set of games, by the kind of game. Its size grows with the pairings and not with the
/// games, except for games of more than two seats, and for what [`Standings`] keeps of games with a digest.
#[derive(Debug, Clone, Default)]
pub struct Results {
    games: BTreeMap<String, Standings>,
    tables: BTreeMap<String, TableGames>,
    terminations: BTreeMap<String, u64>,
    once: bool,
}

impl Results {
    /// Results without games that repeat an earlier one action by action.
    pub fn without_duplicates() -> Self {
        Self {
            once: true,
            ..Self::default()
        }
    }

    /// The results of a run.
    ///
    /// # Errors
    /// The journal cannot be read.
    pub fn of_run(run: &Run) -> Result<Self, RunFileError> {
        let mut results = Self::default();
        let mut many = results.many();
        for row in run.rows()? {
            many.add(&ResultRow::from(&row?));
        }
        drop(many);
        Ok(results)
    }

    /// Adds one finished game.
    pub fn add(&mut self, row: &ResultRow<'_>) {
        self.many().add(row);
    }

    /// Adds any number of finished games, faster than one by one.
    pub fn many(&mut self) -> ManyResults<'_> {
        ManyResults(self)
    }

    /// Number of games.
    pub fn count(&self) -> u64 {
        let of_two = self.games.values().map(Standings::games);
        of_two.sum::<u64>() + self.tables.values().map(TableGames::count).sum::<u64>()
    }

    /// The games with more than two seats, by the game's name.
    pub fn tables(&self) -> impl Iterator<Item = (&str, &TableGames)> {
        self.tables
            .iter()
            .map(|(name, games)| (name.as_str(), games))
    }

    /// The standings of each game of two seats, by the game's name.
    pub fn games(&self) -> impl Iterator<Item = (&str, &Standings)> {
        self.games
            .iter()
            .map(|(name, standings)| (name.as_str(), standings))
    }

    /// Number of games by the name of their termination.
    pub fn terminations(&self) -> &BTreeMap<String, u64> {
        &self.terminations
    }

    /// Rates the players of each game. If no anchor has played a game, the ratings of that game are relative to the
    /// mean of its players.
    pub fn rate<'a>(&'a self, settings: &'a Settings) -> AllRated<'a> {
        let tables = self.tables();
        AllRated {
            of_two: self.rate_games_of_two(settings),
            tables: tables
                .map(|(game, games)| RatedTables::new(game, games, settings))
                .collect(),
        }
    }

    fn rate_games_of_two<'a>(&'a self, settings: &'a Settings) -> Vec<Rated<'a>> {
        self.games()
            .map(|(game, standings)| {
                let mut ratings = Ratings::of_any_number(standings, settings.model);
                // Diagnostics are about the games alone, so they are made without the anchors.
                let diagnostics = Diagnostics::new(standings, &ratings);
                let anchors = settings.anchors_of(game, standings);
                if !anchors.is_empty() {
                    ratings = Ratings::anchored(standings, settings.model, &anchors);
                }
                let anchor = match &settings.anchor {
                    _ if !anchors.is_empty() => Anchor::Fitted,
                    None => Anchor::Mean(settings.anchor_elo),
                    Some(name) => standings.find(name).map_or(Anchor::default(), |player| {
                        Anchor::Player(player, settings.anchor_elo)
                    }),
                };
                let elo: Vec<f64> = (0..standings.players().len())
                    .map(|player| ratings.rating(player, anchor).elo)
                    .collect();
                let mut order: Vec<usize> = (0..elo.len()).collect();
                order.sort_by(|a, b| {
                    let name = |player: &usize| &standings.players()[*player].name;
                    // The last bits of equal ratings are rounding errors.
                    let whole = |player: &usize| (elo[*player] * 1e6).round();
                    whole(b)
                        .total_cmp(&whole(a))
                        .then_with(|| name(a).cmp(name(b)))
                });
                Rated {
                    game,
                    standings,
                    diagnostics,
                    anchors,
                    ratings,
                    anchor,
                    elo,
                    order,
                    settings,
                }
            })
            .collect()
    }
}

/// Adds games to results.
#[derive(Debug)]
pub struct ManyResults<'a>(&'a mut Results);

impl ManyResults<'_> {
    /// Adds one finished game.
    pub fn add(&mut self, row: &ResultRow<'_>) {
        let counted = match row.names.clone().pair() {
            Some(names) => self.add_to_standings(row, names),
            None => self.add_to_tables(row),
        };
        if !counted || row.termination.is_empty() {
            return;
        }
        let terminations = &mut self.0.terminations;
        match terminations.get_mut(row.termination) {
            Some(count) => *count += 1,
            None => {
                terminations.insert(row.termination.to_owned(), 1);
            }
        }
    }

    /// Adds a game of two. Returns `false` if it was left out.
    fn add_to_standings(&mut self, row: &ResultRow<'_>, names: [&str; 2]) -> bool {
        let Results { games, once, .. } = &mut *self.0;
        let game = row.game_name();
        let standings = match games.get_mut(game) {
            Some(standings) => standings,
            None => games.entry(game.to_owned()).or_insert_with(|| match once {
                true => Standings::without_duplicates(),
                false => Standings::default(),
            }),
        };
        let of_source = |number: u64| digest(&(row.source, row.options, number));
        let alike = row.alike.map(of_source);
        let game = RatedGame {
            names,
            result: row.result,
            blame: row.blame,
            pair: row.pair.map(of_source),
            digest: (!row.digest.is_empty())
                .then(|| digest(&(row.options, names, row.digest, row.result))),
        };
        standings.add_unsettled(&game, row.opening, alike)
    }

    /// Adds a game of more than two. Returns `false` if it was left out.
    fn add_to_tables(&mut self, row: &ResultRow<'_>) -> bool {
        let Results { tables, once, .. } = &mut *self.0;
        let game = row.game_name();
        let games = match tables.get_mut(game) {
            Some(games) => games,
            None => tables.entry(game.to_owned()).or_insert_with(|| match once {
                true => TableGames::without_duplicates(),
                false => TableGames::default(),
            }),
        };
        // A game without the number of a block is a block of its own.
        let block = match row.pair {
            Some(number) => digest(&(row.source, row.options, number)),
            None => digest(&games.count()),
        };
        let repeats = (!row.digest.is_empty())
            .then(|| digest(&(row.options, &row.names, row.digest, row.result)));
        games.add(row, block, repeats)
    }
}

impl Drop for ManyResults<'_> {
    fn drop(&mut self) {
        self.0.games.values_mut().for_each(Standings::settle);
    }
}

/// A hash of a value, for comparison within this process.
fn digest(value: &impl Hash) -> u64 {
    let mut hasher = DefaultHasher::new();
    value.hash(&mut hasher);
    hasher.finish()
}
