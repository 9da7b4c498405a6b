//! Checks a rules program: whether a tournament can be played by it.
//!
//! [`check`] plays random games, asks for everything, plays some of the games again in other processes, and tries what
//! bots may send. The [`Report`] has a [`Finding`] for each problem, with the requests that show it.

mod recorded;
mod conversation;
mod problems;
mod report;
mod session;
mod progress;
mod turns;
mod games;
mod options;
mod refusals;
mod replays;
mod secrets;

pub use problems::{Check, Problem};
use progress::Progress;
pub use recorded::{RecordedGame, recorded_games};
pub use report::{Finding, Place, Report};
use session::RulesSession;

use std::path::PathBuf;
use std::time::Duration;

use crate::bot::{Confinement, Launch, Supervisor};
use crate::check::CheckVerdict;
use crate::game::MOST_SEATS;
use crate::random::Stream;
use crate::rules::{Deadlines, Hello, RulesOption, SeatNames};

#[derive(Debug, Clone)]
pub struct CheckPlan {
    pub rules: Launch,
    /// A copy of the program's folder, for a process that is started elsewhere; `None` where there is none.
    pub copy: Option<PathBuf>,
    pub supervisor: Supervisor,
    pub deadlines: Deadlines,
    pub confinement: Confinement,
    /// Values of options that are not the default ones.
    pub options: Vec<(String, String)>,
    /// Games that take the place of random ones, if there are any.
    pub recorded: Vec<RecordedGame>,
    pub games: u32,
    pub plies: usize,
    /// Time after which no further random game begins; other steps that sample have as much each.
    pub time: Duration,
    /// Seed for everything random: the games' seeds, and the choices of actions and positions.
    pub seed: u64,
}

/// An option of the plan that the game does not take. Never a fault of the rules.
#[derive(Debug, thiserror::Error, PartialEq, Eq)]
#[error("option `{option}`: expected {expected}")]
pub struct WrongOption {
    pub option: String,
    pub expected: String,
}

/// Checks the program of `plan`. `tell` is called before each part, with its name.
pub fn check(plan: &CheckPlan, tell: &mut dyn FnMut(&str)) -> Result<Report, WrongOption> {
    let mut report = Report::default();
    let hello = match RulesSession::start(plan, Check::Hello, &[], None) {
        Ok(session) => session.hello().clone(),
        Err(finding) => {
            report.add(*finding);
            let others = Check::ALL.into_iter().skip(1);
            others.for_each(|check| report.miss(check, "an answer to `rules 1`"));
            return Ok(report);
        }
    };
    let options = options(&hello, &plan.options)?;
    if let Some(other) = plan.recorded.iter().find(|it| it.name != hello.name) {
        return Err(WrongOption {
            option: format!("--run with games of {}", other.name),
            expected: format!("a run of {}", hello.name),
        });
    }
    let seats = match &hello.seats {
        SeatNames::Named(names) => (names.len() as u8, names.len() as u8),
        SeatNames::Range { least, most } => (*least, (*most).min(MOST_SEATS as u8).max(*least)),
    };
    report.see(Check::Hello, words(&hello));
    report.hello = Some(hello);
    let mut progress = Progress {
        plan,
        tell,
        report,
        options,
        seats,
        games: Vec::new(),
        chance: Stream::new(plan.seed, 0),
    };
    let needs = make_steps(&mut progress);
    for check in Check::ALL {
        progress.report.miss(check, needs);
    }
    Ok(progress.report)
}

/// Makes all steps that make sense. Returns what the others need.
fn make_steps(progress: &mut Progress<'_>) -> &'static str {
    progress.step(Check::Games, games::check);
    let has = progress.report.hello.as_ref().map(|hello| hello.has);
    if progress.plan.recorded.is_empty() && has.is_none_or(|has| !has.legal && !has.offers) {
        return "`has legal` or `has offers`, or games of a run: --run";
    }
    // A program that fails with its defaults is not asked for others.
    if progress.report.verdict_of(Check::Games) < CheckVerdict::Failed {
        progress.step(Check::Options, options::check);
    }
    if progress.games.is_empty() {
        return "a random game that came to its end";
    }
    progress.step(Check::Replay, replays::check);
    if progress.report.of(Check::Replay).next().is_some() {
        return "a program that gives the same answers again";
    }
    progress.step(Check::Refused, refusals::check);
    progress.step(Check::Secrets, secrets::check);
    "random games without a problem"
}

/// Values of all options: the given ones, else the default ones.
fn options(
    hello: &Hello,
    given: &[(String, String)],
) -> Result<Vec<(String, String)>, WrongOption> {
    let all = hello.options.iter();
    let mut values: Vec<(String, String)> = all
        .map(|option| (option.key.clone(), option.default.clone()))
        .collect();
    for (key, value) in given {
        let wrong = |expected: String| WrongOption {
            option: format!("{key}={value}"),
            expected,
        };
        let option = hello.options.iter().position(|option| option.key == *key);
        let index = option.ok_or_else(|| match hello.options.as_slice() {
            [] => wrong("none, as the game has no options".to_owned()),
            options => wrong(format!("one of {}", keys(options))),
        })?;
        let takes = &hello.options[index].values;
        if !takes.take(value) {
            return Err(wrong(takes.in_words()));
        }
        values[index].1.clone_from(value);
    }
    Ok(values)
}

fn keys(options: &[RulesOption]) -> String {
    let keys: Vec<&str> = options.iter().map(|option| option.key.as_str()).collect();
    keys.join(", ")
}

fn words(hello: &Hello) -> String {
    let seats = match &hello.seats {
        SeatNames::Named(names) => names.join(", "),
        SeatNames::Range { least, most } => format!("{least} to {most}"),
    };
    let text = format!("{} {}, seats {seats}", hello.name, hello.version);
    match hello.options.as_slice() {
        [] => text,
        options => format!("{text}, options {}", keys(options)),
    }
}
