//! Bots named on the command line.

use std::io;
use std::path::PathBuf;
use std::sync::Arc;

use super::words;
use crate::bot::{
    BuildError, BuildLimits, Fault, Launch, LaunchError, Supervisor, Tier, build, supervise,
};
use crate::cli::exit::{CommandError, Exit, Failure};
use crate::config::{Entry, Limits, Plan};
use crate::opponents::{self, HouseBot};
use crate::report::{print_to_stderr, warn};
use crate::runner::{
    AskedEngines, Demands, Host, HostOptions, Interrupt, check_engines, tier_that_holds,
};

/// Host of a plan on this machine. Prints its warnings.
pub fn host(plan: &Plan, options: HostOptions) -> Result<Host, Failure> {
    let (host, warnings) = Host::new(&Demands::of(plan), supervisor()?, options)?;
    for warning in warnings {
        warn(&warning.to_string());
    }
    Ok(host)
}

/// Starts each engine of the plan once, to see whether it can be set up.
pub fn ask_engines(plan: &Plan, options: HostOptions, asked: AskedEngines) -> Result<(), Failure> {
    let is_engine = |entry: &Entry| entry.language.engine().is_some();
    if plan.players.iter().any(is_engine) {
        let (host, _) = Host::new(&Demands::of(plan), supervisor()?, options)?;
        check_engines(plan, &host, asked)?;
    }
    Ok(())
}

/// Isolation tier of a bot with these limits, chosen as in a run. Prints its warnings.
pub fn tier(limits: &Limits, bot: &Launch) -> Result<Tier, Failure> {
    let (tier, warning) = tier_that_holds(limits, bot.needs(), &supervisor()?)?;
    if let Some(warning) = warning {
        warn(&warning.to_string());
    }
    Ok(tier)
}

pub fn signals() -> Result<Arc<Interrupt>, Failure> {
    Interrupt::on_signals()
        .map_err(|error| Failure::new(Exit::Failed, format!("no signals: {error}")))
}

/// Why a bot named on the command line cannot be started.
#[derive(Debug, thiserror::Error)]
pub enum StartError {
    #[error("player `{word}`: {problem}")]
    NotACommand { word: String, problem: &'static str },
    #[error(
        "player `{word}`: {source}{}; expected random, greedy, search or a command",
        HouseBot::meant(source)
    )]
    CannotRun { word: String, source: LaunchError },
    #[error(
        "player `{word}`: a house bot has no argument `{wrong}`: expected nothing, --nodes with a number, \
         or --widths with three"
    )]
    HouseArgument { word: String, wrong: String },
    #[error("player `{name}` cannot be started: {source}")]
    Missing { name: String, source: LaunchError },
    #[error("player `{name}`: the build failed: {source}")]
    Build {
        name: String,
        #[source]
        source: Box<BuildError>,
    },
    #[error("player `{word}`: {fault}")]
    Process {
        word: String,
        #[source]
        fault: Fault,
    },
    #[error("cannot find the referee's own program: {0}")]
    OwnProgram(#[source] io::Error),
    #[error("cannot adopt orphans of bots: {0}")]
    Orphans(#[source] io::Error),
}

/// Launch of the bot that `word` names, in `dir`: a house bot or a command.
pub fn launch(word: &str, dir: Option<PathBuf>) -> Result<Launch, StartError> {
    let mut words = words(word).map_err(|problem| StartError::NotACommand {
        word: word.to_owned(),
        problem,
    })?;
    let (program, args) = if HouseBot::from_name(&words[0]).is_some() {
        if let Some(wrong) = opponents::wrong_argument(&words[1..]) {
            return Err(StartError::HouseArgument {
                word: word.to_owned(),
                wrong: wrong.to_owned(),
            });
        }
        words.insert(0, "bot".to_owned());
        (own_program()?, words)
    } else {
        (PathBuf::from(words.remove(0)), words)
    };
    let launch = Launch {
        program,
        args,
        dir,
        ..Launch::default()
    };
    launch.check().map_err(|source| StartError::CannotRun {
        word: word.to_owned(),
        source,
    })?;
    Ok(launch)
}

/// Checks that a player's bot can be started. A missing program is built first, as in a run.
pub fn see_that_it_is_built(
    name: &str,
    launch: &Launch,
    command: Option<&Launch>,
    limits: &BuildLimits,
) -> Result<(), StartError> {
    let missing = match (launch.check(), command) {
        (Ok(()), _) => return Ok(()),
        (Err(problem), None) => problem,
        (Err(_), Some(command)) => {
            print_to_stderr(&format!("referee: building {name}: {command}"));
            let built = build(command, limits, &supervisor()?, None);
            let built = built.map_err(|error| StartError::Process {
                word: name.to_owned(),
                fault: Fault::Machine(error),
            })?;
            built.result.map_err(|source| StartError::Build {
                name: name.to_owned(),
                source: Box::new(source),
            })?;
            match launch.check() {
                Ok(()) => return Ok(()),
                Err(problem) => problem,
            }
        }
    };
    Err(StartError::Missing {
        name: name.to_owned(),
        source: missing,
    })
}

/// Path of this program, which also runs as a house bot or a supervisor.
pub fn own_program() -> Result<PathBuf, StartError> {
    std::env::current_exe().map_err(StartError::OwnProgram)
}

/// Makes this process the parent of orphaned bot processes, and returns the supervisor.
pub fn supervisor() -> Result<Supervisor, StartError> {
    supervise::adopt_orphans().map_err(StartError::Orphans)?;
    Ok(Supervisor {
        program: own_program()?,
    })
}

impl CommandError for StartError {
    fn exit(&self) -> Exit {
        match self {
            Self::NotACommand { .. }
            | Self::HouseArgument { .. }
            | Self::CannotRun { .. }
            | Self::Missing { .. } => Exit::Usage,
            Self::OwnProgram(_) | Self::Orphans(_) | Self::Process { .. } | Self::Build { .. } => {
                Exit::Failed
            }
        }
    }
}
