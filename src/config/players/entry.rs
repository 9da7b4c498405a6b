//! A player of a plan.

use super::grid::GridValues;
use super::own_terms::OwnTerms;
use crate::bot::Launch;

/// A player of the tournament: a bot with its options.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Entry {
    /// Unique name, safe in files and options.
    pub name: String,
    /// Name on screens, if it differs.
    pub display_name: Option<String>,
    /// Name of the house bot, if the player is one.
    pub house: Option<String>,
    /// Command that starts the bot.
    pub launch: Launch,
    /// Command that builds the program before the first game, in the bot's folder and environment.
    pub build: Option<Launch>,
    /// Whether each game gets a new process.
    pub fresh_process: bool,
    /// The player's own clock and limits.
    pub terms: OwnTerms,
    /// Grid values of the player; `None` without a grid.
    pub variant: Option<GridValues>,
}
