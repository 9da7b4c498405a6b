//! A tournament between bots named on the command line, without a configuration.

use std::path::Path;

use clap::builder::TypedValueParser;
use toml::{Table, Value};

use super::setup::game_names;
use super::values::{parse_seed, parse_small};
use crate::cli::{Exit, Failure};
use crate::config::{ConfigError, Plan};
use crate::game::{BUILT_IN, Game};
use crate::opponents::HouseBot;

/// Options that replace a configuration.
#[derive(Debug, clap::Args)]
#[command(next_help_heading = "Without a configuration")]
pub struct MatchArgs {
    #[arg(
        long,
        value_enum,
        hide_possible_values = true,
        help = format!("Play this game between the bots of the command line: {}", game_names())
    )]
    pub game: Option<Game>,
    /// Set an option of the game, such as `--set size=5`; see docs/rules
    #[arg(long = "set", value_name = "KEY=VALUE", requires = "game")]
    options: Vec<String>,
    /// How many games every two bots play, as pairs with the same start and the seats swapped
    #[arg(long, value_name = "N", default_value = "20", requires = "game", value_parser = parse_small.try_map(even), allow_negative_numbers = true)]
    games: u32,
    /// Plies played at random before the bots take over
    #[arg(long, value_name = "N", default_value = "2", requires = "game", value_parser = parse_small, allow_negative_numbers = true)]
    opening_plies: u32,
    /// Time of each bot for one action, such as 500ms
    #[arg(
        long,
        value_name = "TIME",
        requires = "game",
        allow_hyphen_values = true
    )]
    per_move: Option<String>,
    /// Time of each bot for the whole game, such as 60s
    #[arg(
        long,
        value_name = "TIME",
        requires = "game",
        allow_hyphen_values = true
    )]
    per_game: Option<String>,
    /// Memory of each bot with all its processes, such as 100MiB
    #[arg(
        long,
        value_name = "SIZE",
        requires = "game",
        allow_hyphen_values = true
    )]
    memory: Option<String>,
    /// The seed for everything random; drawn if not given
    #[arg(long, value_name = "N", requires = "game", value_parser = parse_seed, allow_negative_numbers = true)]
    seed: Option<u64>,
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

impl MatchArgs {
    /// Plan of a round robin between these bots.
    pub fn plan(&self, game: Game, bots: &[String]) -> Result<Plan, Failure> {
        if bots.len() < 2 {
            let problem = "--game: expected two or more bots, such as `search \"python3 bot.py\"`";
            return Err(Failure::new(Exit::Usage, problem));
        }
        let rules = Match {
            name: format!("{}-match", game.name()),
            game,
            options: &self.options,
            games: self.games,
            opening_plies: self.opening_plies,
        };
        let mut root = rules.config(bots)?;
        if let Some(seed) = self.seed {
            // `parse_seed` accepts at most 63 bits.
            root.insert("seed".to_owned(), Value::Integer(seed as i64));
        }
        let clock = [("per-move", &self.per_move), ("per-game", &self.per_game)];
        root.insert("clock".to_owned(), given(clock));
        root.insert("limits".to_owned(), given([("memory", &self.memory)]));
        plan_of(&root)
    }
}

/// A round robin between bots named on the command line.
pub struct Match<'a> {
    pub name: String,
    pub game: Game,
    /// Options of the game, as `KEY=VALUE`.
    pub options: &'a [String],
    /// Number of games per pairing.
    pub games: u32,
    pub opening_plies: u32,
}

impl Match<'_> {
    /// Plan of the match, with the default clock and limits of a configuration.
    pub fn plan(&self, bots: &[String]) -> Result<Plan, Failure> {
        plan_of(&self.config(bots)?)
    }

    /// The match as a configuration.
    fn config(&self, bots: &[String]) -> Result<Table, Failure> {
        let text = |text: &str| Value::String(text.to_owned());
        let mut root = Table::new();
        root.insert("name".to_owned(), text(&self.name));
        let mut setup = Table::from_iter([("name".to_owned(), text(self.game.name()))]);
        for option in self.options {
            let (key, value) = option.split_once('=').ok_or_else(|| {
                let problem = format!("--set {option}: expected KEY=VALUE, such as --set size=5");
                Failure::new(Exit::Usage, problem)
            })?;
            setup.insert(key.to_owned(), text(value));
        }
        root.insert("game".to_owned(), Value::Table(setup));
        let format = [
            ("kind", text("round-robin")),
            ("games-per-pairing", Value::Integer(self.games.into())),
            ("opening-plies", Value::Integer(self.opening_plies.into())),
        ];
        root.insert("format".to_owned(), table(format));
        let mut names = Vec::new();
        let players: Result<Vec<Value>, Failure> =
            bots.iter().map(|bot| player(bot, &mut names)).collect();
        root.insert("player".to_owned(), Value::Array(players?));
        Ok(root)
    }
}

fn plan_of(config: &Table) -> Result<Plan, Failure> {
    let text = toml::to_string(config).map_err(|error| Failure::new(Exit::Failed, error))?;
    Plan::parse(&text, Path::new("the command line"), BUILT_IN).map_err(|error| {
        // There is no file, so drop the line.
        let error = ConfigError {
            place: None,
            ..error
        };
        Failure::from(error)
    })
}

fn table<const N: usize>(entries: [(&str, Value); N]) -> Value {
    let entries = entries.map(|(key, value)| (key.to_owned(), value));
    Value::Table(Table::from_iter(entries))
}

/// A table of the values that are given.
fn given<const N: usize>(entries: [(&str, &Option<String>); N]) -> Value {
    let given = entries.into_iter().filter_map(|(key, value)| {
        let value = value.as_ref()?;
        Some((key.to_owned(), Value::String(value.clone())))
    });
    Value::Table(given.collect())
}

/// Entry of a bot: `NAME=COMMAND`, or a command that is named after its last word that is a file. `names` has
/// the names used so far.
fn player(bot: &str, names: &mut Vec<String>) -> Result<Value, Failure> {
    let (name, command) = named(bot);
    let words = shlex::split(command)
        .filter(|words| !words.is_empty())
        .ok_or_else(|| {
            let problem = format!("player `{bot}`: expected a command, with its quotes closed");
            Failure::new(Exit::Usage, problem)
        })?;
    let name = name.map(str::to_owned).unwrap_or_else(|| {
        let base = name_of(&words);
        let mut numbered = (2..).map(|number| format!("{base}-{number}"));
        if names.contains(&base) {
            numbered
                .find(|name| !names.contains(name))
                .unwrap_or_default()
        } else {
            base.clone()
        }
    });
    names.push(name.clone());
    let list = |words: &[String]| words.iter().cloned().map(Value::String).collect();
    let name = ("name", Value::String(name));
    Ok(match HouseBot::from_name(&words[0]) {
        Some(house) => table([
            name,
            ("house", Value::String(house.name().to_owned())),
            ("args", Value::Array(list(&words[1..]))),
        ]),
        None => table([name, ("command", Value::Array(list(&words)))]),
    })
}

/// Splits `NAME=COMMAND`; a command alone has no name.
pub fn named(bot: &str) -> (Option<&str>, &str) {
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
        let mut names = Vec::new();
        for bot in bots {
            player(bot, &mut names).expect(bot);
        }
        names
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
        assert!(player("sh 'x", &mut Vec::new()).is_err());
    }
}
