//! The folder of a plan.

use std::collections::BTreeMap;
use std::num::NonZeroU32;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use super::freeze::{check_digests, write_digests};
use super::waves;
use crate::config::{ConfigError, Plan, read_text};
use crate::game::Games;
use crate::runner::{Portion, QueuedGame, UnfitGame, shard_sizes};
use crate::runs::{CopyError, RunFileError, RunFileProblem, RunPart, write_bytes};
use crate::schedule::Cut;

const CONFIG: &str = "config.toml";
const PLAN: &str = "plan.toml";
const RUN: &str = "run";
const SHARDS: &str = "shards";

/// `plan.toml`: how the tournament is cut, and what planning found.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct PlanTable {
    /// Version of the referee that planned; all machines must run it.
    pub referee: String,
    pub shards: NonZeroU32,
    pub seed: u64,
    /// Players whose build failed, with the reason. They forfeit their games.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub unbuilt: BTreeMap<String, String>,
}

/// An opened plan folder, ready to have its shards played.
#[derive(Debug)]
pub struct PlanFolder {
    path: PathBuf,
    pub table: PlanTable,
    /// The tournament, with paths relative to the plan's folder.
    pub plan: Plan,
    /// The games that its configuration and the manifest of its run may name.
    pub games: Games,
}

#[derive(Debug, Clone, Copy)]
pub struct ShardProgress {
    pub ended: u64,
    pub games: u64,
}

impl ShardProgress {
    pub fn is_done(self) -> bool {
        self.ended >= self.games
    }
}

/// Why a folder of a plan cannot be made, used here, or merged.
#[derive(Debug, thiserror::Error)]
pub enum FolderError {
    #[error("{}: has no {PLAN}: expected the folder of a plan, such as `referee plan` makes", .0.display())]
    NotAPlan(PathBuf),
    #[error("{}: is damaged: {problem}", path.display())]
    Damaged { path: PathBuf, problem: String },
    #[error(
        "the shards were planned by referee {planned}, and this is referee {here}: all machines need the same \
         version"
    )]
    OtherVersion { planned: String, here: String },
    #[error(
        "{} is not as it was when the shards were planned: put it back, or plan anew in another folder",
        .0.display()
    )]
    Changed(PathBuf),
    #[error("the configuration cannot be written: {0}")]
    Toml(#[from] toml::ser::Error),
    #[error(transparent)]
    Config(#[from] ConfigError),
    #[error(transparent)]
    Copy(#[from] CopyError),
    #[error(transparent)]
    UnfitGame(#[from] UnfitGame),
    #[error(transparent)]
    RunFile(#[from] RunFileError),
}

impl PlanFolder {
    /// Opens the folder of a plan, whose configuration may name `games`. The working directory must be that folder: paths in the configuration are
    /// relative to it.
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

    pub fn load_plan(path: &Path, games: Games) -> Result<Plan, ConfigError> {
        Plan::load(&path.join(CONFIG), games)
    }

    pub fn check_frozen(&self) -> Result<(), FolderError> {
        check_digests(&self.path)
    }

    /// Writes the digests and `plan.toml` of a new plan, `plan.toml` last: only then is the folder a plan.
    pub fn write(path: &Path, table: &PlanTable) -> Result<(), FolderError> {
        write_digests(path)?;
        let text = toml::to_string(table)?;
        Ok(write_bytes(&path.join(PLAN), text)?)
    }

    pub fn path(&self) -> &Path {
        &self.path
    }

    pub fn config_path(plan: &Path) -> PathBuf {
        plan.join(CONFIG)
    }

    pub fn run_path(plan: &Path) -> PathBuf {
        plan.join(RUN)
    }

    /// A shard, whose games are in a folder of its own.
    pub fn shard(&self, shard: u32) -> RunPart<'_> {
        let path = self.path.join(SHARDS).join(format!("{shard:04}"));
        RunPart::new(&self.plan, path, self.cut(), shard)
    }

    pub fn shards(&self) -> impl Iterator<Item = RunPart<'_>> {
        (0..self.table.shards.get()).map(|shard| self.shard(shard))
    }

    pub fn cut(&self) -> Cut {
        Cut {
            seed: self.table.seed,
            shards: self.table.shards,
        }
    }

    /// Whether the games come in waves, because pairings depend on results.
    pub fn has_waves(&self) -> bool {
        self.plan.format.depends_on_results()
    }

    pub fn waves(&self) -> u32 {
        waves::count(&self.path)
    }

    fn games_of_waves(&self) -> Result<Vec<(u32, QueuedGame)>, RunFileError> {
        let cut = self.cut();
        let mut games = Vec::new();
        for wave in 1..=self.waves() {
            let of_wave = waves::read(&self.path, wave)?.into_iter();
            games.extend(of_wave.map(|game| (cut.owner(game.game, game.ticket.block), game)));
        }
        Ok(games)
    }

    /// The games of a shard; of waves, those that are written.
    pub fn portion(&self, shard: u32) -> Result<Portion, RunFileError> {
        if !self.has_waves() {
            return Ok(Portion::Shard(shard, self.cut()));
        }
        let games = self.games_of_waves()?.into_iter();
        let games = games.filter(|(owner, _)| *owner == shard);
        Ok(Portion::Listed(games.map(|(_, game)| game).collect()))
    }

    pub fn progress(&self) -> Result<Vec<ShardProgress>, RunFileError> {
        let sizes = if self.has_waves() {
            let mut sizes = vec![0; self.table.shards.get() as usize];
            for (shard, _) in self.games_of_waves()? {
                sizes[shard as usize] += 1;
            }
            sizes
        } else {
            shard_sizes(&self.plan, &self.cut())
        };
        let shards = self.shards().zip(sizes);
        let progress = shards.map(|(shard, games)| {
            let ended = shard.ended(&Self::run_path(&self.path))?;
            Ok(ShardProgress { ended, games })
        });
        progress.collect()
    }

    /// Numbers of the shards that have games left to play.
    pub fn missing(&self) -> Result<Vec<u32>, RunFileError> {
        let shards = self.progress()?.into_iter().zip(0..);
        let missing = shards.filter(|(shard, _)| !shard.is_done());
        Ok(missing.map(|(_, number)| number).collect())
    }

    pub fn unbuilt(&self) -> Vec<Option<String>> {
        let players = self.plan.players.iter();
        let problem = players.map(|player| self.table.unbuilt.get(&player.name).cloned());
        problem.collect()
    }
}
