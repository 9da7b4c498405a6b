//! Errors about single files.

use std::error::Error;
use std::path::{Path, PathBuf};

/// A file that a reader refuses, with the reader's own problem.
#[derive(Debug, thiserror::Error)]
#[error("{}: {problem}", path.display())]
pub struct FileError<P: Error + 'static> {
    /// The file.
    pub path: PathBuf,
    /// Its problem.
    #[source]
    pub problem: P,
}

impl<P: Error + 'static> FileError<P> {
    pub(crate) fn new(path: impl Into<PathBuf>, problem: P) -> Self {
        Self {
            path: path.into(),
            problem,
        }
    }

    /// For `map_err`: the problem of a file.
    pub(crate) fn at<E>(path: &Path, problem: impl FnOnce(E) -> P) -> impl FnOnce(E) -> Self {
        move |error| Self::new(path, problem(error))
    }
}
