//! An opening in a file: its line, and what it means.

use super::LONGEST_OPENING;
use super::problem::{OpeningProblem, PlyProblem};
use crate::game::{ActError, AnyPosition, News, Setup};
use crate::random::Stream;

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ListedOpening {
    /// The game with the start of this opening, where it has its own.
    pub setup: Option<Setup>,
    pub actions: Vec<String>,
}

impl ListedOpening {
    /// Reads and checks a line, of at most `length` plies; `None` if it is empty.
    pub fn read(
        text: &str,
        setup: &Setup,
        length: Option<u32>,
    ) -> Result<Option<Self>, OpeningProblem> {
        let words = text.split('#').next().unwrap_or_default();
        let (start, words) = start_and_words(words, setup);
        let own = start.map(|(key, value)| started(setup, key, value));
        let own = own.transpose()?;
        let mut actions: Vec<String> = words.map(str::to_owned).collect();
        actions.truncate(length.unwrap_or(u32::MAX) as usize);
        if actions.is_empty() && own.is_none() {
            return Ok(None);
        }
        check(&actions, own.as_ref().unwrap_or(setup))?;
        Ok(Some(Self {
            setup: own,
            actions,
        }))
    }

    pub(super) fn has_start(line: &str, setup: &Setup) -> bool {
        start_and_words(line, setup).0.is_some()
    }

    /// Reads a line that was written by [`write_to`](Self::write_to), and checked before.
    pub(super) fn of_checked(line: &str, setup: &Setup) -> Self {
        let (start, words) = start_and_words(line, setup);
        Self {
            // It could be set when the line was checked.
            setup: start.and_then(|(key, value)| {
                let mut own = setup.clone();
                own.set(key, value).ok().map(|()| own)
            }),
            actions: words.map(str::to_owned).collect(),
        }
    }

    /// Adds the opening to a text, as a line: the setting of its start, and its actions.
    pub(super) fn write_to(&self, text: &mut String) {
        let start = self.setup.as_ref().and_then(start_word);
        let words = start.iter().chain(&self.actions);
        for (index, word) in words.enumerate() {
            if index > 0 {
                text.push(' ');
            }
            text.push_str(word);
        }
        text.push('\n');
    }
}

/// The setting of the start of a game, as `key=value`; `None` if it is not set.
pub(in crate::config::games) fn start_word(setup: &Setup) -> Option<String> {
    let key = setup.start_option()?;
    Some(format!("{key}={}", setup.get(key)?))
}

/// The key and value of the start that a line begins with, if it has one, and its other words.
fn start_and_words<'a>(
    text: &'a str,
    setup: &Setup,
) -> (
    Option<(&'static str, &'a str)>,
    impl Iterator<Item = &'a str>,
) {
    let mut words = text.split_whitespace().peekable();
    let start = setup.start_option().and_then(|key| {
        let (set, value) = words.peek()?.split_once('=')?;
        (set == key).then_some((key, value))
    });
    if start.is_some() {
        words.next();
    }
    (start, words)
}

/// The game with this start. No other option changes.
fn started(setup: &Setup, key: &str, value: &str) -> Result<Setup, OpeningProblem> {
    let mut started = setup.clone();
    started.set(key, value).map_err(OpeningProblem::Start)?;
    let others = setup.game().options().iter().map(|doc| doc.key);
    for other in others.filter(|other| *other != key) {
        if setup.get(other) != started.get(other) {
            return Err(OpeningProblem::OtherOption {
                key: other,
                needed: started.get(other).unwrap_or_default(),
            });
        }
    }
    Ok(started)
}

/// Checks that an opening is legal whatever the outcome of chance.
fn check(actions: &[String], setup: &Setup) -> Result<(), OpeningProblem> {
    if actions.len() > LONGEST_OPENING as usize {
        return Err(OpeningProblem::TooLong(actions.len()));
    }
    let position = setup.start(&mut Stream::new(0, 0));
    let mut position = position.map_err(OpeningProblem::Rules)?;
    for (index, action) in actions.iter().enumerate() {
        check_ply(action, position.as_mut(), setup).map_err(|problem| OpeningProblem::Ply {
            ply: index + 1,
            action: action.clone(),
            problem,
        })?;
    }
    match position.to_act().is_nobody() {
        false => Ok(()),
        true => Err(OpeningProblem::EndsTheGame),
    }
}

fn check_ply(
    action: &str,
    position: &mut dyn AnyPosition,
    setup: &Setup,
) -> Result<(), PlyProblem> {
    setup
        .check_opening(action)
        .map_err(PlyProblem::LeftToChance)?;
    if position.to_act().is_nobody() {
        return Err(PlyProblem::AfterTheEnd);
    }
    let acted = position.play(action, &mut News::default());
    acted.map_err(|error| match error {
        ActError::Refused(refusal) => PlyProblem::Refused(refusal),
        ActError::Rules(fault) => PlyProblem::Rules(fault),
    })
}
