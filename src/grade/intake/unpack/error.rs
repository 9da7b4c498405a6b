//! Why a submission was not unpacked.

use std::io;
use std::path::{Path, PathBuf};

use super::flaw::Refusal;
use crate::text;

/// Why a submission was not unpacked.
#[derive(Debug, thiserror::Error)]
pub enum UnpackError {
    /// The author has to change it.
    #[error("{0}")]
    Refused(Refusal),
    /// This machine could not read or write a file.
    #[error("{}: {source}", text::visible(&path.display().to_string()))]
    Disk {
        /// Path of the file or folder.
        path: PathBuf,
        /// Cause.
        source: io::Error,
    },
}

impl From<Refusal> for UnpackError {
    fn from(refusal: Refusal) -> Self {
        Self::Refused(refusal)
    }
}

/// Adds a path to an I/O error.
pub(super) fn at(path: &Path) -> impl FnOnce(io::Error) -> UnpackError {
    let path = path.to_owned();
    move |source| UnpackError::Disk { path, source }
}
