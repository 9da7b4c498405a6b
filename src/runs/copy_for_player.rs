//! A copy of a run for one of its players, which other people may see.

use std::collections::BTreeSet;
use std::fs::{self, File};
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use super::digest::{digest_of_bytes, digest_of_file};
use super::logs::Logs;
use super::{
    BUILDS, Durability, GameRow, JOURNAL, MANIFEST, MachineTable, Manifest, PlayerTable,
    RecordError, RecordProblem, Run, Scrub, is_empty, rows, set_aside, write_manifest,
    write_openings, write_whole,
};
use crate::config::FormatTable;
use crate::referee::{FaultKind, PlayerFault};

/// How much longer the log of a build may be than the plan lets it: the end of what was cut, and a line that says
/// so.
const BEYOND: u64 = 64 << 10;

/// Copies a run for one of its players: its own games only, without what tells of the machine, and without what
/// other players are made of or wrote. The copy is a run of its own. It has no tables and no digests of its files
/// yet, as a run that has not ended.
///
/// Of the others, the names stay of those whom the player met; the rest are called `other-1` and so on, so that
/// every game keeps its number.
///
/// # Errors
/// The run has no such player, a file of it cannot be read or has changed, or the copy cannot be written: its folder
/// must be a new or an empty one.
pub fn copy_for_player(
    run: &Run,
    player: &str,
    to: &Path,
    scrub: &Scrub,
) -> Result<(), RecordError> {
    if run.manifest().player(player).is_none() {
        let problem = RecordProblem::NoPlayer(player.to_owned());
        return Err(RecordError::new(run.path(), problem));
    }
    let copy = Copy {
        run,
        player,
        scrub,
        logs: Logs::new(to, run.manifest().record.logs, Durability::System, None),
    };
    let manifest = copy.manifest()?.text();
    let manifest = manifest.map_err(|problem| RecordError::new(to.join(MANIFEST), problem))?;
    fs::create_dir_all(to).map_err(RecordError::at(to, RecordProblem::Make))?;
    if !is_empty(to)? {
        return Err(RecordError::new(to, RecordProblem::NotNew));
    }
    let written = write_manifest(to, &manifest).and_then(|()| copy.files(to));
    written.inspect_err(|_| {
        // Half a copy is of no use: the folder was empty a moment ago.
        let _ = fs::remove_dir_all(to);
    })
}

struct Copy<'a> {
    run: &'a Run,
    player: &'a str,
    scrub: &'a Scrub,
    logs: Logs,
}

impl Copy<'_> {
    /// Writes all files but the manifest; the journal last.
    fn files(&self, to: &Path) -> Result<(), RecordError> {
        write_openings(to, self.run.games())?;
        self.build_log()?;
        let mut aside = self.run.ever_set_aside()?;
        aside.retain(|game| game.first == self.player || game.second == self.player);
        for game in &mut aside {
            game.cause = self.scrub.names(&game.cause);
        }
        set_aside::write(to, &aside)?;
        write_whole(&to.join(JOURNAL), &mut |file| {
            file.write_all(&rows::header())?;
            for row in self.run.rows().map_err(io::Error::other)? {
                let row = row.map_err(io::Error::other)?;
                if let Some(seat) = row.names().iter().position(|name| *name == self.player) {
                    let row = self.game(row, seat).map_err(io::Error::other)?;
                    file.write_all(&rows::line(&row))?;
                }
            }
            Ok(())
        })
    }

    fn manifest(&self) -> Result<Manifest, RecordError> {
        let names = self.names()?;
        let names: Vec<&str> = names.iter().map(String::as_str).collect();
        let manifest = self.run.manifest();
        let players = manifest.players.iter().zip(&names);
        Ok(Manifest {
            name: self.scrub.names(&manifest.name),
            format: FormatTable::new(self.run.format(), &names, manifest.format.opening_plies()),
            machine: MachineTable {
                kernel: String::new(),
                processor: String::new(),
                ..manifest.machine.clone()
            },
            players: players
                .map(|(table, name)| match *name == self.player {
                    true => self.own_table(table),
                    false => self.other_table(table, name),
                })
                .collect(),
            ..manifest.clone()
        })
    }

    /// What the players are called in the copy.
    fn names(&self) -> Result<Vec<String>, RecordError> {
        let mut met = BTreeSet::from([self.player.to_owned()]);
        for row in self.run.rows()? {
            let row = row?;
            if row.names().contains(&self.player) {
                met.extend(row.players);
            }
        }
        for game in self.run.set_aside()? {
            if game.first == self.player || game.second == self.player {
                met.extend([game.first, game.second]);
            }
        }
        let known = self.run.player_names();
        let others = (1_u64..).map(|number| format!("other-{number}"));
        let mut others = others.filter(|name| !known.contains(&name.as_str()));
        let names = known.iter().map(|name| match met.contains(*name) {
            true => (*name).to_owned(),
            false => others.next().unwrap_or_default(),
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
            // Its values may be secrets of whoever plays the tournament.
            env: Default::default(),
            grid: table
                .grid
                .iter()
                .map(|(key, value)| (key.clone(), self.scrub.names(value)))
                .collect(),
            ..table.clone()
        }
    }

    /// Another player: what it is called and the terms that it played on. Its name stands for its command, so
    /// that no two seem to be one program.
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
            clock: table.clock.clone(),
            limits: table.limits.clone(),
            fresh_process: table.fresh_process,
            digest: None,
            files: None,
            grid: Default::default(),
        }
    }

    /// Copies the files of a game that the player had in `seat`, and gives its row.
    fn game(&self, mut row: GameRow, seat: usize) -> Result<GameRow, RecordError> {
        for (of, fault) in row.end.faults.iter_mut().enumerate() {
            let Some(fault) = fault else { continue };
            fault.detail = match of == seat {
                true => self.scrub.text(&fault.detail),
                false => self.scrub.names(without_own_words(fault)),
            };
        }
        row.files.stderr[1 - seat].clear();
        let files: Vec<(PathBuf, String)> = row
            .files
            .by_name(row.game, row.id)
            .map(|(name, digest)| (name, digest.to_owned()))
            .collect();
        for (name, digest) in files {
            let mut bytes = self.read(&name, &digest)?;
            // The log of a game has what the rules know again, and nothing else.
            if name.starts_with("stderr") {
                bytes = self.scrub.bytes(&bytes);
                row.files.stderr[seat] = digest_of_bytes(&bytes);
            }
            self.logs.write_as(&name, &bytes)?;
        }
        Ok(row)
    }

    /// A file of a game. A bot that may write to the folder could have put a link to another file in its place.
    fn read(&self, name: &Path, digest: &str) -> Result<Vec<u8>, RecordError> {
        let path = self.run.path().join(name);
        let found = digest_of_file(&path).map_err(RecordError::at(&path, RecordProblem::Read))?;
        if found != digest {
            return Err(RecordError::new(path, RecordProblem::Changed));
        }
        fs::read(&path).map_err(RecordError::at(&path, RecordProblem::Read))
    }

    /// Copies what the player's own build wrote, if anything.
    fn build_log(&self) -> Result<(), RecordError> {
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
            .map_err(RecordError::at(&path, RecordProblem::Read))?;
        self.logs.write_as(&name, &self.scrub.bytes(&log))
    }
}

/// What another player did wrong, without what its bot wrote on its standard error, its compiler, or the system of a
/// program that cannot be run.
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
            let fault = PlayerFault {
                kind: FaultKind::of(&fault).expect("a bot's fault"),
                detail: fault.to_string(),
                late: None,
            };
            assert_eq!(without_own_words(&fault), told);
        }
    }
}
