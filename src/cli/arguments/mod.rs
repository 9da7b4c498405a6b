//! Options that commands share: their values, games, filters, and bots named on the command line.
//!
//! It is handed the words of the command line, and gives what a command needs to start: a game, a plan without a
//! file, a started bot, a host.

mod filter;
mod launch;
mod quick_match;

use std::fmt::Display;
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::time::Duration;

use clap::builder::{PossibleValue, TypedValueParser};
use clap::{Arg, Command};
pub use filter::{GameFilter, UnmatchedFilters};
pub use launch::{
    ask_engines, host, launch, own_program, see_that_it_is_built, signals, supervisor, tier,
};
pub use quick_match::{COMMAND_LINE, MatchArgs, SPEAKS, TypedOptions, draft, set_game, spoken};

use crate::bot::supervise::make_temporary_folder;
use crate::cli::exit::Failure;
use crate::config::RulesLimits;
use crate::game::{BUILT_IN, Game, Games, Setup};
use crate::opponents;
use crate::rules::Programs;
use crate::runner::{HostOptions, Placing};
use crate::runs::{RunFileError, RunFileProblem, remove_folder};
use crate::text::{counted, did_you_mean};

/// Game and options, shared by several commands.
#[derive(Debug, Clone, clap::Args)]
pub struct SetupArgs {
    #[arg(
        long,
        value_parser = GameParser,
        hide_possible_values = true,
        help = format!("The game: {}, or the command of a rules program in quotes. It may also be the first word after the command", game_names("or"))
    )]
    pub game: Option<Game>,
    /// Set an option of the game, such as `--set size=5`; see `referee rules GAME --text`
    #[arg(long = "set", value_name = "KEY=VALUE")]
    pub options: Vec<String>,
    /// The seed for everything random, such as the shuffle of dark chess
    #[arg(long, value_name = "N", default_value_t = 0, value_parser = parse_seed, allow_negative_numbers = true)]
    pub seed: u64,
}

impl SetupArgs {
    /// Takes the game from the words of the command line, if `--game` does not name it.
    pub fn take_game(&mut self, words: &mut Vec<String>) -> Result<(), Failure> {
        if self.game.is_none() && !words.is_empty() {
            let word = words.remove(0);
            let game = parse_game(&word);
            self.game =
                Some(game.map_err(|problem| {
                    Failure::usage(format!("`{word}` is no game: {problem}"))
                })?);
        }
        Ok(())
    }

    fn game(&self) -> Result<Game, Failure> {
        let missing =
            || Failure::usage(format!("expected --game with one of {}", game_names("or")));
        self.game.ok_or_else(missing)
    }

    pub fn setup(&self) -> Result<Setup, Failure> {
        setup(self.game()?, &self.options)
    }

    pub fn setup_for(&self, players: usize) -> Result<Setup, Failure> {
        let game = self.game()?;
        let seats = game.seat_count();
        let has_range = game.program().map(|program| program.has_seat_range);
        if has_range != Some(true) && seats != players {
            let seats = counted(seats as u64, "player", "players");
            return Err(Failure::usage(format!(
                "{} is a game for {seats}, and {players} are named",
                game.label()
            )));
        }
        let seats = format!("{SEATS}={players}");
        let options: Vec<String> = self.options.iter().cloned().chain([seats]).collect();
        setup(game, &options)
    }
}

pub fn setup(game: Game, options: &[String]) -> Result<Setup, Failure> {
    let bad =
        |option: &str, problem: &dyn Display| Failure::usage(format!("--set {option}: {problem}"));
    let pairs = options.iter().map(|option| {
        let pair = option.split_once('=');
        let pair = pair.ok_or_else(|| bad(option, &"expected KEY=VALUE, such as --set size=5"));
        pair.map(|(key, value)| (option, key, value))
    });
    let pairs = pairs.collect::<Result<Vec<_>, _>>()?;
    let mut setup = Setup::new(seated(game, options)?);
    for (option, key, value) in pairs.into_iter().filter(|(_, key, _)| *key != SEATS) {
        setup
            .set(key, value)
            .map_err(|problem| bad(option, &problem))?;
    }
    Ok(setup)
}

/// The key that stands beside the options of a game.
const SEATS: &str = "seats";

/// The game with the number of seats that the last option `seats=N` sets, if there is one.
pub fn seated(game: Game, options: &[String]) -> Result<Game, Failure> {
    let seats = options.iter().rev();
    let mut seats = seats.filter_map(|option| option.strip_prefix(SEATS)?.strip_prefix('='));
    match seats.next() {
        Some(seats) => {
            let seated = known_games().with_seats(game, seats.parse().unwrap_or(0));
            seated.map_err(Failure::usage)
        }
        None => Ok(game),
    }
}

/// Options of `run` and `grade`.
#[derive(Debug, clap::Args)]
pub struct MachineArgs {
    /// How many games to play at a time; the number of physical cores if not given
    #[arg(short, long, value_name = "N", value_parser = parse_jobs, allow_negative_numbers = true)]
    pub jobs: Option<NonZeroUsize>,
    /// Pin the bots of each game to a physical core of their own, or to two where off-turn is "log"
    ///
    /// Not more games are played at a time than there are cores for.
    #[arg(long)]
    pub pin: bool,
    /// Play games again that a busy machine spoilt: a player had less than this share of the processor time that it
    /// wanted, such as 50%. If a run goes on, also those that were played before
    ///
    /// They are played alone, up to five times; the last time counts.
    #[arg(long, value_name = "SHARE", value_parser = parse_share)]
    pub again_below: Option<f64>,
}

impl MachineArgs {
    pub fn options(&self) -> HostOptions {
        HostOptions {
            jobs: self.jobs,
            placing: Placing::pinned(self.pin),
            again_below: self.again_below,
        }
    }
}

/// A new folder, which is removed on drop.
#[derive(Debug)]
pub struct TemporaryFolder(PathBuf);

impl TemporaryFolder {
    pub fn new(prefix: &str) -> Result<Self, RunFileError> {
        // Create it exclusively: another user could have planted a folder under a guessed name.
        make_temporary_folder(prefix)
            .map(Self)
            .map_err(RunFileError::at(
                &std::env::temp_dir(),
                RunFileProblem::Make,
            ))
    }

    pub fn path(&self) -> &Path {
        &self.0
    }
}

impl Drop for TemporaryFolder {
    fn drop(&mut self) {
        // Leftovers vanish with the system's temporary files.
        let _ = remove_folder(&self.0);
    }
}

const LONGEST: Duration = Duration::from_secs(30 * 24 * 3600);

const MOST_JOBS: usize = 10_000;

pub fn parse_jobs(text: &str) -> Result<NonZeroUsize, String> {
    let jobs = text.parse::<NonZeroUsize>().ok();
    jobs.filter(|jobs| jobs.get() <= MOST_JOBS)
        .ok_or_else(|| format!("expected how many games to play at a time, from 1 to {MOST_JOBS}"))
}

/// A share in percent, which is not zero.
fn parse_share(text: &str) -> Result<f64, &'static str> {
    let percent = text
        .strip_suffix('%')
        .and_then(|it| it.trim().parse::<f64>().ok());
    let percent = percent.filter(|percent| *percent > 0.0 && *percent <= 100.0);
    let share = percent.map(|percent| percent / 100.0);
    share.ok_or("expected a share of at most 100%, such as 50%")
}

pub fn parse_whole(text: &str) -> Result<u64, String> {
    whole(text, u64::MAX)
}

fn whole(text: &str, most: u64) -> Result<u64, String> {
    let number = text.parse().ok().filter(|number| *number <= most);
    number.ok_or_else(|| format!("expected a whole number from 0 to {most}"))
}

/// A seed of at most 63 bits: TOML integers are signed.
pub fn parse_seed(text: &str) -> Result<u64, String> {
    whole(text, i64::MAX as u64)
}

pub fn parse_small(text: &str) -> Result<u32, String> {
    whole(text, u32::MAX.into()).map(|number| number as u32)
}

/// A part of a class or of a plan, by its number, and the number of parts.
pub fn parse_shard(text: &str) -> Result<(u32, u32), &'static str> {
    let parts = text.split_once('/');
    let parts = parts.and_then(|(shard, shards)| Some((shard.parse().ok()?, shards.parse().ok()?)));
    parts
        .filter(|(shard, shards)| shard < shards)
        .ok_or("expected I/K with I less than K, such as 0/4")
}

pub fn parse_time(text: &str) -> Result<Duration, &'static str> {
    humantime::parse_duration(text)
        .ok()
        .filter(|time| !time.is_zero() && *time <= LONGEST)
        .ok_or("expected a time above 0s and of at most 30 days, such as 500ms or 10s")
}

pub fn parse_nodes(text: &str) -> Result<u64, &'static str> {
    opponents::parse_nodes(text).ok_or("expected a number, or none")
}

static PROGRAMS: Programs =
    Programs::new(BUILT_IN, || supervisor().map_err(|failure| failure.message));

/// The games that everybody has, and any game whose rules are a program.
pub fn known_games() -> Games {
    BUILT_IN.with_programs(&PROGRAMS)
}

pub fn close_rules_programs() {
    PROGRAMS.close();
}

/// The names of the built-in games, for help: `a, b or c`.
pub fn game_names(conjunction: &str) -> String {
    let names: Vec<&str> = BUILT_IN.into_iter().map(Game::name).collect();
    match names.split_last() {
        Some((last, others)) if !others.is_empty() => {
            format!("{} {conjunction} {last}", others.join(", "))
        }
        _ => names.concat(),
    }
}

/// Parses the name of a game, or the command of a rules program.
#[derive(Debug, Clone, Copy)]
pub struct GameParser;

impl TypedValueParser for GameParser {
    type Value = Game;

    fn parse_ref(
        &self,
        command: &Command,
        arg: Option<&Arg>,
        value: &std::ffi::OsStr,
    ) -> Result<Game, clap::Error> {
        let parse: fn(&str) -> Result<Game, String> = parse_game;
        parse.parse_ref(command, arg, value)
    }

    fn possible_values(&self) -> Option<Box<dyn Iterator<Item = PossibleValue> + '_>> {
        let names = BUILT_IN.into_iter().map(Game::name);
        Some(Box::new(names.map(PossibleValue::new)))
    }
}

pub fn parse_built_in(name: &str) -> Result<Game, String> {
    let game = BUILT_IN.named(name);
    game.ok_or_else(|| format!("expected {}", game_names("or")))
}

fn parse_game(word: &str) -> Result<Game, String> {
    if let Some(game) = BUILT_IN.named(word) {
        return Ok(game);
    }
    let words = shlex::split(word).unwrap_or_default();
    let is_command = words.len() > 1 || word.contains('/');
    if is_command {
        return parse_rules(word);
    }
    let meant = did_you_mean(word, BUILT_IN.into_iter().map(Game::name));
    let meant = meant.map_or_else(String::new, |meant| meant + " ");
    Err(format!(
        "{meant}expected {}, or the command of a rules program, such as \"python3 connect_four.py\"",
        game_names("or")
    ))
}

pub fn words(command: &str) -> Result<Vec<String>, &'static str> {
    let words = shlex::split(command).filter(|words| !words.is_empty());
    let words = words.ok_or("expected a command, with its quotes closed")?;
    match needs_shell(&words) {
        true => Err(NO_SHELL),
        false => Ok(words),
    }
}

const NO_SHELL: &str = "no shell reads a command: write it as `sh -c '…'` or as a script; `env NAME=VALUE` before a \
                        program sets a variable";

/// Whether a command has words that mean something to a shell alone.
fn needs_shell(words: &[String]) -> bool {
    let first = words[0].as_str();
    let name = first.split_once('=').map_or("", |(name, _)| name);
    let is_variable =
        !name.is_empty() && !name.contains(|c: char| c != '_' && !c.is_alphanumeric());
    is_variable
        || matches!(first, "cd" | "source" | "." | "export")
        || words.iter().any(|word| {
            matches!(
                word.as_str(),
                "&&" | "||" | "|" | ";" | "<" | ">" | ">>" | "2>" | "2>&1"
            )
        })
}

/// The game whose rules are this command, which is started in the current folder.
pub fn parse_rules(command: &str) -> Result<Game, String> {
    let words = words(command)?;
    let folder = std::env::current_dir().map_err(|error| format!("no current folder: {error}"))?;
    let program = RulesLimits::default().command(words, folder, false);
    let programs = known_games()
        .programs()
        .ok_or("no rules program can be started")?;
    programs.ask(program).map_err(|fault| fault.to_string())
}
