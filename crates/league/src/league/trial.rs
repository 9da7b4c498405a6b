//! `league try`: a candidate beside the version that plays, against the same opponents from the same starts.
//!
//! In each stage both versions have a run of their own, with the same seed and the same list of opponents. Games from one
//! start are one cluster of the covariance of the ratings, so what both did from it makes their difference sharper. A
//! run's configuration does not name the candidate, so all candidates after a version share that version's runs.

use std::cmp::Reverse;
use std::collections::BTreeMap;
use std::path::PathBuf;

use super::playing::{Session, seed_of};
use super::terms::{Stage, nobody};
use super::{GradeError, Standing, State, TRIALS, Version, run_of};
use crate::config::read_text;
use crate::rating::Interval;
use crate::report::{Cell, Column, ReportTable};
use crate::results::ResultRow;
use crate::runs::{Lock, Run, make_parent, write_bytes};

/// Most openings in the table of a trial: those where the candidate lost most.
const OPENINGS: usize = 5;

/// The candidate and the version that plays, with the configurations of their runs.
#[derive(Debug)]
pub struct Trial {
    /// The version that plays, and then the candidate.
    pub versions: [Version; 2],
    benchmarks: Vec<Version>,
    configs: [Vec<PathBuf>; 2],
    blocks: usize,
}

/// The comparison by the games so far.
#[derive(Debug)]
pub struct Evidence {
    /// The candidate's Elo above the version that plays, with its 95 % interval.
    pub difference: Interval,
    pub games: u64,
    /// The score of both versions by opponent, seat and opening.
    pub table: ReportTable,
    /// The faults that the candidate has more often: in words, with the number of its games and of the other's.
    pub faults: Vec<(String, [u64; 2])>,
}

impl Evidence {
    /// Whether no further stage is needed.
    pub fn is_enough(&self, stage: &Stage) -> bool {
        let [low, _, high] = self.difference;
        let is_known = stage.until.is_some_and(|most| high - low <= 2.0 * most);
        low > 0.0 || high < 0.0 || is_known
    }
}

impl Session<'_> {
    /// The version that a candidate of this bot is compared with.
    pub fn present(&self, owner: &str) -> Result<Version, GradeError> {
        let roster = self.league.roster()?;
        let present = roster.newest().find(|it| it.owner == owner);
        present.cloned().ok_or_else(|| {
            GradeError::usage(format!(
                "{owner} has no version that plays: `referee league add` makes the first one"
            ))
        })
    }

    /// The trial of a bot's newest candidate, against the newest version of each other bot.
    pub fn trial(&self, name: &str) -> Result<Trial, GradeError> {
        let roster = self.league.roster()?;
        let candidate = roster.candidate(name, None)?;
        let present = self.present(&candidate.owner)?;
        let is_benchmark = |it: &&Version| {
            it.owner != candidate.owner && matches!(it.state, State::Active | State::Retired)
        };
        Ok(Trial {
            benchmarks: roster.newest().filter(is_benchmark).cloned().collect(),
            versions: [present, candidate],
            configs: Default::default(),
            blocks: 0,
        })
    }

    /// The configurations of the runs of the next stage, in the order of the versions.
    pub fn next_stage(&self, trial: &mut Trial, stage: &Stage) -> Result<[PathBuf; 2], GradeError> {
        let league = self.league;
        let _lock = Lock::take(league.folder())?;
        let terms = league.terms()?;
        let seats = terms.probe(["nobody", "somebody"].map(nobody))?.seats();
        let others = &trial.benchmarks;
        if others.len() + 1 < seats {
            return Err(GradeError::usage(format!(
                "a game has {seats} seats, and {} other bots are in the league: `referee league add` adds one",
                others.len()
            )));
        }
        let blocks = (stage.games.get() as usize).div_ceil(seats);
        let number = trial.configs[0].len() as u32 + 1;
        let [_, candidate] = &trial.versions;
        let seed = match stage.fresh {
            true => seed_of(&terms, &candidate.player_name(), number),
            false => seed_of(&terms, TRIALS, number),
        };
        let mut made = trial.versions.each_ref().map(|_| PathBuf::new());
        for (side, version) in trial.versions.iter().enumerate() {
            let block = |at: usize| {
                let first = (trial.blocks + at) * (seats - 1);
                let opponents = (first..first + seats - 1).map(|it| &others[it % others.len()]);
                std::iter::once(version).chain(opponents).collect()
            };
            let chosen: Vec<Vec<&Version>> = (0..blocks).map(block).collect();
            let openings = stage.openings.as_deref();
            let player = version.player_name();
            let text = self.config(&terms, &player, seed, &chosen, openings);
            let folder = league.of_season(TRIALS);
            // The benchmarks may have changed since an earlier run.
            let mut configs = (1..).map(|at| folder.join(format!("{player}-{at}.toml")));
            let is_it = |it: &PathBuf| !it.exists() || read_text(it).is_ok_and(|old| old == text);
            made[side] = configs.find(is_it).unwrap_or_default();
            make_parent(&made[side])?;
            write_bytes(&made[side], text)?;
            trial.configs[side].push(made[side].clone());
        }
        trial.blocks += blocks;
        Ok(made)
    }

    /// Compares the versions by all games of the league and of their trial.
    pub fn evidence(&self, trial: &Trial) -> Result<Evidence, GradeError> {
        let mut standing = Standing::read(self.league)?;
        standing.include(self.league, Vec::new(), trial.configs.concat())?;
        let roster = self.league.roster()?;
        let rated = standing.rate(&roster).rated;
        let players = trial.versions.each_ref().map(|it| it.player_name());
        let difference = rated.as_ref().and_then(|rated| {
            let [present, candidate] = players.each_ref().map(|it| rated.find(it));
            Some(rated.difference(candidate?, present?))
        });
        let shown = |player: &String| {
            let mut others = trial.benchmarks.iter();
            let other = others.find(|it| it.player_name() == *player);
            other.map_or_else(|| player.clone(), Version::shown_name)
        };
        let mut sums = Sums::default();
        for (side, player) in players.iter().enumerate() {
            for config in &trial.configs[side] {
                let run = Run::open(&run_of(config), self.league.games())?;
                for row in run.rows()? {
                    let row = row?;
                    let Some(own) = row.players.find(|it| it == player) else {
                        continue;
                    };
                    let fault = row.end.fault(own).map(|it| it.kind.name());
                    let result = ResultRow::from(&row);
                    let mut keys =
                        vec![(0, String::new()), (2, row.game.seat_name(own).to_owned())];
                    let others = row.players.values().filter(|it| *it != player);
                    keys.extend(others.map(|it| (1, shown(it))));
                    if !result.opening.is_empty() {
                        keys.push((3, result.opening.to_owned()));
                    }
                    for key in keys {
                        let sum = &mut sums.entry(key).or_default()[side];
                        sum.games += 1;
                        sum.points += result.result.points(own);
                        if let Some(fault) = fault.filter(|_| row.end.forfeiters().contains(own)) {
                            *sum.faults.entry(fault).or_default() += 1;
                        }
                    }
                }
            }
        }
        let all = sums.values().next().cloned().unwrap_or_default();
        let faults = all[1].faults.iter().map(|(fault, games)| {
            let before = all[0].faults.get(fault).copied().unwrap_or_default();
            ((*fault).to_owned(), [before, *games])
        });
        Ok(Evidence {
            difference: difference.map_or([f64::NEG_INFINITY, 0.0, f64::INFINITY], |it| {
                [it.low(), it.elo, it.high()]
            }),
            games: all[1].games,
            faults: faults
                .filter(|(_, [before, games])| games > before)
                .collect(),
            table: table(sums),
        })
    }
}

#[derive(Debug, Clone, Default)]
struct Sum {
    games: u64,
    points: f64,
    faults: BTreeMap<&'static str, u64>,
}

impl Sum {
    fn score(&self) -> Option<f64> {
        (self.games > 0).then(|| self.points / self.games as f64)
    }

    fn forfeits(&self) -> u64 {
        self.faults.values().sum()
    }
}

/// The games of both versions, by what the table names and a name.
type Sums = BTreeMap<(usize, String), [Sum; 2]>;

const KINDS: [&str; 4] = ["all", "opponent", "seat", "opening"];

/// The rows of each kind, the worst change first.
fn table(sums: Sums) -> ReportTable {
    let change = |both: &[Sum; 2]| Some(both[1].score()? - both[0].score()?);
    let mut rows: Vec<((usize, String), [Sum; 2])> = sums.into_iter().collect();
    let lost = |both: &[Sum; 2]| {
        let games = both[1].games as f64;
        change(both).map_or(0, |it| (-1e6 * games * it) as i64)
    };
    rows.sort_by_cached_key(|((kind, _), both)| (*kind, Reverse(lost(both))));
    let mut openings = 0;
    rows.retain(|((kind, _), both)| {
        openings += usize::from(*kind == 3);
        *kind < 3 || (openings <= OPENINGS && lost(both) > 0)
    });
    let rows = rows.into_iter().map(|((kind, name), both)| {
        let [present, candidate] = &both;
        let share = |sum: &Sum| sum.score().map_or(Cell::Missing, Cell::Share);
        vec![
            Cell::text(KINDS[kind]),
            Cell::text(name),
            Cell::Count(candidate.games),
            share(candidate),
            share(present),
            change(&both).map_or(Cell::Missing, |it| Cell::Real(100.0 * it, Some(1))),
            Cell::Count(candidate.forfeits()),
            Cell::Count(present.forfeits()),
        ]
    });
    let columns = vec![
        Column::text("by", "by"),
        Column::text("name", "name"),
        Column::number("games", "games").rank(1),
        Column::number("score", "score"),
        Column::number("score_before", "before"),
        Column::number("change", "change").explained("the difference of the scores, in percent"),
        Column::number("forfeits", "forfeits").rank(2),
        Column::number("forfeits_before", "before").rank(2),
    ];
    ReportTable::new("trial", columns, rows)
}
