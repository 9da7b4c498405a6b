//! A copy of a run for one of its players, which other people may see.

use std::collections::BTreeSet;
use std::fs::{self, File};
use std::io::Read;
use std::path::{Path, PathBuf};

use super::scrub::Scrub;
use super::seen_log::{Output, log_seen_by};
use crate::config::FormatTable;
use crate::game::{Reason, Seat};
use crate::referee::{FaultKind, PlayerFault};
use crate::runs::{
    BUILDS, GameRow, MachineTable, Manifest, PlayerTable, Run, RunCopy, RunFileError,
    RunFileProblem, digest_of_bytes,
};

/// Bytes by which the log of a build may exceed the plan's limit: the end of a cut log, and a line about the cut.
const BEYOND: u64 = 64 << 10;

/// Copies a run for one of its players: its own games, without details of the machine, and without programs and
/// output of other players. The copy is a run that has not ended: it has no tables and no digests yet.
///
/// Opponents of the player keep their names. All others are called `other-1` and so on, so that every game keeps its
/// number.
///
/// # Errors
/// The run has no such player, a file of it cannot be read or has changed, or the copy cannot be written: its folder
/// must be a new or an empty one.
pub fn copy_for_player(
    run: &Run,
    player: &str,
    to: &Path,
    scrub: &Scrub,
) -> Result<(), RunFileError> {
    if run.manifest().player(player).is_none() {
        let problem = RunFileProblem::NoPlayer(player.to_owned());
        return Err(RunFileError::new(run.path(), problem));
    }
    let copy = Copy { run, player, scrub };
    let beside = to.parent().unwrap_or(Path::new(""));
    RunCopy::make(to, &copy.manifest(beside)?, run.games(), |to| {
        copy.files(to)
    })
}

struct Copy<'a> {
    run: &'a Run,
    player: &'a str,
    scrub: &'a Scrub,
}

impl Copy<'_> {
    /// Writes all files but the manifest and the openings; the journal last.
    fn files(&self, to: &RunCopy) -> Result<(), RunFileError> {
        self.build_log(to)?;
        let mut aside = self.run.set_aside()?;
        aside.retain(|game| game.players.values().any(|player| player == self.player));
        for game in &mut aside {
            game.cause = self.scrub.names(&game.cause);
        }
        to.write_set_aside(&aside)?;
        to.write_rows(self.run.rows()?.filter_map(|row| match row {
            Ok(row) => {
                let seat = row.names().find(|name| *name == self.player)?;
                Some(self.game(row, seat, to))
            }
            Err(error) => Some(Err(error)),
        }))
    }

    /// The manifest of a copy in this folder.
    fn manifest(&self, folder: &Path) -> Result<Manifest, RunFileError> {
        let names = self.names()?;
        let names: Vec<&str> = names.iter().map(String::as_str).collect();
        let manifest = self.run.manifest();
        let players = manifest.players.iter().zip(&names);
        Ok(Manifest {
            name: self.scrub.names(&manifest.name),
            games: (manifest.games.iter())
                .map(|game| game.for_folder_in(folder))
                .collect(),
            format: FormatTable::new(self.run.format(), &names, manifest.format.opening_plies()),
            machine: MachineTable {
                kernel: String::new(),
                processor: String::new(),
                ..manifest.machine.clone()
            },
            players: players
                .map(|(table, name)| {
                    if *name == self.player {
                        self.own_table(table)
                    } else {
                        self.other_table(table, name)
                    }
                })
                .collect(),
            ..manifest.clone()
        })
    }

    /// Names of the players in the copy.
    fn names(&self) -> Result<Vec<String>, RunFileError> {
        let mut met = BTreeSet::from([self.player.to_owned()]);
        for row in self.run.rows()? {
            let row = row?;
            if row.names().contains(&self.player) {
                met.extend(row.players.into_values());
            }
        }
        for game in self.run.set_aside()? {
            if game.players.values().any(|player| player == self.player) {
                met.extend(game.players.into_values());
            }
        }
        let known = self.run.player_names();
        let others = (1_u64..).map(|number| format!("other-{number}"));
        let mut others = others.filter(|name| !known.contains(&name.as_str()));
        let names = known.iter().map(|name| {
            if met.contains(*name) {
                (*name).to_owned()
            } else {
                others.next().unwrap_or_default()
            }
        });
        Ok(names.collect())
    }

    fn own_table(&self, table: &PlayerTable) -> PlayerTable {
        let words = |words: &[String]| words.iter().map(|word| self.scrub.names(word)).collect();
        PlayerTable {
            command: table.command.as_deref().map(words),
            args: words(&table.args),
            build: table.build.as_deref().map(words),
            dir: None,
            course_files: None,
            // Its values may be secrets of the organiser.
            env: Default::default(),
            grid: table
                .grid
                .iter()
                .map(|(key, value)| (key.clone(), self.scrub.names(value)))
                .collect(),
            ..table.clone()
        }
    }

    /// Another player: its name and its terms. Its name replaces its command, so that no two seem to be one
    /// program.
    fn other_table(&self, table: &PlayerTable, name: &str) -> PlayerTable {
        let is_met = table.name == name;
        PlayerTable {
            name: name.to_owned(),
            display_name: table.display_name.clone().filter(|_| is_met),
            house: None,
            command: Some(vec![name.to_owned()]),
            args: Vec::new(),
            dir: None,
            course_files: None,
            env: Default::default(),
            build: None,
            speaks: table.speaks,
            options: Default::default(),
            go: Default::default(),
            clock: table.clock.clone(),
            limits: table.limits.clone(),
            fresh_process: table.fresh_process,
            digest: None,
            files: None,
            grid: Default::default(),
        }
    }

    /// Copies the files of a game that the player had in `seat`, and gives its row.
    fn game(&self, mut row: GameRow, seat: Seat, to: &RunCopy) -> Result<GameRow, RunFileError> {
        for (of, fault) in row.end.faults.iter_mut() {
            let Some(fault) = fault else { continue };
            fault.detail = if of == seat {
                self.scrub.text(&fault.detail)
            } else {
                self.scrub.names(without_own_words(fault))
            };
        }
        for (of, digest) in row.files.stderr.iter_mut() {
            if of != seat {
                digest.clear();
            }
        }
        // Without the scores that ended it, such a game could not be verified.
        let by_scores = [Reason::RESIGN_SCORE, Reason::DRAW_SCORE];
        let keeps_values = row.end.reason.is_some_and(|it| by_scores.contains(&it));
        let files: Vec<(PathBuf, String)> = row
            .files
            .by_name(row.game, row.id)
            .map(|(name, digest)| (name, digest.to_owned()))
            .collect();
        let (mut log, mut output) = (None, Output::default());
        for (name, digest) in files {
            let bytes = self.run.game_file(&name, &digest)?;
            if name.starts_with("stderr") {
                output = Output::new(bytes, self.scrub);
                row.files.stderr[seat] = digest_of_bytes(&output.shown);
                to.write_file(&name, &output.shown)?;
            } else {
                log = Some((name, bytes));
            }
        }
        if let Some((name, mut bytes)) = log {
            let own = row.game.seat_name(seat);
            if let Some(seen) = log_seen_by(own, &bytes, keeps_values, &output) {
                row.files.log = digest_of_bytes(&seen);
                bytes = seen;
            }
            to.write_file(&name, &bytes)?;
        }
        Ok(row)
    }

    /// Copies the output of the player's own build.
    fn build_log(&self, to: &RunCopy) -> Result<(), RunFileError> {
        let name = Path::new(BUILDS).join(format!("{}.log", self.player));
        let path = self.run.path().join(&name);
        if !fs::symlink_metadata(&path).is_ok_and(|what| what.is_file()) {
            return Ok(());
        }
        let limits = self.run.manifest().limits_of(self.player);
        let most = limits.build_log as u64 + BEYOND;
        let mut log = Vec::new();
        File::open(&path)
            .and_then(|file| file.take(most).read_to_end(&mut log))
            .map_err(RunFileError::at(&path, RunFileProblem::Read))?;
        to.write_file(&name, &self.scrub.bytes(&log))
    }
}

/// The fault of another player, without output of its bot or its compiler, and without errors of the system about its
/// program.
fn without_own_words(fault: &PlayerFault) -> &str {
    match fault.kind {
        FaultKind::NotBuilt => "the build failed",
        FaultKind::NotStarted => "the bot's program cannot be run",
        FaultKind::Exited => "the bot's process ended",
        _ => &fault.detail,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bot::Fault;

    #[test]
    fn of_others_the_fault_is_told_and_not_their_words() {
        let secret = || "SECRET".to_owned();
        for (fault, told) in [
            (Fault::NotBuilt { problem: secret() }, "the build failed"),
            (
                Fault::NotStarted { problem: secret() },
                "the bot's program cannot be run",
            ),
            (Fault::Exited { how: secret() }, "the bot's process ended"),
            (Fault::HungUp, "the bot closed its standard output"),
        ] {
            let kind = FaultKind::of(&fault).expect("a bot's fault");
            let fault = PlayerFault {
                kind,
                termination: kind.termination(),
                detail: fault.to_string(),
                late: None,
            };
            assert_eq!(without_own_words(&fault), told);
        }
    }
}
