//! Resumes a run that was interrupted at any moment.

use std::collections::HashSet;
use std::fs::{self, OpenOptions};
use std::io::{self, Write};
use std::path::Path;

use super::RunFolder;
use crate::config::Plan;
use crate::runs::error::{RowProblem, RunFileError, RunFileProblem};
use crate::runs::files::lock::Lock;
use crate::runs::identity::Sources;
use crate::runs::journal::done::{DoneGames, PlanIndex};
use crate::runs::journal::rows::{self, Journal, Rows};
use crate::runs::journal::{GameRow, Ids, RowShape, set_aside};
use crate::runs::logs::game_files::FileDigests;
use crate::runs::manifest::changes::Changes;
use crate::runs::manifest::{Manifest, Stamp, manifest_text, write_manifest, write_openings};
use crate::runs::seal::remove_digests;
use crate::runs::{JOURNAL, MANIFEST};

/// Games of a run that are played again as it goes on.
#[derive(Debug, Clone, Copy, Default)]
pub struct Repeat {
    /// Whether the plan may differ; the games of changed players are played again.
    pub changed: bool,
    /// Games of a player with a lower share of the processor.
    pub below: Option<f64>,
}

#[derive(Debug, thiserror::Error)]
pub enum ResumeError {
    #[error(transparent)]
    RunFile(#[from] RunFileError),
    #[error("this run was begun as another tournament: {}", .0.words.join("; "))]
    OtherTournament(Changes),
    #[error(
        "since this run was begun, {}; --accept-changes goes on all the same, and plays the games of \
         changed players again",
        .0.words.join("; ")
    )]
    Changed(Changes),
}

impl RunFolder {
    /// Opens the folder of an interrupted run, or makes one if there is none. Drops torn rows, rows without
    /// an intact log, and rows to `repeat`, so that these games are played again. Passes every row
    /// that stays to `each`.
    pub fn resume(
        path: &Path,
        plan: &Plan,
        stamp: Stamp,
        repeat: Repeat,
        each: &mut dyn FnMut(&GameRow),
    ) -> Result<Self, ResumeError> {
        if !path.join(MANIFEST).exists() {
            if path.join(JOURNAL).exists() {
                return Err(RunFileError::new(path, RunFileProblem::NoManifest).into());
            }
            match Self::create(path, plan, stamp) {
                // Another process created the run since the check above.
                Err(RunFileError {
                    problem: RunFileProblem::HoldsARun,
                    ..
                }) => {}
                begun => return Ok(begun?),
            }
        }
        let lock = Lock::take(path)?;
        let Compared {
            seed,
            mut sources,
            changes,
        } = compare(path, plan, &stamp)?;
        if changes.other_tournament {
            return Err(ResumeError::OtherTournament(changes));
        }
        if !changes.is_empty() && !repeat.changed {
            return Err(ResumeError::Changed(changes));
        }
        // Removed before any file changes: after a kill the run has no digests, rather than wrong ones.
        remove_digests(path)?;
        if !changes.is_empty() {
            // Rows are dropped before the manifest changes: after a kill in between, the old manifest
            // shows the changes once more.
            put_right(path, plan, &changes, None)?;
            for player in &changes.players {
                sources.forget(player);
            }
        }
        if !changes.is_empty() || changes.beside_games {
            let text = manifest_text(path, plan, seed, &stamp, &sources)?;
            write_manifest(path, &text)?;
        }
        put_right(path, plan, &Changes::default(), repeat.below)?;
        let mut done = DoneGames::default();
        read_done(path, plan, &mut done, each)?;
        remove_other_logs(path, &done)?;
        write_openings(path, &plan.games)?;
        Ok(Self {
            path: path.to_owned(),
            journal: Journal::open(path)?,
            keep: plan.keep_logs,
            seed,
            done,
            stamp,
            sources,
            _lock: lock,
        })
    }
}

impl Changes {
    pub fn since(run: &Path, plan: &Plan, stamp: Stamp) -> Result<Self, RunFileError> {
        compare(run, plan, &stamp).map(|compared| compared.changes)
    }
}

impl Changes {
    /// The changes of games and terms from a run to a plan, whoever plays whom.
    pub fn of_terms(run: &Path, plan: &Plan) -> Result<Self, RunFileError> {
        let old = Manifest::read(run)?;
        let stamp = Stamp {
            jobs: old.jobs,
            pinned: old.machine.pinned,
            cpu_source: old.machine.cpu_source,
            isolation: old.limits.isolation,
        };
        Manifest::new(plan, old.seed, &stamp, &Sources::default())
            .and_then(|new| {
                let new = Manifest {
                    format: old.format.clone(),
                    players: old.players.clone(),
                    ..new
                };
                Ok(Self::between(&old, &new, plan.seats())?)
            })
            .map_err(RunFileError::at(
                &run.join(MANIFEST),
                |problem: RunFileProblem| problem,
            ))
    }
}

struct Compared {
    seed: u64,
    sources: Sources,
    changes: Changes,
}

fn compare(run: &Path, plan: &Plan, stamp: &Stamp) -> Result<Compared, RunFileError> {
    let old = Manifest::read(run)?;
    let seed = plan.seed.unwrap_or(old.seed);
    let sources = old.sources(plan);
    let changes = Manifest::new(plan, seed, stamp, &sources)
        .and_then(|new| Ok(Changes::between(&old, &new, plan.seats())?))
        .map_err(RunFileError::at(
            &run.join(MANIFEST),
            |problem: RunFileProblem| problem,
        ))?;
    Ok(Compared {
        seed,
        sources,
        changes,
    })
}

fn put_right(
    path: &Path,
    plan: &Plan,
    changes: &Changes,
    below: Option<f64>,
) -> Result<(), RunFileError> {
    let journal = path.join(JOURNAL);
    cut_torn_row(&journal, plan.row_shape())?;
    let names: HashSet<&str> = plan.players.iter().map(|it| it.name.as_str()).collect();
    let mut seen = Ids::default();
    let mut dropped = Ids::default();
    let mut rows = Rows::open(&journal, plan.each_game())?;
    while let Some(row) = rows.next().transpose()? {
        if !row.names().values().all(|name| names.contains(name)) {
            return Err(rows.refuse(RowProblem::unknown("names a player")));
        }
        if !seen.insert(row.id) {
            return Err(rows.refuse(RowProblem::twice(row.id)));
        }
        let changed = row.players.values().any(|it| changes.players.contains(it));
        let logged = plan.keep_logs.keeps(row.is_forfeited());
        if changed || row.is_below(below) || (logged && !files_are_whole(path, &row)) {
            dropped.insert(row.id);
        }
    }
    let first = dropped.first().copied();
    // Later pairings may depend on the first dropped game.
    let all_after = plan.format.depends_on_results();
    let mut set_aside = set_aside::read(path)?;
    // With fixed pairings, games set aside are tried once more, and stay in the file. Otherwise they stay
    // only before the first dropped game, since all later games are played again.
    set_aside.retain(|game| {
        let is_left = !seen.contains(&game.id) && first.is_none_or(|first| game.id < first);
        !all_after || is_left
    });
    set_aside::write(path, &set_aside)?;
    if first.is_none() && changes.is_empty() {
        return Ok(());
    }
    drop_rows(path, plan, &|id| {
        dropped.contains(&id) || (all_after && first.is_some_and(|first| id > first))
    })
}

/// Adds the results of the journal to those that are `done`, and passes each row to `each`.
pub(super) fn read_done(
    path: &Path,
    plan: &Plan,
    done: &mut DoneGames,
    each: &mut dyn FnMut(&GameRow),
) -> Result<(), RunFileError> {
    let index = PlanIndex::of_plan(plan);
    let mut rows = Rows::open_whole(&path.join(JOURNAL), plan.each_game())?;
    while let Some(row) = rows.next().transpose()? {
        let result = index.done(&row).map_err(|problem| rows.refuse(problem))?;
        done.insert(row.id, result);
        each(&row);
    }
    // With fixed pairings they are tried once more.
    if !plan.format.depends_on_results() {
        return Ok(());
    }
    for game in set_aside::read(path)? {
        let refuse = |problem| {
            let problem = RunFileProblem::Row { line: 2, problem };
            RunFileError::new(set_aside::path(path), problem)
        };
        done.insert(game.id, index.drawn(&game).map_err(refuse)?);
    }
    Ok(())
}

fn drop_rows(run: &Path, plan: &Plan, dropped: &dyn Fn(u64) -> bool) -> Result<(), RunFileError> {
    let journal = run.join(JOURNAL);
    let kept = Rows::open(&journal, plan.each_game())?
        .filter(|row| row.as_ref().map_or(true, |row| !dropped(row.id)));
    rows::write_rows(&journal, plan.row_shape(), kept)
}

/// Truncates the journal to its last whole row, and writes the header if even that is torn.
fn cut_torn_row(journal: &Path, shape: RowShape) -> Result<(), RunFileError> {
    let failed = |error: io::Error| RunFileError::new(journal, RunFileProblem::Write(error));
    let mut file = OpenOptions::new()
        .read(true)
        .append(true)
        .create(true)
        .open(journal)
        .map_err(failed)?;
    let (whole, length) = rows::whole_rows(&mut file).map_err(failed)?;
    if whole < length {
        file.set_len(whole).map_err(failed)?;
    }
    if whole == 0 {
        file.write_all(&GameRow::header(shape)).map_err(failed)?;
    }
    Ok(())
}

/// Whether the files of a game have the digests in its row. After a power cut the row may be on the disk
/// without them.
fn files_are_whole(run: &Path, row: &GameRow) -> bool {
    FileDigests::of(run, row.game, row.id).is_ok_and(|found| found == row.files)
}

fn remove_other_logs(run: &Path, done: &DoneGames) -> Result<(), RunFileError> {
    for kind in ["games", "stderr"] {
        let Ok(folders) = fs::read_dir(run.join(kind)) else {
            continue;
        };
        for file in folders
            .flatten()
            .filter_map(|folder| fs::read_dir(folder.path()).ok())
            .flat_map(|files| files.flatten())
        {
            let name = file.file_name();
            let digits = name.to_string_lossy();
            let digits = digits.split(['.', '-']).next().unwrap_or_default();
            if digits.parse().is_ok_and(|id: u64| !done.contains_key(&id)) {
                fs::remove_file(file.path())
                    .map_err(RunFileError::at(&file.path(), RunFileProblem::Write))?;
            }
        }
    }
    Ok(())
}
