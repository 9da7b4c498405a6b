//! `referee work DIR`: plays a shard.

use std::cell::RefCell;
use std::num::NonZeroUsize;
use std::path::PathBuf;

use super::enter;
use crate::cli::arguments::{host, parse_jobs, parse_shard, signals};
use crate::cli::exit::{Exit, Failure};
use crate::cli::output::print;
use crate::report::{Progress, shell_word};
use crate::runner::{HostOptions, Placing};
use crate::shards::{PlanFolder, WorkError, Worker};

/// Play a shard of a tournament that `referee plan` has cut
///
/// It goes on where it was stopped or killed, and loses only the games in play. Exit code 0: the shard is done; 9: try
/// again, here or elsewhere; any other: trying again changes nothing.
#[derive(Debug, clap::Args)]
pub(in crate::cli) struct WorkArgs {
    /// The folder of the plan
    #[arg(value_name = "DIR")]
    folder: PathBuf,
    /// Which shard, such as 7/40: number 7, counted from 0, of 40
    #[arg(long, value_name = "I/K", value_parser = parse_shard)]
    shard: (u32, u32),
    /// Play the shard of each wave of a tournament that `referee lead` leads, until it is over
    #[arg(long)]
    follow: bool,
    /// How many games to play at a time
    #[arg(short, long, value_name = "N", default_value = "1", value_parser = parse_jobs, allow_negative_numbers = true)]
    jobs: NonZeroUsize,
    /// Pin the bots of each game to a physical core of their own
    #[arg(long)]
    pin: bool,
    /// Show no progress; warnings and errors are shown
    #[arg(short, long)]
    quiet: bool,
}

pub(in crate::cli) fn run(args: &WorkArgs) -> Result<Exit, Failure> {
    let folder = enter(&args.folder)?;
    let shard = checked_shard(&folder, args.shard)?;
    let placing = HostOptions {
        jobs: Some(args.jobs),
        placing: Placing::pinned(args.pin),
        ..HostOptions::default()
    };
    let host = host(&folder.plan, placing)?;
    let interrupt = signals()?;
    let worker = Worker {
        folder: &folder,
        shard,
        host: &host,
        interrupt: &interrupt,
    };
    let mut known = 0;
    if !folder.has_waves() {
        play(args, &worker)?;
    } else if args.follow {
        while let Some(waves) = worker.wait_for_waves(known)? {
            known = waves;
            play(args, &worker)?;
        }
    } else if folder.waves() == 0 {
        let folder = shell_word(folder.path());
        let problem = format!("there is no wave yet: `referee lead {folder}` writes it");
        return Err(Failure::new(Exit::Again, problem));
    } else {
        play(args, &worker)?;
    }
    Ok(Exit::Done)
}

fn checked_shard(folder: &PlanFolder, (shard, named): (u32, u32)) -> Result<u32, WorkError> {
    let shards = folder.table.shards.get();
    match named == shards {
        true => Ok(shard),
        false => Err(WorkError::OtherShards { shards, named }),
    }
}

fn play(args: &WorkArgs, worker: &Worker<'_>) -> Result<(), WorkError> {
    let names = worker.folder.plan.display_names();
    let progress = RefCell::new(Progress::new(args.quiet, names));
    let mut before = 0_u64;
    let played = worker.play(
        &mut |row| {
            before += 1;
            progress.borrow_mut().played_before(row);
        },
        &mut |event| progress.borrow_mut().event(event),
    );
    progress.into_inner().finish();
    played?;
    if !args.quiet {
        // A closed reader does not end the work.
        let _ = print(&format!(
            "shard {} is done; {before} of its games were played before\n",
            worker.shard
        ));
    }
    Ok(())
}
