//! The results in all runs of a league, and the conduct of its players.

use std::collections::{BTreeMap, VecDeque};

use super::matchmaking::{Field, NEVER, Role};
use super::{League, LeagueError, Roster, State, Version};
use crate::results::{ByResults, Rated, ResultRow, Results, Settings, all_openings};
use crate::runs::Run;

/// The variance of the rating of a version without games, in squared Elo.
const UNKNOWN: f64 = 1e6;

/// The runs of a league, read in their order.
#[derive(Debug, Default)]
pub struct Standing {
    results: Results,
    /// The conduct of each player, by its name in runs.
    players: BTreeMap<String, Conduct>,
    pub batches: Vec<BatchFacts>,
    /// The label of the game that is played now.
    game: String,
    settings: Settings,
    /// How many of a player's last games are looked at.
    window: usize,
}

/// How a player has behaved.
#[derive(Debug, Clone, Default)]
pub struct Conduct {
    pub games: u64,
    pub forfeits: u64,
    /// Of the last games, the oldest first: whether it forfeited.
    recent: VecDeque<bool>,
    /// Its last fault, in words.
    pub fault: String,
    /// The place of the last batch with a game of it among all batches.
    batch: usize,
}

impl Conduct {
    /// How many of the last games it forfeited.
    pub fn recent_forfeits(&self) -> usize {
        self.recent.iter().filter(|forfeited| **forfeited).count()
    }
}

#[derive(Debug, Clone)]
pub struct BatchFacts {
    pub number: u32,
    pub games: u64,
    /// When the last of its games ended; empty without games.
    pub ended: String,
    pub is_ended: bool,
}

impl Standing {
    /// Reads all runs of a league.
    pub fn read(league: &League) -> Result<Self, LeagueError> {
        let bench_after = league.terms()?.matchmaking.bench_after;
        let mut standing = Self {
            window: 2 * bench_after as usize,
            settings: Settings {
                by_results: ByResults::Pairings,
                ..Settings::default()
            },
            ..Self::default()
        };
        standing.update(league)?;
        Ok(standing)
    }

    /// Reads the runs that came after those that are read. There is none after a run that goes on.
    pub fn update(&mut self, league: &League) -> Result<(), LeagueError> {
        let known = self.batches.last().map_or(0, |batch| batch.number);
        for number in league.batches().into_iter().filter(|it| *it > known) {
            let path = league.run(number);
            // A batch that was planned and never begun has no run.
            if path.exists() {
                self.add(number, &Run::open(&path, league.games())?)?;
            }
        }
        Ok(())
    }

    fn add(&mut self, number: u32, run: &Run) -> Result<(), LeagueError> {
        let place = self.batches.len();
        let mut facts = BatchFacts {
            number,
            games: 0,
            ended: String::new(),
            is_ended: run.has_digests(),
        };
        run.rows_in_order(&mut |row| {
            let row_of_result = ResultRow {
                source: number.into(),
                ..ResultRow::from(row)
            };
            self.results.add(&row_of_result);
            facts.games += 1;
            if row.date > facts.ended {
                facts.ended.clone_from(&row.date);
            }
            for (seat, name) in row.players.iter() {
                if !self.players.contains_key(name) {
                    self.players.insert(name.clone(), Conduct::default());
                }
                let Some(conduct) = self.players.get_mut(name) else {
                    continue;
                };
                let forfeited = row.end.forfeiters().contains(seat);
                conduct.games += 1;
                conduct.forfeits += u64::from(forfeited);
                conduct.batch = place;
                if let (true, Some(fault)) = (forfeited, row.end.fault(seat)) {
                    conduct.fault = fault.to_string();
                }
                conduct.recent.push_back(forfeited);
                if conduct.recent.len() > self.window {
                    conduct.recent.pop_front();
                }
            }
        })?;
        if let Some(planned) = run.games().first() {
            planned.game().label().clone_into(&mut self.game);
        }
        self.settings.all_openings.extend(all_openings(run));
        self.batches.push(facts);
        Ok(())
    }

    pub fn games(&self) -> u64 {
        self.batches.iter().map(|batch| batch.games).sum()
    }

    pub fn conduct(&self, version: &Version) -> Conduct {
        let known = self.players.get(&version.player_name());
        known.cloned().unwrap_or_default()
    }

    /// The ratings of all players of all runs, and of active versions without games; `None` before the first game.
    pub fn rate(&self, roster: &Roster) -> Option<Rated<'_>> {
        if self.games() == 0 {
            return None;
        }
        let mut results = self.results.clone();
        for version in roster.active() {
            results.add_player(&self.game, &version.player_name());
        }
        let rated = results.rate(&self.settings);
        rated.into_iter().find(|one| one.game == self.game)
    }

    /// The field for matchmaking, with the versions that it is made of.
    pub fn field<'a>(
        &self,
        rated: Option<&Rated<'_>>,
        roster: &'a Roster,
        anchors: bool,
    ) -> (Vec<&'a Version>, Field) {
        let role = |version: &Version| match version.state {
            State::Active => Role::Active,
            State::Retired if anchors && self.conduct(version).games > 0 => Role::Anchor,
            State::Retired | State::Benched | State::Removed => Role::Out,
        };
        let versions = roster.versions.iter();
        let versions: Vec<&Version> = versions.filter(|it| role(it) != Role::Out).collect();
        let covariance = rated.and_then(|one| one.ratings.covariance());
        let at: Vec<Option<usize>> = versions
            .iter()
            .map(|it| rated.and_then(|one| one.find(&it.player_name())))
            .collect();
        let variance = |one: Option<usize>| match (rated, one) {
            (Some(rated), Some(player)) => rated.rating(player).error.powi(2),
            _ => UNKNOWN,
        };
        let cell = |row: usize, column: usize| match (&covariance, at[row], at[column]) {
            (Some(all), Some(one), Some(other)) => all[one][other],
            _ if row == column => variance(at[row]),
            _ => 0.0,
        };
        let size = versions.len();
        let field = Field {
            roles: versions.iter().map(|it| role(it)).collect(),
            elo: versions
                .iter()
                .map(|it| self.guess(rated, roster, it))
                .collect(),
            covariance: (0..size)
                .map(|row| (0..size).map(|column| cell(row, column)).collect())
                .collect(),
            draws: rated.map_or(0.0, |one| one.ratings.draw_rate()),
            idle: versions.iter().map(|it| self.idle(it)).collect(),
        };
        (versions, field)
    }

    /// The rating of a version; without games, of the newest one before it that has some.
    fn guess(&self, rated: Option<&Rated<'_>>, roster: &Roster, version: &Version) -> f64 {
        let before = roster.of(&version.owner).rev();
        let before = before.filter(|it| it.version <= version.version);
        let mut played = before.filter(|it| self.conduct(it).games > 0);
        let found = played.next().zip(rated);
        let found = found.and_then(|(it, one)| Some(one.elo[one.find(&it.player_name())?]));
        found.filter(|elo| elo.is_finite()).unwrap_or(0.0)
    }

    fn idle(&self, version: &Version) -> u32 {
        let conduct = self.conduct(version);
        match conduct.games {
            0 => NEVER,
            _ => u32::try_from(self.batches.len() - 1 - conduct.batch).unwrap_or(NEVER - 1),
        }
    }
}
