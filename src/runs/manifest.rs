//! `manifest.toml`: the plan as it was understood, and on what it ran.

use std::collections::BTreeMap;
use std::num::NonZeroU32;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use serde::{Deserialize, Serialize};

use super::date::utc;
use super::digest::{BY_COMMAND, PlayerDigests, digest_of_openings, digest_of_sources};
use super::sources::Sources;
use super::{MANIFEST, RecordError, RecordProblem, openings_path};
use crate::bot::{CpuSource, Launch, Tier};
use crate::clock::TimeControl;
use crate::config::{
    Entry, Flaw, FormatTable, GameTable, LARGEST_RECORD, Openings, Plan, PlannedGame,
    PlannedOpening, read_bounded, toml_problem,
};
use crate::schedule::HopelessTerms;
use crate::text::{DisplayNames, visible};

mod tables;

pub use tables::{LimitsTable, MachineTable, RecordTable};

/// Facts that this machine and this moment add to a plan.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Stamp {
    /// How many games are played at a time.
    pub jobs: usize,
    /// Whether a supervisor stands above each bot.
    pub supervised: bool,
    /// Whether bots are pinned to processors.
    pub pinned: bool,
    /// Source of the bots' processor time.
    pub cpu_source: CpuSource,
    /// The tier of isolation that holds.
    pub isolation: Tier,
}

/// The manifest of a run.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub struct Manifest {
    /// The version of the referee.
    pub referee: String,
    /// The version of the protocol.
    pub protocol: u32,
    /// The name of the tournament.
    pub name: String,
    /// The master seed.
    pub seed: u64,
    /// In how many shards it was played, if each decided by its own games who never plays.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub deciding_shards: Option<NonZeroU32>,
    /// When the run began, UTC.
    pub created: String,
    /// How many games were played at a time.
    pub jobs: usize,
    /// Who meets whom.
    pub format: FormatTable,
    /// The time control.
    pub clock: TimeControl,
    /// All other limits.
    pub limits: LimitsTable,
    /// The logs that are kept of each game.
    pub record: RecordTable,
    /// The machine.
    pub machine: MachineTable,
    /// The games. Openings are named by their digest.
    #[serde(rename = "game")]
    pub games: Vec<GameTable>,
    /// The players.
    #[serde(rename = "player")]
    pub players: Vec<PlayerTable>,
}

/// `[[player]]`: a player as it was entered.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub struct PlayerTable {
    /// Its name.
    pub name: String,
    /// Its name on screens, if that differs.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub display_name: Option<String>,
    /// The house bot, where it is one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub house: Option<String>,
    /// The program and its arguments, where it is not a house bot.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub command: Option<Vec<String>>,
    /// The arguments of a house bot.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub args: Vec<String>,
    /// Its working directory, where one was set.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub dir: Option<PathBuf>,
    /// The folder that its course puts beside it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub course_files: Option<PathBuf>,
    /// Variables added to its environment.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub env: BTreeMap<String, String>,
    /// The command that makes its program.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub build: Option<Vec<String>>,
    /// Its time control, where it has one of its own.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub clock: Option<TimeControl>,
    /// All its limits, where it has some of its own.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub limits: Option<LimitsTable>,
    /// Whether its bot is started afresh for each game.
    #[serde(default)]
    pub fresh_process: bool,
    /// A digest of what it runs, with its folder or without; a bot that is built has one once its build is over.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub digest: Option<String>,
    /// The files from which it is built.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub files: Option<Vec<String>>,
    /// Its values in the grid of its entry.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub grid: BTreeMap<String, String>,
}

impl Manifest {
    /// The manifest of a run of `plan` that begins now. `sources` are the files of bots that are
    /// built, as far as they are known.
    pub(super) fn new(
        plan: &Plan,
        seed: u64,
        stamp: &Stamp,
        sources: &Sources,
    ) -> Result<Self, RecordProblem> {
        let names: Vec<&str> = plan.players.iter().map(|it| it.name.as_str()).collect();
        let mut digests = PlayerDigests::new(plan);
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
            deciding_shards: plan.deciding_shards,
            created: utc(SystemTime::now()),
            jobs: stamp.jobs,
            format: FormatTable::new(&plan.format, &names, random_plies.unwrap_or(0)),
            clock: plan.time.clone(),
            limits: LimitsTable::new(&plan.limits, stamp),
            record: RecordTable {
                logs: plan.keep_logs,
            },
            machine: MachineTable::this(stamp),
            games: plan
                .games
                .iter()
                .map(|game| GameTable::new(game, digest_of_openings))
                .collect(),
            players: players.collect::<Result<_, _>>()?,
        })
    }

    /// Reads the manifest of a run.
    pub(super) fn read(run: &Path) -> Result<Self, RecordError> {
        let path = run.join(MANIFEST);
        let bytes = read_bounded(&path, LARGEST_RECORD)
            .map_err(RecordError::at(&path, RecordProblem::Read))?;
        let damaged =
            |line, problem| RecordError::new(&path, RecordProblem::NotAManifest { line, problem });
        let text = String::from_utf8(bytes).map_err(|error| {
            let whole = &error.as_bytes()[..error.utf8_error().valid_up_to()];
            let line = 1 + whole.iter().filter(|byte| **byte == b'\n').count();
            damaged(Some(line), "it is not text".to_owned())
        })?;
        toml::from_str(&text).map_err(|error| {
            let (line, problem) = toml_problem(&text, &error);
            damaged(line, visible(&problem))
        })
    }

    /// A copy without place, time and number of games.
    pub(super) fn without_circumstances(mut self) -> Self {
        self.created = String::new();
        self.jobs = 0;
        self.name = String::new();
        self.machine = MachineTable::default();
        self.format = self.format.without_number_of_games();
        for player in &mut self.players {
            player.dir = None;
            player.course_files = None;
        }
        self
    }

    /// The manifest as TOML.
    pub(super) fn text(&self) -> Result<String, RecordProblem> {
        Ok(toml::to_string(self)?)
    }

    /// The player of that name.
    pub fn player(&self, name: &str) -> Option<&PlayerTable> {
        self.players.iter().find(|player| player.name == name)
    }

    /// The time control of the player of that name.
    pub fn time_of(&self, name: &str) -> &TimeControl {
        let own = self.player(name).and_then(|player| player.clock.as_ref());
        own.unwrap_or(&self.clock)
    }

    /// The limits of the player of that name.
    pub fn limits_of(&self, name: &str) -> &LimitsTable {
        let own = self.player(name).and_then(|player| player.limits.as_ref());
        own.unwrap_or(&self.limits)
    }

    /// When players forfeit their other games unplayed.
    pub fn hopeless_terms(&self) -> HopelessTerms {
        let own = |player: &PlayerTable| {
            let limits = player.limits.as_ref().unwrap_or(&self.limits);
            let games = limits.hopeless_after?;
            Some(games.try_into().unwrap_or(u32::MAX))
        };
        let after = self.players.iter().map(own).collect();
        HopelessTerms::new(after, self.seed, self.deciding_shards)
    }

    /// Names of the players on screens.
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

    /// The games, with the openings that are kept with the run.
    pub(super) fn planned_games(&self, run: &Path) -> Result<Vec<PlannedGame>, RecordError> {
        let games = self.games.iter();
        games.map(|table| self.planned_game(table, run)).collect()
    }

    fn planned_game(&self, table: &GameTable, run: &Path) -> Result<PlannedGame, RecordError> {
        let bad = |problem: String| {
            let problem = format!("has a game that cannot be: {problem}");
            RecordError::new(run.join(MANIFEST), RecordProblem::Game(problem))
        };
        let flawed = |flaw: Flaw| bad(flaw.problem);
        let setup = table.setup(0).map_err(flawed)?;
        let opening = match table.openings().map_err(flawed)? {
            None => PlannedOpening::Random(self.format.opening_plies()),
            Some((digest, order)) => {
                let path = openings_path(run, setup.game());
                let openings = Openings::read(&path, &setup, order)
                    .map_err(|error| bad(format!("its openings: {error}")))?;
                if digest_of_openings(&openings) != *digest.get_ref() {
                    return Err(RecordError::new(path, RecordProblem::OtherOpenings));
                }
                PlannedOpening::Listed(openings)
            }
        };
        table.planned(setup, opening).map_err(flawed)
    }
}

impl PlayerTable {
    fn new(
        entry: &Entry,
        stamp: &Stamp,
        sources: &Sources,
        digests: &mut PlayerDigests<'_>,
    ) -> Result<Self, RecordProblem> {
        let launch = &entry.launch;
        let files = sources.of(&entry.name);
        let digest = match (&entry.build, files) {
            (None, _) => Some(digests.of(launch, sources.has_folder(&entry.name))),
            (Some(_), None) => None,
            (Some(_), Some(files)) => Some(digest_of_sources(launch, files)),
        };
        let digest = digest.transpose().map_err(|source| RecordProblem::Bot {
            player: entry.name.clone(),
            source,
        })?;
        Ok(Self {
            name: entry.name.clone(),
            display_name: entry.display_name.clone(),
            house: entry.house.clone(),
            command: entry.house.is_none().then(|| words_of(launch)),
            // The first two arguments of a house bot are `bot` and its name.
            args: match entry.house {
                Some(_) => launch.args[2..].to_vec(),
                None => Vec::new(),
            },
            dir: launch.dir.clone(),
            course_files: launch.course_files.clone(),
            env: launch.env.iter().cloned().collect(),
            build: entry.build.as_ref().map(words_of),
            clock: entry.terms.time.clone(),
            limits: entry
                .terms
                .limits
                .as_ref()
                .map(|limits| LimitsTable::new(limits, stamp)),
            fresh_process: entry.fresh_process,
            files: files.map(<[String]>::to_vec),
            grid: entry
                .variant
                .iter()
                .flat_map(|it| it.0.iter().cloned())
                .collect(),
            digest: digest.map(|digest| digests.with_course_files(digest, launch)),
        })
    }
}

/// A program and its arguments.
pub(super) fn words_of(launch: &Launch) -> Vec<String> {
    let program = launch.program.display().to_string();
    std::iter::once(program)
        .chain(launch.args.iter().cloned())
        .collect()
}
