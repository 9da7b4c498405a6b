//! A player of a plan.

use super::grid::GridValues;
use super::own_terms::OwnTerms;
use crate::bot::{Language, Launch};
use crate::game::Game;
use crate::opponents::HouseBot;

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
    /// Language of the bot.
    pub language: Language,
    /// Whether each game gets a new process.
    pub fresh_process: bool,
    /// The player's own clock and limits.
    pub terms: OwnTerms,
    /// Grid values of the player; `None` without a grid.
    pub variant: Option<GridValues>,
}

/// Whether a player with this house bot, or none, is told its legal actions in games that do not offer them: rules that
/// are a program are known to no house bot.
pub fn is_told_legal(game: Game, house: Option<&str>) -> bool {
    game.program().is_some() && house == Some(HouseBot::Random.name())
}

/// Why a house bot cannot play a game; `None` if it can.
pub(in crate::config) fn unfit_house_bot(game: Game, house: &str) -> Option<String> {
    let program = game.program()?;
    let name = game.name();
    if house != HouseBot::Random.name() {
        return Some(format!(
            "house bot {house} does not know {name}, whose rules are a program: expected random"
        ));
    }
    (!program.lists_legal && !program.offers).then(|| {
        format!(
            "house bot random cannot play {name}, whose rules list no legal actions: expected a program of yours, or \
             rules with `has legal`"
        )
    })
}
