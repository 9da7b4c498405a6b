//! `referee game …`: games whose rules are a program of their own.

mod check;
mod shown;

use clap::Subcommand;

use super::exit::{Exit, Failure};
use super::new;

/// Make a game of your own, and check its rules
///
/// The rules of such a game are a program; docs/rules-protocol.md says how it speaks to referee.
#[derive(Debug, clap::Args)]
pub(super) struct GameArgs {
    #[command(subcommand)]
    command: GameCommand,
}

#[derive(Debug, Subcommand)]
enum GameCommand {
    Check(check::CheckArgs),
    New(new::game::GameArgs),
}

pub(super) fn run(args: &GameArgs) -> Result<Exit, Failure> {
    match &args.command {
        GameCommand::Check(args) => check::run(args),
        GameCommand::New(args) => new::game::run(args),
    }
}
