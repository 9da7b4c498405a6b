//! Arguments of `referee replay`.

use std::path::PathBuf;
use std::time::Duration;

use crate::cli::arguments::{LanguageArgs, parse_small, parse_time, parse_whole};

/// Show a recorded game again, or feed it to a bot
///
/// On a terminal the game is stepped through: Enter or the right arrow goes on, the left arrow back,
/// q ends. In a pipe every position is printed. All clocks are shown, then how the game ended and
/// why; after an illegal action also everything that was legal.
///
/// With --transcript: the lines that a bot was sent in this game, byte for byte, as a process hears
/// them that plays this game alone. With --into: the game is fed to a bot like that, up to a ply,
/// and what the bot does there is shown.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(in crate::cli) struct ReplayArgs {
    /// The folder of the run
    pub run: PathBuf,
    /// The number of the game: the column `id` of games.csv
    #[arg(value_parser = parse_whole, allow_negative_numbers = true)]
    pub id: u64,
    /// Show one position only: the one after this many plies, 0 for the start
    #[arg(long, value_name = "N", value_parser = parse_small, allow_negative_numbers = true, conflicts_with_all = ["transcript", "into"])]
    pub ply: Option<u32>,
    /// One JSON object a line: every position, then the end
    #[arg(long, conflicts_with_all = ["transcript", "into"])]
    pub json: bool,
    /// Write a page to this file that shows the game on its board in a browser; `-` prints it
    #[arg(long, value_name = "FILE", conflicts_with_all = ["transcript", "into", "json", "ply"])]
    pub html: Option<PathBuf>,
    /// Print the lines that the bots were sent, and nothing that they were not
    #[arg(long, conflicts_with = "into")]
    pub transcript: bool,
    /// With --transcript or --into: this seat only, such as red; or the name of a player
    #[arg(long, value_name = "SEAT")]
    pub seat: Option<String>,
    /// Feed the game to this bot: a house bot, a command in quotes, or without BOT the player's own
    /// command. Its output on stderr is shown as it comes
    #[arg(long, value_name = "BOT", num_args = 0..=1, default_missing_value = "")]
    pub into: Option<String>,
    #[command(flatten)]
    pub language: LanguageArgs,
    /// With --into: stop at this ply; if not given, at the player's last
    #[arg(long, value_name = "PLY", value_parser = parse_small, allow_negative_numbers = true, requires = "into")]
    pub until: Option<u32>,
    /// With --into: print the bot's process id and wait for Enter before the last request, so that
    /// a debugger can be attached
    #[arg(long, requires = "into")]
    pub wait: bool,
    /// With --into: how long each answer may take, whatever the game's clock; 1m if not given, and
    /// a day with --wait
    #[arg(long, value_name = "TIME", requires = "into", value_parser = parse_time)]
    pub time: Option<Duration>,
}

const EXAMPLES: &str = "\
Examples:
  referee replay results/demo 17                             step through game 17
  referee replay results/demo 17 --ply 0                     its start
  referee replay results/demo 17 --seat alice --transcript   what alice's bot was sent
  referee replay results/demo 17 --html game.html            a page to open in a browser
  referee replay results/demo 17 --seat alice --into         what alice's bot does at its last ply
  referee replay results/demo 17 --until 9 --wait --into \"python3 bot.py\"

Exit codes of --into: 0 the answer is legal; 3 it is illegal; 4 it is not an action; 1 there was none.";
