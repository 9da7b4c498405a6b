//! `league.toml`: the keys of a tournament but for its format and players, and `[matchmaking]`.

use std::num::NonZeroU32;
use std::path::{Path, PathBuf};

use serde::Deserialize;
use toml::{Table, Value};

use super::{GradeError, Version};
use crate::config::{ConfigError, Plan, in_brackets, text_of, toml_problem};
use crate::game::Games;
use crate::text::{did_you_mean, visible};

pub const TERMS: &str = "league.toml";

const MATCHMAKING: &str = "matchmaking";
const TRY: &str = "try";
const KEYS: [&str; 12] = [
    "name",
    "seed",
    "season",
    "course-files",
    "game",
    MATCHMAKING,
    TRY,
    "clock",
    "limits",
    "record",
    "report",
    "each",
];

/// `[matchmaking]`.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case", default)]
pub struct Matchmaking {
    pub blocks: u32,
    /// Random plies at the start of games without listed openings.
    pub opening_plies: u32,
    /// A version that has forfeited so many of its last games, of twice as many, is benched; 0 benches nobody.
    pub bench_after: u32,
    /// Whether retired versions may be opponents.
    pub anchors: bool,
}

impl Default for Matchmaking {
    fn default() -> Self {
        Self {
            blocks: 16,
            opening_plies: 0,
            bench_after: 10,
            anchors: true,
        }
    }
}

/// `[try]`.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
struct Trials {
    stage: Vec<Stage>,
}

/// A `[[try.stage]]`.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Stage {
    pub games: NonZeroU32,
    /// The trial ends once the difference is known to this many Elo, up and down.
    pub until: Option<f64>,
    /// A file of starts instead of the game's own.
    pub openings: Option<String>,
    /// Whether no other candidate has its starts.
    #[serde(default)]
    pub fresh: bool,
}

impl Default for Trials {
    fn default() -> Self {
        let stage = [32, 128, 512].map(|games| Stage {
            games: NonZeroU32::new(games).unwrap_or(NonZeroU32::MIN),
            until: None,
            openings: None,
            fresh: false,
        });
        Self {
            stage: stage.into(),
        }
    }
}

#[derive(Debug)]
pub struct Terms {
    pub name: String,
    /// The name of the season; empty for the first one.
    pub season: String,
    pub seed: u64,
    pub matchmaking: Matchmaking,
    pub stages: Vec<Stage>,
    /// All keys of a tournament.
    table: Table,
    path: PathBuf,
    games: Games,
}

impl Terms {
    pub fn load(league: &Path, games: Games) -> Result<Self, GradeError> {
        let path = league.join(TERMS);
        let text = text_of(&path)?;
        let bad = |line, problem| ConfigError::at_line(&path, line, problem);
        let mut table: Table = toml::from_str(&text).map_err(|error| {
            let (line, problem) = toml_problem(&text, &error);
            bad(line, problem)
        })?;
        let (matchmaking, trials) = (table.remove(MATCHMAKING), table.remove(TRY));
        let bad_section = |key: &str, error: toml::de::Error| {
            let (_, problem) = toml_problem("", &error);
            bad(line_of(&text, key), format!("[{key}]: {problem}"))
        };
        let matchmaking = matchmaking.map_or(Ok(Matchmaking::default()), Value::try_into);
        let matchmaking = matchmaking.map_err(|error| bad_section(MATCHMAKING, error))?;
        let trials = trials.map_or(Ok(Trials::default()), Value::try_into);
        let trials = trials.map_err(|error| bad_section(TRY, error))?;
        let season = table.remove("season").unwrap_or_else(|| "".into());
        let is_name = |name: &&str| name.chars().all(|c| c.is_ascii_alphanumeric() || c == '-');
        let Some(season) = season.as_str().filter(is_name) else {
            let problem = "`season`: expected a name of letters, digits and `-` in quotes";
            return Err(bad(line_of(&text, "season"), problem.to_owned()).into());
        };
        for key in ["format", "player"] {
            if table.contains_key(key) {
                let problem = format!(
                    "`{key}` is no key of a league: expected pairings from [{MATCHMAKING}], and bots by \
                     `referee league add`"
                );
                return Err(bad(line_of(&text, key), problem).into());
            }
        }
        if let Some(key) = table.keys().find(|key| !KEYS.contains(&key.as_str())) {
            let meant = in_brackets(did_you_mean(key, KEYS));
            let problem = format!(
                "unknown key `{}`{meant}, expected one of `{}`",
                visible(key),
                KEYS.join("`, `")
            );
            return Err(bad(line_of(&text, key), problem).into());
        }
        let dir = table.get("game").and_then(|game| game.get("dir"));
        if let Some(dir) = dir.and_then(Value::as_str)
            && let (Ok(rules), Ok(own)) = (league.join(dir).canonicalize(), league.canonicalize())
            && own.starts_with(&rules)
        {
            let problem = "`dir` has the league in it, so its files change with each game: expected a folder of the rules alone";
            return Err(bad(line_of(&text, "dir"), problem.to_owned()).into());
        }
        let name = table.get("name").and_then(Value::as_str);
        let seed = table.get("seed").and_then(Value::as_integer);
        let Some(seed) = seed.and_then(|seed| u64::try_from(seed).ok()) else {
            let problem = "missing key `seed`: expected a number, from which all chance comes";
            return Err(bad(None, problem.to_owned()).into());
        };
        let terms = Self {
            name: name.unwrap_or("league").to_owned(),
            season: season.to_owned(),
            seed,
            matchmaking,
            stages: trials.stage,
            table,
            path: path.clone(),
            games,
        };
        Ok(terms)
    }

    /// A plan under these terms in which the first of two players meets the second, whatever the number of seats.
    pub fn probe(&self, players: [Table; 2]) -> Result<Plan, GradeError> {
        let first = players[0].get("name").cloned();
        let challengers: Vec<Value> = first.into_iter().collect();
        let format = [
            ("kind", Value::from("gauntlet")),
            ("challengers", challengers.into()),
            ("games-per-pairing", 1.into()),
        ];
        let text = self.text(self.table.clone(), players.into(), format.into());
        let plan = Plan::parse(&text, &self.path, self.games);
        // The lines belong to a text that the user has not seen.
        Ok(plan.map_err(|error| ConfigError {
            place: None,
            others: Vec::new(),
            ..error
        })?)
    }

    /// The configuration of a batch, for a file one folder further down: its name, seed and players, who sits together in
    /// each block, and a file of starts.
    pub fn config(
        &self,
        name: &str,
        seed: u64,
        players: Vec<Table>,
        pairings: &[Vec<String>],
        openings: Option<&str>,
    ) -> String {
        let mut table = self.table.clone();
        // TOML has no number beyond 63 bits.
        table.insert("seed".to_owned(), Value::Integer((seed >> 1) as i64));
        table.insert("name".to_owned(), format!("{}-{name}", self.name).into());
        if let Some(path) = table.get_mut("course-files") {
            lower(path);
        }
        if let Some(Value::Table(game)) = table.get_mut("game") {
            if let Some(openings) = openings {
                game.insert("openings".to_owned(), openings.into());
            }
            for key in ["openings", "syzygy"] {
                game.get_mut(key).map(lower);
            }
            if let Some(dir) = game.get_mut("dir") {
                lower(dir);
            } else if let Some(Value::Array(words)) = game.get_mut("rules") {
                for (at, word) in words.iter_mut().enumerate() {
                    let text = word.as_str().unwrap_or_default();
                    // A bare name is a program of PATH.
                    let is_path = at > 0 || text.contains('/');
                    let path = Path::new(text);
                    if is_path && path.is_relative() && self.path.with_file_name(path).is_file() {
                        lower(word);
                    }
                }
            }
        }
        let pairings: Vec<Value> = pairings.iter().map(|it| it.clone().into()).collect();
        let format = [("kind", Value::from("list")), ("pairings", pairings.into())];
        self.text(table, players, format.into())
    }

    fn text(
        &self,
        mut table: Table,
        players: Vec<Table>,
        mut format: Vec<(&str, Value)>,
    ) -> String {
        let plies = i64::from(self.matchmaking.opening_plies);
        format.push(("opening-plies", plies.into()));
        let format = format
            .into_iter()
            .map(|(key, value)| (key.to_owned(), value));
        table.insert("format".to_owned(), Value::Table(format.collect()));
        let players: Vec<Value> = players.into_iter().map(Value::Table).collect();
        table.insert("player".to_owned(), players.into());
        // A table of plain values always has a text.
        toml::to_string(&table).unwrap_or_default()
    }
}

pub fn player(version: &Version, dir: Option<String>) -> Table {
    let mut table = version.player.clone();
    table.insert("name".to_owned(), version.player_name().into());
    if version.shown != version.owner {
        table.insert("display-name".to_owned(), version.shown_name().into());
    }
    if let Some(dir) = dir {
        table.insert("dir".to_owned(), dir.into());
    }
    table
}

/// A path for a file one folder further down.
fn lower(path: &mut Value) {
    if let Value::String(path) = path {
        *path = Path::new("..").join(&*path).display().to_string();
    }
}

/// The line of a table's head or of a key, from 1.
fn line_of(text: &str, key: &str) -> Option<usize> {
    let mut lines = text.lines().map(|line| line.trim_start_matches('[').trim());
    let goes_on = |c: char| c.is_alphanumeric() || "-_".contains(c);
    let is_it = |line: &str| {
        let rest = line.strip_prefix(key);
        rest.is_some_and(|rest| !rest.starts_with(goes_on))
    };
    lines.position(is_it).map(|at| at + 1)
}

/// A player that stands for any, in plans that nobody plays.
pub fn nobody(name: &str) -> Table {
    let keys = [
        ("name", Value::from(name)),
        ("command", vec!["true".to_owned()].into()),
        ("dir", ".".into()),
    ];
    keys.into_iter()
        .map(|(key, value)| (key.to_owned(), value))
        .collect()
}
