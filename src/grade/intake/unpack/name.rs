//! The name of an entry, which its author chose: only one that stays inside the folder is taken.

use std::borrow::Cow;

use sha2::{Digest, Sha256};

use super::UnpackLimits;
use super::flaw::{Flaw, Refusal};
use crate::record::hex;

/// What systems and tools leave behind, or make anew.
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

/// How files begin in which macOS keeps attributes.
const APPLE_DOUBLE: &str = "._";

/// The file that makes a folder a virtual environment of Python, and what else such an environment has in it.
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

/// The longest name of one file or folder that common file systems take, in bytes.
const LONGEST_PART: usize = 255;

/// What is kept of a longer one.
const KEPT_OF_PART: usize = 200;

/// Whether an entry of a folder is none of the author's work.
pub(super) fn is_left_out(name: &str) -> bool {
    LEFT_OUT.contains(&name) || name.starts_with(APPLE_DOUBLE)
}

/// Whether something that lies in a virtual environment belongs to it.
pub(super) fn is_of_environment(name: &str) -> bool {
    OF_ENVIRONMENTS.contains(&name)
}

/// A name as text. Where nobody says in which encoding it is, it is not beautiful, and another one than that of any
/// other entry.
pub(super) fn decoded(raw: &[u8]) -> Cow<'_, str> {
    match std::str::from_utf8(raw) {
        Ok(name) => name.into(),
        Err(_) => raw.iter().map(|byte| char::from(*byte)).collect(),
    }
}

/// The parts of a path. Some archives have `\` between them, so both are taken for that.
pub(super) fn parts(name: &str) -> Vec<&str> {
    let parts = name.split(is_separator);
    parts.filter(|part| !matches!(*part, "" | ".")).collect()
}

fn is_separator(c: char) -> bool {
    matches!(c, '/' | '\\')
}

/// The parts of a path below the new folder, none of them `.`, `..` or empty.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct EntryName(Vec<String>);

impl EntryName {
    /// Reads a name.
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

    /// The paths of the folders it lies in, from the outermost, and its own last. The folder that is packed
    /// has none.
    pub fn paths(&self) -> Vec<String> {
        (1..=self.0.len())
            .map(|length| self.0[..length].join("/"))
            .collect()
    }
}

/// A part that every file system and every terminal takes, and that differs from each other.
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
