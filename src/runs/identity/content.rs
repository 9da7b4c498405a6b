//! Digests of the content of a bot's files.

use std::fs::{self, File};
use std::io::{self, Read};
use std::path::Path;

use sha2::{Digest, Sha256};

use crate::runs::files::digest::HashWriter;

/// Upper bound on the bytes read for one bot's digest: its folder may hold anything.
pub(in crate::runs) const MOST_BYTES: u64 = 256 << 20;

/// Upper bound on the files of a bot's folder: it may hold anything.
pub(in crate::runs) const MOST_FILES: usize = 4096;

/// Digest of a file's content; `None` if it cannot be read.
pub(in crate::runs) type Content = Option<[u8; 32]>;

/// A digest of a file's length and its first `left` bytes. Subtracts the bytes read from `left`.
pub(in crate::runs) fn content(path: &Path, left: &mut u64) -> Content {
    // Opening a pipe or a device could block.
    let length = fs::symlink_metadata(path)
        .ok()
        .filter(|what| what.is_file())?
        .len();
    let mut hasher = Sha256::new();
    hasher.update(length.to_le_bytes());
    let mut file = File::open(path).ok()?.take(*left);
    let read = io::copy(&mut file, &mut HashWriter(&mut hasher)).ok()?;
    *left -= read;
    Some(hasher.finalize().into())
}
