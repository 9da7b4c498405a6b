//! A tournament between bots named on the command line, without a configuration.

use std::iter;
use std::path::Path;

use clap::builder::TypedValueParser;

use super::{GameParser, game_names, known_games, parse_rules, parse_seed, parse_small, seated};
use crate::bot::Language;
use crate::cli::exit::{Exit, Failure};
use crate::config::{Match, MatchPlayer, Plan, Program};
use crate::game::Game;
use crate::opponents::HouseBot;

/// Number of random plies that most games begin with.
const OPENING_PLIES: u32 = 2;

/// Options that replace a configuration.
#[derive(Debug, clap::Args)]
#[command(next_help_heading = "Without a configuration")]
pub struct MatchArgs {
    #[command(flatten)]
    pub game: GameArgs,
    /// Set an option of the game, such as `--set size=5`; see `referee rules GAME --text`
    #[arg(long = "set", value_name = "KEY=VALUE", requires = "match")]
    options: Vec<String>,
    /// How many games every two bots play with each other, in blocks with the same start and a game for each rotation of
    /// the seats; rounded up to whole blocks
    #[arg(long, value_name = "N", default_value = "20", requires = "match", value_parser = parse_small.try_map(even), allow_negative_numbers = true)]
    games: u32,
    /// Plies played at random before the bots take over; 2 if not given, where random openings are possible
    #[arg(long, value_name = "N", requires = "match", value_parser = parse_small, allow_negative_numbers = true)]
    opening_plies: Option<u32>,
    /// Time of each bot for one action, such as 500ms
    #[arg(
        long,
        value_name = "TIME",
        requires = "match",
        allow_hyphen_values = true
    )]
    per_move: Option<String>,
    /// Time of each bot for the whole game, such as 60s
    #[arg(
        long,
        value_name = "TIME",
        requires = "match",
        allow_hyphen_values = true
    )]
    per_game: Option<String>,
    /// Memory of each bot with all its processes, such as 100MiB
    #[arg(
        long,
        value_name = "SIZE",
        requires = "match",
        allow_hyphen_values = true
    )]
    memory: Option<String>,
    /// The language of the bots that are no house bots: uci, usi or gtp for engines; see `referee docs engines`
    #[arg(long, value_name = "LANGUAGE", requires = "match", value_parser = Language::NAMES, hide_possible_values = true)]
    speaks: Option<String>,
    /// The seed for everything random; drawn if not given
    #[arg(long, value_name = "N", requires = "match", value_parser = parse_seed, allow_negative_numbers = true)]
    seed: Option<u64>,
}

/// The game of a match: built in, or of a rules program.
#[derive(Debug, clap::Args)]
#[group(id = "match", multiple = false)]
pub struct GameArgs {
    #[arg(
        long,
        value_parser = GameParser,
        hide_possible_values = true,
        help = format!("Play this game between the bots of the command line: {}", game_names("or"))
    )]
    game: Option<Game>,
    /// Play the game whose rules are this program, such as "python3 connect_four.py"; see `referee docs rules-protocol`
    #[arg(long, value_name = "COMMAND", value_parser = parse_rules)]
    rules: Option<Game>,
}

impl GameArgs {
    /// The game, if one is named.
    pub fn game(&self) -> Option<Game> {
        self.game.or(self.rules)
    }
}

/// Requires an even number, because games come in pairs.
fn even(games: u32) -> Result<u32, &'static str> {
    match games {
        0 => Err("expected at least 2 games"),
        games if games % 2 == 1 => {
            Err("expected an even number: each start is played from both seats")
        }
        games => Ok(games),
    }
}

/// Default number of random plies.
fn opening_plies(game: Game) -> u32 {
    if game.has_random_openings() {
        OPENING_PLIES
    } else {
        0
    }
}

impl MatchArgs {
    pub fn plan(&self, game: Game, bots: &[String]) -> Result<Plan, Failure> {
        if bots.len() < 2 {
            let problem = "--game: expected two or more bots, such as `search \"python3 bot.py\"`";
            return Err(Failure::new(Exit::Usage, problem));
        }
        let game = seated(game, &self.options)?;
        let seats = game.seat_count() as u32;
        Match {
            name: format!("{}-match", game.name()),
            seed: self.seed,
            game,
            options: game_options(&self.options)?,
            games: self.games.div_ceil(seats) * seats,
            opening_plies: self.opening_plies.unwrap_or(opening_plies(game)),
            per_move: self.per_move.clone(),
            per_game: self.per_game.clone(),
            memory: self.memory.clone(),
            speaks: self.speaks.clone(),
            players: players(bots)?,
        }
        .plan(COMMAND_LINE, known_games())
        .map_err(Failure::from)
    }
}

pub const COMMAND_LINE: &str = "the command line";

/// Splits options of a game, each `KEY=VALUE`.
pub fn game_options(options: &[String]) -> Result<Vec<(&str, &str)>, Failure> {
    options.iter().map(|option| game_option(option)).collect()
}

fn game_option(option: &str) -> Result<(&str, &str), Failure> {
    option.split_once('=').ok_or_else(|| {
        let problem = format!("--set {option}: expected KEY=VALUE, such as --set size=5");
        Failure::new(Exit::Usage, problem)
    })
}

pub fn players(bots: &[String]) -> Result<Vec<MatchPlayer>, Failure> {
    let mut players = Vec::new();
    for bot in bots {
        players.push(player(bot, &players)?);
    }
    Ok(players)
}

/// Player of a bot: `NAME=COMMAND`, or a command that is named after its last word that is a file. Its name differs
/// from the others'.
fn player(bot: &str, others: &[MatchPlayer]) -> Result<MatchPlayer, Failure> {
    let (name, command) = named(bot);
    let words = shlex::split(command).filter(|words| !words.is_empty());
    let words = words.ok_or_else(|| {
        let problem = format!("player `{bot}`: expected a command, with its quotes closed");
        Failure::new(Exit::Usage, problem)
    })?;
    let is_free = |name: &String| others.iter().all(|other| other.name != *name);
    let name = name.map_or_else(
        || {
            let base = name_of(&words);
            let numbered = (2..).map(|number| format!("{base}-{number}"));
            let mut names = iter::once(base.clone()).chain(numbered);
            names.find(is_free).unwrap_or_default()
        },
        str::to_owned,
    );
    let program = match HouseBot::from_name(&words[0]) {
        Some(house) => Program::House(house.name().to_owned(), words[1..].to_vec()),
        None => Program::Command(words),
    };
    Ok(MatchPlayer { name, program })
}

/// Splits `NAME=COMMAND`; a command alone has no name.
fn named(bot: &str) -> (Option<&str>, &str) {
    let is_name = |name: &str| {
        let good = |c: char| c.is_alphanumeric() || "-_.+".contains(c);
        !name.is_empty() && name.chars().all(good)
    };
    match bot.split_once('=') {
        Some((name, command)) if is_name(name) => (Some(name), command),
        _ => (None, bot),
    }
}

/// Name for a command: its last word that is a file, without folder and extension.
fn name_of(words: &[String]) -> String {
    let is_file = |word: &&String| Path::new(word).is_file();
    let word = words.iter().rev().find(is_file).unwrap_or(&words[0]);
    let path = Path::new(word);
    let stem = path.file_stem().unwrap_or_default().to_string_lossy();
    // Many bots are called bot.py in a folder of their own.
    let folder = path.parent().and_then(Path::file_name);
    let stem = match (stem.as_ref(), folder) {
        ("bot" | "player" | "main" | "agent", Some(folder)) => folder.to_string_lossy(),
        _ => stem,
    };
    let good = |c: char| {
        if c.is_alphanumeric() || "-_+".contains(c) {
            c
        } else {
            '-'
        }
    };
    stem.chars().map(good).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(bots: &[&str]) -> Vec<String> {
        let bots: Vec<String> = bots.iter().map(|bot| (*bot).to_owned()).collect();
        let players = players(&bots).expect("players");
        players.into_iter().map(|player| player.name).collect()
    }

    #[test]
    fn bots_are_named_after_what_they_run() {
        let bots = [
            "search",
            "search --nodes 5",
            "search",
            "mine=./a b",
            "python3 -u bots/twenty-lines/bot.py",
        ];
        assert_eq!(
            names(&bots),
            ["search", "search-2", "search-3", "mine", "twenty-lines"]
        );
        assert_eq!(names(&["python3 no-such-file.py"]), ["python3"]);
        assert!(player("sh 'x", &[]).is_err());
    }
}
