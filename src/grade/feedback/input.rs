//! Inputs of a student's feedback.

use std::collections::BTreeSet;

use super::facts::Facts;
use super::games::link;
use crate::grade::bots::Fitness;
use crate::grade::config::Grading;
use crate::grade::games::TournamentRank;
use crate::grade::marks::Mark;
use crate::pages::Words;

/// Inputs of a student's feedback.
pub(super) struct FeedbackInput<'a> {
    pub grading: &'a Grading,
    pub mark: &'a Mark,
    pub facts: &'a Facts,
    /// Check of the bot.
    pub fitness: Option<Fitness>,
    /// Reason why there is no bot.
    pub broken: Option<String>,
    /// Output of a failed build.
    pub build_log: Option<String>,
    pub rank: Option<&'a TournamentRank>,
    /// Fraction of the class with a lower total, from 0 to 1.
    pub quantile: Option<f64>,
    /// Differences from the configuration.
    pub notes: &'a [String],
    /// Names of the tests whose records the student does not get.
    pub withheld: &'a BTreeSet<&'a str>,
}

impl FeedbackInput<'_> {
    /// A name of a game, with a link to it if the student gets its record.
    pub fn game(&self, name: String, test: &str, id: u64, plies: u32) -> Words {
        match self.links_of(test, Links::Games) {
            Links::Games => Words::Link(name, link(test, id, plies)),
            Links::None => Words::Plain(name),
        }
    }

    /// Where links to the games of a test lead.
    pub fn links_of(&self, test: &str, links: Links) -> Links {
        match self.withheld.contains(test) {
            true => Links::None,
            false => links,
        }
    }
}

/// Where the links of a text lead.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Links {
    /// To the games beside it.
    Games,
    /// Nowhere: the student sees the text only.
    None,
}
