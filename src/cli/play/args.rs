//! Arguments of `referee play`.

use std::path::PathBuf;
use std::time::Duration;

use crate::cli::arguments::{LanguageArgs, SetupArgs, SetupError, parse_small, parse_time};
use crate::game::{MOST_SEATS, Setup};

/// Play one game and draw it move by move, or several
///
/// A player is a house bot (random, greedy, search), `human` for yourself, or a command in quotes,
/// such as "python3 bots/twenty-lines/bot.py". The first PLAYER acts first. A person types actions, the beginning of
/// one to see how it can go on, `?` for help, `undo` to take back the last action, and `quit` to leave.
/// After `undo` bots start anew, with all their time.
///
/// With --out or --games the games are kept in the folder of a run, for `referee replay`, `games`, `verify`
/// and `rate`. Games between bots are not drawn if there are several.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(in crate::cli) struct PlayArgs {
    #[command(flatten)]
    pub setup: SetupArgs,
    /// A player for each seat, the first to act first; NAME=COMMAND gives a bot a name
    #[arg(value_name = "PLAYER", required = true, num_args = 2..=MOST_SEATS)]
    pub players: Vec<String>,
    /// How many games to play. Every two have the same start, with the seats swapped
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..), allow_negative_numbers = true)]
    pub games: Option<u32>,
    /// The folder where the games are kept; with --games a new one below results/ if not given
    #[arg(long, value_name = "DIR")]
    pub out: Option<PathBuf>,
    /// Time of each bot for the whole game, such as 60s
    #[arg(long, value_name = "TIME", value_parser = parse_time, allow_hyphen_values = true)]
    pub per_game: Option<Duration>,
    /// Time of each bot for one action
    #[arg(long, value_name = "TIME", value_parser = parse_time, allow_hyphen_values = true)]
    pub per_move: Option<Duration>,
    #[command(flatten)]
    pub language: LanguageArgs,
    /// Plies played at random before the players take over
    #[arg(long, value_name = "N", default_value_t = 0, value_parser = parse_small, allow_negative_numbers = true)]
    pub opening_plies: u32,
}

impl PlayArgs {
    /// The game for these players, with its options set.
    pub fn setup(&self) -> Result<Setup, SetupError> {
        self.setup.setup_for(self.players.len())
    }
}

const EXAMPLES: &str = "\
Examples:
  referee play cachex human search
  referee play cachex \"python3 bot.py\" search --out results/lesson
  referee play dark-chess mine=\"python3 bot.py\" random --games 10 --per-move 1s";

/// Name of a person at the terminal.
pub(super) const HUMAN: &str = "human";

/// Wall cap of an action: a person may be away for a while.
pub(super) const WALL_CAP: Duration = Duration::from_secs(24 * 3600);

/// Time of a bot for the handshake, and to get ready for a game.
pub(super) const HANDSHAKE: Duration = Duration::from_secs(10);

/// Time of a bot to exit after `quit`.
pub(super) const QUIT: Duration = Duration::from_secs(1);
