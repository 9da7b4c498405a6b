//! `referee game check RULES`: tests whether a rules program is fit for a tournament.

use std::io::IsTerminal;
use std::path::{Path, PathBuf};
use std::time::Duration;

use super::shown;
use crate::bot::Launch;
use crate::check::CheckVerdict;
use crate::check::rules::{self, CheckPlan, WrongOption};
use crate::cli::arguments::{
    TemporaryFolder, known_games, parse_seed, parse_time, supervisor, words,
};
use crate::cli::exit::{CommandError, Exit, Failure};
use crate::cli::output::{print, style};
use crate::config::RulesLimits;
use crate::report::print_to_stderr;
use crate::rules::{Deadlines, confinement};
use crate::runs::{Run, copy_folder};

/// Check whether a rules program is fit for a tournament
///
/// Plays random games, asks for everything, sends wrong actions, and plays games again in other processes. The
/// report has a line for each check. With each problem come the requests that show it: `> ` begins a
/// request, `< ` a line of its answer.
///
/// RULES is a command in quotes, such as "python3 connect_four.py". With --dir, games are also played
/// in a copy of that folder.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct CheckArgs {
    /// The command of the rules program
    rules: String,
    /// The folder where the program is started
    #[arg(long, value_name = "DIR")]
    dir: Option<PathBuf>,
    /// Set an option of the game for all games, such as `--set width=5`
    #[arg(long = "set", alias = "option", value_name = "KEY=VALUE", value_parser = parse_option)]
    options: Vec<(String, String)>,
    /// Take the games of this run in place of random ones, at most as many as --games: for rules that list no legal
    /// actions
    #[arg(long, value_name = "RUN")]
    run: Option<PathBuf>,
    /// How many random games to play at most
    #[arg(long, value_name = "N", default_value_t = 1000, value_parser = clap::value_parser!(u32).range(1..=1_000_000), allow_negative_numbers = true)]
    games: u32,
    /// How many plies a game has at most, as limits.plies of a configuration
    #[arg(long, value_name = "N", default_value_t = 10_000, value_parser = clap::value_parser!(u32).range(1..=1_000_000), allow_negative_numbers = true)]
    plies: u32,
    /// Time of the program after which no random game begins, and as much for each later part
    #[arg(long, value_name = "TIME", default_value = "10s", value_parser = parse_time)]
    time: Duration,
    /// The seed for everything random
    #[arg(long, value_name = "N", default_value_t = 0, value_parser = parse_seed, allow_negative_numbers = true)]
    seed: u64,
    /// Time for an answer; the program has six times as much for its first one and for `new`
    #[arg(long, value_name = "TIME", default_value = "10s", value_parser = parse_time)]
    answer: Duration,
    /// Print the report as one JSON object
    #[arg(long)]
    json: bool,
}

const EXAMPLES: &str = "\
Examples:
  referee game check \"python3 connect_four.py\" --dir examples/rules
  referee game check ./rules --set width=5 --games 100
  referee game check \"python3 comp30024.py skeleton\" --run results/comp30024-2025

Exit codes: 0 no check failed; 1 a check failed; 2 the program was not found, or an argument is wrong;
5 the folder could not be copied.";

fn parse_option(text: &str) -> Result<(String, String), &'static str> {
    let (key, value) = text.split_once('=').ok_or("expected KEY=VALUE")?;
    Ok((key.to_owned(), value.to_owned()))
}

pub(super) fn run(args: &CheckArgs) -> Result<Exit, Failure> {
    let launch = launch(&args.rules, args.dir.as_deref())?;
    let copy = match &args.dir {
        Some(dir) => Some(copied(dir)?),
        None => None,
    };
    let plan = CheckPlan {
        rules: launch,
        copy: copy.as_ref().map(in_copy),
        supervisor: supervisor()?,
        deadlines: Deadlines {
            answer: args.answer,
            start: args.answer * 6,
        },
        confinement: confinement(RulesLimits::default().memory),
        options: args.options.clone(),
        recorded: match &args.run {
            Some(run) => {
                rules::recorded_games(&Run::open(run, known_games())?, args.games as usize)?
            }
            None => Vec::new(),
        },
        games: args.games,
        plies: args.plies as usize,
        time: args.time,
        seed: args.seed,
    };
    let shows_progress = std::io::stderr().is_terminal();
    let report = rules::check(&plan, &mut |part| {
        if shows_progress {
            print_to_stderr(part);
        }
    })?;
    print(&match args.json {
        true => shown::json(&args.rules, &report),
        false => shown::text(&args.rules, &report, style().width),
    })?;
    Ok(match report.verdict() {
        CheckVerdict::Failed => Exit::Failed,
        CheckVerdict::Skipped | CheckVerdict::Ok | CheckVerdict::Warn => Exit::Done,
    })
}

fn launch(command: &str, dir: Option<&Path>) -> Result<Launch, Failure> {
    let usage = |problem: String| {
        Failure::new(Exit::Usage, format!("rules program `{command}`: {problem}"))
    };
    let words = words(command).map_err(|problem| usage(problem.to_owned()))?;
    let mut words = words.into_iter();
    let launch = Launch {
        program: words.next().unwrap_or_default().into(),
        args: words.collect(),
        dir: dir.map(Path::to_owned),
        ..Launch::default()
    };
    launch
        .check()
        .map_err(|problem| usage(problem.to_string()))?;
    Ok(launch)
}

/// Name of the copy in its temporary folder.
const COPY: &str = "copy";

fn copied(dir: &Path) -> Result<TemporaryFolder, Failure> {
    let folder = TemporaryFolder::new("referee-game-")?;
    copy_folder(dir, &in_copy(&folder))?;
    Ok(folder)
}

fn in_copy(folder: &TemporaryFolder) -> PathBuf {
    folder.path().join(COPY)
}

impl CommandError for WrongOption {
    fn exit(&self) -> Exit {
        Exit::Usage
    }
}
