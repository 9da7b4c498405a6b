//! `referee run CONFIG`: a tournament.

use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};

use clap::ValueEnum;

use super::{Exit, Failure, print, style, supervisor};
use crate::config::Plan;
use crate::record::{Durability, RecordError, ResumeError, Run, RunFolder};
use crate::report::{self, Progress, Settings, say, write_tables};
use crate::runner::{self, Event, Host, HostError, HostOptions, Interrupt, RunError};

/// Play a tournament and write its results
///
/// The results go to a folder of their own: manifest.toml (the plan), games.csv (a row per game),
/// games/ (a CSV per game with a row per ply), stderr/ (what bots wrote), build/ (what their
/// compilers wrote), and the tables ratings.csv, standings.csv, crosstable.csv, superiority.csv and
/// history.csv, with match.csv for two players. See docs/formats.md and docs/ratings.md.
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// The tournament's configuration; see configs/ for examples
    config: PathBuf,
    /// The folder of the results; a new one below results/, named after the tournament, if not given
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// How many games to play at a time; the number of physical cores if not given
    #[arg(short, long, value_name = "N")]
    jobs: Option<NonZeroUsize>,
    /// Pin the bots of each game to a physical core of their own, or to two where off-turn is "log"
    ///
    /// Not more games are played at a time than there are cores for.
    #[arg(long)]
    pin: bool,
    /// Go on with a run that was interrupted, in the folder of --out or results/NAME
    ///
    /// Games that were finished stay, all others are played. A run that is complete stays as it is,
    /// and one that was never begun is begun.
    #[arg(long)]
    resume: bool,
    /// With --resume: go on although bots, clock or limits are not what they were; the games of
    /// players that changed are played again
    #[arg(long, requires = "resume")]
    accept_changes: bool,
    /// Wait for the disk itself, so that a power cut too loses nothing that is in the journal: after
    /// each game, or once a second
    #[arg(long, value_enum, value_name = "WHEN")]
    sync: Option<SyncWhen>,
    /// Only look whether the configuration is valid, and list the variants of players with a grid; play
    /// nothing, write nothing
    #[arg(long)]
    check: bool,
}

#[derive(Debug, Clone, Copy, ValueEnum)]
enum SyncWhen {
    /// Each log before its row, and each row before the next
    Game,
    /// Rows wait for a second at most; a log that the power cut took is played again
    Second,
}

impl From<SyncWhen> for Durability {
    fn from(when: SyncWhen) -> Self {
        match when {
            SyncWhen::Game => Self::Game,
            SyncWhen::Second => Self::Second,
        }
    }
}

pub(super) fn run(args: &Args) -> Result<Exit, Failure> {
    let plan = Plan::load(&args.config).map_err(|error| Failure::new(Exit::Usage, error))?;
    if args.check {
        let games = match runner::total_games(&plan) {
            Some(games) => format!("{games} games"),
            None => "as many games as the results ask for".to_owned(),
        };
        print(&format!("{}: valid, {games}\n", args.config.display()))?;
        for entry in &plan.players {
            if let Some(variant) = &entry.variant {
                print(&format!("  {}: {variant}\n", entry.name))?;
            }
        }
        return Ok(Exit::Done);
    }
    let host = host(&plan, args)?;
    let out = args.out.clone().unwrap_or_else(|| match args.resume {
        true => Path::new("results").join(&plan.name),
        false => unused_folder(&plan.name),
    });
    let failed = |error| Failure::new(Exit::File, error);
    let interrupt = Interrupt::on_signals()
        .map_err(|error| Failure::new(Exit::Failed, format!("no signals: {error}")))?;
    let mut progress = Progress::new();
    let mut folder = if args.resume {
        RunFolder::resume(&out, &plan, host.stamp(), args.accept_changes, &mut |row| {
            progress.played_before(row);
        })
        .map_err(|error| match error {
            ResumeError::Record(error) => failed(error),
            ResumeError::OtherTournament(_) | ResumeError::Changed(_) => {
                Failure::new(Exit::Usage, error)
            }
        })?
    } else {
        RunFolder::create(&out, &plan, host.stamp()).map_err(failed)?
    };
    let durability = args.sync.map_or(Durability::System, Durability::from);
    folder.set_durability(durability).map_err(failed)?;
    let mut conclusions = String::new();
    let played = runner::run(&plan, &host, &mut folder, &interrupt, &mut |event| {
        if let Event::Concluded {
            game,
            conclusion: said,
            players,
        } = event
        {
            conclusions.push_str(&report::conclusion(game, said, players));
        }
        progress.event(event);
    });
    let results = progress.finish();
    let settings = Settings::default();
    let rated = results.rate(&settings);
    // What was played counts, also where the run broke off.
    let tables = Run::open(folder.path()).and_then(|run| write_tables(&run, &rated));
    let mut text = report::summary(&results, &rated, None, style());
    text.push_str(&conclusions);
    if tables.is_ok() {
        text.push_str(&format!("results in {}\n", folder.path().display()));
    }
    let shown = print(&text);
    ended(played, tables)?;
    shown.map(|()| Exit::Done)
}

/// How the plan is run on this machine. Prints what the user should know about that.
fn host(plan: &Plan, args: &Args) -> Result<Host, Failure> {
    let options = HostOptions {
        jobs: args.jobs,
        pin: args.pin,
    };
    let (host, warnings) = Host::new(plan, supervisor()?, options).map_err(|error| {
        let exit = match error {
            HostError::Isolation(_)
            | HostError::IsolationFallback { .. }
            | HostError::BuildIsolation { .. } => Exit::Isolation,
            HostError::TooFewCores { .. } => Exit::Usage,
        };
        Failure::new(exit, error)
    })?;
    for warning in warnings {
        say(&format!("warning: {warning}"));
    }
    Ok(host)
}

/// What to say of a run that did not end as it should.
fn ended(played: Result<(), RunError>, tables: Result<(), RecordError>) -> Result<(), Failure> {
    let error = match (played, tables) {
        (Ok(()), Ok(())) => return Ok(()),
        (Ok(()), Err(error)) => {
            let words = "all games were played and are kept; once the cause is gone, the same \
                         command with --resume writes the tables";
            return Err(Failure::new(Exit::File, format!("{error}; {words}")));
        }
        (Err(error @ RunError::Stopped { .. }), Err(tables)) => {
            let words = "the same command with --resume goes on";
            let message = format!("{error}; {words}. {tables}");
            return Err(Failure::new(Exit::File, message));
        }
        (Err(error), _) => error,
    };
    let (exit, words) = match error {
        RunError::Stopped { .. } => (Exit::Stopped, "; the same command with --resume goes on"),
        RunError::Record(_) => (
            Exit::File,
            "; what was played before is kept, and once the cause is gone, the same command with \
             --resume goes on",
        ),
        RunError::Halted { .. } | RunError::Build { .. } => (
            Exit::Halted,
            "; once the cause is gone, the same command with --resume goes on",
        ),
        RunError::UnplannedGame(_) => (Exit::File, ""),
        RunError::WorkerFailed { .. } => (
            Exit::Failed,
            "; what was played is kept, and the same command with --resume goes on",
        ),
        RunError::Thread(_) | RunError::Stalled => (Exit::Failed, ""),
    };
    Err(Failure::new(exit, format!("{error}{words}")))
}

/// A folder below `results` that is not there yet: the name, or with a number behind it.
fn unused_folder(name: &str) -> PathBuf {
    let results = Path::new("results");
    std::iter::once(name.to_owned())
        .chain((2_u64..).map(|number| format!("{name}-{number}")))
        .map(|name| results.join(name))
        .find(|path| !path.exists())
        .unwrap_or_else(|| results.join(name))
}
