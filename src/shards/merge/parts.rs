//! `merge.toml`: one attempt counts for each shard. It is named there, so an attempt that ends later changes
//! nothing.

use std::collections::{BTreeMap, HashMap};
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use super::nodes::Nodes;
use crate::config::read_text;
use crate::runs::{AttemptDigests, MergePart, RunFileError, RunFileProblem, write_whole};
use crate::shards::plan::{Attempt, PlanFolder, ShardUnit};

const MERGE: &str = "merge.toml";

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

/// Why shards were not merged.
#[derive(Debug, thiserror::Error)]
#[expect(missing_docs, reason = "the messages say what the fields are")]
pub enum MergeError {
    /// A file cannot be read or written.
    #[error(transparent)]
    RunFile(#[from] RunFileError),
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
    pub parts: Vec<Vec<MergePart>>,
    /// Shards without a finished attempt.
    pub missing: Vec<ShardUnit>,
    /// Host names of the attempts that count, by folder.
    pub hosts: HashMap<PathBuf, String>,
    pub nodes: Nodes,
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
            parts.extend(done.map(|attempt| MergePart {
                counts: attempt.name == counts.attempt,
                path: attempt.path,
                shard: unit.shard,
                games: folder.plan.each_game().collect(),
            }));
        }
        chosen.parts.push(parts);
    }
    write_table(folder.path(), &table)?;
    Ok(chosen)
}

/// The attempt at a shard that counts: the one in `merge.toml`, or else the first finished attempt by number
/// and name.
fn choose(
    folder: &PlanFolder,
    unit: ShardUnit,
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
        Err(error) => Err(RunFileError {
            path,
            problem: RunFileProblem::Read(error),
        }
        .into()),
    }
}

fn write_table(folder: &Path, table: &MergeTable) -> Result<(), MergeError> {
    let path = folder.join(MERGE);
    let text = toml::to_string(table).map_err(|error| RunFileError {
        path: path.clone(),
        problem: error.into(),
    })?;
    Ok(write_whole(&path, &mut |file| {
        file.write_all(text.as_bytes())
    })?)
}
