//! A league: bots come and go, and the games go on.
//!
//! ```text
//! league.toml          the terms: game, clock, limits, matchmaking
//! roster.toml          all versions of all bots, and whether they play
//! bots/NAME/VERSION/   a version: `bot` plays, `built` is as it was after the build
//! runs/0007.toml       the configuration of a batch of games
//! runs/0007/           its run
//! report/              the pages
//! ```
//!
//! A batch is an ordinary tournament with a list of pairings, and its run an ordinary run. The next batch follows from the
//! terms, the roster and the runs before it, so a league has no other state.

mod error;
mod inbox;
pub mod matchmaking;
mod newcomers;
mod pages;
mod playing;
mod roster;
mod standing;
mod table;
mod terms;

use std::path::{Path, PathBuf};

pub use error::LeagueError;
pub use inbox::{InboxEntry, inbox_entries};
pub use newcomers::{Added, Handed, Refused};
pub use pages::{publish, write_pages};
pub use playing::{Batch, Session};
pub use roster::{Roster, State, Version};
pub use standing::Standing;
pub use table::{league_table, rating};
pub use terms::{Matchmaking, TERMS, Terms};

use crate::game::Games;
use crate::runs::Lock;

/// The folder of a league, and the games that its terms may name.
#[derive(Debug, Clone)]
pub struct League {
    folder: PathBuf,
    games: Games,
}

impl League {
    /// The league in a folder.
    pub fn open(folder: &Path, games: Games) -> Result<Self, LeagueError> {
        match folder.join(TERMS).is_file() {
            true => Ok(Self {
                folder: folder.to_owned(),
                games,
            }),
            false => Err(LeagueError::NoLeague(folder.to_owned())),
        }
    }

    pub fn folder(&self) -> &Path {
        &self.folder
    }

    pub fn games(&self) -> Games {
        self.games
    }

    pub fn terms(&self) -> Result<Terms, LeagueError> {
        Terms::load(&self.folder, self.games)
    }

    pub fn roster(&self) -> Result<Roster, LeagueError> {
        Roster::load(&self.folder)
    }

    /// Changes the roster, while nobody else does.
    pub fn change<T>(
        &self,
        change: impl FnOnce(&mut Roster) -> Result<T, LeagueError>,
    ) -> Result<T, LeagueError> {
        let _lock = Lock::take(&self.folder)?;
        let mut roster = self.roster()?;
        let changed = change(&mut roster)?;
        roster.save(&self.folder)?;
        Ok(changed)
    }

    /// The folder of all bots' versions.
    fn bots(&self) -> PathBuf {
        self.folder.join("bots")
    }

    /// The folder of a version.
    fn home(&self, version: &Version) -> PathBuf {
        let number = version.version.to_string();
        self.bots().join(&version.owner).join(number)
    }

    fn runs(&self) -> PathBuf {
        self.folder.join("runs")
    }

    pub fn report(&self) -> PathBuf {
        self.folder.join("report")
    }

    /// The numbers of all batches, in order.
    fn batches(&self) -> Vec<u32> {
        let entries = std::fs::read_dir(self.runs()).into_iter().flatten();
        let number = |name: &str| name.strip_suffix(".toml")?.parse().ok();
        let mut batches: Vec<u32> = entries
            .flatten()
            .filter_map(|entry| number(&entry.file_name().to_string_lossy()))
            .collect();
        batches.sort_unstable();
        batches
    }

    /// The folder of a batch's run.
    pub fn run(&self, batch: u32) -> PathBuf {
        self.runs().join(format!("{batch:04}"))
    }

    /// The configuration of a batch.
    pub fn config(&self, batch: u32) -> PathBuf {
        self.runs().join(format!("{batch:04}.toml"))
    }
}
