//! How the results of a set of games are rated.

use std::collections::HashMap;

use super::files::anchors::AnchorFile;
use super::programs::programs;
use crate::rating::{Estimate, Model, Sprt, Standings};
use crate::runs::Run;
use crate::schedule::Format;
use crate::text::DisplayNames;

/// How results are rated.
#[derive(Debug, Clone, Default)]
pub struct Settings {
    /// Which parameters are fitted.
    pub model: Model,
    /// The player whose rating is set; `None` for the mean of all players.
    pub anchor: Option<String>,
    /// The rating that is set.
    pub anchor_elo: f64,
    /// The players whose ratings are given. They are the reference of each game that one of them plays.
    pub anchors: Option<AnchorFile>,
    /// A player, and a sequential test of its strength.
    pub sprt: Option<(String, Sprt)>,
    /// A difference in Elo, and two players or none: how many games does it take to find it?
    pub plan: Option<(f64, Option<[String; 2]>)>,
    /// What players are called on screens.
    pub display_names: DisplayNames,
    /// What results decided, where the notes are to tell.
    pub by_results: ByResults,
    /// The challenger and the sequential test of the run whose games these are, all of them.
    pub run_test: Option<(String, Sprt)>,
    /// What each player runs, as far as that is known: equal texts are equal programs.
    pub programs: HashMap<String, String>,
}

impl Settings {
    /// How the games of a run are rated for its tables.
    pub fn of_run(run: &Run) -> Self {
        let sprt = run_test(run);
        Self {
            run_test: sprt.clone(),
            sprt,
            by_results: ByResults::of(run.format()),
            programs: programs(run.manifest()),
            display_names: run.manifest().display_names(),
            ..Self::default()
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

/// What the results decided of the games that came after them.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum ByResults {
    /// Nothing, as far as is known.
    #[default]
    Nothing,
    /// When they ended: the run has a sequential test.
    Test,
    /// Who met, and when they ended: the run has a test of its ranking.
    Ranking,
    /// Who met.
    Pairings,
}

impl ByResults {
    /// What they decide in a run of this format.
    pub fn of(format: &Format) -> Self {
        match format {
            Format::Sprt { .. } => Self::Test,
            Format::Adaptive { .. } => Self::Ranking,
            Format::RoundRobin(_) | Format::Gauntlet { .. } => Self::Nothing,
            Format::Swiss { .. } | Format::Knockout { .. } | Format::Ladder { .. } => {
                Self::Pairings
            }
        }
    }
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
