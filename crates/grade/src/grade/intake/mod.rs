//! The intake of a class: the roster, the submission of each entrant, its lateness, and its unpacked files.
//!
//! It is handed paths, and gives entrants with their submissions. It knows no other room of grading. A fault of one
//! student is a [`IntakeIssue`], and the class goes on without that student.

mod lateness;
mod roster;
mod submissions;
mod table;
mod unpack;

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use std::path::Path;
use std::{fmt, io};

pub use lateness::{DayKind, Deadline, Lateness};
pub use roster::{COLUMNS, Entrant, Roster, Student};
use sha2::{Digest, Sha256};
pub use submissions::{Layout, LooseFiles, Matched, MatchedSubmission, Returned, submissions};
pub use table::{DELIMITERS, Field, Fields, Unreadable, is_of_assignments, value};
pub use unpack::{UnpackError, UnpackLimits, Unpacked, unpack, without_ending};

use crate::runs::hex;
use crate::text;

/// Known name for each name that differs from it in case only. Exact matches and ambiguous names are left out,
/// and no known name is used twice.
pub fn in_any_case<'k, 't>(
    known: impl Iterator<Item = &'k str>,
    there: impl Iterator<Item = &'t str>,
) -> BTreeMap<&'t str, &'k str> {
    let (known, there) = (by_folded(known), by_folded(there));
    let alike = there.into_iter().filter_map(|(folded, names)| {
        let known = known.get(&folded)?;
        match (names.first()?, known.first()?) {
            (name, known_as) if names.len() == 1 && known.len() == 1 && name != known_as => {
                Some((*name, *known_as))
            }
            _ => None,
        }
    });
    alike.collect()
}

/// Names by their folded form: lower case, with composed accents.
pub fn by_folded<'a>(names: impl Iterator<Item = &'a str>) -> BTreeMap<String, BTreeSet<&'a str>> {
    let mut folded: BTreeMap<String, BTreeSet<&str>> = BTreeMap::new();
    for name in names {
        folded.entry(text::folded(name)).or_default().insert(name);
    }
    folded
}

/// Maximum bytes of a key, and of the stem in a key with a digest.
const LONGEST_KEY: usize = 60;
const LONGEST_STEM: usize = 48;

/// A key for each name: the name itself if it is a safe and, without regard to case, unique name; otherwise a
/// stem with a digest. The order of the roster has no influence.
fn keys<'a>(names: impl Iterator<Item = &'a str> + Clone, taken: &[&'a str]) -> Vec<String> {
    let mut uses: HashMap<String, u32> = HashMap::new();
    let taken = taken.iter().copied();
    for name in names.clone().chain(taken.clone()) {
        *uses.entry(name.to_lowercase()).or_default() += 1;
    }
    let is_plain = |name: &str| is_key(name) && uses.get(&name.to_lowercase()) == Some(&1);
    let mut used: HashSet<String> = uses.keys().cloned().collect();
    let made = names.map(|name| {
        if is_plain(name) {
            return name.to_owned();
        }
        let digest = hex(&Sha256::digest(name));
        let stem = stem(name);
        let mut key = format!("{stem}-{digest}");
        for length in (8..digest.len()).step_by(8) {
            let short = format!("{stem}-{}", &digest[..length]);
            if !used.contains(&short.to_lowercase()) {
                key = short;
                break;
            }
        }
        used.insert(key.to_lowercase());
        key
    });
    made.collect()
}

fn is_key_character(c: char) -> bool {
    c.is_alphanumeric() || matches!(c, '-' | '_' | '.' | '+')
}

/// First characters of hidden files, options of commands, and formulas of spreadsheets.
const NOT_FIRST: [char; 3] = ['.', '-', '+'];

/// Whether a name can be a key. `both` has a meaning in results.
fn is_key(name: &str) -> bool {
    (1..=LONGEST_KEY).contains(&name.len())
        && !name.starts_with(NOT_FIRST)
        && !name.eq_ignore_ascii_case("both")
        && name.chars().all(is_key_character)
}

/// Prefix of a name, with `-` for unsafe characters.
fn stem(name: &str) -> String {
    let mut stem = String::new();
    for c in name.chars() {
        let c = match c {
            c if stem.is_empty() && (NOT_FIRST.contains(&c) || !is_key_character(c)) => '_',
            c if is_key_character(c) => c,
            _ => '-',
        };
        if stem.len() + c.len_utf8() > LONGEST_STEM {
            break;
        }
        stem.push(c);
    }
    stem
}

/// Why a roster or a folder of submissions cannot be used at all, in words.
#[derive(Debug, thiserror::Error)]
#[error("{0}")]
pub struct IntakeError(String);

impl IntakeError {
    fn unreadable(path: &Path, error: io::Error) -> Self {
        Self(format!("{}: cannot be read: {error}", path.display()))
    }
}

const LONGEST_NAME: usize = 80;

const MOST_NAMED: usize = 5;

/// Problem with a submission or a line of the roster, and its remedy, on one line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct IntakeIssue {
    /// Name of the submission, or line of the roster. It may be hostile.
    pub of: String,
    /// Problem and remedy, escaped for display.
    pub text: String,
    pub is_note: bool,
}

impl IntakeIssue {
    pub fn new(of: impl Into<String>, text: impl Into<String>) -> Self {
        Self {
            of: of.into(),
            text: text.into(),
            is_note: false,
        }
    }

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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_is_known_in_any_case_where_it_can_be_one_alone() {
        let known = ["s1", "s2", "s3", "S3", "ÄB", "José"];
        let there = ["S1", "s2", "S2", "s3", "äb", "jose\u{301}", "x"];
        let alike = in_any_case(known.into_iter(), there.into_iter());
        let expected = [("S1", "s1"), ("äb", "ÄB"), ("jose\u{301}", "José")];
        assert_eq!(alike, BTreeMap::from(expected));
    }

    #[test]
    fn a_key_begins_as_no_formula_no_option_and_no_hidden_file() {
        let names = ["=1+1", "-rf", "+3", ".x", "@a", "_b", "s-1"];
        let keys = keys(names.into_iter(), &[]);
        assert_eq!(keys[5..], ["_b", "s-1"]);
        for key in &keys[..5] {
            assert!(key.starts_with('_') && is_key(key), "{key}");
        }
    }
}
