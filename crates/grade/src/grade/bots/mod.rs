//! From a submission to a bot that can play: unpacked, built, and checked.
//!
//! It is handed candidates, and gives an entry of a plan for each, or the [`Cause`] why there is none.

mod build;
mod cause;
mod fitness;
mod kit;
mod missing_files;

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

pub use build::{BUILD_LOG, Builder, Prepared, keep_bot, keep_reference, prepare, restore};
pub use cause::{BrokenBot, Cause, CommonCause};
pub use fitness::{Checker, Fitness};
pub use kit::{KIT, Kit};

use crate::grade::class::Candidate;
use crate::grade::config::{Grading, Program};
use crate::grade::error::GradeError;
use crate::grade::folder::GradeFolder;
use crate::grade::intake::{
    IntakeIssue, LooseFiles, UnpackError, UnpackLimits, Unpacked, listed, shown, unpack,
    without_ending,
};
use crate::grade::marks::Status;
use crate::runs::{RunFileError, RunFileProblem, make_parent, remove_folder};

/// Folder name of a package without a folder at its top: a course's own, since its modules may import each other by it.
const PACKAGE: &str = "agent";

#[derive(Debug)]
struct Package {
    pub folder: String,
    pub is_named: bool,
    pub arguments: Vec<String>,
}

impl Package {
    /// The package of a candidate, unpacked in `files`. The adapter prefers the module `by_default` if the roster names
    /// none.
    ///
    /// The module is ambiguous or no valid path; the error says so in words.
    pub fn of(
        candidate: &Candidate,
        unpacked: &Unpacked,
        files: &Path,
        by_default: Option<&str>,
    ) -> Result<Self, String> {
        // A package that imports itself needs a folder of its own name.
        let folder = unpacked.top.as_deref().unwrap_or(PACKAGE).to_owned();
        let module = named(candidate)?;
        let mut arguments = vec![match module {
            None => folder.clone(),
            Some(module) => {
                let below = below(module, &folder, files).ok_or_else(|| {
                    format!(
                        "the module `{module}` is not named by a path within the submission, such as `player` or \
                         `agents/best.py`"
                    )
                })?;
                format!("{folder}/{below}")
            }
        }];
        if unpacked.top.is_none() {
            arguments.push("--flat".to_owned());
        }
        if let (None, Some(preferred)) = (module, by_default) {
            arguments.push(format!("--prefer={preferred}"));
        }
        Ok(Self {
            folder,
            is_named: module.is_some(),
            arguments,
        })
    }
}

/// The module of a candidate in the roster; an error in words if its members have several.
fn named(candidate: &Candidate) -> Result<Option<&str>, String> {
    let members = candidate.members.iter();
    let named: BTreeSet<&str> = members.filter_map(|it| it.module.as_deref()).collect();
    if named.len() > 1 {
        let named = listed(named.into_iter());
        return Err(format!(
            "the roster has several modules of one team: {named}"
        ));
    }
    Ok(named.first().copied())
}

/// Path of a module below its package, with its class: `players/best:Agent` for `team.players.best:Agent`.
fn below(module: &str, package: &str, files: &Path) -> Option<String> {
    let (path, class) = match module.split_once(':') {
        Some((path, class)) => (path, format!(":{class}")),
        None => (module, String::new()),
    };
    let path = path.strip_suffix(".py").unwrap_or(path).replace('.', "/");
    let mut parts: Vec<&str> = path.split('/').collect();
    // Drop the package's own name, as used in an import from above.
    if parts.len() > 1 && parts[0] == package && !files.join(package).exists() {
        parts.remove(0);
    }
    let is_good = parts.iter().all(|part| !part.is_empty());
    is_good.then(|| parts.join("/") + &class)
}

pub fn why_not(
    grading: &Grading,
    candidate: &Candidate,
    prepared: Option<&Prepared>,
) -> (Status, String) {
    if candidate.path.is_none() {
        return (Status::None, "nothing was handed in".to_owned());
    }
    if let Some(why) = &candidate.undecided {
        return (Status::Held, why.clone());
    }
    if candidate.is_too_late {
        let days = grading.days_late(candidate.days_late);
        let why = format!("handed in {days} late, which is not marked");
        return (Status::Late, why);
    }
    match prepared.map(Prepared::playable) {
        Some(Err(broken)) if broken.is_held() => (Status::Held, broken.why.clone()),
        Some(Err(broken)) => (Status::Broken, broken.why.clone()),
        // A candidate with a bot plays.
        Some(Ok(_)) | None => (Status::Held, "it was not played".to_owned()),
    }
}

/// A note for each program that several hand in, byte for byte, from their keys and the digests of their programs.
pub fn equal_programs<'a>(programs: impl Iterator<Item = (&'a str, &'a str)>) -> Vec<IntakeIssue> {
    let mut by_digest: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
    for (key, digest) in programs.filter(|(_, digest)| !digest.is_empty()) {
        by_digest.entry(digest).or_default().insert(key);
    }
    let mut equal: Vec<BTreeSet<&str>> = by_digest.into_values().collect();
    equal.sort();
    let equal = equal.into_iter().filter(|keys| keys.len() > 1);
    let notes = equal.filter_map(|mut keys| {
        let first = keys.pop_first()?;
        Some(IntakeIssue::note(first, equal_to(keys.into_iter())))
    });
    notes.collect()
}

pub fn equal_to<'a>(keys: impl Iterator<Item = &'a str>) -> String {
    let others = keys.map(|key| format!("`{}`", shown(key)));
    let others = others.collect::<Vec<_>>().join(", ");
    format!("hands in the same program as {others}, byte for byte")
}

const UNPACKED: &str = "unpacked";

const GATHERED: &str = "gathered";

fn short(unpacked: &Unpacked) -> String {
    unpacked.digest.chars().take(16).collect()
}

fn unpack_new(
    folder: &GradeFolder,
    candidate: &Candidate,
    path: &Path,
    program: &Program,
) -> Result<Result<Unpacked, BrokenBot>, GradeError> {
    let new = folder.student(&candidate.key, "new").join(UNPACKED);
    remove_folder(&new)?;
    make_parent(&new)?;
    // The adapter of a package looks for its module.
    let named = match program {
        Program::Package { .. } => Ok(None),
        Program::Command { .. } | Program::Kit => named(candidate),
    };
    let named = match named {
        Ok(named) => named,
        Err(why) => return Ok(Err(undecided_folder(&why))),
    };
    let program = files_of(program);
    let gathered = new.with_file_name(GATHERED);
    let path = gathered_in(&gathered, &candidate.loose, &program)?.unwrap_or(path);
    let unpacked = unpack(path, &new, &UnpackLimits::default(), &program, named);
    remove_folder(&gathered)?;
    let unpacked = match unpacked {
        Ok(unpacked) => unpacked,
        Err(UnpackError::Refused(problem)) => {
            return Ok(Err(BrokenBot {
                why: format!("what was handed in cannot be unpacked: {problem}"),
                cause: Cause::Unpacking(problem.flaw.to_string()),
            }));
        }
        Err(problem @ UnpackError::Disk { .. }) => return Err(problem.into()),
    };
    let place = folder
        .student(&candidate.key, &short(&unpacked))
        .join(UNPACKED);
    if place.exists() {
        remove_folder(&new)?;
    } else {
        make_parent(&place)?;
        fs::rename(&new, &place).map_err(RunFileError::at(&place, RunFileProblem::Write))?;
    }
    Ok(Ok(unpacked))
}

fn undecided_folder(why: &str) -> BrokenBot {
    let why = format!(
        "it is not decided which of its folders plays: {why}; leave one of them, or name it in the column `module` of the \
         roster"
    );
    BrokenBot::new(why, Cause::UndecidedFolder)
}

/// Copies files that came one by one into a folder, and gives the path of what to unpack: the folder, or the only
/// archive among them where none of the others is the program. `None` without such files.
fn gathered_in<'a>(
    folder: &'a Path,
    loose: &'a LooseFiles,
    program: &[String],
) -> Result<Option<&'a Path>, GradeError> {
    remove_folder(folder)?;
    if loose.is_empty() {
        return Ok(None);
    }
    let is_program = |name: &String| match program {
        [] => name.ends_with(".py"),
        _ => program.contains(name),
    };
    let mut archives = loose
        .iter()
        .filter(|(name, _)| without_ending(name).is_some());
    if let (Some((_, archive)), None) = (archives.next(), archives.next())
        && !loose.keys().any(is_program)
    {
        return Ok(Some(archive));
    }
    fs::create_dir(folder).map_err(RunFileError::at(folder, RunFileProblem::Make))?;
    for (name, path) in loose {
        fs::copy(path, folder.join(name)).map_err(RunFileError::at(path, RunFileProblem::Read))?;
    }
    Ok(Some(folder))
}

/// File names that mark the folder of a submission's program; empty for a package, which its adapter finds.
fn files_of(program: &Program) -> Vec<String> {
    let (command, build) = match program {
        Program::Kit => return vec![KIT.to_owned()],
        Program::Package { .. } => return Vec::new(),
        Program::Command { command, build } => (command, build),
    };
    let mut files = Vec::new();
    for command in [Some(command), build.as_ref()].into_iter().flatten() {
        let [program, arguments @ ..] = &command[..] else {
            continue;
        };
        // A program without a slash is the machine's.
        let own = Some(program).filter(|it| it.contains('/'));
        let words = own.into_iter().chain(arguments);
        let words = words.map(|word| word.trim_start_matches("./"));
        files.extend(
            words
                .filter(|it| !matches!(*it, "" | "."))
                .map(str::to_owned),
        );
        if program == "make" {
            files.extend(["Makefile", "makefile"].map(str::to_owned));
        }
    }
    files
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn modules_are_named_as_paths_or_as_they_are_imported() {
        let nowhere = Path::new("/no/such/folder");
        for (module, path) in [
            ("player", Some("player")),
            ("Player.py", Some("Player")),
            ("players/best.py", Some("players/best")),
            ("players.best:Agent", Some("players/best:Agent")),
            ("team.player", Some("player")),
            ("team", Some("team")),
            ("../other/player.py", None),
            ("/etc/passwd", None),
            ("", None),
        ] {
            assert_eq!(below(module, "team", nowhere).as_deref(), path, "{module}");
        }
    }
}
