//! From attempts to the run: of each shard one attempt counts, and `merge.toml` says which, so that one that
//! ends later changes nothing.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use super::attempts::Attempt;
use super::folder::PlanFolder;
use crate::game::Game;
use crate::record::{
    AttemptDigests, GameRow, Part, RecordError, RecordProblem, Run, merge_parts, write_whole,
};
use crate::report::{Results, run_settings, write_tables};

const MERGE: &str = "merge.toml";

/// How many disagreements are kept with all they say; all are counted.
const KEPT: usize = 100;

/// `merge.toml`: which attempt counts, by the number of the shard.
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

/// Two attempts that played a game otherwise.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Disagreement {
    /// The number of the game.
    pub id: u64,
    /// The players by seat.
    pub players: [String; 2],
    /// The attempt whose game counts, and the other.
    pub attempts: [String; 2],
}

/// What a merge found.
#[derive(Debug, Default)]
pub struct Merged {
    /// How many games the run has.
    pub games: u64,
    /// How many games could not be played.
    pub set_aside: u64,
    /// The shards that no attempt has done.
    pub missing: Vec<u32>,
    /// How many games were played by two attempts that share none of their plies.
    pub compared: u64,
    /// How many of them differ, and the first of those.
    pub disagreeing: u64,
    /// The first of them.
    pub disagreements: Vec<Disagreement>,
}

/// Why shards were not merged.
#[derive(Debug, thiserror::Error)]
#[expect(missing_docs, reason = "the messages say what the fields are")]
pub enum MergeError {
    /// A file cannot be read or written.
    #[error(transparent)]
    Record(#[from] RecordError),
    /// The attempt that counts is not as it was.
    #[error(
        "{}: {MERGE} says that this attempt counts, and its files are gone or not as they were: put them back, or \
         take the shard out of {MERGE} to have another attempt count",
        .0.display()
    )]
    Changed(PathBuf),
    /// `merge.toml` is not one.
    #[error("{}: is damaged: {problem}; remove it to choose anew which attempts count", path.display())]
    Damaged { path: PathBuf, problem: String },
}

/// Merges the shards that are done into the run of a plan.
///
/// # Errors
/// An attempt that counts is not as it was, or a file cannot be read or written.
pub fn merge(folder: &PlanFolder) -> Result<Merged, MergeError> {
    let mut table = read_table(folder.path())?;
    let mut merged = Merged::default();
    let mut parts = Vec::new();
    for shard in folder.shards() {
        let attempts = folder.attempts(shard)?;
        let Some(chosen) = choose(folder, shard, &attempts, &mut table)? else {
            merged.missing.push(shard);
            continue;
        };
        merged.set_aside += chosen.1.set_aside;
        let done = attempts
            .into_iter()
            .filter(|attempt| attempt.done.is_some());
        parts.extend(done.map(|attempt| Part {
            counts: attempt.name == chosen.0,
            path: attempt.path,
            shard,
        }));
    }
    write_table(folder.path(), &table)?;
    let (cut, games) = (folder.cut(), &folder.plan.games);
    let index = |game: Game| games.iter().position(|planned| planned.game() == game);
    let counts = |shard: u32, row: &GameRow| {
        index(row.game).is_some_and(|game| cut.owner(game, row.pair) == shard)
    };
    let mut results = Results::default();
    let path = PlanFolder::run_path(folder.path());
    merge_parts(&path, &parts, &counts, &mut |(part, row), others| {
        merged.games += 1;
        results.add(&row.result(0));
        for (other, again) in others {
            // A game that was taken over from the other attempt is the same to the microsecond.
            if again == row {
                continue;
            }
            merged.compared += 1;
            if again.actions_digest != row.actions_digest {
                merged.disagreeing += 1;
                if merged.disagreements.len() < KEPT {
                    merged.disagreements.push(disagreement(part, other, row));
                }
            }
        }
    })?;
    let run = Run::open(&path)?;
    let settings = run_settings(&run)?;
    write_tables(&run, &results.rate(&settings), &[])?;
    if merged.missing.is_empty() {
        run.write_digests(None)?;
    }
    Ok(merged)
}

fn disagreement(counts: &Part, other: &Part, row: &GameRow) -> Disagreement {
    let name = |part: &Part| {
        let name = part.path.file_name().unwrap_or_default();
        format!("{:04}/{}", part.shard, name.to_string_lossy())
    };
    Disagreement {
        id: row.id,
        players: row.players.clone(),
        attempts: [name(counts), name(other)],
    }
}

/// The attempt at a shard that counts: the one that counted before, or else the first that is done, by number
/// and name. Gives its name and what it left.
fn choose(
    folder: &PlanFolder,
    shard: u32,
    attempts: &[Attempt],
    table: &mut MergeTable,
) -> Result<Option<(String, AttemptDigests)>, MergeError> {
    let key = format!("{shard:04}");
    if let Some(chosen) = table.shard.get(&key) {
        let path = folder.shard_path(shard).join(&chosen.attempt);
        return match chosen.files.hold(&path) {
            Ok(true) => Ok(Some((chosen.attempt.clone(), chosen.files.clone()))),
            _ => Err(MergeError::Changed(path)),
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
            table.shard.insert(key, chosen);
            return Ok(Some((attempt.name.clone(), done.files.clone())));
        }
    }
    Ok(None)
}

fn read_table(folder: &Path) -> Result<MergeTable, MergeError> {
    let path = folder.join(MERGE);
    match fs::read_to_string(&path) {
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
