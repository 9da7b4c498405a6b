//! Bots named on the command line.

use std::path::PathBuf;
use std::sync::Arc;

use super::words;
use crate::bot::{BuildLimits, Fault, Launch, Supervisor, Tier, build, supervise};
use crate::cli::exit::Failure;
use crate::config::{Entry, Limits, Plan};
use crate::opponents::{self, HouseBot};
use crate::report::{print_to_stderr, warn};
use crate::runner::{
    AskedEngines, Demands, Host, HostOptions, Interrupt, check_engines, tier_that_holds,
};

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
    Interrupt::on_signals().map_err(|error| Failure::failed(format!("no signals: {error}")))
}

/// Launch of the bot that `word` names, in `dir`: a house bot or a command.
pub fn launch(word: &str, dir: Option<PathBuf>) -> Result<Launch, Failure> {
    let usage = |problem: String| Failure::usage(format!("player `{word}`: {problem}"));
    let mut words = words(word).map_err(|problem| usage(problem.to_owned()))?;
    let (program, args) = if HouseBot::from_name(&words[0]).is_some() {
        if let Some(wrong) = opponents::wrong_argument(&words[1..]) {
            return Err(usage(format!(
                "a house bot has no argument `{wrong}`: expected nothing, --nodes with a number, or --widths with three"
            )));
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
    launch.check().map_err(|problem| {
        let meant = HouseBot::meant(&problem);
        usage(format!(
            "{problem}{meant}; expected random, greedy, search or a command"
        ))
    })?;
    Ok(launch)
}

pub fn see_that_it_is_built(
    name: &str,
    launch: &Launch,
    command: Option<&Launch>,
    limits: &BuildLimits,
) -> Result<(), Failure> {
    if let Some(command) = command {
        print_to_stderr(&format!("referee: building {name}: {command}"));
        let built = build(command, limits, &supervisor()?, None);
        let built = built.map_err(|error| {
            Failure::failed(format!("player `{name}`: {}", Fault::Machine(error)))
        })?;
        built.result.map_err(|problem| {
            Failure::failed(format!("player `{name}`: the build failed: {problem}"))
        })?;
    }
    launch
        .check()
        .map_err(|problem| Failure::usage(format!("player `{name}` cannot be started: {problem}")))
}

/// Path of this program, which also runs as a house bot or a supervisor.
pub fn own_program() -> Result<PathBuf, Failure> {
    std::env::current_exe()
        .map_err(|error| Failure::failed(format!("cannot find the referee's own program: {error}")))
}

/// Makes this process the parent of orphaned bot processes, and returns the supervisor.
pub fn supervisor() -> Result<Supervisor, Failure> {
    supervise::adopt_orphans()
        .map_err(|error| Failure::failed(format!("cannot adopt orphans of bots: {error}")))?;
    Ok(Supervisor {
        program: own_program()?,
    })
}
