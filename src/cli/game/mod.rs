//! `referee game …`: games whose rules are a program of their own.

mod check;
mod shown;

use clap::Subcommand;

use super::exit::{Exit, Failure};

/// Check the rules of a game of your own
///
/// The rules of such a game are a program; `referee docs rules-protocol` says how it speaks to referee.
#[derive(Debug, clap::Args)]
pub(super) struct GameArgs {
    #[command(subcommand)]
    command: GameCommand,
}

#[derive(Debug, Subcommand)]
enum GameCommand {
    Check(check::CheckArgs),
}

pub(super) fn run(args: &GameArgs) -> Result<Exit, Failure> {
    match &args.command {
        GameCommand::Check(args) => check::run(args),
    }
}
