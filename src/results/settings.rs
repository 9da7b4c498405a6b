//! Settings of ratings.

use std::collections::{BTreeSet, HashMap};

use super::files::anchors::AnchorFile;
use super::programs::programs;
use crate::rating::{Estimate, Model, Openings, Sprt, Standings};
use crate::runs::Run;
use crate::schedule::Format;
use crate::text::DisplayNames;

/// The settings of ratings.
#[derive(Debug, Clone, Default)]
pub struct Settings {
    /// The model that is fitted.
    pub model: Model,
    /// The games whose openings are all that there are.
    pub all_openings: BTreeSet<String>,
    /// Whether players who are told apart are so in all comparisons together, and not in each one.
    pub familywise: bool,
    /// The player whose rating is set; `None` for the mean of all players.
    pub anchor: Option<String>,
    /// The rating that is set.
    pub anchor_elo: f64,
    /// The players whose ratings are given. They are the reference of each game that one of them plays.
    pub anchors: Option<AnchorFile>,
    /// A player, and a sequential test of its strength.
    pub sprt: Option<(String, Sprt)>,
    /// A difference in Elo, and two players or none, for the number of games that show it.
    pub plan: Option<(f64, Option<[String; 2]>)>,
    /// Names of the players on screens.
    pub display_names: DisplayNames,
    /// Decisions by results, for the notes.
    pub by_results: ByResults,
    /// The challenger and the sequential test of the run, if these are all its games.
    pub run_test: Option<(String, Sprt)>,
    /// The known programs of players: equal texts are equal programs.
    pub programs: HashMap<String, String>,
}

impl Settings {
    /// The settings of a run's own tables.
    pub fn of_run(run: &Run) -> Self {
        let sprt = run_test(run);
        Self {
            run_test: sprt.clone(),
            sprt,
            by_results: ByResults::of(run.format()),
            programs: programs(run.manifest()),
            display_names: run.manifest().display_names(),
            all_openings: all_openings(run),
            ..Self::default()
        }
    }

    /// Whether the openings of this game are some of many.
    pub fn openings_of(&self, game: &str) -> Openings {
        match self.all_openings.contains(game) {
            true => Openings::All,
            false => Openings::Sample,
        }
    }

    /// The anchors that play this game.
    pub(super) fn anchors_of(&self, game: &str, standings: &Standings) -> Vec<(usize, Estimate)> {
        let rows = self.anchors.iter().flat_map(|file| &file.rows);
        let here = rows.filter(|row| row.is_for(game)).filter_map(|row| {
            let player = standings.find(&row.player)?;
            Some((player, Estimate::with_margin(row.elo, row.margin)))
        });
        here.collect()
    }
}

/// Decisions that results made about later games.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum ByResults {
    /// None is known.
    #[default]
    Nothing,
    /// The end: the run has a sequential test.
    Test,
    /// Pairings and the end: the run has a test of its ranking.
    Ranking,
    /// Pairings.
    Pairings,
}

impl ByResults {
    /// Decisions by results in this format.
    pub fn of(format: &Format) -> Self {
        match format {
            Format::Sprt { .. } => Self::Test,
            Format::Adaptive { .. } => Self::Ranking,
            Format::RoundRobin(_) | Format::Gauntlet { .. } => Self::Nothing,
            Format::Swiss { .. } | Format::Knockout { .. } => Self::Pairings,
        }
    }
}

/// The games of a run whose openings are all that there are, by the plan.
pub fn all_openings(run: &Run) -> BTreeSet<String> {
    let games = run.games().iter();
    let all = games.filter(|game| {
        game.openings()
            .is_some_and(|openings| openings.are() == Openings::All)
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
