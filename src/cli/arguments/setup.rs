//! Game and options from the command line.

use super::games::{GameParser, game_names, known_games};
use super::values::parse_seed;
use crate::cli::exit::{CommandError, Exit};
use crate::game::{Game, OptionError, RulesFault, Setup};

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

    /// The game for this number of players, with its options set.
    pub fn setup_for(&self, players: usize) -> Result<Setup, SetupError> {
        let seats = format!("{SEATS}={players}");
        let options: Vec<String> = self.options.iter().cloned().chain([seats]).collect();
        setup(self.game, &options)
    }
}

/// Why an option of a game cannot be set.
#[derive(Debug, thiserror::Error)]
pub enum SetupError {
    #[error("--set {option}: expected KEY=VALUE, such as --set size=5")]
    NotAPair { option: String },
    #[error("--set {option}: {source}")]
    Option { option: String, source: OptionError },
    #[error(transparent)]
    Seats(#[from] RulesFault),
}

/// A game with options as `KEY=VALUE`.
pub fn setup(game: Game, options: &[String]) -> Result<Setup, SetupError> {
    let pairs = options.iter().map(|option| {
        let pair = option.split_once('=').ok_or_else(|| SetupError::NotAPair {
            option: option.clone(),
        });
        pair.map(|(key, value)| (option, key, value))
    });
    let pairs = pairs.collect::<Result<Vec<_>, _>>()?;
    let mut setup = Setup::new(seated(game, options)?);
    for (option, key, value) in pairs.into_iter().filter(|(_, key, _)| *key != SEATS) {
        setup.set(key, value).map_err(|source| SetupError::Option {
            option: option.clone(),
            source,
        })?;
    }
    Ok(setup)
}

/// The key that stands beside the options of a game.
const SEATS: &str = "seats";

/// The game with the number of seats that the last option `seats=N` sets, if there is one.
pub fn seated(game: Game, options: &[String]) -> Result<Game, SetupError> {
    let seats = options.iter().rev();
    let mut seats = seats.filter_map(|option| option.strip_prefix(SEATS)?.strip_prefix('='));
    match seats.next() {
        Some(seats) => Ok(known_games().with_seats(game, seats.parse().unwrap_or(0))?),
        None => Ok(game),
    }
}

impl CommandError for SetupError {
    fn exit(&self) -> Exit {
        Exit::Usage
    }
}
