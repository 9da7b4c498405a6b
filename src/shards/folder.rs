//! The folder of a plan.

use std::num::NonZeroU32;
use std::ops::Range;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use super::attempts::{Attempt, Unit};
use super::freeze::{FreezeError, check_digests, write_digests};
use super::waves;
use crate::config::{ConfigError, Plan, read_text};
use crate::record::{RecordError, RecordProblem, write_whole};
use crate::runner::Portion;
use crate::schedule::Cut;

const CONFIG: &str = "config.toml";
const PLAN: &str = "plan.toml";
const RUN: &str = "run";
const SHARDS: &str = "shards";

/// `plan.toml`: how a tournament is cut, and what was found when it was.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct PlanTable {
    /// The version of the referee that planned it; all machines have the same.
    pub referee: String,
    /// How many shards there are.
    pub shards: NonZeroU32,
    /// The master seed.
    pub seed: u64,
    /// Of how many game pairs in a million two shards play the games.
    pub twice: u32,
    /// The search nodes a second of the machine on which it was planned.
    pub speed: f64,
    /// How long a game took there on average, in seconds, if some were tried.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub seconds_per_game: Option<f64>,
    /// The players whose programs could not be built.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub unbuilt: Vec<UnbuiltTable>,
}

/// `[[unbuilt]]`: a player that forfeits its games.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct UnbuiltTable {
    /// Its name.
    pub player: String,
    /// Why its program could not be built.
    pub problem: String,
}

/// The folder of a plan, whose shards are played.
#[derive(Debug)]
pub struct PlanFolder {
    path: PathBuf,
    /// What `plan.toml` says.
    pub table: PlanTable,
    /// The tournament. Paths in it start at the plan's folder.
    pub plan: Plan,
}

/// Why a folder is not that of a plan, or cannot be used here.
#[derive(Debug, thiserror::Error)]
#[expect(missing_docs, reason = "the messages say what the fields are")]
pub enum FolderError {
    /// There is no plan.
    #[error("{}: has no {PLAN}: expected the folder of a plan, such as `referee plan` makes", .0.display())]
    NotAPlan(PathBuf),
    /// `plan.toml` cannot be read as one.
    #[error("{}: is damaged: {problem}", path.display())]
    Damaged { path: PathBuf, problem: String },
    /// Another version of this program planned it.
    #[error(
        "the shards were planned by referee {planned}, and this is referee {here}: all machines need the same \
         version"
    )]
    OtherVersion { planned: String, here: String },
    /// The frozen configuration is not one.
    #[error(transparent)]
    Config(#[from] ConfigError),
    /// Something frozen is not as it was.
    #[error(transparent)]
    Frozen(#[from] FreezeError),
    /// A file cannot be read or written.
    #[error(transparent)]
    Record(#[from] RecordError),
}

impl PlanFolder {
    /// Opens the folder of a plan. The process must be in it: paths in the configuration start there.
    ///
    /// # Errors
    /// It is not the folder of a plan, or what is frozen there is not as it was.
    pub fn open(path: &Path) -> Result<Self, FolderError> {
        let file = path.join(PLAN);
        if !file.exists() {
            return Err(FolderError::NotAPlan(path.to_owned()));
        }
        let text = read_text(&file).map_err(RecordError::at(&file, RecordProblem::Read))?;
        let table: PlanTable = toml::from_str(&text).map_err(|error| FolderError::Damaged {
            path: file,
            problem: crate::text::visible(error.message()),
        })?;
        let here = env!("CARGO_PKG_VERSION");
        if table.referee != here {
            return Err(FolderError::OtherVersion {
                planned: table.referee,
                here: here.to_owned(),
            });
        }
        Ok(Self {
            plan: Self::load_plan(path, table.shards)?,
            path: path.to_owned(),
            table,
        })
    }

    /// Reads the frozen configuration of a plan with so many shards.
    ///
    /// # Errors
    /// It is not one.
    pub fn load_plan(path: &Path, shards: NonZeroU32) -> Result<Plan, ConfigError> {
        let mut plan = Plan::load(&path.join(CONFIG))?;
        let asked = |after: &Option<u32>| after.is_some();
        if plan.hopeless_terms(0).after.iter().any(asked) {
            plan.deciding_shards = Some(shards);
        }
        Ok(plan)
    }

    /// Whether what is frozen is as it was.
    ///
    /// # Errors
    /// A file is not as it was, or cannot be read.
    pub fn check_frozen(&self) -> Result<(), FreezeError> {
        check_digests(&self.path)
    }

    /// Writes the table of a new plan, which makes its folder one.
    ///
    /// # Errors
    /// It cannot be written.
    pub fn write(path: &Path, table: &PlanTable) -> Result<(), FreezeError> {
        write_digests(path)?;
        let text = toml::to_string(table)?;
        Ok(write_whole(&path.join(PLAN), &mut |file| {
            file.write_all(text.as_bytes())
        })?)
    }

    /// Where it is.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The frozen configuration of a plan.
    pub fn config_path(plan: &Path) -> PathBuf {
        plan.join(CONFIG)
    }

    /// The run of a plan.
    pub fn run_path(plan: &Path) -> PathBuf {
        plan.join(RUN)
    }

    /// The folder of the attempts at a shard.
    pub fn unit_path(&self, unit: Unit) -> PathBuf {
        self.path.join(SHARDS).join(unit.to_string())
    }

    /// How the tournament is cut.
    pub fn cut(&self) -> Cut {
        Cut {
            seed: self.table.seed,
            shards: self.table.shards,
            twice: self.table.twice,
        }
    }

    /// The shards of a wave; of wave 0 those of a run without waves.
    pub fn units(&self, wave: u32) -> impl Iterator<Item = Unit> {
        (0..self.table.shards.get()).map(move |shard| Unit { wave, shard })
    }

    /// Whether the games come in waves, since the pairings depend on results.
    pub fn has_waves(&self) -> bool {
        self.plan.format.depends_on_results()
    }

    /// The waves that there are: from 1 on, or wave 0 for a run without waves.
    ///
    /// # Errors
    /// The folder cannot be read.
    pub fn waves(&self) -> Result<Range<u32>, RecordError> {
        match self.has_waves() {
            true => Ok(1..waves::count(&self.path)? + 1),
            false => Ok(0..1),
        }
    }

    /// All attempts at a shard, in the order of their numbers and names.
    ///
    /// # Errors
    /// The folder cannot be read.
    pub fn attempts(&self, unit: Unit) -> Result<Vec<Attempt>, RecordError> {
        Attempt::all(&self.unit_path(unit))
    }

    /// The games of a shard.
    ///
    /// # Errors
    /// The file of its wave cannot be read.
    pub fn portion(&self, unit: Unit) -> Result<Portion, RecordError> {
        let cut = self.cut();
        if unit.wave == 0 {
            return Ok(Portion::Shard(unit.shard, cut));
        }
        let mut games = waves::read(&self.path, unit.wave)?;
        games.retain(|game| cut.plays(unit.shard, game.game, game.ticket.pair));
        Ok(Portion::Listed(games))
    }

    /// Why programs could not be built, by the index of the player.
    pub fn unbuilt(&self) -> Vec<Option<String>> {
        let players = self.plan.players.iter();
        let problem = |name: &str| {
            let mut unbuilt = self.table.unbuilt.iter();
            unbuilt
                .find(|it| it.player == name)
                .map(|it| it.problem.clone())
        };
        players.map(|player| problem(&player.name)).collect()
    }
}
