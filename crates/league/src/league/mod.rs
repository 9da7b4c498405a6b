//! A league: bots come and go, and the games go on.
//!
//! ```text
//! league.toml          the terms: game, clock, limits, matchmaking
//! roster.toml          all versions of all bots, and whether they play
//! bots/NAME/VERSION/   a version: `bot` plays, `built` is as it was after the build
//! runs/0007.toml       the configuration of a batch of games
//! runs/0007/           its run
//! trials/alice.3-1/    a run of a candidate's trial, with its configuration beside it
//! report/              the pages
//! ```
//!
//! In a season with a name the last three are `runs-NAME`, `trials-NAME` and `report-NAME`.
//!
//! A batch is an ordinary tournament with a list of pairings, and its run an ordinary run. The next batch follows from the
//! terms, the roster and the runs before it, so a league has no other state.

mod history;
mod inbox;
mod newcomers;
mod pages;
mod playing;
mod roster;
mod standing;
mod table;
mod terms;
mod trial;

use std::path::{Path, PathBuf};

pub use inbox::{InboxEntry, inbox_entries};
pub use newcomers::{Added, Handed, Refused};
pub use pages::{publish, write_pages};
pub use playing::{Batch, Session};
pub use roster::{Roster, State, Version};
pub use standing::{Snapshot, Standing};
pub use terms::{Matchmaking, Stage, TERMS, Terms};
pub use trial::{Evidence, Trial};

use crate::game::Games;
use crate::grade::GradeError;
use crate::runs::Lock;

const RUNS: &str = "runs";
const TRIALS: &str = "trials";

const REPORT: &str = "report";

/// The folder of a league, and the games that its terms may name.
#[derive(Debug, Clone)]
pub struct League {
    folder: PathBuf,
    games: Games,
    season: String,
}

impl League {
    /// The league in a folder, in its present season or in an earlier one.
    pub fn open(folder: &Path, games: Games, season: Option<&str>) -> Result<Self, GradeError> {
        if !folder.join(TERMS).is_file() {
            return Err(GradeError::usage(format!(
                "{}: no league is here: expected a folder with `league.toml`, as `referee new league` makes it",
                folder.display()
            )));
        }
        let present = Terms::load(folder, games)?.season;
        let league = Self {
            folder: folder.to_owned(),
            games,
            season: season.map_or(present, str::to_owned),
        };
        if season.is_some() && !league.of_season(RUNS).is_dir() {
            let path = league.of_season(RUNS);
            let problem = format!("{}: no season is here", path.display());
            return Err(GradeError::Usage(problem));
        }
        Ok(league)
    }

    pub fn folder(&self) -> &Path {
        &self.folder
    }

    pub fn games(&self) -> Games {
        self.games
    }

    pub fn terms(&self) -> Result<Terms, GradeError> {
        Terms::load(&self.folder, self.games)
    }

    pub fn roster(&self) -> Result<Roster, GradeError> {
        Roster::load(&self.folder)
    }

    /// Changes the roster, while nobody else does.
    pub fn change<T>(
        &self,
        change: impl FnOnce(&mut Roster) -> Result<T, GradeError>,
    ) -> Result<T, GradeError> {
        let _lock = Lock::take(&self.folder)?;
        let mut roster = self.roster()?;
        let changed = change(&mut roster)?;
        roster.save(&self.folder)?;
        Ok(changed)
    }

    fn bots(&self) -> PathBuf {
        self.folder.join("bots")
    }

    fn home(&self, version: &Version) -> PathBuf {
        let number = version.version.to_string();
        self.bots().join(&version.owner).join(number)
    }

    /// A folder of the season: `runs`, `trials` or `report`.
    fn of_season(&self, name: &str) -> PathBuf {
        self.folder.join(match self.season.as_str() {
            "" => name.to_owned(),
            season => format!("{name}-{season}"),
        })
    }

    pub fn report(&self) -> PathBuf {
        self.of_season(REPORT)
    }

    /// The folders of the pages of the other seasons.
    fn seasons(&self) -> Vec<String> {
        let entries = std::fs::read_dir(&self.folder).into_iter().flatten();
        let names = entries
            .flatten()
            .map(|it| it.file_name().to_string_lossy().into_owned());
        let is_other = |name: &String| {
            (name == REPORT || name.starts_with("report-"))
                && self.folder.join(name) != self.report()
        };
        let mut seasons: Vec<String> = names.filter(is_other).collect();
        seasons.sort();
        seasons
    }

    /// The configurations of all batches in a folder of the season, in order.
    fn configs(&self, of: &str) -> Vec<PathBuf> {
        let entries = std::fs::read_dir(self.of_season(of)).into_iter().flatten();
        let paths = entries.flatten().map(|entry| entry.path());
        let mut configs: Vec<PathBuf> = paths
            .filter(|path| path.extension().is_some_and(|it| it == "toml"))
            .collect();
        configs.sort_by_cached_key(|path| (path.as_os_str().len(), path.clone()));
        configs
    }
}

/// The folder of a batch's run, beside its configuration.
pub fn run_of(config: &Path) -> PathBuf {
    config.with_extension("")
}

/// The name of a batch: `0007` or `alice.3-1`.
pub fn name_of(config: &Path) -> String {
    let name = config.file_stem().unwrap_or_default();
    name.to_string_lossy().into_owned()
}
