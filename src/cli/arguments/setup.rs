//! Game and options from the command line.

use super::games::{GameParser, game_names};
use super::values::parse_seed;
use crate::cli::exit::{CommandError, Exit};
use crate::game::{Game, OptionError, Setup};

/// Game and options, shared by several commands.
#[derive(Debug, clap::Args)]
pub struct SetupArgs {
    #[arg(
        value_parser = GameParser,
        hide_possible_values = true,
        help = format!("The game: {}, or the command of a rules program in quotes", game_names("or"))
    )]
    pub game: Game,
    /// Set an option of the game, such as `--set size=5`; see docs/rules
    #[arg(long = "set", value_name = "KEY=VALUE")]
    pub options: Vec<String>,
    /// The seed for everything random, such as the shuffle of dark chess
    #[arg(long, value_name = "N", default_value_t = 0, value_parser = parse_seed, allow_negative_numbers = true)]
    pub seed: u64,
}

impl SetupArgs {
    /// The game with its options set.
    pub fn setup(&self) -> Result<Setup, SetupError> {
        setup(self.game, &self.options)
    }
}

/// Why an option of a game cannot be set.
#[derive(Debug, thiserror::Error)]
pub enum SetupError {
    #[error("--set {option}: expected KEY=VALUE, such as --set size=5")]
    NotAPair { option: String },
    #[error("--set {option}: {source}")]
    Option { option: String, source: OptionError },
}

/// A game with options as `KEY=VALUE`.
pub fn setup(game: Game, options: &[String]) -> Result<Setup, SetupError> {
    let mut setup = Setup::new(game);
    for option in options {
        let (key, value) = option.split_once('=').ok_or_else(|| SetupError::NotAPair {
            option: option.clone(),
        })?;
        setup.set(key, value).map_err(|source| SetupError::Option {
            option: option.clone(),
            source,
        })?;
    }
    Ok(setup)
}

impl CommandError for SetupError {
    fn exit(&self) -> Exit {
        Exit::Usage
    }
}
