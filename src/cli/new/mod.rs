//! `referee new …`: folders to begin with, whose files are part of this program.

mod bot;
mod class;
mod folder;
pub(super) mod game;
mod kits;
mod tournament;

use clap::Subcommand;

use super::exit::{Exit, Failure};

/// Make a folder to begin with: a bot, a tournament, a class, or the rules of a game
///
/// The folder is made in the current one and needs nothing but this program. Each command ends with the next line to
/// type.
#[derive(Debug, clap::Args)]
pub(super) struct NewArgs {
    #[command(subcommand)]
    command: NewCommand,
}

#[derive(Debug, Subcommand)]
enum NewCommand {
    Bot(bot::BotArgs),
    Tournament(tournament::TournamentArgs),
    Class(class::ClassArgs),
    Game(game::GameArgs),
}

pub(super) fn run(args: &NewArgs) -> Result<Exit, Failure> {
    match &args.command {
        NewCommand::Bot(args) => bot::run(args),
        NewCommand::Tournament(args) => tournament::run(args),
        NewCommand::Class(args) => class::run(args),
        NewCommand::Game(args) => game::run(args),
    }
}
