//! `referee check BOT --game GAME`: is this bot fit for a tournament?

use std::io::IsTerminal;
use std::path::PathBuf;
use std::time::Duration;

use super::launch::launch;
use super::setup::{setup, time};
use super::{Exit, Failure, print, supervisor};
use crate::clock::{Measure, TimeControl};
use crate::game::Setup;
use crate::player::Confinement;
use crate::units::parse_bytes;

mod findings;
mod games;
mod hints;
mod observed;
mod report;

use games::Table;
use report::Report;

/// Does a bot speak the protocol and keep its limits?
///
/// Plays a few short games against the house bot random, in both seats, each with its opponent's
/// seed fixed, then some of them again. The report has a line for each check, and says what to do
/// where something is wrong: `failed` is what loses games in a tournament, `warn` what may surprise
/// you in one.
///
/// A BOT is a house bot (random, greedy, search) or a command in quotes, such as "python3 bot.py".
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct Args {
    /// The bot
    bot: String,
    /// The game: watch-your-back, cachex or dark-chess
    #[arg(long, value_name = "GAME", value_parser = clap::builder::PossibleValuesParser::new(crate::game::Game::ALL.map(crate::game::Game::name)), hide_possible_values = true)]
    game: String,
    /// Set an option of the game, such as `--set size=5`; see docs/rules. Where it is not set,
    /// max-plies is 200 here, to keep the games short
    #[arg(long = "set", value_name = "KEY=VALUE")]
    options: Vec<String>,
    /// The folder in which the bot is started
    #[arg(long, value_name = "DIR")]
    dir: Option<PathBuf>,
    /// How many games to play, half of them in each seat
    #[arg(long, value_name = "N", default_value_t = 4, value_parser = clap::value_parser!(u32).range(1..=1000))]
    games: u32,
    /// The seed from which the bots' seeds and all chance of the games come
    #[arg(long, default_value_t = 0)]
    seed: u64,
    /// Time for one action
    #[arg(long, value_name = "TIME", default_value = "5s", value_parser = time)]
    per_move: Duration,
    /// Time for all actions of a game; no limit if not given
    #[arg(long, value_name = "TIME", value_parser = time)]
    per_game: Option<Duration>,
    /// Time for the answer to `referee 1`, and for that to `start`
    #[arg(long, value_name = "TIME", default_value = "10s", value_parser = time)]
    handshake: Duration,
    /// Time for exiting after `quit`
    #[arg(long, value_name = "TIME", default_value = "1s", value_parser = time)]
    quit: Duration,
    /// Memory of the bot with all its processes, such as 100MiB; no limit if not given
    #[arg(long, value_name = "SIZE", value_parser = memory)]
    memory: Option<u64>,
    /// The report as one JSON object
    #[arg(long)]
    json: bool,
}

const EXAMPLES: &str = "\
Examples:
  referee check \"python3 bot.py\" --game cachex --dir bots/alice
  referee check ./bot --game dark-chess --per-move 1s --memory 100MiB

Exit codes: 0 nothing failed; 1 something did; 2 the bot or an option is not there.";

/// A cap on the wall that every time control has.
const LONG: Duration = Duration::from_secs(60 * 24 * 3600);

/// The greatest number of plies where nobody asked for another.
const SHORT: &str = "200";

fn memory(text: &str) -> Result<u64, String> {
    parse_bytes(text)
        .filter(|bytes| *bytes >= 1 << 20)
        .map(|bytes| bytes as u64)
        .ok_or_else(|| "expected a size from 1MiB with its unit, such as 100MiB".to_owned())
}

pub(super) fn run(args: &Args) -> Result<Exit, Failure> {
    let table = Table {
        setup: short_game(args)?,
        bot: launch(&args.bot, args.dir.clone(), "")?,
        opponent: launch("random", None, "")?,
        supervisor: supervisor()?,
        confinement: Confinement {
            memory: args.memory,
            ..Confinement::default()
        },
        time: TimeControl {
            measure: Measure::Wall,
            per_game: args.per_game,
            increment: Duration::ZERO,
            per_move: Some(args.per_move),
            margin: Duration::ZERO,
            // The limits bind before it does.
            wall_cap: LONG,
        },
        handshake: args.handshake,
        quit: args.quit,
        seed: args.seed,
        tells_progress: std::io::stderr().is_terminal(),
    };
    let seen = table.play(args.games)?;
    let report = Report::new(&args.bot, &args.game, findings::checks(&table, &seen));
    print(&match args.json {
        true => report.json(),
        false => report.text(),
    })?;
    Ok(match report.failed() {
        true => Exit::Failed,
        false => Exit::Done,
    })
}

/// The game with its options; with a greatest number of plies, if it can have one.
fn short_game(args: &Args) -> Result<Setup, Failure> {
    let mut setup = setup(&args.game, &args.options)?;
    let named = |option: &String| option.starts_with("max-plies=");
    let known = setup.game().options().iter();
    if known.clone().any(|doc| doc.key == "max-plies") && !args.options.iter().any(named) {
        setup
            .set("max-plies", SHORT)
            .map_err(|error| Failure::new(Exit::Failed, error))?;
    }
    Ok(setup)
}
