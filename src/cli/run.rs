//! `referee run CONFIG`: a tournament.

use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use clap::ValueEnum;
use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};
use signal_hook::iterator::Signals;
use signal_hook::low_level::emulate_default_handler;

use super::machine::Machine;
use super::{Exit, Failure, print, style, supervisor};
use crate::config::Plan;
use crate::player::{IsolationError, OffTurn, Tier};
use crate::record::{Durability, RecordError, ResumeError, Run, RunFolder};
use crate::report::{self, Progress, Settings, say, write_tables};
use crate::runner::{self, Event, Host, RunError, Stop};

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
    let stop = stop_on_signals()?;
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
    let played = runner::run(&plan, &host, &mut folder, &stop, &mut |event| {
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

/// How the plan is run on this machine.
fn host(plan: &Plan, args: &Args) -> Result<Host, Failure> {
    let (isolation, build_isolation) = isolation(plan)?;
    let supervisor = supervisor()?;
    let (jobs, places) = place(plan, args)?;
    Ok(Host {
        jobs,
        supervisor: Some(supervisor),
        places,
        probe: None,
        isolation,
        build_isolation,
    })
}

/// How many games are played at a time, and where. Prints what is wrong with that.
fn place(plan: &Plan, args: &Args) -> Result<(NonZeroUsize, Vec<Vec<u32>>), Failure> {
    let machine = Machine::read();
    let off_turn = plan.limits.confinement.off_turn;
    let places = match args.pin {
        true => machine.places(off_turn),
        false => Vec::new(),
    };
    let most = NonZeroUsize::new(places.len()).unwrap_or_else(|| machine.games());
    let jobs = args.jobs.unwrap_or(most);
    if args.pin && jobs > most {
        return Err(Failure::new(
            Exit::Usage,
            format!(
                "`--pin` has room for {most} at a time here, with {} for each game, since `off-turn` is \
                 \"{}\": use -j {most}, or leave `--pin` out",
                match off_turn {
                    OffTurn::Log => "two cores",
                    OffTurn::Stop | OffTurn::Forbid => "one core",
                },
                off_turn.name()
            ),
        ));
    }
    for warning in machine.warnings(jobs.get(), &plan.time) {
        say(&warning);
    }
    Ok((jobs, places))
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
        RunError::Strange { .. } => (Exit::File, ""),
        RunError::Worker(_) => (Exit::Failed, ""),
    };
    Err(Failure::new(exit, format!("{error}{words}")))
}

/// The isolation of bots and of builds: what the plan asks for where it holds here, or else its fallback.
fn isolation(plan: &Plan) -> Result<(Tier, Tier), Failure> {
    let mut paths: Vec<PathBuf> = plan
        .players
        .iter()
        .flat_map(|player| player.launch.needs())
        .collect();
    paths.push(supervisor()?.program);
    let limits = &plan.limits;
    let mut bots = limits.confinement.clone();
    let wish = bots.isolation;
    let cannot = |tier: Tier, problem: IsolationError| {
        let name = tier.name();
        format!("`isolation = \"{name}\"` cannot hold on this machine: {problem}")
    };
    let refused = |problem| Err(Failure::new(Exit::Isolation, problem));
    if let Err(problem) = bots.probe(&paths) {
        let problem = cannot(wish, problem);
        let Some(fallback) = limits.fallback else {
            return refused(format!(
                "{problem}; or name in `isolation-fallback` what is to be taken instead"
            ));
        };
        bots.isolation = fallback;
        if let Err(worse) = bots.probe(&paths) {
            return refused(format!("{problem}; {}", cannot(fallback, worse)));
        }
        say(&format!(
            "referee: {problem}; this run takes \"{}\", as `isolation-fallback` says",
            fallback.name()
        ));
    }
    // In a room of its own a build could not write to its folder, which belongs to somebody else.
    let mut builds = limits.build.confinement.clone();
    builds.isolation = match bots.isolation {
        Tier::Strict => Tier::Landlock,
        tier => tier,
    };
    if plan.players.iter().any(|player| player.build.is_some())
        && let Err(problem) = builds.probe(&[])
    {
        return refused(format!(
            "the walls around the builds of players cannot hold on this machine: {problem}"
        ));
    }
    Ok((bots.isolation, builds.isolation))
}

/// What Ctrl-C, a request to terminate or a terminal that closes does: the first lets the games in
/// play finish, the second breaks them off, the third ends the program as if nobody had listened.
fn stop_on_signals() -> Result<Arc<Stop>, Failure> {
    let failed = |error| Failure::new(Exit::Failed, format!("no signals: {error}"));
    // Started with nohup, it is to outlive its terminal.
    let heeded = [SIGINT, SIGTERM, SIGHUP]
        .into_iter()
        .filter(|signal| *signal != SIGHUP || !is_ignored(SIGHUP));
    let mut signals = Signals::new(heeded).map_err(failed)?;
    let stop = Arc::new(Stop::new().map_err(failed)?);
    let told = Arc::clone(&stop);
    std::thread::Builder::new()
        .name("signals".to_owned())
        .spawn(move || {
            for (before, signal) in signals.forever().enumerate() {
                match before {
                    0 => told.soon(),
                    1 => told.now(),
                    _ => {
                        // It fails for signals alone that nobody can catch.
                        let _ = emulate_default_handler(signal);
                    }
                }
            }
        })
        .map_err(failed)?;
    Ok(stop)
}

/// Whether whoever started this program asked for a signal to be ignored.
fn is_ignored(signal: i32) -> bool {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let ignored = status
        .lines()
        .find_map(|line| line.strip_prefix("SigIgn:"))
        .and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok());
    ignored.is_some_and(|mask| mask & (1 << (signal - 1)) != 0)
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
