//! `referee convert PROGRAM ARGUMENTS`: a command line of another program as a configuration.

use std::path::Path;

use clap::ValueEnum;

use super::arguments::known_games;
use super::exit::{Exit, Failure};
use super::output::print;
use crate::config::{Manager, Plan};
use crate::report::warn;

/// Print the configuration for a command line of fastchess or cutechess-cli
///
/// Words without a counterpart are left out, and named on stderr. For -concurrency see --jobs of run.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct ConvertArgs {
    /// The program of the command line
    #[arg(value_enum)]
    program: ProgramName,
    /// Its options, as they are
    #[arg(required = true, trailing_var_arg = true, allow_hyphen_values = true)]
    words: Vec<String>,
}

const EXAMPLES: &str = "\
Examples:
  referee convert fastchess -engine cmd=./new -engine cmd=./base -each tc=8+0.08 -rounds 100 > match.toml
  referee run match.toml";

#[derive(Debug, Clone, Copy, ValueEnum)]
enum ProgramName {
    Fastchess,
    #[value(alias = "cutechess-cli")]
    Cutechess,
}

pub(super) fn run(args: &ConvertArgs) -> Result<Exit, Failure> {
    let manager = match args.program {
        ProgramName::Fastchess => Manager::Fastchess,
        ProgramName::Cutechess => Manager::Cutechess,
    };
    let converted = manager.convert(&args.words);
    let (mut draft, notes) = converted.map_err(Failure::usage)?;
    for note in notes {
        warn(&note);
    }
    let text = draft.text();
    if let Err(error) = Plan::parse(&text, Path::new("the configuration"), known_games()) {
        warn(&error.to_string());
    }
    print(&text).map(|()| Exit::Done)
}
