//! A bot, from the command line.

use std::path::PathBuf;

use super::{Exit, Failure};
use crate::opponents::HouseBot;
use crate::player::Launch;

/// How the bot that `word` stands for is started in `dir`: a house bot by its name, or a command.
/// `others` are the words that this command takes besides, for the message about a wrong one.
pub(super) fn launch(word: &str, dir: Option<PathBuf>, others: &str) -> Result<Launch, Failure> {
    let usage = |problem: String| Failure::new(Exit::Usage, format!("player `{word}`: {problem}"));
    let (program, args) = if HouseBot::from_name(word).is_some() {
        (own_program()?, vec!["bot".to_owned(), word.to_owned()])
    } else {
        let mut words = shlex::split(word)
            .filter(|words| !words.is_empty())
            .ok_or_else(|| usage("expected a command, with its quotes closed".to_owned()))?;
        (PathBuf::from(words.remove(0)), words)
    };
    let launch = Launch {
        program,
        args,
        dir,
        env: Vec::new(),
    };
    launch.check().map_err(|error| {
        usage(format!(
            "{error}; expected random, greedy, search, {others}or a command"
        ))
    })?;
    Ok(launch)
}

/// The program that is a house bot when it is asked to.
pub(super) fn own_program() -> Result<PathBuf, Failure> {
    std::env::current_exe().map_err(|error| {
        Failure::new(
            Exit::Failed,
            format!("cannot find the referee's own program: {error}"),
        )
    })
}
