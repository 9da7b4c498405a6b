//! Problems with a single submission or line of the roster: grading goes on without it.

use std::fmt;

use crate::text;

/// Maximum characters shown of a name that others chose.
const LONGEST_NAME: usize = 80;

/// Maximum number of names listed in a sentence.
const MOST_NAMED: usize = 5;

/// Problem with a submission or a line of the roster, and its remedy, on one line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct IntakeIssue {
    /// Name of the submission, or line of the roster. It may be hostile.
    pub of: String,
    /// Problem and remedy, escaped for display.
    pub text: String,
    /// Whether it is only a note.
    pub is_note: bool,
}

impl IntakeIssue {
    /// A problem with a submission or a line.
    pub fn new(of: impl Into<String>, text: impl Into<String>) -> Self {
        Self {
            of: of.into(),
            text: text.into(),
            is_note: false,
        }
    }

    /// A note on a submission.
    pub fn note(of: impl Into<String>, text: impl Into<String>) -> Self {
        Self {
            is_note: true,
            ..Self::new(of, text)
        }
    }
}

impl fmt::Display for IntakeIssue {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { of, text, .. } = self;
        write!(f, "{}: {}", shown(of), text::visible(text))
    }
}

/// A name that others chose, truncated and on one line.
pub fn shown(name: &str) -> String {
    text::excerpt(name, LONGEST_NAME)
}

/// The first few names, for a sentence.
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
