//! Which game, from the command line.

use std::time::Duration;

use super::{Exit, Failure};
use crate::game::{Game, Setup};

/// The longest wait that can be asked for.
const LONGEST: Duration = Duration::from_secs(30 * 24 * 3600);

/// The game and its options, as several commands take them.
#[derive(Debug, clap::Args)]
pub(super) struct SetupArgs {
    /// The game: watch-your-back, cachex or dark-chess
    #[arg(value_parser = clap::builder::PossibleValuesParser::new(Game::ALL.map(Game::name)), hide_possible_values = true)]
    game: String,
    /// Set an option of the game, such as `--set size=5`; see docs/rules
    #[arg(long = "set", value_name = "KEY=VALUE")]
    options: Vec<String>,
    /// The seed of what is left to chance, such as the shuffle of dark chess
    #[arg(long, default_value_t = 0)]
    pub seed: u64,
}

impl SetupArgs {
    /// The game with its options set.
    pub fn setup(&self) -> Result<Setup, Failure> {
        setup(&self.game, &self.options)
    }
}

/// A time on the command line that something is waited for.
pub(super) fn time(text: &str) -> Result<Duration, String> {
    humantime::parse_duration(text)
        .ok()
        .filter(|time| !time.is_zero() && *time <= LONGEST)
        .ok_or_else(|| "expected a time of at most 30 days, such as 500ms or 10s".to_owned())
}

/// A game with options as `KEY=VALUE`. The argument parser has let known names through only.
pub(super) fn setup(game: &str, options: &[String]) -> Result<Setup, Failure> {
    let game = Game::from_name(game)
        .ok_or_else(|| Failure::new(Exit::Usage, format!("unknown game `{game}`")))?;
    let mut setup = Setup::new(game);
    for option in options {
        let (key, value) = option.split_once('=').ok_or_else(|| {
            Failure::new(
                Exit::Usage,
                format!("--set {option}: expected KEY=VALUE, such as --set size=5"),
            )
        })?;
        setup
            .set(key, value)
            .map_err(|error| Failure::new(Exit::Usage, format!("--set {option}: {error}")))?;
    }
    Ok(setup)
}
