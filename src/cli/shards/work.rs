//! `referee work DIR`: plays a shard.

use std::cell::RefCell;
use std::num::NonZeroUsize;
use std::path::PathBuf;

use super::folder::{enter, unit_words};
use crate::cli::arguments::{host, parse_jobs, signals};
use crate::cli::exit::{Exit, Failure};
use crate::cli::output::print;
use crate::report::Progress;
use crate::runner::{Event, HostOptions, Placing};
use crate::shards::{PlanFolder, ShardUnit, Shards, Work, WorkError, Worked, Worker};
use crate::text::counted;

/// Play a shard of a tournament that `referee plan` has cut
///
/// It takes over the games that earlier attempts at the shard have finished. An attempt that is killed
/// loses only the games in play. Exit code 0: the shard is done; 9: try again, here or elsewhere; any other:
/// trying again changes nothing.
#[derive(Debug, clap::Args)]
pub(in crate::cli) struct WorkArgs {
    /// The folder of the plan
    #[arg(value_name = "DIR")]
    folder: PathBuf,
    /// Which shard, such as 7/40: number 7, counted from 0, of 40
    #[arg(long, value_name = "I/K", value_parser = parse_shard, required_unless_present = "any")]
    shard: Option<(u32, u32)>,
    /// Play shards that nobody plays, one after another, until there are none
    #[arg(long, conflicts_with = "shard")]
    any: bool,
    /// Play the shard of each wave of a tournament that `referee lead` leads, until it is over
    #[arg(long, requires = "shard")]
    follow: bool,
    /// The number of this attempt at the shard; of attempts that are done at the first merge, the one with the
    /// lowest number counts
    #[arg(long, value_name = "N", default_value_t = 0)]
    attempt: u32,
    /// How many games to play at a time
    #[arg(short, long, value_name = "N", default_value = "1", value_parser = parse_jobs, allow_negative_numbers = true)]
    jobs: NonZeroUsize,
    /// Pin the bots of each game to a physical core of their own
    #[arg(long)]
    pin: bool,
    /// Write to this folder on the machine's own disk, and copy the attempt to the plan's folder at its end;
    /// a machine that fails meanwhile loses it
    #[arg(long, value_name = "DIR")]
    scratch: Option<PathBuf>,
    /// Play only on a machine whose speed, as a multiple of the planning machine's, is in this range, such as
    /// 0.8..1.25: under a limit on wall time a faster machine plays better
    #[arg(long, value_name = "LOW..HIGH", value_parser = parse_range)]
    require_speed: Option<(f64, f64)>,
    /// Show no progress; warnings and errors are shown
    #[arg(short, long)]
    quiet: bool,
}

fn parse_shard(text: &str) -> Result<(u32, u32), String> {
    let parts = text.split_once('/');
    let numbers = parts.and_then(|(i, k)| Some((i.parse().ok()?, k.parse().ok()?)));
    numbers.ok_or_else(|| "expected a shard and their number, such as 7/40".to_owned())
}

fn parse_range(text: &str) -> Result<(f64, f64), String> {
    let parts = text.split_once("..");
    let numbers = parts.and_then(|(low, high)| Some((low.parse().ok()?, high.parse().ok()?)));
    let numbers = numbers.filter(|(low, high): &(f64, f64)| low <= high && *low >= 0.0);
    numbers.ok_or_else(|| "expected two numbers such as 0.8..1.25".to_owned())
}

pub(in crate::cli) fn run(args: &WorkArgs) -> Result<Exit, Failure> {
    let scratch = args.scratch.as_ref().map(|path| {
        std::path::absolute(path)
            .map_err(|error| Failure::new(Exit::File, format!("{}: {error}", path.display())))
    });
    let options = Work {
        attempt: args.attempt,
        scratch: scratch.transpose()?,
        speed: args.require_speed,
    };
    let folder = enter(&args.folder)?;
    let placing = HostOptions {
        jobs: Some(args.jobs),
        placing: Placing::pinned(args.pin),
    };
    let host = host(&folder.plan, placing)?;
    let interrupt = signals()?;
    let progress = RefCell::new(None);
    let listen = &mut |unit: ShardUnit, event: &Event<'_>| {
        let mut progress = progress.borrow_mut();
        let (_, shown) = progress
            .take_if(|(shown, _)| *shown == unit)
            .unwrap_or_else(|| (unit, Progress::new(args.quiet, folder.plan.display_names())));
        let (_, shown) = progress.insert((unit, shown));
        shown.event(event);
    };
    let each = &mut |unit: ShardUnit, worked: Worked| {
        if let Some((_, shown)) = progress.borrow_mut().take() {
            shown.finish();
        }
        say(args, unit, worked);
    };
    let shards = match args.shard {
        None => Shards::Any,
        Some((shard, named)) => {
            check_shard(&folder, shard, named)?;
            if args.follow {
                Shards::EachWave(shard)
            } else if let Some(wave) = folder.waves()?.last() {
                Shards::One(ShardUnit { wave, shard })
            } else {
                let folder = folder.path().display();
                let problem = format!("there is no wave yet: `referee lead {folder}` writes it");
                return Err(Failure::new(Exit::Again, problem));
            }
        }
    };
    let worker = Worker {
        folder: &folder,
        options: &options,
        host: &host,
        interrupt: &interrupt,
    };
    worker.work(shards, listen, each)?;
    Ok(Exit::Done)
}

/// Checks that a plan has a shard.
fn check_shard(folder: &PlanFolder, shard: u32, named: u32) -> Result<(), WorkError> {
    let shards = folder.table.shards.get();
    if named != shards {
        return Err(WorkError::OtherShards { shards, named });
    }
    if shard < shards {
        Ok(())
    } else {
        Err(WorkError::NoShard { shard, shards })
    }
}

fn say(args: &WorkArgs, unit: ShardUnit, worked: Worked) {
    let shard = unit_words(unit);
    let text = match worked {
        _ if args.quiet => return,
        Worked::Already => format!("shard {shard} was done before\n"),
        Worked::Played { games, adopted } => format!(
            "shard {shard} is done: {}, {adopted} of them from earlier attempts\n",
            counted(games, "game", "games")
        ),
    };
    // A closed reader does not end the work.
    let _ = print(&text);
}
