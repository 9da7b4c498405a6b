//! `manifest.toml`: the plan as it was understood, and on what it ran.

pub(super) mod changes;
pub(super) mod players;

use std::fs;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use players::{PlayerTable, words_of};
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use toml::Spanned;

use crate::bot::{CpuSource, Tier};
use crate::clock::TimeControl;
use crate::config::{
    Base, Flaw, FormatTable, GameTable, KeepLogs, LARGEST_RECORD, Limits, Openings, Plan,
    PlannedGame, PlannedOpening, as_text, read_bounded, toml_problem,
};
use crate::game::{Game, Games};
use crate::runs::MANIFEST;
use crate::runs::error::{RunFileError, RunFileProblem};
use crate::runs::files::{hex, utc, write_bytes};
use crate::runs::identity::bot_digest::{BY_COMMAND, PlayerDigests};
use crate::runs::identity::{FolderDigests, Sources};
use crate::text::{DisplayNames, visible};

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub struct Manifest {
    pub referee: String,
    pub protocol: u32,
    pub name: String,
    pub seed: u64,
    pub created: String,
    pub jobs: usize,
    pub format: FormatTable,
    pub clock: TimeControl,
    pub limits: Limits,
    pub record: RecordTable,
    pub machine: MachineTable,
    /// The games. Openings are named by their digest.
    #[serde(rename = "game")]
    pub games: Vec<GameTable>,
    #[serde(rename = "player")]
    pub players: Vec<PlayerTable>,
}

fn game_table(
    planned: &PlannedGame,
    digests: &mut PlayerDigests<'_>,
) -> Result<GameTable, RunFileProblem> {
    let table = GameTable::new(planned, digest_of_openings);
    let Some(program) = planned.game().program() else {
        return Ok(table);
    };
    let digest = digests.of_rules(&program.command);
    Ok(table.with_rules_digest(digest.map_err(|error| {
        RunFileProblem::Malformed(format!("the rules program cannot be read: {error}"))
    })?))
}

impl Manifest {
    /// The manifest of a run of `plan` that begins now. `sources` are the known files of built bots.
    pub(in crate::runs) fn new(
        plan: &Plan,
        seed: u64,
        stamp: &Stamp,
        sources: &Sources,
    ) -> Result<Self, RunFileProblem> {
        let names: Vec<&str> = plan.players.iter().map(|it| it.name.as_str()).collect();
        let folders = FolderDigests::default();
        let mut digests = PlayerDigests { plan, folders };
        let entries = plan.players.iter();
        let players = entries.map(|entry| PlayerTable::new(entry, stamp, sources, &mut digests));
        let random_plies = plan.games.iter().find_map(|game| match game.opening {
            PlannedOpening::Random(plies) => Some(plies),
            PlannedOpening::Listed(_) => None,
        });
        Ok(Self {
            referee: env!("CARGO_PKG_VERSION").to_owned(),
            protocol: crate::protocol::VERSION,
            name: plan.name.clone(),
            seed,
            created: utc(SystemTime::now()),
            jobs: stamp.jobs,
            format: FormatTable::new(&plan.format, &names, random_plies.unwrap_or(0)),
            clock: plan.time.clone(),
            limits: stamp.in_force(&plan.limits),
            record: RecordTable {
                logs: plan.keep_logs,
            },
            machine: MachineTable::this(stamp),
            players: players.collect::<Result<_, _>>()?,
            games: plan
                .games
                .iter()
                .map(|game| game_table(game, &mut digests))
                .collect::<Result<_, _>>()?,
        })
    }

    pub(in crate::runs) fn read(run: &Path) -> Result<Self, RunFileError> {
        let path = run.join(MANIFEST);
        let bytes = read_bounded(&path, LARGEST_RECORD)
            .map_err(RunFileError::at(&path, RunFileProblem::Read))?;
        let damaged = |line: Option<usize>, problem: &str| {
            let line = line.map_or_else(String::new, |line| format!("line {line} "));
            let problem = RunFileProblem::Damaged(format!("{line}is damaged: {problem}"));
            RunFileError::new(&path, problem)
        };
        let text = as_text(bytes).map_err(|error| damaged(None, &error.to_string()))?;
        toml::from_str(&text).map_err(|error| {
            let (line, problem) = toml_problem(&text, &error);
            damaged(line, &visible(&problem))
        })
    }

    /// A copy without place, time and number of games.
    pub(in crate::runs) fn without_circumstances(mut self) -> Self {
        self.created = String::new();
        self.jobs = 0;
        self.name = String::new();
        self.machine = MachineTable::default();
        self.format = self.format.without_number_of_games();
        for game in &mut self.games {
            *game = game.without_dir();
        }
        for player in &mut self.players {
            player.dir = None;
            player.course_files = None;
        }
        self
    }

    pub(in crate::runs) fn text(&self) -> Result<String, RunFileProblem> {
        Ok(toml::to_string(self)?)
    }

    pub fn player(&self, name: &str) -> Option<&PlayerTable> {
        self.players.iter().find(|player| player.name == name)
    }

    pub fn time_of(&self, name: &str) -> &TimeControl {
        let own = self.player(name).and_then(|player| player.clock.as_ref());
        own.unwrap_or(&self.clock)
    }

    pub fn limits_of(&self, name: &str) -> &Limits {
        let own = self.player(name).and_then(|player| player.limits.as_ref());
        own.unwrap_or(&self.limits)
    }

    pub fn display_names(&self) -> DisplayNames {
        let players = self.players.iter();
        players
            .map(|player| (player.name.as_str(), player.display_name.as_deref()))
            .collect()
    }

    /// The players whose folder is too large for their digest to cover it.
    pub fn without_folder(&self) -> impl Iterator<Item = &str> {
        let players = self.players.iter();
        let without = players.filter(|player| {
            let digest = player.digest.as_deref().unwrap_or_default();
            player.build.is_none() && player.dir.is_some() && digest.starts_with(BY_COMMAND)
        });
        without.map(|player| player.name.as_str())
    }

    /// Source files of players with an unchanged folder name and build command.
    pub(in crate::runs) fn sources(&self, plan: &Plan) -> Sources {
        let known = self.players.iter().filter_map(|player| {
            let entry = plan
                .players
                .iter()
                .find(|entry| entry.name == player.name)?;
            let build = words_of(entry.build.as_ref()?);
            // Only the name is compared: the folder of a tournament may have been moved as a whole.
            let name = |dir: &Option<PathBuf>| dir.as_ref()?.file_name().map(ToOwned::to_owned);
            let same_folder = name(&player.dir) == name(&entry.launch.dir);
            let same = same_folder && player.build.as_ref() == Some(&build);
            same.then_some((player.name.clone(), player.files.clone()?))
        });
        Sources {
            built: known.collect(),
            without_folder: self.without_folder().map(str::to_owned).collect(),
        }
    }

    pub(in crate::runs) fn planned_games(
        &self,
        run: &Path,
        games: Games,
    ) -> Result<Vec<PlannedGame>, RunFileError> {
        let tables = self.games.iter();
        tables
            .map(|table| self.planned_game(table, run, games))
            .collect()
    }

    fn planned_game(
        &self,
        table: &GameTable,
        run: &Path,
        games: Games,
    ) -> Result<PlannedGame, RunFileError> {
        let bad = |problem: String| {
            let problem = format!("has a game that cannot be: {problem}");
            RunFileError::new(run.join(MANIFEST), RunFileProblem::Damaged(problem))
        };
        let flawed = |flaw: Flaw| bad(flaw.problem);
        let manifest = run.join(MANIFEST);
        let base = Base::of_manifest(&manifest, games, self.limits.rules());
        let setup = table.setup(0, base).map_err(flawed)?;
        let opening = match table.openings().map_err(flawed)? {
            None => {
                let plies = self.format.opening_plies().map_err(flawed)?;
                PlannedOpening::Random(plies.map_or(0, Spanned::into_inner))
            }
            Some((digest, order)) => {
                let path = openings_path(run, setup.game());
                let openings = Openings::read_kept(&path, &setup, order)
                    .map_err(|error| bad(format!("its openings: {error}")))?;
                if digest_of_openings(&openings) != *digest.get_ref() {
                    let problem = "these are not the openings whose digest the manifest has";
                    let problem = RunFileProblem::Damaged(problem.to_owned());
                    return Err(RunFileError::new(path, problem));
                }
                PlannedOpening::Listed(openings)
            }
        };
        table
            .planned(setup, opening, base.rules_limits)
            .map_err(flawed)
    }
}

pub(super) fn openings_path(run: &Path, game: Game) -> PathBuf {
    run.join(format!("openings-{}.txt", game.name()))
}

/// Copies the openings into the run's folder, so that a moved run can still be verified.
pub(super) fn write_openings(run: &Path, games: &[PlannedGame]) -> Result<(), RunFileError> {
    for game in games {
        if let Some(openings) = game.openings() {
            let path = openings_path(run, game.game());
            write_bytes(&path, openings.text())?;
        }
    }
    Ok(())
}

/// A digest of the openings. Comments in their file do not count.
pub(super) fn digest_of_openings(openings: &Openings) -> String {
    format!("sha256:{}", hex(&Sha256::digest(openings.text())))
}

pub(super) fn manifest_text(
    path: &Path,
    plan: &Plan,
    seed: u64,
    stamp: &Stamp,
    sources: &Sources,
) -> Result<String, RunFileError> {
    Manifest::new(plan, seed, stamp, sources)
        .and_then(|manifest| manifest.text())
        .map_err(|problem| RunFileError::new(path.join(MANIFEST), problem))
}

pub(super) fn write_manifest(run: &Path, text: &str) -> Result<(), RunFileError> {
    write_bytes(&run.join(MANIFEST), text)
}

/// Digest, in hexadecimal digits, of everything that decides a plan's games: game, clock, limits, seed,
/// players and their bots. The number of games of fixed pairings does not count, nor do the machine and the
/// time.
pub fn plan_key(plan: &Plan, seed: u64, stamp: Stamp) -> Result<String, RunFileError> {
    let text = Manifest::new(plan, seed, &stamp, &Sources::default())
        .and_then(|manifest| manifest.without_circumstances().text())
        .map_err(|problem| RunFileError::new(MANIFEST, problem))?;
    Ok(hex(&Sha256::digest(text)))
}

/// Facts that this machine and this moment add to a plan.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Stamp {
    pub jobs: usize,
    pub pinned: bool,
    pub cpu_source: CpuSource,
    pub isolation: Tier,
}

impl Stamp {
    fn in_force(&self, limits: &Limits) -> Limits {
        Limits {
            isolation: self.isolation,
            fallback: None,
            ..limits.clone()
        }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct RecordTable {
    pub logs: KeepLogs,
}

#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct MachineTable {
    pub os: String,
    pub kernel: String,
    pub arch: String,
    pub processor: String,
    pub cores: usize,
    pub pinned: bool,
    #[serde(rename = "cpu-source")]
    pub cpu_source: CpuSource,
}

impl MachineTable {
    pub fn this(stamp: &Stamp) -> Self {
        let read = |path: &str| fs::read_to_string(path).unwrap_or_default();
        let processor = read("/proc/cpuinfo")
            .lines()
            .find_map(|line| line.strip_prefix("model name")?.split_once(": "))
            .map_or_else(String::new, |(_, model)| model.to_owned());
        Self {
            os: std::env::consts::OS.to_owned(),
            kernel: read("/proc/sys/kernel/osrelease").trim().to_owned(),
            arch: std::env::consts::ARCH.to_owned(),
            processor,
            cores: std::thread::available_parallelism().map_or(1, usize::from),
            pinned: stamp.pinned,
            cpu_source: stamp.cpu_source,
        }
    }
}
