//! `referee game`: rules programs.

mod new;

use clap::Subcommand;

use crate::cli::exit::{Exit, Failure};

/// Make the rules of a game of your own
#[derive(Debug, clap::Args)]
pub(super) struct GameArgs {
    #[command(subcommand)]
    command: GameCommand,
}

#[derive(Debug, Subcommand)]
enum GameCommand {
    New(new::NewArgs),
}

pub(super) fn run(args: &GameArgs) -> Result<Exit, Failure> {
    match &args.command {
        GameCommand::New(args) => new::run(args),
    }
}
