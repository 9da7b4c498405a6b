//! Why a shard was not played.

use crate::runner::RunError;
use crate::runs::{Changes, RunFileError};
use crate::shards::plan::{FolderError, FreezeError};

/// Why a shard was not played to the end.
#[derive(Debug, thiserror::Error)]
#[expect(missing_docs, reason = "the messages say what the fields are")]
pub enum WorkError {
    /// The plan cannot be used here.
    #[error(transparent)]
    Folder(#[from] FolderError),
    /// A frozen file has changed.
    #[error(transparent)]
    Frozen(#[from] FreezeError),
    /// Interrupted while it waited for the next wave, or watched a shard.
    #[error("it was stopped while it waited for games to play")]
    Interrupted,
    /// The plan has no shard of this number.
    #[error("there is no shard {shard}: expected one of 0 to {}", shards - 1)]
    NoShard { shard: u32, shards: u32 },
    /// The plan has another number of shards than the command says.
    #[error("this plan has {shards} shards, and not {named}: name one as 0/{shards} to {}/{shards}", shards - 1)]
    OtherShards { shards: u32, named: u32 },
    /// This machine differs from the planning machine.
    #[error(
        "on this machine {}: every machine needs the same programs; begin anew with `referee plan` if they are \
         to be these",
        .0.words.join("; ")
    )]
    OtherMachine(Changes),
    /// The speed of this machine is out of range for wall time.
    #[error(
        "this machine has {share:.2} times the speed of the one that planned, which is not within {low} to {high}"
    )]
    Speed { share: f64, low: f64, high: f64 },
    /// A file cannot be read or written.
    #[error(transparent)]
    RunFile(#[from] RunFileError),
    /// The games were not played to the end.
    #[error(transparent)]
    Run(#[from] RunError),
}

impl WorkError {
    /// Whether a retry may succeed, later or on another machine.
    pub fn is_worth_another_try(&self) -> bool {
        match self {
            Self::Speed { .. } | Self::RunFile(_) | Self::Run(_) | Self::Interrupted => true,
            Self::Folder(_)
            | Self::Frozen(_)
            | Self::NoShard { .. }
            | Self::OtherShards { .. }
            | Self::OtherMachine(_) => false,
        }
    }
}
