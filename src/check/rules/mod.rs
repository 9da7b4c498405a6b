//! Checks a rules program: whether a tournament can be played by it.
//!
//! [`check`] plays random games, asks for everything, plays some of the games again in other processes, and tries what
//! bots may send. The [`Report`] has a [`Finding`] for each problem, with the requests that show it.

mod plan;
mod report;
mod request;
mod session;
mod played;
mod spelling;
mod steps;
mod turns;

pub use plan::{CheckPlan, OptionError, Step};
pub use report::{
    Check, Difference, Facts, Finding, Report, RequestKind, Results, RulesFlaw, Transcript,
    Variation,
};

use session::{RulesSession, Surroundings};
use steps::Progress;

use crate::game::MOST_SEATS;
use crate::rules::{Hello, SeatNames};

/// Checks the program of `plan`. `tell` is called before each part.
///
/// # Errors
///
/// The plan has an option that the game does not have, or a value that it does not take.
pub fn check(plan: &CheckPlan, tell: &mut dyn FnMut(Step)) -> Result<Report, OptionError> {
    let session = match RulesSession::start(plan, &Surroundings::default(), Check::Handshake) {
        Ok(session) => session,
        Err(finding) => {
            let mut report = Report::default();
            report.add(*finding);
            for check in Check::ALL.into_iter().skip(1) {
                report.miss(check, "an answer to `rules 1`");
            }
            return Ok(report);
        }
    };
    let hello = session.hello().clone();
    let options = options(&hello, &plan.options)?;
    let seats = match &hello.seats {
        SeatNames::Named(names) => (names.len() as u8, names.len() as u8),
        SeatNames::Range { least, most } => (*least, (*most).min(MOST_SEATS as u8).max(*least)),
    };
    let mut progress = Progress::new(plan, options, seats, tell);
    progress.report.facts.hello = Some(words(&hello));
    progress.report.hello = Some(hello);
    progress.run(session);
    Ok(progress.report)
}

/// Values of all options: the given ones, else the default ones.
fn options(
    hello: &Hello,
    given: &[(String, String)],
) -> Result<Vec<(String, String)>, OptionError> {
    let default = |option: &crate::rules::RulesOption| (option.key.clone(), option.default.clone());
    let mut values: Vec<(String, String)> = hello.options.iter().map(default).collect();
    for (key, value) in given {
        let option = hello.options.iter().position(|option| option.key == *key);
        let Some(index) = option else {
            let known: Vec<&str> = hello.options.iter().map(|it| it.key.as_str()).collect();
            return Err(OptionError::Unknown {
                key: key.clone(),
                known: match known.is_empty() {
                    true => "none".to_owned(),
                    false => known.join(", "),
                },
            });
        };
        let takes = &hello.options[index].values;
        if !takes.take(value) {
            return Err(OptionError::Value {
                key: key.clone(),
                value: value.clone(),
                expected: takes.in_words(),
            });
        }
        values[index].1.clone_from(value);
    }
    Ok(values)
}

/// The game in words.
fn words(hello: &Hello) -> String {
    let seats = match &hello.seats {
        SeatNames::Named(names) => names.join(", "),
        SeatNames::Range { least, most } => format!("{least} to {most}"),
    };
    let mut text = format!("{} {}, seats {seats}", hello.name, hello.version);
    if !hello.options.is_empty() {
        let keys: Vec<&str> = hello
            .options
            .iter()
            .map(|option| option.key.as_str())
            .collect();
        text.push_str(&format!(", options {}", keys.join(", ")));
    }
    text
}
