//! The results in all runs of a league, and the conduct of its players.

use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::path::{Path, PathBuf};

use super::history::{Day, History};
use super::{GradeError, League, RUNS, Roster, State, TRIALS, Version, name_of, run_of};
use crate::matchmaking::{Field, NEVER, Role};
use crate::rating::Interval;
use crate::results::{ByResults, Rated, ResultRow, Results, Settings, all_openings};
use crate::runs::{JOURNAL, Run, is_ended};

/// The variance of the rating of a version without games, in squared Elo.
const UNKNOWN: f64 = 1e6;

/// A league at one time.
#[derive(Debug)]
pub struct Snapshot<'a> {
    pub standing: &'a Standing,
    pub roster: &'a Roster,
    /// The ratings of all players of all runs; `None` before the first game.
    pub rated: Option<Rated<'a>>,
}

/// The runs of a league, read in their order.
#[derive(Debug, Default)]
pub struct Standing {
    results: Results,
    /// The conduct of each player, by its name in runs.
    players: BTreeMap<String, Conduct>,
    /// The conduct of a player without games.
    nobody: Conduct,
    pub batches: Vec<BatchFacts>,
    /// The label of the game that is played now.
    game: String,
    settings: Settings,
    /// How many of a player's last games are looked at.
    window: usize,
    pub(super) history: History,
}

#[derive(Debug, Clone, Default)]
pub struct Conduct {
    pub games: u64,
    pub forfeits: u64,
    /// Of the last games, the oldest first: whether it forfeited.
    recent: VecDeque<bool>,
    pub fault: String,
    /// The place of the last batch with a game of it among all batches.
    batch: usize,
    /// Its last games, the oldest first.
    pub last: VecDeque<LastGame>,
}

/// A game as its player sees it.
#[derive(Debug, Clone)]
pub struct LastGame {
    /// The place of its batch among all batches.
    pub batch: usize,
    pub id: u64,
    pub opponents: Vec<String>,
    pub seat: &'static str,
    pub points: f64,
    pub termination: &'static str,
    pub date: String,
}

/// So many of a player's last games are named on its page.
const LAST: usize = 20;

impl Conduct {
    pub fn recent_forfeits(&self) -> usize {
        self.recent.iter().filter(|forfeited| **forfeited).count()
    }
}

#[derive(Debug, Clone)]
pub struct BatchFacts {
    pub run: PathBuf,
    pub games: u64,
    /// When the last of its games ended; empty without games.
    pub ended: String,
    pub is_ended: bool,
    /// The bytes of its journal.
    length: u64,
}

/// The configurations of all batches, and of the trials whose games count.
fn configs_that_count(league: &League) -> Result<[Vec<PathBuf>; 2], GradeError> {
    let roster = league.roster()?;
    let counts = |config: &PathBuf| {
        let name = name_of(config);
        let player = name.rsplit_once('-').map(|it| it.0);
        let mut versions = roster.versions.iter();
        versions.any(|it| it.state.counts() && Some(&*it.player_name()) == player)
    };
    let trials = league.configs(TRIALS).into_iter().filter(counts);
    Ok([league.configs(RUNS), trials.collect()])
}

/// Whether a run has its journal. It may have been killed before.
fn is_begun(run: &Path) -> bool {
    run.join(JOURNAL).exists()
}

/// Whether a run is ended, and the length of its journal.
fn state(run: &Path) -> (bool, u64) {
    let length = run.join(JOURNAL).metadata().map_or(0, |it| it.len());
    (is_ended(run), length)
}

impl BatchFacts {
    /// Whether games were played after it was read.
    fn has_grown(&self) -> bool {
        !self.is_ended && state(&self.run) != (self.is_ended, self.length)
    }

    /// The run's place in the folder of the league: `runs/0007` or `trials/alice.3-1`.
    pub fn place(&self) -> PathBuf {
        let league = self.run.ancestors().nth(2);
        let place = league.and_then(|league| self.run.strip_prefix(league).ok());
        place.unwrap_or(&self.run).to_owned()
    }
}

impl Standing {
    /// Reads all runs of a season, and rates again the earlier days that were not written with the pages.
    pub fn read(league: &League) -> Result<Self, GradeError> {
        let bench_after = league.terms()?.matchmaking.bench_after;
        let mut standing = Self {
            window: 2 * bench_after as usize,
            settings: Settings {
                by_results: ByResults::Pairings,
                ..Settings::default()
            },
            history: History::load(&league.report()),
            ..Self::default()
        };
        standing.update(league)?;
        Ok(standing)
    }

    /// Reads the runs that are not read, but for trials that do not count.
    pub fn update(&mut self, league: &League) -> Result<(), GradeError> {
        if self.batches.iter().any(BatchFacts::has_grown) {
            *self = Self::read(league)?;
            return Ok(());
        }
        let [runs, trials] = configs_that_count(league)?;
        self.include(league, runs, trials)
    }

    /// Whether these are all games of the league.
    pub fn is_of_all(&self, league: &League) -> Result<bool, GradeError> {
        let begun = configs_that_count(league)?.concat().into_iter();
        let begun = begun.filter(|config| is_begun(&run_of(config))).count();
        Ok(begun == self.batches.len() && !self.batches.iter().any(BatchFacts::has_grown))
    }

    /// Reads these runs if they are begun and not read, in the order in which they were begun.
    pub fn include(
        &mut self,
        league: &League,
        runs: Vec<PathBuf>,
        trials: Vec<PathBuf>,
    ) -> Result<(), GradeError> {
        let known: BTreeSet<PathBuf> = self.batches.iter().map(|it| it.run.clone()).collect();
        let folders = |configs: Vec<PathBuf>| {
            let folders = configs.into_iter().map(|config| run_of(&config));
            folders.filter(|run| !known.contains(run) && is_begun(run))
        };
        let roster = league.roster()?;
        let open = |run: PathBuf| {
            let run = Run::open(&run, league.games())?;
            let others = run.manifest().players.iter();
            let mut others = others.filter_map(|it| roster.unlike(it));
            match others.next() {
                None => Ok(run),
                Some(problem) => Err(GradeError::usage(format!(
                    "{}: {problem}: move this run out of the league",
                    run.path().display()
                ))),
            }
        };
        let begun = |run: &Run| run.manifest().created.clone();
        let mut trials = folders(trials).map(open).collect::<Result<Vec<Run>, _>>()?;
        trials.sort_by_key(begun);
        let mut trials = trials.into_iter().peekable();
        // There can be many, and each of them may have many openings.
        for run in folders(runs) {
            let run = open(run)?;
            while let Some(trial) = trials.next_if(|trial| begun(trial) < begun(&run)) {
                self.add(&trial)?;
            }
            self.add(&run)?;
        }
        trials.try_for_each(|trial| self.add(&trial))
    }

    fn add(&mut self, run: &Run) -> Result<(), GradeError> {
        let created = &run.manifest().created;
        let day = created.split('T').next().unwrap_or_default();
        if *day > *self.history.today {
            if self.games() > 0 {
                let closed = self.close(None);
                self.history.days.push(closed);
            }
            day.clone_into(&mut self.history.today);
            self.history.first_batch = self.batches.len();
        }
        let place = self.batches.len();
        let (is_ended, length) = state(run.path());
        let mut facts = BatchFacts {
            run: run.path().to_owned(),
            games: 0,
            ended: String::new(),
            is_ended,
            length,
        };
        run.rows_in_order(&mut |row| {
            let row_of_result = ResultRow {
                source: place as u64,
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
                let opponents = row.players.iter().filter(|it| it.0 != seat);
                conduct.last.push_back(LastGame {
                    batch: place,
                    id: row.id,
                    opponents: opponents.map(|it| it.1.clone()).collect(),
                    seat: row.game.seat_name(seat),
                    points: row.end.result.points(seat),
                    termination: row.end.termination.name(),
                    date: row.date.clone(),
                });
                if conduct.last.len() > LAST {
                    conduct.last.pop_front();
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

    /// The end of this day, with these ratings of all games.
    pub fn close(&self, rated: Option<&Rated<'_>>) -> Day {
        let games = self.games();
        if let Some(kept) = self.history.kept(games) {
            return kept.clone();
        }
        let of = |rated: &Rated<'_>| -> BTreeMap<String, Interval> {
            let first = self.history.first_batch;
            let today = self.players.iter().filter(|it| it.1.batch >= first);
            let rating = |name: &String| Some((name.clone(), rated.interval(rated.find(name)?)));
            today.filter_map(|it| rating(it.0)).collect()
        };
        let ratings = match rated {
            Some(rated) => Some(of(rated)),
            None => self.rate_all().as_ref().map(of),
        };
        Day {
            day: self.history.today.clone(),
            games,
            ratings: ratings.unwrap_or_default(),
        }
    }

    /// All days, the last one with these ratings.
    pub fn days(&self, rated: Option<&Rated<'_>>) -> Vec<Day> {
        let mut days = self.history.days.clone();
        days.extend((self.games() > 0).then(|| self.close(rated)));
        days
    }

    pub fn games(&self) -> u64 {
        self.batches.iter().map(|batch| batch.games).sum()
    }

    pub fn conduct(&self, version: &Version) -> &Conduct {
        let known = self.players.get(&version.player_name());
        known.unwrap_or(&self.nobody)
    }

    /// The league with this roster, and its ratings by all games.
    pub fn rate<'a>(&'a self, roster: &'a Roster) -> Snapshot<'a> {
        Snapshot {
            standing: self,
            roster,
            rated: self.rate_all(),
        }
    }

    fn rate_all(&self) -> Option<Rated<'_>> {
        let rated = self.results.clone().rate(&self.settings);
        rated.into_iter().find(|one| one.game == self.game)
    }

    fn idle(&self, version: &Version) -> u32 {
        let conduct = self.conduct(version);
        match conduct.games {
            0 => NEVER,
            _ => u32::try_from(self.batches.len() - 1 - conduct.batch).unwrap_or(NEVER - 1),
        }
    }
}

impl<'a> Snapshot<'a> {
    /// The field for matchmaking, with the versions that it is made of.
    pub fn field(&self, anchors: bool) -> (Vec<&'a Version>, Field) {
        let (standing, rated) = (self.standing, self.rated.as_ref());
        let role = |version: &Version| match version.state {
            State::Active => Role::Active,
            State::Retired if anchors && standing.conduct(version).games > 0 => Role::Anchor,
            State::Retired | State::Benched | State::Archived | State::Removed => Role::Out,
            State::Candidate | State::Rejected => Role::Out,
        };
        let versions = self.roster.versions.iter();
        let versions: Vec<&Version> = versions.filter(|it| role(it) != Role::Out).collect();
        let covariance = rated.and_then(|one| one.ratings.covariance_by_model());
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
            elo: versions.iter().map(|it| self.guess(it)).collect(),
            covariance: (0..size)
                .map(|row| (0..size).map(|column| cell(row, column)).collect())
                .collect(),
            draws: rated.map_or(0.0, |one| one.ratings.draw_rate()),
            rounds: 1.0,
            idle: versions.iter().map(|it| standing.idle(it)).collect(),
        };
        (versions, field)
    }

    /// The rating of a version; without games, of the newest one before it that has some.
    fn guess(&self, version: &Version) -> f64 {
        let before = self.roster.of(&version.owner).rev();
        let before = before.filter(|it| it.version <= version.version);
        let mut played = before.filter(|it| self.standing.conduct(it).games > 0);
        let found = played.next().zip(self.rated.as_ref());
        let found = found.and_then(|(it, one)| Some(one.elo[one.find(&it.player_name())?]));
        found.filter(|elo| elo.is_finite()).unwrap_or(0.0)
    }
}
