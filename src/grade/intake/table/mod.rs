//! Reads tables made by hand for a class: the roster, and manual marks.

mod fields;

use std::fs::File;
use std::io::{self, Read};
use std::path::Path;

pub use fields::{Field, Fields, POINTS_POSSIBLE, Unreadable, value};

/// Maximum bytes of a table.
pub(super) const MOST_BYTES: u64 = 16 << 20;

/// Delimiters, in the order tried.
pub const DELIMITERS: [u8; 3] = [b',', b';', b'\t'];

/// Why a table cannot be read.
#[derive(Debug, thiserror::Error)]
pub enum TableError {
    #[error("cannot be read: {0}")]
    Read(#[from] io::Error),
    #[error("more than {} MiB: is this the right file?", MOST_BYTES >> 20)]
    Large,
    /// With the line of the first invalid byte.
    #[error("line {0} is not UTF-8 text: save it as \"CSV UTF-8\"")]
    NotText(usize),
}

/// Text of a table, without a byte order mark.
pub fn read_text(path: &Path) -> Result<String, TableError> {
    let mut bytes = Vec::new();
    File::open(path)?
        .take(MOST_BYTES + 1)
        .read_to_end(&mut bytes)?;
    if bytes.len() as u64 > MOST_BYTES {
        return Err(TableError::Large);
    }
    let text = String::from_utf8(bytes).map_err(|error| {
        let before = &error.as_bytes()[..error.utf8_error().valid_up_to()];
        TableError::NotText(1 + before.iter().filter(|byte| **byte == b'\n').count())
    })?;
    Ok(match text.strip_prefix('\u{feff}') {
        Some(rest) => rest.to_owned(),
        None => text,
    })
}
