//! Merges attempts into the run.

use std::collections::{BTreeMap, HashMap};

use super::lead::{LeadError, fold_parts};
use super::nodes::NodeScore;
use super::parts::chosen_parts;
use crate::game::Game;
use crate::game::PerSeat;
use crate::report::{finish_run, write_tables};
use crate::results::{ResultRow, Results, Settings};
use crate::runs::{GameRow, MergePart, Run, RunFileError, first_difference, merge_parts};
use crate::shards::plan::{PlanFolder, ShardUnit};

/// Maximum number of disagreements kept in full; all are counted.
const KEPT: usize = 100;

/// A game that two attempts played differently.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Disagreement {
    /// Number of the game.
    pub id: u64,
    /// Names of the players, by seat.
    pub players: PerSeat<String>,
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
    pub missing: Vec<ShardUnit>,
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
    let counts = |shard: u32, game: &str, block: u64, id: u64| {
        let game = index(game).filter(|_| !is_surplus(id));
        game.is_some_and(|game| cut.owner(game, block) == shard)
    };
    let mut results = Results::default();
    let (mut disagreeing, mut games_of) = (Vec::new(), BTreeMap::new());
    let path = PlanFolder::run_path(folder.path());
    let set_aside = merge_parts(
        &path,
        folder.plan.seats(),
        &chosen.parts,
        &counts,
        &mut |(part, row), others| {
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
        },
    )?;
    merged.set_aside = set_aside;
    name_bots(&mut merged.disagreements, &disagreeing, &games_of)?;
    let scores = chosen.nodes.scores();
    chosen.nodes.write(folder.path(), &scores)?;
    merged.standing_out = scores
        .into_iter()
        .filter(|score| score.stands_out)
        .collect();
    let run = Run::open(&path, folder.games)?;
    let settings = Settings::of_run(&run);
    let rated = results.rate(&settings);
    let conclusions = folded.map(|folded| folded.conclusions).unwrap_or_default();
    if merged.missing.is_empty() && merged.is_over {
        finish_run(&run, &rated, &conclusions)?;
    } else {
        write_tables(&run, &rated, &conclusions)?;
    }
    Ok(merged)
}

/// Finds the first differing ply, and its player, in games that two attempts played differently.
fn name_bots(
    disagreements: &mut [Disagreement],
    parts: &[[MergePart; 2]],
    games: &BTreeMap<u64, Game>,
) -> Result<(), RunFileError> {
    // Read the logs of each attempt once.
    let mut logs = HashMap::new();
    for part in parts.iter().flatten() {
        if !logs.contains_key(&part.path) {
            logs.insert(part.path.clone(), part.plies(games)?);
        }
    }
    for (it, [counts, other]) in disagreements.iter_mut().zip(parts) {
        let plies = |part: &MergePart| logs.get(&part.path)?.get(&it.id);
        let (Some(one), Some(two)) = (plies(counts), plies(other)) else {
            continue;
        };
        let first = first_difference(one, two);
        it.first_ply = first.map(|(at, seat)| (at + 1, it.players[seat].clone()));
    }
    Ok(())
}

fn disagreement(counts: &MergePart, other: &MergePart, row: &GameRow) -> Disagreement {
    let name = |part: &MergePart| {
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
