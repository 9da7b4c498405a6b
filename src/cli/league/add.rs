//! `referee league add` and `league inbox`: bots that come.

use std::num::NonZeroUsize;
use std::path::PathBuf;

use toml::{Table, Value};

use super::Machine;
use crate::cli::arguments::words;
use crate::cli::exit::{Exit, Failure};
use crate::cli::output::{checked, say};
use crate::league::{Added, Handed, Refused, State, inbox_entries};
use crate::opponents::HouseBot;
use crate::runner::HostOptions;
use crate::text::visible;

/// Add a bot, or a new version of one: copied, built and checked
///
/// The bot is refused if a check of `referee check` fails. The version before it plays no more, and stays rated.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct AddArgs {
    #[command(flatten)]
    bot: HandedArgs,
}

const EXAMPLES: &str = "\
Examples:
  referee league add spring alice --command \"python3 bot.py\" --dir alice
  referee league add spring bob --dir bob                              with a kit.toml in it
  referee league add spring greedy --command greedy
  referee league add chess fish --command stockfish --speaks uci --option Hash=16";

#[derive(Debug, clap::Args)]
pub(super) struct HandedArgs {
    /// The folder of the league
    pub league: PathBuf,
    /// The name of the bot: letters, digits, `-`, `_` and `+`
    pub name: String,
    /// How it is started: a command in quotes, or a house bot such as "search --nodes 500"; if not given, as the kit.toml
    /// in its folder says
    #[arg(long, value_name = "COMMAND")]
    command: Option<String>,
    /// Its folder, which is copied
    #[arg(long, value_name = "DIR")]
    dir: Option<PathBuf>,
    /// The command that builds it in its folder, in quotes
    #[arg(long, value_name = "COMMAND", requires = "command", requires = "dir")]
    build: Option<String>,
    /// The language of an engine: uci, usi or gtp
    #[arg(long, value_name = "LANGUAGE", requires = "command")]
    speaks: Option<String>,
    /// Set an option of an engine, such as Hash=16; several times for several
    #[arg(long = "option", value_name = "NAME=VALUE", requires = "speaks")]
    options: Vec<String>,
}

pub(super) fn run(args: &AddArgs) -> Result<Exit, Failure> {
    let bot = &args.bot;
    if !bot.is_handed() {
        let problem = "how is it started? give --command, or --dir with a kit.toml in it";
        return Err(Failure::new(Exit::Usage, problem));
    }
    match bot.add(&Machine::new(&bot.league)?, State::Active)? {
        Some(added) => {
            say(&(added_text(&added) + &notes_text(&added.equal)))?;
            Ok(Exit::Done)
        }
        None => Ok(Exit::Failed),
    }
}

impl HandedArgs {
    pub fn is_handed(&self) -> bool {
        self.command.is_some() || self.dir.is_some()
    }

    /// Adds the bot. If it is refused, says why.
    pub fn add(&self, machine: &Machine, state: State) -> Result<Option<Added>, Failure> {
        let handed = match (&self.command, &self.dir) {
            (None, Some(dir)) => Handed::kit(&self.name, dir),
            (command, dir) => Ok(Handed {
                owner: self.name.clone(),
                player: player(self, command.as_deref().unwrap_or_default())?,
                dir: dir.clone(),
                submitted: false,
            }),
        };
        let added = match handed {
            Ok(handed) => machine.session(options()).add(handed, state)?,
            Err(broken) => Err(Refused::Broken(broken.why)),
        };
        match added {
            Ok(added) => Ok(Some(added)),
            Err(why) => say(&refused_text(&self.name, &why)).map(|()| None),
        }
    }
}

fn options() -> HostOptions {
    HostOptions {
        jobs: Some(NonZeroUsize::MIN),
        ..HostOptions::default()
    }
}

fn player(args: &HandedArgs, command: &str) -> Result<Table, Failure> {
    let split = |text: &str| {
        words(text).map_err(|problem| Failure::new(Exit::Usage, format!("`{text}`: {problem}")))
    };
    let words = split(command)?;
    let mut player = Table::new();
    match HouseBot::from_name(&words[0]) {
        Some(house) => {
            player.insert("house".to_owned(), house.name().into());
            player.insert("args".to_owned(), words[1..].to_vec().into());
        }
        None => drop(player.insert("command".to_owned(), words.into())),
    }
    if let Some(build) = &args.build {
        player.insert("build".to_owned(), split(build)?.into());
    }
    if let Some(speaks) = &args.speaks {
        player.insert("speaks".to_owned(), speaks.clone().into());
    }
    let mut options = Table::new();
    for option in &args.options {
        let Some((name, value)) = option.split_once('=') else {
            let problem = format!("--option {option}: expected NAME=VALUE, such as Hash=16");
            return Err(Failure::new(Exit::Usage, problem));
        };
        let number = value.parse::<i64>().map(Value::Integer);
        let truth = value.parse::<bool>().map(Value::Boolean);
        let value = number.or(truth).unwrap_or_else(|_| value.into());
        options.insert(name.to_owned(), value);
    }
    if !options.is_empty() {
        player.insert("options".to_owned(), options.into());
    }
    Ok(player)
}

pub(super) fn added_text(added: &Added) -> String {
    let version = &added.version;
    let verb = match version.state {
        State::Candidate => "is a candidate",
        _ => "plays",
    };
    let text = format!("{}: version {} {verb}\n", version.shown, version.version);
    text + &notes_text(&added.notes)
}

pub(super) fn notes_text(notes: &[String]) -> String {
    let notes = notes.iter().map(|note| format!("note: {note}\n"));
    notes.collect()
}

fn refused_text(name: &str, why: &Refused) -> String {
    let mut text = format!("{} is refused:\n", visible(name));
    match why {
        Refused::Broken(why) => text.push_str(&format!("{why}\n")),
        Refused::Unfit(findings) => text.extend(findings.iter().map(checked)),
    }
    text
}

/// Take in the submissions in a folder: archives or folders with a kit.toml, named by the bot
///
/// `alice.zip`, `alice_2026-05-01.tar.gz` and `alice/` are submissions of the bot alice. The newest one counts, and is taken in
/// once. The answer lies beside it, in a file that ends in `.answer.txt`.
#[derive(Debug, clap::Args)]
pub(super) struct InboxArgs {
    /// The folder of the league
    league: PathBuf,
    /// The folder of the submissions
    dir: PathBuf,
}

pub(super) fn inbox(args: &InboxArgs) -> Result<Exit, Failure> {
    let machine = Machine::new(&args.league)?;
    let session = machine.session(options());
    let mut exit = Exit::Done;
    let (entries, unread) = inbox_entries(&args.dir)?;
    for line in unread {
        say(&line)?;
    }
    for entry in entries {
        let (mut text, for_organiser) = match session.take_in(&entry)? {
            None => continue,
            Some(Ok(added)) => (added_text(&added), notes_text(&added.equal)),
            Some(Err(why)) => {
                exit = Exit::Failed;
                (refused_text(&entry.owner, &why), String::new())
            }
        };
        if let Err(problem) = entry.tell(&text) {
            exit = Exit::Failed;
            text.push_str(&format!("this answer is in no file: {problem}\n"));
        }
        say(&(text + &for_organiser))?;
    }
    Ok(exit)
}
