//! `referee lead DIR`: writes the waves of a tournament whose pairings depend on results.

use std::path::PathBuf;
use std::thread;
use std::time::Duration;

use super::enter;
use crate::cli::arguments::signals;
use crate::cli::exit::{Exit, Failure};
use crate::cli::output::say;
use crate::shards::{Engine, Led, PlanFolder, lead, ranges, submit_again};
use crate::text::counted;

/// Lead a tournament in shards whose pairings depend on results
///
/// It writes each wave of games once all shards of the wave before are done, until the format is over. Workers with
/// --follow play them. It can be stopped and begun again at any moment, also on another machine.
#[derive(Debug, clap::Args)]
pub(in crate::cli) struct LeadArgs {
    /// The folder of the plan
    #[arg(value_name = "DIR")]
    folder: PathBuf,
    /// Go on by one wave and end: exit code 0 if it was the last, 9 if it is to be played
    #[arg(long)]
    once: bool,
    /// Say nothing of the waves
    #[arg(short, long)]
    quiet: bool,
}

const LOOK: Duration = Duration::from_millis(500);

pub(in crate::cli) fn run(args: &LeadArgs) -> Result<Exit, Failure> {
    let folder = enter(&args.folder)?;
    if !folder.has_waves() {
        let problem = "the pairings of this format do not depend on results, so nobody leads it: all its shards \
                       can be played at once";
        return Err(Failure::usage(problem));
    }
    let interrupt = signals()?;
    loop {
        let led = lead(&folder)?;
        match &led {
            Led::Waiting { .. } if !args.once => thread::sleep(LOOK),
            _ if args.quiet => {}
            led => say(&words(led, &folder))?,
        }
        match led {
            Led::Over { .. } => return Ok(Exit::Done),
            _ if args.once => return Ok(Exit::Again),
            _ if interrupt.level().is_some() => return Ok(Exit::Stopped),
            _ => {}
        }
    }
}

fn words(led: &Led, folder: &PlanFolder) -> String {
    match led {
        Led::Wave { wave, games } => {
            format!("wave {wave}: {}\n", counted(*games, "game", "games"))
        }
        Led::Waiting { wave, missing } => {
            let numbers = ranges(missing.iter().copied());
            if folder.path().join(Engine::Slurm.file()).exists() {
                format!(
                    "wave {wave}: shards {numbers} are missing: {}\n",
                    submit_again(folder, missing.iter().copied())
                )
            } else {
                format!("wave {wave}: shards {numbers} are missing\n")
            }
        }
        Led::Over { waves, surplus: 0 } => {
            format!("over after {}\n", counted((*waves).into(), "wave", "waves"))
        }
        Led::Over { waves, surplus } => format!(
            "over after {}; {} after the decision {} not counted\n",
            counted((*waves).into(), "wave", "waves"),
            counted(*surplus, "game", "games"),
            if *surplus == 1 { "is" } else { "are" }
        ),
    }
}
