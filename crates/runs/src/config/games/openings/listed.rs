//! An opening in a file: its line, and what it means.

use super::LONGEST_OPENING;
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
    pub fn read(text: &str, setup: &Setup, length: Option<u32>) -> Result<Option<Self>, String> {
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
pub(super) fn start_and_words<'a>(
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
fn started(setup: &Setup, key: &str, value: &str) -> Result<Setup, String> {
    let mut started = setup.clone();
    let set = started.set(key, value);
    set.map_err(|problem| format!("has a start that cannot be: {problem}"))?;
    let others = setup.game().options().iter().map(|doc| doc.key);
    for other in others.filter(|other| *other != key) {
        if setup.get(other) != started.get(other) {
            return Err(format!(
                "has a start that needs the option `{other}` to be {}: expected it in `[game]`",
                started.get(other).unwrap_or_default()
            ));
        }
    }
    Ok(started)
}

/// Checks that an opening is legal whatever the outcome of chance.
fn check(actions: &[String], setup: &Setup) -> Result<(), String> {
    if actions.len() > LONGEST_OPENING as usize {
        let plies = actions.len();
        return Err(format!(
            "has {plies} plies: expected at most {LONGEST_OPENING}, as `opening-length` sets it"
        ));
    }
    let position = setup.start(&mut Stream::new(0, 0));
    let mut position = position.map_err(|fault| format!("cannot be checked: {fault}"))?;
    for (index, action) in actions.iter().enumerate() {
        check_ply(action, position.as_mut(), setup)
            .map_err(|problem| format!("ply {}, `{action}`, {problem}", index + 1))?;
    }
    match position.to_act().is_nobody() {
        false => Ok(()),
        true => Err("ends the game: nothing is left to play".to_owned()),
    }
}

fn check_ply(action: &str, position: &mut dyn AnyPosition, setup: &Setup) -> Result<(), String> {
    setup.check_opening(action)?;
    if position.to_act().is_nobody() {
        return Err("comes after the end of the game".to_owned());
    }
    let acted = position.play(action, &mut News::default());
    acted.map_err(|error| match error {
        ActError::Refused(refusal) => format!("is {refusal}"),
        ActError::Rules(fault) => format!("cannot be checked: {fault}"),
    })
}
