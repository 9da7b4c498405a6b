//! The name of an entry, which its author chose: only one that stays inside the folder is taken.

use super::UnpackLimits;
use super::flaw::{Flaw, Refusal};
use crate::text;

/// What systems and tools leave behind.
const LEFT_OUT: [&str; 4] = ["__MACOSX", ".DS_Store", ".git", "__pycache__"];

/// How files begin in which macOS keeps attributes.
const APPLE_DOUBLE: &str = "._";

/// The longest name of one file or folder that common file systems take, in bytes.
const LONGEST_PART: usize = 255;

/// Whether an entry of a folder is none of the author's work.
pub(super) fn is_left_out(name: &str) -> bool {
    LEFT_OUT.contains(&name) || name.starts_with(APPLE_DOUBLE)
}

/// The parts of a path below the new folder, none of them `.`, `..` or empty.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct EntryName(Vec<String>);

impl EntryName {
    /// Reads a name. Some archives have `\` between the parts of a path, so both are taken for that.
    pub fn parse(raw: &[u8], limits: &UnpackLimits) -> Result<Self, Refusal> {
        let Ok(name) = std::str::from_utf8(raw) else {
            let about = String::from_utf8_lossy(raw);
            return Err(Refusal::of(&about, Flaw::NotUtf8));
        };
        match Self::parts(name, limits) {
            Ok(parts) => Ok(Self(parts)),
            Err(flaw) => Err(Refusal::of(name, flaw)),
        }
    }

    fn parts(name: &str, limits: &UnpackLimits) -> Result<Vec<String>, Flaw> {
        if name.chars().any(text::is_hidden) {
            return Err(Flaw::HiddenCharacter);
        }
        let is_separator = |c| matches!(c, '/' | '\\');
        let has_drive = name.as_bytes().get(1) == Some(&b':')
            && name.starts_with(|c: char| c.is_ascii_alphabetic());
        if name.starts_with(is_separator) || has_drive {
            return Err(Flaw::Absolute);
        }
        let is_part = |part: &&str| !matches!(*part, "" | ".");
        let parts: Vec<&str> = name.split(is_separator).filter(is_part).collect();
        if parts.contains(&"..") {
            return Err(Flaw::Parent);
        }
        if name.len() > limits.path_length {
            return Err(Flaw::LongPath(limits.path_length));
        }
        if parts.iter().any(|part| part.len() > LONGEST_PART) {
            return Err(Flaw::LongPath(LONGEST_PART));
        }
        if parts.len() > limits.depth {
            return Err(Flaw::Deep(limits.depth));
        }
        Ok(parts.into_iter().map(str::to_owned).collect())
    }

    /// Whether it is that of something that is not the author's work.
    pub fn is_left_out(&self) -> bool {
        self.0.iter().any(|part| is_left_out(part))
    }

    /// The paths of the folders it lies in, from the outermost, and its own last. The folder that is packed
    /// has none.
    pub fn paths(&self) -> Vec<String> {
        (1..=self.0.len())
            .map(|length| self.0[..length].join("/"))
            .collect()
    }
}
