//! The language of bots on the command line.

use crate::bot::Language;
use crate::cli::exit::{Exit, Failure};
use crate::clock::TimeControl;
use crate::config::unfit_language;
use crate::game::Game;
use crate::opponents::HouseBot;

/// The language of bots that are no house bots.
#[derive(Debug, Clone, clap::Args)]
pub struct LanguageArgs {
    /// The language of bots that are no house bots: uci, usi or gtp for engines; see docs/engines.md
    #[arg(long, value_name = "LANGUAGE", value_parser = Language::NAMES, hide_possible_values = true)]
    pub speaks: Option<String>,
}

impl LanguageArgs {
    /// The language of a bot, if one is named and it is no house bot.
    pub fn of(&self, bot: &str) -> Option<Language> {
        let house = bot.split_whitespace().next().and_then(HouseBot::from_name);
        match house {
            Some(_) => Some(Language::Own),
            None => Language::from_name(self.speaks.as_deref()?),
        }
    }

    /// The language of a bot that can play a game with this time control.
    pub fn fit(&self, bot: &str, game: Game, time: &TimeControl) -> Result<Language, Failure> {
        let language = self.of(bot).unwrap_or_default();
        match unfit_language(game, &language, time) {
            None => Ok(language),
            Some(problem) => {
                let problem = format!("player `{bot}`: {problem}");
                Err(Failure::new(Exit::Usage, problem))
            }
        }
    }
}
