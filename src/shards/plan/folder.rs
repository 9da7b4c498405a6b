//! The folder of a plan.

use std::num::NonZeroU32;
use std::ops::Range;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use super::attempts::{Attempt, ShardUnit};
use super::freeze::{FreezeError, check_digests, write_digests};
use super::waves;
use crate::config::{ConfigError, Plan, read_text};
use crate::game::Games;
use crate::runner::Portion;
use crate::runs::{RunFileError, RunFileProblem, write_whole};
use crate::schedule::Cut;

const CONFIG: &str = "config.toml";
const PLAN: &str = "plan.toml";
const RUN: &str = "run";
const SHARDS: &str = "shards";

/// `plan.toml`: how the tournament is cut, and measurements from planning.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct PlanTable {
    /// Version of the referee that planned; all machines must run it.
    pub referee: String,
    /// Number of shards.
    pub shards: NonZeroU32,
    /// The master seed.
    pub seed: u64,
    /// Game pairs in a million that are played by two shards, to compare machines.
    pub twice: u32,
    /// Search nodes per second of the planning machine.
    pub speed: f64,
    /// Mean length of a game on the planning machine, in seconds; `None` if none was tried.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub seconds_per_game: Option<f64>,
    /// Players whose build failed.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub unbuilt: Vec<UnbuiltTable>,
}

/// `[[unbuilt]]`: a player that forfeits its games.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct UnbuiltTable {
    /// Name of the player.
    pub player: String,
    /// Reason why the build failed.
    pub problem: String,
}

/// An opened plan folder, ready to have its shards played.
#[derive(Debug)]
pub struct PlanFolder {
    path: PathBuf,
    /// Contents of `plan.toml`.
    pub table: PlanTable,
    /// The tournament, with paths relative to the plan's folder.
    pub plan: Plan,
    /// The games that its configuration and the manifest of its run may name.
    pub games: Games,
}

/// Why a folder is no plan, or cannot be used here.
#[derive(Debug, thiserror::Error)]
#[expect(missing_docs, reason = "the messages say what the fields are")]
pub enum FolderError {
    /// There is no plan.
    #[error("{}: has no {PLAN}: expected the folder of a plan, such as `referee plan` makes", .0.display())]
    NotAPlan(PathBuf),
    /// `plan.toml` cannot be parsed.
    #[error("{}: is damaged: {problem}", path.display())]
    Damaged { path: PathBuf, problem: String },
    /// Another version of the referee planned it.
    #[error(
        "the shards were planned by referee {planned}, and this is referee {here}: all machines need the same \
         version"
    )]
    OtherVersion { planned: String, here: String },
    /// The frozen configuration cannot be read.
    #[error(transparent)]
    Config(#[from] ConfigError),
    /// A frozen file has changed.
    #[error(transparent)]
    Frozen(#[from] FreezeError),
    /// A file cannot be read or written.
    #[error(transparent)]
    RunFile(#[from] RunFileError),
}

impl PlanFolder {
    /// Opens the folder of a plan, whose configuration may name `games`. The working directory must be that folder: paths in the configuration are
    /// relative to it.
    ///
    /// # Errors
    /// It is not the folder of a plan, or its configuration cannot be read.
    pub fn open(path: &Path, games: Games) -> Result<Self, FolderError> {
        let file = path.join(PLAN);
        if !file.exists() {
            return Err(FolderError::NotAPlan(path.to_owned()));
        }
        let text = read_text(&file).map_err(RunFileError::at(&file, RunFileProblem::Read))?;
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
            games,
            plan: Self::load_plan(path, games)?,
            path: path.to_owned(),
            table,
        })
    }

    /// Reads the frozen configuration of a plan.
    ///
    /// # Errors
    /// The configuration cannot be read or is invalid.
    pub fn load_plan(path: &Path, games: Games) -> Result<Plan, ConfigError> {
        Plan::load(&path.join(CONFIG), games)
    }

    /// Compares the frozen files with their digests.
    ///
    /// # Errors
    /// A file has changed, or cannot be read.
    pub fn check_frozen(&self) -> Result<(), FreezeError> {
        check_digests(&self.path)
    }

    /// Writes the digests and `plan.toml` of a new plan, `plan.toml` last: only then is the folder a plan.
    ///
    /// # Errors
    /// A file cannot be written.
    pub fn write(path: &Path, table: &PlanTable) -> Result<(), FreezeError> {
        write_digests(path)?;
        let text = toml::to_string(table)?;
        Ok(write_whole(&path.join(PLAN), &mut |file| {
            file.write_all(text.as_bytes())
        })?)
    }

    /// Folder of the plan.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Path of the frozen configuration in a plan's folder.
    pub fn config_path(plan: &Path) -> PathBuf {
        plan.join(CONFIG)
    }

    /// Path of the merged run in a plan's folder.
    pub fn run_path(plan: &Path) -> PathBuf {
        plan.join(RUN)
    }

    /// Folder of the attempts at a shard.
    pub fn unit_path(&self, unit: ShardUnit) -> PathBuf {
        self.path.join(SHARDS).join(unit.to_string())
    }

    /// Assignment of games to shards.
    pub fn cut(&self) -> Cut {
        Cut {
            seed: self.table.seed,
            shards: self.table.shards,
            twice: self.table.twice,
        }
    }

    /// The shards of a wave; wave 0 stands for a run without waves.
    pub fn units(&self, wave: u32) -> impl Iterator<Item = ShardUnit> {
        (0..self.table.shards.get()).map(move |shard| ShardUnit { wave, shard })
    }

    /// Whether the games come in waves, because pairings depend on results.
    pub fn has_waves(&self) -> bool {
        self.plan.format.depends_on_results()
    }

    /// Numbers of the waves written so far, from 1; only 0 for a run without waves.
    ///
    /// # Errors
    /// The folder cannot be read.
    pub fn waves(&self) -> Result<Range<u32>, RunFileError> {
        if self.has_waves() {
            Ok(1..waves::count(&self.path)? + 1)
        } else {
            Ok(0..1)
        }
    }

    /// All attempts at a shard, by number and name.
    ///
    /// # Errors
    /// The folder cannot be read.
    pub fn attempts(&self, unit: ShardUnit) -> Result<Vec<Attempt>, RunFileError> {
        Attempt::all(&self.unit_path(unit))
    }

    /// The games of a shard.
    ///
    /// # Errors
    /// The file of its wave cannot be read.
    pub fn portion(&self, unit: ShardUnit) -> Result<Portion, RunFileError> {
        let cut = self.cut();
        if unit.wave == 0 {
            return Ok(Portion::Shard(unit.shard, cut));
        }
        let mut games = waves::read(&self.path, unit.wave)?;
        games.retain(|game| cut.plays(unit.shard, game.game, game.ticket.block));
        Ok(Portion::Listed(games))
    }

    /// Build failures, by the index of the player.
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
