//! Inputs of a student's feedback.

use super::facts::Facts;
use crate::grade::bots::Fitness;
use crate::grade::config::Grading;
use crate::grade::games::TournamentRank;
use crate::grade::marks::Mark;

/// Inputs of a student's feedback.
pub(super) struct FeedbackInput<'a> {
    pub grading: &'a Grading,
    pub mark: &'a Mark,
    pub facts: &'a Facts,
    /// Check of the bot, scrubbed.
    pub fitness: Option<Fitness>,
    /// Reason why there is no bot.
    pub broken: Option<String>,
    /// Output of a failed build.
    pub build_log: Option<String>,
    pub rank: Option<&'a TournamentRank>,
    /// Fraction of the class with a lower total, from 0 to 1.
    pub quantile: Option<f64>,
    /// Name of the student in the published standings.
    pub pseudonym: Option<&'a str>,
    /// Differences from the configuration.
    pub notes: &'a [String],
}

/// Where the links of a text lead.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Links {
    /// To the copies of the games beside it.
    Games,
    /// Nowhere: the student sees the text only.
    None,
}
