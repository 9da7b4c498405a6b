//! Each option at its bounds, and with each of its words: a random game is played with it.

use super::progress::{Budget, Progress};
use crate::check::rules::Step;
use crate::check::rules::played::acting;
use crate::check::rules::report::{Check, RulesFlaw};
use crate::check::rules::request::{Request, Start};
use crate::check::rules::session::{RulesSession, StepFailure};
use crate::check::rules::turns::{legal_refused, list};
use crate::rules::{Answer, OptionValues, RulesOption};

/// Maximum plies of a game here.
const PLIES: usize = 200;

/// Maximum number of words of an option that are tried.
const WORDS: usize = 32;

pub fn check(progress: &mut Progress<'_>) -> Result<(), StepFailure> {
    (progress.tell)(Step::Options);
    let mut session = progress.start(Check::Options)?;
    let options = session.hello().options.clone();
    let mut budget = Budget::new(progress.plan);
    let mut tried = 0;
    for option in &options {
        for value in values(option) {
            let mut start = progress.start_of(tried as u64);
            for (key, current) in &mut start.options {
                if *key == option.key {
                    current.clone_from(&value);
                }
            }
            play(progress, &mut session, start, (&option.key, &value))?;
            tried += 1;
            if !budget.charge(&mut session) {
                break;
            }
        }
    }
    progress.report.facts.option_values = Some(tried);
    Ok(())
}

/// The values to try: those at the edges, and some words.
fn values(option: &RulesOption) -> Vec<String> {
    match &option.values {
        OptionValues::Numbers(least, most) if least == most => vec![least.to_string()],
        OptionValues::Numbers(least, most) => vec![least.to_string(), most.to_string()],
        OptionValues::OneOf(words) => words.iter().take(WORDS).cloned().collect(),
        OptionValues::Text => vec![option.default.clone()],
    }
}

fn play(
    progress: &mut Progress<'_>,
    session: &mut RulesSession<'_>,
    start: Start,
    (key, value): (&str, &str),
) -> Result<(), StepFailure> {
    let mut turn = match session.answer(&Request::New(start))? {
        Answer::Turn(turn) => turn,
        Answer::Refused(refusal) => {
            progress
                .report
                .add(session.finding(RulesFlaw::OptionRefused {
                    key: key.to_owned(),
                    value: value.to_owned(),
                    words: refusal.words,
                }));
            return Ok(());
        }
    };
    for _ in 0..PLIES {
        let mut actions = Vec::new();
        for seat in acting(&turn) {
            let list = list(session, &mut progress.report, &turn, *seat)?;
            if list.is_empty() {
                return Ok(());
            }
            actions.push((*seat, list[progress.below(list.len())].clone()));
        }
        if actions.is_empty() {
            return Ok(());
        }
        match session.answer(&Request::Play(actions.clone()))? {
            Answer::Turn(next) => turn = next,
            Answer::Refused(refusal) => {
                let problem = legal_refused(&actions, refusal);
                progress.report.add(session.finding(problem));
                return Ok(());
            }
        }
    }
    Ok(())
}
