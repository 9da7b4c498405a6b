//! Plays shards.

use std::thread;
use std::time::Duration;

use super::{FolderError, PlanFolder, waves};
use crate::runner::{Event, Host, Interrupt, Programs, RunError, Tournament};
use crate::runs::{Changes, GameRow, Repeat, ResumeError, RunFileError, RunFolder};

#[derive(Debug, thiserror::Error)]
pub enum WorkError {
    #[error(transparent)]
    Frozen(#[from] FolderError),
    #[error("it was stopped while it waited for games to play")]
    Interrupted,
    #[error("this plan has {shards} shards, and not {named}: name one as 0/{shards} to {}/{shards}", shards - 1)]
    OtherShards { shards: u32, named: u32 },
    #[error(
        "on this machine {}: every machine needs the same programs; begin anew with `referee plan` if they are \
         to be these",
        .0.words.join("; ")
    )]
    OtherMachine(Changes),
    #[error(transparent)]
    RunFile(#[from] RunFileError),
    #[error(transparent)]
    Run(#[from] RunError),
}

impl From<ResumeError> for WorkError {
    fn from(error: ResumeError) -> Self {
        match error {
            ResumeError::RunFile(error) => error.into(),
            ResumeError::OtherTournament(changes) | ResumeError::Changed(changes) => {
                Self::OtherMachine(changes)
            }
        }
    }
}

/// Polling interval for the next wave.
const LOOK: Duration = Duration::from_millis(500);

/// Plays a shard of a plan on this machine. The working directory must be the folder of the plan.
#[derive(Debug, Clone, Copy)]
pub struct Worker<'a> {
    pub folder: &'a PlanFolder,
    pub shard: u32,
    pub host: &'a Host,
    pub interrupt: &'a Interrupt,
}

impl Worker<'_> {
    /// Waits until more waves than the `known` ones are written, and returns their number; `None` if no wave follows.
    pub fn wait_for_waves(&self, known: u32) -> Result<Option<u32>, WorkError> {
        loop {
            let are_over = waves::are_over(self.folder.path());
            let waves = self.folder.waves();
            if waves > known {
                return Ok(Some(waves));
            }
            if are_over {
                return Ok(None);
            }
            if self.interrupt.level().is_some() {
                return Err(WorkError::Interrupted);
            }
            thread::sleep(LOOK);
        }
    }

    /// Plays the games of the shard, of all waves that are written, but those that have ended: these are passed to
    /// `before`.
    ///
    /// # Errors
    /// Not all games were played. Finished games are kept.
    pub fn play(
        &self,
        before: &mut dyn FnMut(&GameRow),
        listen: &mut dyn FnMut(&Event<'_>),
    ) -> Result<(), WorkError> {
        let folder = self.folder;
        folder.check_frozen()?;
        let shard = folder.shard(self.shard);
        let path = shard.begin(&PlanFolder::run_path(folder.path()))?;
        let (plan, stamp) = (&folder.plan, self.host.stamp());
        let mut record = RunFolder::resume(path, plan, stamp, Repeat::default(), before)?;
        let unbuilt = folder.unbuilt();
        let tournament = Tournament {
            programs: Programs::Built(&unbuilt),
            portion: folder.portion(self.shard)?,
            ..Tournament::new(plan, self.host, self.interrupt)
        };
        tournament.play(&mut record, listen)?;
        Ok(())
    }
}
