//! Each option at its bounds, and with each of its words: a random game is played with it.

use super::games::play;
use super::problems::{Check, OPTION_REFUSED};
use super::progress::Progress;
use super::session::{RulesSession, StepFailure};
use crate::rules::{Answer, OptionValues, Request, RulesOption};
use crate::text::counted;

const PLIES: usize = 200;

const WORDS: usize = 32;

pub fn check(progress: &mut Progress<'_>, session: &mut RulesSession) -> Result<(), StepFailure> {
    let mut tried = 0;
    for option in session.hello().options.clone() {
        for value in values(&option) {
            let mut start = progress.start_of(tried);
            let mut all = start.options.iter_mut();
            if let Some((_, current)) = all.find(|(key, _)| *key == option.key) {
                current.clone_from(&value);
            }
            tried += 1;
            match session.answer(&Request::New(start.clone()))? {
                Answer::Turn(opening) => {
                    play(progress, session, start, opening, false, PLIES, None)?;
                }
                Answer::Refused(refusal) => {
                    let words = &refusal.words;
                    session.report(
                        OPTION_REFUSED,
                        &[("key", &option.key), ("value", &value), ("refusal", words)],
                    );
                }
            }
            if !session.has_time() {
                break;
            }
        }
    }
    let values = counted(tried, "value each", "values, one at a time");
    let words = match tried {
        0 => "the game has none".to_owned(),
        _ => format!("a game with {values}"),
    };
    progress.report.see(Check::Options, words);
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
