//! The games that a command may meet, and the game that a word names.

use clap::builder::{PossibleValue, TypedValueParser};
use clap::{Arg, Command};

use super::launch::supervisor;
use crate::config::RulesLimits;
use crate::game::{BUILT_IN, Game, Games};
use crate::rules::Programs;

/// The rules programs of this process.
static PROGRAMS: Programs =
    Programs::new(BUILT_IN, || supervisor().map_err(|error| error.to_string()));

/// The games that everybody has, and any game whose rules are a program.
pub fn known_games() -> Games {
    BUILT_IN.with_programs(&PROGRAMS)
}

/// Ends all rules programs.
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

/// The game of that name, or the game whose rules this command is.
fn parse_game(word: &str) -> Result<Game, String> {
    if let Some(game) = BUILT_IN.named(word) {
        return Ok(game);
    }
    let words = shlex::split(word).unwrap_or_default();
    let is_command = words.len() > 1 || word.contains('/');
    if is_command {
        return parse_rules(word);
    }
    Err(format!(
        "expected {}, or the command of a rules program, such as \"python3 connect_four.py\"",
        game_names("or")
    ))
}

/// The game whose rules are this command, which is started in the current folder.
pub fn parse_rules(command: &str) -> Result<Game, String> {
    let words = shlex::split(command).filter(|words| !words.is_empty());
    let words = words.ok_or("expected a command, with its quotes closed")?;
    let folder = std::env::current_dir().map_err(|error| format!("no current folder: {error}"))?;
    let program = RulesLimits::default().command(words, folder, false);
    let programs = known_games()
        .programs()
        .ok_or("no rules program can be started")?;
    programs.ask(program).map_err(|fault| fault.to_string())
}
