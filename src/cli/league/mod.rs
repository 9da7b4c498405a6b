//! `referee league …`: bots come and go, and the games go on.

mod add;
mod play;
mod table;
mod trial;

use std::path::{Path, PathBuf};
use std::sync::Arc;

use clap::Subcommand;

use super::arguments::{known_games, signals, supervisor};
use super::exit::{Exit, Failure};
use super::output::say;
use crate::bot::Supervisor;
use crate::league::{League, Session, State};
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
    Try(trial::TryArgs),
    /// Let a candidate play, as its bot's newest version; the games of its trial count
    Promote(trial::JudgeArgs),
    /// End the trial of a candidate; its games are set aside
    Reject(trial::JudgeArgs),
    /// Take a bot out of play; it stays in the table, and may be an opponent
    Retire(BotArgs),
    /// Take a bot out of play, and let nobody meet it; it stays in the table
    Archive(BotArgs),
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
        LeagueCommand::Try(args) => trial::run(args),
        LeagueCommand::Promote(args) => {
            let version = trial::judge(args, State::Active)?;
            told(&format!(
                "{} plays; the games of its trial count",
                version.shown_name()
            ))
        }
        LeagueCommand::Reject(args) => {
            let version = trial::judge(args, State::Rejected)?;
            let words = "is rejected; the games of its trial stay in the folder";
            told(&format!("{} {words}", version.shown_name()))
        }
        LeagueCommand::Retire(args) => {
            withdraw(args, State::Retired, "plays no more; it stays in the table")
        }
        LeagueCommand::Archive(args) => {
            let words = "plays no more, and nobody meets it; it stays in the table";
            withdraw(args, State::Archived, words)
        }
        LeagueCommand::Remove(args) => {
            let words = "is out of the table; its files and its games stay in the folder";
            withdraw(args, State::Removed, words)
        }
        LeagueCommand::Rename(RenameArgs { bot, new }) => {
            open(&bot.league, None)?.change(|roster| roster.rename(&bot.name, new))?;
            told(&format!("{} is now called {new}", bot.name))
        }
    }
}

fn withdraw(args: &BotArgs, to: State, words: &str) -> Result<Exit, Failure> {
    open(&args.league, None)?.change(|roster| roster.withdraw(&args.name, to))?;
    told(&format!("{} {words}", args.name))
}

fn told(words: &str) -> Result<Exit, Failure> {
    say(&format!("{words}\n")).map(|()| Exit::Done)
}

fn open(league: &Path, season: Option<&str>) -> Result<League, Failure> {
    Ok(League::open(league, known_games(), season)?)
}

struct Machine {
    league: League,
    supervisor: Supervisor,
    interrupt: Arc<Interrupt>,
}

impl Machine {
    fn new(league: &Path) -> Result<Self, Failure> {
        Ok(Self {
            league: open(league, None)?,
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
