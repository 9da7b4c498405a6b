//! `referee game …`: games whose rules are a program of their own.

use std::fmt::Write as _;
use std::io::IsTerminal;
use std::path::{Path, PathBuf};
use std::time::Duration;

use clap::Subcommand;
use serde::Serialize;

use super::arguments::{TemporaryFolder, known_games, parse_seed, parse_time, supervisor, words};
use super::exit::{CommandError, Exit, Failure};
use super::output::{checked, json_line, print, style, tally};
use crate::bot::Launch;
use crate::check::rules::{self, Check, CheckPlan, Finding, Report, WrongOption};
use crate::check::{CheckVerdict, Finding as Line};
use crate::config::RulesLimits;
use crate::report::{in_lines, print_to_stderr};
use crate::rules::{Deadlines, confinement};
use crate::runs::{Run, copy_folder};

/// Check the rules of a game of your own
///
/// The rules of such a game are a program; `referee docs rules-protocol` says how it speaks to referee.
#[derive(Debug, clap::Args)]
pub(super) struct GameArgs {
    #[command(subcommand)]
    command: GameCommand,
}

#[derive(Debug, Subcommand)]
enum GameCommand {
    Check(CheckArgs),
}

pub(super) fn run(args: &GameArgs) -> Result<Exit, Failure> {
    match &args.command {
        GameCommand::Check(args) => check(args),
    }
}

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
struct CheckArgs {
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
    /// Time of the program for random games, which cuts the last one, and as much for each later part, which needs a whole
    /// game
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

fn check(args: &CheckArgs) -> Result<Exit, Failure> {
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
        true => json(&args.rules, &report),
        false => text(&args.rules, &report, style().width),
    })?;
    Ok(match report.verdict() {
        CheckVerdict::Failed => Exit::Failed,
        CheckVerdict::Skipped | CheckVerdict::Ok | CheckVerdict::Warn => Exit::Done,
    })
}

fn launch(command: &str, dir: Option<&Path>) -> Result<Launch, Failure> {
    let usage = |problem: String| Failure::usage(format!("rules program `{command}`: {problem}"));
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

const QUOTED: &str = "    ";

/// The report for people. Transcripts are never broken into lines, so that they can be pasted.
fn text(rules: &str, report: &Report, width: Option<usize>) -> String {
    let mut text = String::new();
    for check in Check::ALL {
        if report.of(check).next().is_none() {
            let (verdict, words) = (report.verdict_of(check), report.words_of(check));
            let line = checked(&Line::new(check.name(), verdict, words, ""));
            text.push_str(&in_lines(&line, width));
        }
        for finding in report.of(check) {
            of_finding(&mut text, finding, width);
        }
    }
    let tally = tally(&Check::ALL.map(|check| report.verdict_of(check)));
    text + &in_lines(&format!("\n{rules}: {tally}\n"), width)
}

fn of_finding(text: &mut String, finding: &Finding, width: Option<usize>) {
    let problem = finding.problem;
    let words = format!("{} [{}]", finding.words, problem.code);
    let line = checked(&Line {
        last_lines: finding.stderr.clone(),
        ..Line::new(finding.check.name(), problem.verdict, words, problem.hint)
    });
    text.push_str(&in_lines(&line, width));
    if finding.transcript.is_empty() {
        return;
    }
    text.push('\n');
    for line in &finding.transcript {
        // Writing to a `String` cannot fail.
        let _ = writeln!(text, "{QUOTED}{line}");
    }
    text.push('\n');
}

#[derive(Serialize)]
struct ShownReport<'a> {
    rules: &'a str,
    game: Option<&'a str>,
    version: Option<&'a str>,
    verdict: CheckVerdict,
    checks: Vec<ShownCheck<'a>>,
}

#[derive(Serialize)]
struct ShownCheck<'a> {
    name: &'static str,
    verdict: CheckVerdict,
    #[serde(skip_serializing_if = "Option::is_none")]
    seen: Option<&'a str>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    findings: Vec<ShownFinding<'a>>,
}

#[derive(Serialize)]
struct ShownFinding<'a> {
    code: &'static str,
    verdict: CheckVerdict,
    words: &'a str,
    hint: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    place: Option<ShownPlace>,
    transcript: &'a [String],
    #[serde(skip_serializing_if = "<[String]>::is_empty")]
    stderr: &'a [String],
}

#[derive(Serialize)]
struct ShownPlace {
    seed: u64,
    ply: usize,
}

fn shown_finding(finding: &Finding) -> ShownFinding<'_> {
    ShownFinding {
        code: finding.problem.code,
        verdict: finding.problem.verdict,
        words: &finding.words,
        hint: finding.problem.hint,
        place: finding.place.map(|place| ShownPlace {
            seed: place.seed,
            ply: place.ply,
        }),
        transcript: &finding.transcript,
        stderr: &finding.stderr,
    }
}

fn json(rules: &str, report: &Report) -> String {
    let checks = Check::ALL.into_iter().map(|check| {
        let findings: Vec<_> = report.of(check).map(shown_finding).collect();
        ShownCheck {
            name: check.name(),
            verdict: report.verdict_of(check),
            seen: findings.is_empty().then(|| report.words_of(check)),
            findings,
        }
    });
    let hello = report.hello.as_ref();
    json_line(&ShownReport {
        rules,
        game: hello.map(|hello| hello.name.as_str()),
        version: hello.map(|hello| hello.version.as_str()),
        verdict: report.verdict(),
        checks: checks.collect(),
    })
}
