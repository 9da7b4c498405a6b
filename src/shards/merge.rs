//! Merges attempts into the run. One attempt counts for each shard; `merge.toml` names it, so an attempt that
//! ends later changes nothing.

use std::collections::{BTreeMap, HashMap};
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use super::attempts::{Attempt, Unit};
use super::folder::PlanFolder;
use super::lead::{LeadError, fold_parts};
use super::nodes::{NodeScore, Nodes};
use crate::config::read_text;
use crate::game::Game;
use crate::report::{Digests, finish_run};
use crate::results::{ResultRow, Results, Settings};
use crate::runs::{
    AttemptDigests, GameRow, Part, RecordError, RecordProblem, Run, merge_parts, write_whole,
};

const MERGE: &str = "merge.toml";

/// Maximum number of disagreements kept in full; all are counted.
const KEPT: usize = 100;

/// `merge.toml`: the attempt that counts, by shard.
#[derive(Debug, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct MergeTable {
    #[serde(default)]
    shard: BTreeMap<String, Chosen>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Chosen {
    attempt: String,
    files: AttemptDigests,
}

/// A game that two attempts played differently.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Disagreement {
    /// Number of the game.
    pub id: u64,
    /// Names of the players, by seat.
    pub players: [String; 2],
    /// The attempt that counts, then the other.
    pub attempts: [String; 2],
    /// First ply that differs, from 1, and the player who moved; `None` if no logs were kept.
    pub first_ply: Option<(usize, String)>,
}

/// Result of a merge.
#[derive(Debug, Default)]
pub struct Merged {
    /// Number of games in the run.
    pub games: u64,
    /// Number of games set aside, because they could not be played.
    pub set_aside: u64,
    /// Shards without a finished attempt.
    pub missing: Vec<Unit>,
    /// Whether no wave follows.
    pub is_over: bool,
    /// Number of games that two attempts have played.
    pub compared: u64,
    /// Number of compared games with different actions.
    pub disagreeing: u64,
    /// The first of these games, at most a hundred.
    pub disagreements: Vec<Disagreement>,
    /// Scores of players on single machines that differ significantly from their score on all.
    pub standing_out: Vec<NodeScore>,
}

/// Why shards were not merged.
#[derive(Debug, thiserror::Error)]
#[expect(missing_docs, reason = "the messages say what the fields are")]
pub enum MergeError {
    /// A file cannot be read or written.
    #[error(transparent)]
    Record(#[from] RecordError),
    /// The attempt that counts has changed.
    #[error(
        "{}: {MERGE} says that this attempt counts, and its files are gone or not as they were: put them back, or \
         take the shard out of {MERGE} to have another attempt count",
        .0.display()
    )]
    Changed(PathBuf),
    /// `merge.toml` cannot be parsed.
    #[error("{}: is damaged: {problem}; remove it to choose anew which attempts count", path.display())]
    Damaged { path: PathBuf, problem: String },
}

/// The finished attempts of a plan.
pub(super) struct ChosenParts {
    /// Attempts by wave.
    pub parts: Vec<Vec<Part>>,
    /// Shards without a finished attempt.
    pub missing: Vec<Unit>,
    /// Host names of the attempts that count, by folder.
    hosts: HashMap<PathBuf, String>,
    nodes: Nodes,
}

/// Chooses the attempt that counts for each shard and writes `merge.toml`. With `check`, earlier choices are
/// compared with their digests.
pub(super) fn chosen_parts(folder: &PlanFolder, check: bool) -> Result<ChosenParts, MergeError> {
    let mut table = read_table(folder.path())?;
    let mut chosen = ChosenParts {
        parts: Vec::new(),
        missing: Vec::new(),
        hosts: HashMap::new(),
        nodes: Nodes::default(),
    };
    for wave in folder.waves()? {
        let mut parts = Vec::new();
        for unit in folder.units(wave) {
            let attempts = folder.attempts(unit)?;
            let Some(counts) = choose(folder, unit, &attempts, &mut table, check)? else {
                chosen.missing.push(unit);
                continue;
            };
            let counting = attempts.iter().find(|it| it.name == counts.attempt);
            if let Some((attempt, done)) = counting.and_then(|it| Some((it, it.done.as_ref()?))) {
                chosen.nodes.attempt(done);
                chosen.hosts.insert(attempt.path.clone(), done.host.clone());
            }
            let done = attempts
                .into_iter()
                .filter(|attempt| attempt.done.is_some());
            parts.extend(done.map(|attempt| Part {
                counts: attempt.name == counts.attempt,
                path: attempt.path,
                shard: unit.shard,
            }));
        }
        chosen.parts.push(parts);
    }
    write_table(folder.path(), &table)?;
    Ok(chosen)
}

/// Merges the shards that are done into the run of a plan.
///
/// # Errors
/// An attempt that counts has changed, or a file cannot be read or written.
pub fn merge(folder: &PlanFolder) -> Result<Merged, LeadError> {
    let mut chosen = chosen_parts(folder, true)?;
    let folded = if folder.has_waves() {
        Some(fold_parts(folder, &chosen.parts)?)
    } else {
        None
    };
    let is_surplus = |id: u64| {
        let surplus = folded.as_ref().map(|folded| &folded.surplus);
        surplus.is_some_and(|surplus| surplus.contains(id))
    };
    let mut merged = Merged {
        is_over: folded.as_ref().is_none_or(|folded| folded.next.is_empty()),
        missing: std::mem::take(&mut chosen.missing),
        ..Merged::default()
    };
    let (cut, games) = (folder.cut(), &folder.plan.games);
    let index = |game: &str| {
        games
            .iter()
            .position(|planned| planned.game().name() == game)
    };
    let counts = |shard: u32, game: &str, pair: u64, id: u64| {
        let game = index(game).filter(|_| !is_surplus(id));
        game.is_some_and(|game| cut.owner(game, pair) == shard)
    };
    let mut results = Results::default();
    let (mut disagreeing, mut games_of) = (Vec::new(), BTreeMap::new());
    let path = PlanFolder::run_path(folder.path());
    let set_aside = merge_parts(&path, &chosen.parts, &counts, &mut |(part, row), others| {
        merged.games += 1;
        results.add(&ResultRow::from(row));
        if let Some(host) = chosen.hosts.get(&part.path) {
            chosen.nodes.game(host, row);
        }
        for (other, again) in others {
            // An adopted game is copied bit by bit, timestamps included, so it is no second opinion.
            if again == row {
                continue;
            }
            merged.compared += 1;
            if again.actions_digest != row.actions_digest {
                merged.disagreeing += 1;
                if merged.disagreements.len() < KEPT {
                    disagreeing.push([(*part).clone(), (*other).clone()]);
                    games_of.insert(row.id, row.game);
                    merged.disagreements.push(disagreement(part, other, row));
                }
            }
        }
    })?;
    merged.set_aside = set_aside;
    name_bots(&mut merged.disagreements, &disagreeing, &games_of)?;
    let scores = chosen.nodes.scores();
    chosen.nodes.write(folder.path(), &scores)?;
    merged.standing_out = scores
        .into_iter()
        .filter(|score| score.stands_out)
        .collect();
    let run = Run::open(&path)?;
    let settings = Settings::of_run(&run);
    let rated = results.rate(&settings);
    let conclusions = folded.map(|folded| folded.conclusions).unwrap_or_default();
    let digests = if merged.missing.is_empty() && merged.is_over {
        Digests::Unsigned
    } else {
        Digests::Later
    };
    finish_run(&run, &rated, &conclusions, digests)?;
    Ok(merged)
}

/// Finds the first differing ply, and its player, in games that two attempts played differently.
fn name_bots(
    disagreements: &mut [Disagreement],
    parts: &[[Part; 2]],
    games: &BTreeMap<u64, Game>,
) -> Result<(), RecordError> {
    // Read the logs of each attempt once.
    let mut logs = HashMap::new();
    for part in parts.iter().flatten() {
        if !logs.contains_key(&part.path) {
            logs.insert(part.path.clone(), part.plies(games)?);
        }
    }
    for (it, [counts, other]) in disagreements.iter_mut().zip(parts) {
        let plies = |part: &Part| logs.get(&part.path)?.get(&it.id);
        let (Some(one), Some(two)) = (plies(counts), plies(other)) else {
            continue;
        };
        let same = one
            .iter()
            .zip(two)
            .take_while(|(a, b)| a.action == b.action)
            .count();
        let ply = one.get(same).or(two.get(same));
        it.first_ply = ply.map(|ply| (same + 1, it.players[ply.seat.index()].clone()));
    }
    Ok(())
}

fn disagreement(counts: &Part, other: &Part, row: &GameRow) -> Disagreement {
    let name = |part: &Part| {
        let name = part.path.file_name().unwrap_or_default();
        format!("shard {}, {}", part.shard, name.to_string_lossy())
    };
    Disagreement {
        id: row.id,
        players: row.players.clone(),
        attempts: [name(counts), name(other)],
        first_ply: None,
    }
}

/// The attempt at a shard that counts: the one in `merge.toml`, or else the first finished attempt by number
/// and name.
fn choose(
    folder: &PlanFolder,
    unit: Unit,
    attempts: &[Attempt],
    table: &mut MergeTable,
    check: bool,
) -> Result<Option<Chosen>, MergeError> {
    let key = unit.to_string();
    if let Some(chosen) = table.shard.get(&key) {
        let path = folder.unit_path(unit).join(&chosen.attempt);
        return if !check || matches!(chosen.files.hold(&path), Ok(true)) {
            Ok(Some(chosen.clone()))
        } else {
            Err(MergeError::Changed(path))
        };
    }
    for attempt in attempts {
        if let Some(done) = &attempt.done
            && done.files.hold(&attempt.path)?
        {
            let chosen = Chosen {
                attempt: attempt.name.clone(),
                files: done.files.clone(),
            };
            table.shard.insert(key, chosen.clone());
            return Ok(Some(chosen));
        }
    }
    Ok(None)
}

fn read_table(folder: &Path) -> Result<MergeTable, MergeError> {
    let path = folder.join(MERGE);
    match read_text(&path) {
        Ok(text) => toml::from_str(&text).map_err(|error| MergeError::Damaged {
            problem: crate::text::visible(error.message()),
            path,
        }),
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(MergeTable::default()),
        Err(error) => Err(RecordError {
            path,
            problem: RecordProblem::Read(error),
        }
        .into()),
    }
}

fn write_table(folder: &Path, table: &MergeTable) -> Result<(), MergeError> {
    let path = folder.join(MERGE);
    let text = toml::to_string(table).map_err(|error| RecordError {
        path: path.clone(),
        problem: error.into(),
    })?;
    Ok(write_whole(&path, &mut |file| {
        file.write_all(text.as_bytes())
    })?)
}
