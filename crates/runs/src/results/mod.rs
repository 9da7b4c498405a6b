//! From the results of games to ratings: runs and other files of results → [`Results`] → a
//! [`Rated`] for each kind of game.

mod files;
mod rated;

use std::collections::{BTreeSet, HashMap};

pub use files::ResultsError;
pub use files::anchors::{AnchorFile, AnchorsError};
pub use files::{BadRows, ReadResults, read_results};
pub use rated::{Rated, Results, shared_ranks};

use crate::game::{ForfeitedBy, GameResult, Games, PerSeat};
use crate::rating::{Estimate, Model, Openings, Sprt, Standings};
use crate::referee::Termination;
use crate::runs::{GameRow, Run};
use crate::schedule::Format;
use crate::text::DisplayNames;

/// The labels of the games in one file of results. A run says by its manifest which of its games has a rules program.
/// Any other file shows it by the digests of answers.
#[derive(Debug)]
pub struct GameLabels {
    built_in: Games,
    /// Whether the file is of a run, so that all its games are known.
    is_of_run: bool,
    /// The labels and the seats of games of rules programs, by the names of the games.
    programs: HashMap<String, (String, &'static [&'static str])>,
}

impl GameLabels {
    /// The labels in the journal of `run`, or in a file that is of no known run.
    pub fn new(built_in: Games, run: Option<&Run>) -> Self {
        let planned = run.into_iter().flat_map(Run::games);
        let games = planned.map(|planned| planned.game());
        let programs = games.filter(|game| game.program().is_some());
        Self {
            built_in,
            is_of_run: run.is_some(),
            programs: programs
                .map(|game| {
                    let own = (game.label().to_owned(), game.seat_names());
                    (game.name().to_owned(), own)
                })
                .collect(),
        }
    }

    /// A row whose game is named by its label, with the names of the seats.
    pub fn labelled<'a>(&'a mut self, row: &ResultRow<'a>) -> ResultRow<'a> {
        if !self.is_of_run && !row.answers.is_empty() && !self.programs.contains_key(row.game) {
            let label = self.built_in.program_label(row.game);
            self.programs.insert(row.game.to_owned(), (label, &[]));
        }
        let program = match self.programs.is_empty() {
            true => None,
            false => self.programs.get(row.game),
        };
        let built_in = || self.built_in.named(row.game).map(|game| game.seat_names());
        let (game, seats) = match program {
            Some((label, seats)) => (label.as_str(), *seats),
            None => (row.game, built_in().unwrap_or_default()),
        };
        ResultRow {
            game,
            seats,
            ..row.clone()
        }
    }
}

/// One game, with the fields that ratings and tables need.
#[derive(Debug, Clone, PartialEq)]
pub struct ResultRow<'a> {
    /// Number of the source: numbers of blocks are unique only within one.
    pub source: u64,
    /// The name of the game played, or its label; empty if the file has none.
    pub game: &'a str,
    /// The names of its seats; empty if the game is not known.
    pub seats: &'a [&'static str],
    /// The digest of a rules program's answers; empty if the file has none.
    pub answers: &'a str,
    pub options: &'a str,
    /// The number of the block, such as a game pair, within the source.
    pub block: Option<u64>,
    /// Key for finding pairs in a source without numbers of blocks: two games with equal keys and swapped seats are a
    /// pair.
    pub alike: Option<u64>,
    /// The opening of the game; empty if it or the file has none.
    pub opening: &'a str,
    pub names: PerSeat<&'a str>,
    pub rules_points: Option<PerSeat<f64>>,
    pub result: GameResult,
    pub forfeited_by: ForfeitedBy,
    pub termination: &'a str,
    /// A digest of the actions; empty if the file has none.
    pub digest: &'a str,
}

impl<'a> ResultRow<'a> {
    /// Whether the file says that no forfeit ended the game, so that one of a player that left it did not stop it.
    pub fn is_by_rules(&self) -> bool {
        Termination::from_name(self.termination).is_some_and(Termination::is_by_rules)
    }

    /// The name of the game for tables; `games` if the file has none.
    pub fn game_name(&self) -> &'a str {
        if self.game.is_empty() {
            "games"
        } else {
            self.game
        }
    }
}

/// A game of a run that is rated alone, as source 0.
impl<'a> From<&'a GameRow> for ResultRow<'a> {
    fn from(row: &'a GameRow) -> Self {
        Self {
            source: 0,
            game: row.game.label(),
            seats: row.game.seat_names(),
            answers: &row.answers,
            options: &row.options,
            block: Some(row.block),
            alike: None,
            opening: &row.start.opening,
            names: row.names(),
            rules_points: rules_points(row),
            result: row.end.result,
            forfeited_by: row.end.forfeited_by(),
            termination: row.end.termination.name(),
            digest: &row.actions_digest,
        }
    }
}

fn rules_points(row: &GameRow) -> Option<PerSeat<f64>> {
    let points = row.end.rules_points.as_ref()?;
    Some(points.values().map(|it| it.approximate()).collect())
}

#[derive(Debug, Clone, Default)]
pub struct Settings {
    pub model: Model,
    pub all_openings: BTreeSet<String>,
    /// Whether players who are told apart are so in all comparisons together, and not in each one.
    pub familywise: bool,
    /// The player whose rating is set; `None` for the mean of all players.
    pub anchor: Option<String>,
    pub anchor_elo: f64,
    /// The players whose ratings are given. They are the reference of each game that one of them plays.
    pub anchors: Option<AnchorFile>,
    pub sprt: Option<(String, Sprt)>,
    pub display_names: DisplayNames,
    pub by_results: ByResults,
    /// The challenger and the sequential test of the run, if these are all its games.
    pub run_test: Option<(String, Sprt)>,
}

impl Settings {
    pub fn of_run(run: &Run) -> Self {
        let sprt = run_test(run);
        Self {
            run_test: sprt.clone(),
            sprt,
            by_results: ByResults::of(run.format()),
            display_names: run.manifest().display_names(),
            all_openings: all_openings(run),
            ..Self::default()
        }
    }

    pub fn openings_of(&self, game: &str) -> Openings {
        match self.all_openings.contains(game) {
            true => Openings::All,
            false => Openings::Sample,
        }
    }

    fn anchors_of(&self, game: &str, standings: &Standings) -> Vec<(usize, Estimate)> {
        let rows = self.anchors.iter().flat_map(|file| &file.rows);
        let here = rows.filter(|row| row.is_for(game)).filter_map(|row| {
            let player = standings.find(&row.player)?;
            Some((player, Estimate::with_margin(row.elo, row.margin)))
        });
        here.collect()
    }
}

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum ByResults {
    #[default]
    Nothing,
    /// The end: the run has a sequential test.
    Test,
    /// Pairings and the end: the run has a test of its ranking.
    Ranking,
    Pairings,
    /// The values that the players of a tuning play with.
    Values,
}

impl ByResults {
    pub fn of(format: &Format) -> Self {
        match format {
            Format::Sprt { .. } => Self::Test,
            Format::Adaptive { .. } => Self::Ranking,
            Format::RoundRobin(_) | Format::Gauntlet { .. } | Format::List(_) => Self::Nothing,
            Format::Tune(_) => Self::Values,
            Format::Swiss { .. } | Format::Knockout { .. } => Self::Pairings,
        }
    }
}

/// The games of a run whose openings are all that there are, by the plan.
pub fn all_openings(run: &Run) -> BTreeSet<String> {
    let games = run.games().iter();
    let all = games.filter(|game| {
        game.openings()
            .is_some_and(|openings| openings.are == Openings::All)
    });
    all.map(|game| game.game().label().to_owned()).collect()
}

/// The challenger of a run and its sequential test; `None` if the run has none.
pub fn run_test(run: &Run) -> Option<(String, Sprt)> {
    match run.format() {
        Format::Sprt {
            challenger, test, ..
        } => Some((run.player_names()[*challenger].to_owned(), *test)),
        _ => None,
    }
}
