//! Problems with a manifest.

use std::io;

use crate::config::FormatError;
use crate::runs::error::file::FileError;

/// A manifest that cannot be read, or a file that it names.
pub type ManifestError = FileError<ManifestProblem>;

/// Advice for a damaged file of a run.
pub(in crate::runs) const PUT_BACK: &str = "put it back as it was, if you have a copy; `referee rate` still reads the games.csv \
                        beside it";

/// Problem with a manifest.
#[derive(Debug, thiserror::Error)]
pub enum ManifestProblem {
    /// It could not be read.
    #[error("cannot be read: {0}")]
    Read(#[source] io::Error),
    /// It is not a manifest.
    #[error(
        "{}is damaged: {problem}; {PUT_BACK}",
        line.map_or_else(String::new, |line| format!("line {line} "))
    )]
    Damaged {
        line: Option<usize>,
        problem: String,
    },
    /// The manifest could not be written as TOML.
    #[error("cannot be written: {0}")]
    Toml(#[from] toml::ser::Error),
    /// The manifest has an invalid format.
    #[error("has a format that cannot be: {0}; {PUT_BACK}")]
    Format(#[from] FormatError),
    /// The manifest has an invalid game.
    #[error("{0}; {PUT_BACK}")]
    Game(String),
    /// The openings differ from the digest in the manifest.
    #[error("these are not the openings whose digest the manifest has; {PUT_BACK}")]
    OtherOpenings,
    /// The files of a rules program could not be read.
    #[error("the rules program cannot be read: {0}")]
    Rules(#[source] io::Error),
    /// The program of a player could not be read.
    #[error("the bot of `{player}` cannot be read: {source}")]
    Bot { player: String, source: io::Error },
}
