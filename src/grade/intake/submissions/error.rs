//! Why a folder of submissions cannot be used.

use std::io;
use std::path::PathBuf;

/// Maximum number of entries in a submissions folder.
pub(super) const MOST_ENTRIES: usize = 100_000;

/// Why a submissions folder cannot be used at all.
#[derive(Debug, thiserror::Error)]
pub enum SubmissionsError {
    /// A file or folder cannot be read.
    #[error("{}: cannot be read: {source}", path.display())]
    Read {
        /// Path of the file or folder.
        path: PathBuf,
        /// Cause.
        source: io::Error,
    },
    /// The folder has too many entries.
    #[error("{}: more than {MOST_ENTRIES} entries: is this the folder of submissions?", .0.display())]
    Large(PathBuf),
    /// The metadata of the export cannot be read.
    #[error("{}: {problem}: download the export again", path.display())]
    Metadata {
        /// Path of the file.
        path: PathBuf,
        /// Problem, escaped for display.
        problem: String,
    },
}
