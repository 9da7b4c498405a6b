//! Rules programs that a grading keeps, so that all its games are played by the rules of the first grading.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use crate::game::RulesCommand;
use crate::grade::config::Grading;
use crate::grade::error::GradeError;
use crate::grade::folder::GradeFolder;
use crate::grade::intake::IntakeIssue;
use crate::runs::{
    RunFileError, RunFileProblem, copy_folder, folder_digest, remove_folder, sha256, write_bytes,
};

/// The copy of a rules program's folder, and the file with the digest of the original.
const COPY: &str = "rules";
const DIGEST: &str = "digest";

impl Grading {
    /// This grading with the rules programs that its folder keeps, and a note for each that has changed since. A
    /// program with a `dir` is copied once; of any other, only the digest is kept.
    ///
    /// # Errors
    /// The folder cannot be written, or a kept program cannot play the games.
    pub fn with_kept_rules(
        &self,
        folder: &GradeFolder,
    ) -> Result<(Self, Vec<IntakeIssue>), GradeError> {
        let mut kept = self.clone();
        let mut commands: BTreeMap<&str, RulesCommand> = BTreeMap::new();
        let mut notes = Vec::new();
        let tests = kept.tests.iter_mut().map(|test| &mut test.game);
        for planned in tests.chain([&mut kept.game]) {
            let game = planned.game();
            let Some(program) = game.program() else {
                continue;
            };
            let command = &program.command;
            let (home, name) = (folder.rules(game.name()), game.name().to_owned());
            let is_new = !home.join(COPY).exists();
            // One program can play with several numbers of seats.
            let of_any_seats = RulesCommand {
                seats: None,
                ..command.clone()
            };
            match commands.get(game.name()) {
                Some(other) if *other != of_any_seats => {
                    return Err(GradeError::Usage(format!(
                        "two rules programs call their game {name}, and a grading knows a game by its name: rename one"
                    )));
                }
                Some(_) => {}
                None => {
                    notes.extend(self.keep(command, game.name(), &home)?);
                    commands.insert(game.name(), of_any_seats);
                }
            }
            if command.owns_dir {
                let copy = home.join(COPY);
                let copy = std::path::absolute(&copy).unwrap_or(copy);
                *planned = match planned.with_rules_in(&copy, self.known_games) {
                    Ok(moved) => moved,
                    Err(problem) => {
                        if is_new {
                            remove_folder(&home)?;
                        }
                        return Err(GradeError::Usage(format!(
                            "the rules of {name} are played from the copy in {}, and {problem}. A program must find all \
                             that it loads in its `dir`; after a change of its options, remove that folder, and all its \
                             games are played again",
                            home.display()
                        )));
                    }
                };
            }
        }
        Ok((kept, notes))
    }

    fn keep(
        &self,
        command: &RulesCommand,
        name: &str,
        home: &Path,
    ) -> Result<Option<IntakeIssue>, GradeError> {
        let now = digest(command);
        let path = home.join(DIGEST);
        let then = fs::read_to_string(&path).ok();
        let is_kept = !command.owns_dir || home.join(COPY).exists();
        let changed = then.filter(|then| is_kept && *then != now);
        let note = changed.is_some().then(|| self.change(command, name, home));
        if !is_kept {
            copy(&command.dir, home)?;
        }
        if !is_kept || !command.owns_dir {
            fs::create_dir_all(home).map_err(RunFileError::at(home, RunFileProblem::Make))?;
            write_bytes(&path, now)?;
        }
        Ok(note)
    }

    fn change(&self, command: &RulesCommand, name: &str, home: &Path) -> IntakeIssue {
        let tests = self
            .tests
            .iter()
            .filter(|test| test.game.game().name() == name);
        let mut marks: Vec<String> = tests.map(|test| format!("`{}`", test.name)).collect();
        if self.tournament.is_some() && self.game.game().name() == name {
            marks.push("the tournament".to_owned());
        }
        let (marks, dir, home) = (marks.join(", "), command.dir.display(), home.display());
        let text = if command.owns_dir {
            format!(
                "{name} has other rules in {dir} than at the first grading, which kept a copy: all marks of {marks} are \
                 still by the copy. To play these games again by the new rules, remove {home}"
            )
        } else {
            format!(
                "{name} has other rules than at the grading before, and without a `dir` no copy is kept: the games of \
                 {marks} are played again"
            )
        };
        IntakeIssue::note("rules", text)
    }
}

/// Copies a folder into `home`. Another process may do the same at the same time.
fn copy(dir: &Path, home: &Path) -> Result<(), GradeError> {
    fs::create_dir_all(home).map_err(RunFileError::at(home, RunFileProblem::Make))?;
    let part = home.join(format!("{COPY}.{}", std::process::id()));
    remove_folder(&part)?;
    copy_folder(dir, &part)?;
    let whole = home.join(COPY);
    match fs::rename(&part, &whole) {
        Err(_) if whole.exists() => Ok(remove_folder(&part)?),
        moved => Ok(moved.map_err(RunFileError::at(&whole, RunFileProblem::Write))?),
    }
}

/// The digest of a program's folder, or of the files in its command; empty for a folder that is too large.
fn digest(command: &RulesCommand) -> String {
    if command.owns_dir {
        return folder_digest(&command.dir).unwrap_or_default();
    }
    let files = command.words.iter().map(|word| command.dir.join(word));
    let digests = files
        .filter(|file| file.is_file())
        .flat_map(|file| sha256(&file));
    digests.collect::<Vec<_>>().join(" ")
}
