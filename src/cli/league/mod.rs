//! `referee league …`: bots come and go, and the games go on.

mod add;
mod play;
mod table;

use std::path::{Path, PathBuf};
use std::sync::Arc;

use clap::Subcommand;

use super::arguments::{known_games, signals, supervisor};
use super::exit::{CommandError, Exit, Failure};
use super::output::say;
use crate::bot::Supervisor;
use crate::league::{League, LeagueError, Roster, Session};
use crate::runner::{HostOptions, Interrupt};

/// Play a league: bots come and go, and the games go on
///
/// `referee new league NAME` makes the folder of one. See `referee docs league`.
#[derive(Debug, clap::Args)]
pub(super) struct LeagueArgs {
    #[command(subcommand)]
    command: LeagueCommand,
}

#[derive(Debug, Subcommand)]
enum LeagueCommand {
    Add(add::AddArgs),
    Inbox(add::InboxArgs),
    Play(play::PlayArgs),
    Plan(play::PlanArgs),
    Table(table::TableArgs),
    Pages(table::PagesArgs),
    /// Take a bot out of play; it stays in the table
    Retire(BotArgs),
    /// Take a bot out of play and out of the table; the records keep its games
    Remove(BotArgs),
    /// Give a bot another name on screens; the records keep the old one
    Rename(RenameArgs),
}

#[derive(Debug, clap::Args)]
struct BotArgs {
    /// The folder of the league
    league: PathBuf,
    /// The name of the bot
    name: String,
}

#[derive(Debug, clap::Args)]
struct RenameArgs {
    #[command(flatten)]
    bot: BotArgs,
    /// The new name
    new: String,
}

pub(super) fn run(args: &LeagueArgs) -> Result<Exit, Failure> {
    match &args.command {
        LeagueCommand::Add(args) => add::run(args),
        LeagueCommand::Inbox(args) => add::inbox(args),
        LeagueCommand::Play(args) => play::run(args),
        LeagueCommand::Plan(args) => play::plan(args),
        LeagueCommand::Table(args) => table::run(args),
        LeagueCommand::Pages(args) => table::pages(args),
        LeagueCommand::Retire(BotArgs { league, name }) => {
            change(league, |roster| roster.retire(name))?;
            told(&format!("{name} plays no more; it stays in the table"))
        }
        LeagueCommand::Remove(BotArgs { league, name }) => {
            change(league, |roster| roster.remove(name))?;
            told(&format!(
                "{name} is out of the table; its files and its games stay in the folder"
            ))
        }
        LeagueCommand::Rename(RenameArgs { bot, new }) => {
            change(&bot.league, |roster| roster.rename(&bot.name, new))?;
            told(&format!("{} is now called {new}", bot.name))
        }
    }
}

fn change(
    league: &Path,
    change: impl FnOnce(&mut Roster) -> Result<(), LeagueError>,
) -> Result<(), Failure> {
    Ok(open(league)?.change(change)?)
}

fn told(words: &str) -> Result<Exit, Failure> {
    say(&format!("{words}\n")).map(|()| Exit::Done)
}

fn open(league: &Path) -> Result<League, Failure> {
    Ok(League::open(league, known_games())?)
}

/// The parts of a session. Once it is made, signals interrupt it.
struct Machine {
    league: League,
    supervisor: Supervisor,
    interrupt: Arc<Interrupt>,
}

impl Machine {
    fn new(league: &Path) -> Result<Self, Failure> {
        Ok(Self {
            league: open(league)?,
            supervisor: supervisor()?,
            interrupt: signals()?,
        })
    }

    fn session(&self, options: HostOptions) -> Session<'_> {
        Session {
            league: &self.league,
            supervisor: &self.supervisor,
            options,
            interrupt: &self.interrupt,
        }
    }
}

impl CommandError for LeagueError {
    fn exit(&self) -> Exit {
        match self {
            Self::NoLeague(_) | Self::Usage(_) | Self::Launch(_) => Exit::Usage,
            Self::Roster { .. } | Self::Unpack(_) => Exit::File,
            Self::Config(error) => error.exit(),
            Self::RunFile(error) => error.exit(),
            Self::Resume { problem, .. } => problem.exit(),
            Self::Run(error) => error.exit(),
            Self::Host(error) => error.exit(),
            Self::Grade(error) => error.exit(),
            Self::Check(error) => error.exit(),
            Self::Copy(error) => error.exit(),
            Self::Page(error) => error.exit(),
        }
    }
}
