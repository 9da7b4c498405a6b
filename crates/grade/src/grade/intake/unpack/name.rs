//! Sanitizes names of entries, which the author chose: only paths inside the folder are accepted.

use std::borrow::Cow;
use std::path::Path;

use sha2::{Digest, Sha256};

use super::{Flaw, Refusal, UnpackLimits};
use crate::runs::hex;

/// Leftovers of systems, and folders that tools make anew.
const LEFT_OUT: [&str; 8] = [
    "__MACOSX",
    ".DS_Store",
    "Icon\r",
    ".git",
    "__pycache__",
    "venv",
    ".venv",
    "node_modules",
];

/// Prefix of macOS's AppleDouble files, which hold attributes.
const APPLE_DOUBLE: &str = "._";

/// The file that marks a Python virtual environment, and the other entries of one.
pub(super) const ENVIRONMENT: &str = "pyvenv.cfg";
const OF_ENVIRONMENTS: [&str; 9] = [
    ENVIRONMENT,
    "bin",
    "include",
    "lib",
    "lib64",
    "share",
    "Include",
    "Lib",
    "Scripts",
];

const LONGEST_PART: usize = 255;

/// Bytes kept of a longer name; a digest follows.
const KEPT_OF_PART: usize = 200;

const DOCUMENTS: [&str; 8] = ["pdf", "doc", "docx", "odt", "rtf", "txt", "md", "tex"];

pub fn is_document(name: &str) -> bool {
    let ending = Path::new(name).extension().unwrap_or_default();
    DOCUMENTS.iter().any(|it| ending.eq_ignore_ascii_case(it))
}

pub(super) fn is_left_out(name: &str) -> bool {
    LEFT_OUT.contains(&name) || name.starts_with(APPLE_DOUBLE)
}

pub(super) fn is_of_environment(name: &str) -> bool {
    OF_ENVIRONMENTS.contains(&name)
}

/// A name as text. Without valid UTF-8 each byte becomes a character: not pretty, but
/// different invalid names stay different.
pub(super) fn decoded(raw: &[u8]) -> Cow<'_, str> {
    match std::str::from_utf8(raw) {
        Ok(name) => name.into(),
        Err(_) => raw.iter().map(|byte| char::from(*byte)).collect(),
    }
}

/// Components of a path. Some archives use `\` as separator, so both count.
pub(super) fn parts(name: &str) -> Vec<&str> {
    let parts = name.split(is_separator);
    parts.filter(|part| !matches!(*part, "" | ".")).collect()
}

fn is_separator(c: char) -> bool {
    matches!(c, '/' | '\\')
}

/// Components of a path below the new folder, none of them `.`, `..` or empty.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct EntryName(Vec<String>);

impl EntryName {
    pub fn parse(name: &str, limits: &UnpackLimits) -> Result<Self, Refusal> {
        let own = parts(name);
        let is_rooted = |path: &str| path.starts_with(is_separator);
        let has_drive = name.starts_with(|c: char| c.is_ascii_alphabetic())
            && name
                .get(1..)
                .and_then(|rest| rest.strip_prefix(':'))
                .is_some_and(is_rooted);
        let flaw = match () {
            () if is_rooted(name) || has_drive => Flaw::Absolute,
            () if own.contains(&"..") => Flaw::Parent,
            () if name.chars().count() > limits.path_length => Flaw::LongPath(limits.path_length),
            () if own.len() > limits.depth => Flaw::Deep(limits.depth),
            () => return Ok(Self(own.into_iter().map(plain).collect())),
        };
        Err(Refusal::of(name, flaw))
    }

    /// Paths of the enclosing folders, outermost first, then the entry's own. Empty for the top folder.
    pub fn paths(&self) -> Vec<String> {
        (1..=self.0.len())
            .map(|length| self.0[..length].join("/"))
            .collect()
    }
}

/// A component that is safe on every file system and terminal, and unique for each original.
fn plain(part: &str) -> String {
    let mut plain = String::new();
    for c in part.chars() {
        if c.is_control() {
            plain.push_str(&format!("_{:02x}", u32::from(c)));
        } else {
            plain.push(c);
        }
    }
    if plain.len() > LONGEST_PART {
        let digest = hex(&Sha256::digest(&plain)[..8]);
        plain.truncate(plain.floor_char_boundary(KEPT_OF_PART));
        plain.push_str(&digest);
    }
    plain
}
