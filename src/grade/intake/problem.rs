//! What is wrong with one submission or one line of the roster: the class goes on without it.

use std::fmt;

use crate::text;

/// How many characters are shown of a name that others chose.
const LONGEST_NAME: usize = 80;

/// How many names are listed in a sentence.
const MOST_NAMED: usize = 5;

/// What is wrong with one submission or one line of the roster, and what to do, in one line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Problem {
    /// Which submission, or which line of the roster. It may be hostile.
    pub of: String,
    /// What is wrong with it, and what to do. It is safe to be shown.
    pub text: String,
    /// Whether nothing is wrong: it is only good to know.
    pub is_note: bool,
}

impl Problem {
    /// What is wrong with a submission, or with a line.
    pub fn new(of: impl Into<String>, text: impl Into<String>) -> Self {
        Self {
            of: of.into(),
            text: text.into(),
            is_note: false,
        }
    }

    /// What is good to know of a submission.
    pub fn note(of: impl Into<String>, text: impl Into<String>) -> Self {
        Self {
            is_note: true,
            ..Self::new(of, text)
        }
    }
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { of, text, .. } = self;
        write!(f, "{}: {}", shown(of), text::visible(text))
    }
}

/// A name that others chose: bounded, and on one line.
pub fn shown(name: &str) -> String {
    text::excerpt(name, LONGEST_NAME)
}

/// Names in a sentence, the first few of many.
pub(super) fn listed<'a>(names: impl ExactSizeIterator<Item = &'a str>) -> String {
    let more = names.len().saturating_sub(MOST_NAMED);
    let mut names: Vec<String> = names
        .take(MOST_NAMED)
        .map(|name| format!("`{}`", shown(name)))
        .collect();
    if more > 0 {
        names.push(format!("{more} more"));
    }
    names.join(", ")
}
