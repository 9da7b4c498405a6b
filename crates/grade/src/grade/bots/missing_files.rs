//! Suggests existing files if a submission lacks the file in its command.

use std::fs;
use std::path::{Component, Path, PathBuf};

use walkdir::{DirEntry, WalkDir};

use super::cause::{BrokenBot, Cause};
use crate::bot::{Launch, LaunchError};
use crate::grade::intake::{shown, without_ending};

const DEPTH: usize = 5;
const ENTRIES: usize = 2000;

const TOLD: usize = 3;

/// Extensions of files that programs run from, and of files that they are built from.
const SCRIPTS: [&str; 13] = [
    "py", "pyc", "pyz", "js", "mjs", "cjs", "ts", "jar", "rb", "pl", "lua", "php", "sh",
];
const SOURCES: [&str; 10] = [
    "py", "c", "cc", "cpp", "cxx", "java", "rs", "go", "ts", "kt",
];

/// Reason why a bot cannot be started, judged by its files: the program is missing, or its script is.
pub(super) fn unstartable(launch: &Launch) -> Option<BrokenBot> {
    match launch.check() {
        Ok(()) => missing(launch, &SCRIPTS),
        Err(LaunchError::NoProgram(_)) => Some(broken(launch, &launch.program.to_string_lossy())),
        Err(error) => {
            // The student knows the folder, but not its path on this machine.
            let dir = launch.dir.clone().unwrap_or_default();
            let mut why = error.to_string().replace(&*dir.to_string_lossy(), ".");
            if launch.submitted {
                why += ", in its `kit.toml`";
            }
            Some(BrokenBot::new(why.clone(), Cause::Program(why)))
        }
    }
}

pub(super) fn without_source(build: &Launch) -> Option<BrokenBot> {
    missing(build, &SOURCES)
}

fn missing(launch: &Launch, endings: &[&str]) -> Option<BrokenBot> {
    let is_file = |word: &&String| {
        let ending = Path::new(word).extension().and_then(|it| it.to_str());
        !word.starts_with('-')
            && !word.contains(char::is_whitespace)
            && ending.is_some_and(|ending| endings.contains(&ending))
    };
    let name = launch.args.iter().find(is_file)?;
    let dir = launch.dir.as_deref()?;
    (!dir.join(name).exists()).then(|| broken(launch, name))
}

fn broken(launch: &Launch, name: &str) -> BrokenBot {
    let name = name.strip_prefix("./").unwrap_or(name);
    let found = launch.dir.as_deref().map(|dir| like(dir, Path::new(name)));
    let found = found.unwrap_or_default();
    let why = if found.is_empty() {
        format!(
            "there is no `{}`, and no file with a name like it",
            shown(name)
        )
    } else {
        format!(
            "there is no `{}`; found {}: the name and the place have to be exactly as expected",
            shown(name),
            found.join(", ")
        )
    };
    BrokenBot {
        why,
        cause: Cause::Missing(name.to_owned()),
    }
}

/// The git submodules of a folder that came without files.
pub(super) fn empty_submodules(dir: &Path) -> Vec<String> {
    let text = fs::read_to_string(dir.join(".gitmodules")).unwrap_or_default();
    let paths = text.lines().filter_map(|line| {
        let (key, path) = line.split_once('=')?;
        (key.trim() == "path").then(|| PathBuf::from(path.trim()))
    });
    let is_empty = |path: &PathBuf| {
        let is_inside = path
            .components()
            .all(|it| matches!(it, Component::Normal(_)));
        is_inside && fs::read_dir(dir.join(path)).map_or(true, |mut it| it.next().is_none())
    };
    told(&paths.filter(is_empty).collect::<Vec<_>>())
}

/// The archives in a folder: what was handed in beside other files stays packed.
pub(super) fn archives(dir: &Path) -> Vec<String> {
    let name = |path: &Path| path.to_string_lossy().into_owned();
    let mut found = files(dir, |path| without_ending(&name(path)).is_some());
    found.sort();
    told(&found)
}

/// Files that may be meant instead of a missing one: of this name in any case, with this extension, or archives.
fn like(dir: &Path, name: &Path) -> Vec<String> {
    let folded = |path: &Path| {
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        name.to_lowercase()
    };
    let own = folded(name);
    let ending = name.extension();
    let is_alike = |path: &Path| {
        let alike = folded(path);
        let stem = |name: &str| name.split('.').next().map(str::to_owned);
        stem(&alike) == stem(&own)
            || ending.is_some() && path.extension() == ending
            || without_ending(&alike).is_some()
    };
    let mut found = files(dir, is_alike);
    // Files of its own name come first.
    found.sort_by_key(|path| (folded(path) != own, path.clone()));
    told(&found)
}

fn files(dir: &Path, is_wanted: impl Fn(&Path) -> bool) -> Vec<PathBuf> {
    let is_looked_into = |entry: &DirEntry| {
        !entry.file_type().is_dir() || !entry.file_name().to_string_lossy().starts_with(['.', '_'])
    };
    let entries = WalkDir::new(dir).max_depth(DEPTH);
    let entries = entries.min_depth(1).into_iter();
    let files = entries.filter_entry(is_looked_into).flatten().take(ENTRIES);
    files
        .filter(|it| it.file_type().is_file() && is_wanted(it.path()))
        .filter_map(|file| Some(file.path().strip_prefix(dir).ok()?.to_owned()))
        .collect()
}

fn told(found: &[PathBuf]) -> Vec<String> {
    let found = found.iter().take(TOLD);
    found
        .map(|path| format!("`{}`", shown(&path.to_string_lossy())))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn why(files: &[&str], command: &[&str]) -> Option<String> {
        let folder = tempfile::tempdir().expect("a folder");
        for file in files {
            let path = folder.path().join(file);
            fs::create_dir_all(path.parent().expect("a parent")).expect("made");
            fs::write(path, "").expect("written");
        }
        let launch = Launch {
            program: command[0].into(),
            args: command[1..].iter().map(|it| (*it).to_owned()).collect(),
            dir: Some(folder.path().to_owned()),
            ..Launch::default()
        };
        unstartable(&launch).map(|broken| broken.why)
    }

    #[test]
    fn a_missing_program_is_named_with_what_is_there_instead() {
        let command = ["sh", "-u", "bot.py", "data.py"];
        let exact = "the name and the place have to be exactly as expected";
        for (files, found) in [
            (&["Bot.py"][..], "`Bot.py`"),
            (&["bot.py.txt"], "`bot.py.txt`"),
            (&["agent.py"], "`agent.py`"),
            (
                &["notes.txt", "util.py", "src/bot.py", "BOT.PY"],
                "`BOT.PY`, `src/bot.py`, `util.py`",
            ),
            (&["main.c", "part b.ZIP"], "`part b.ZIP`"),
        ] {
            let expected = format!("there is no `bot.py`; found {found}: {exact}");
            assert_eq!(why(files, &command), Some(expected), "{files:?}");
        }
        let nothing = "there is no `bot.py`, and no file with a name like it";
        assert_eq!(why(&["report.pdf"], &command).as_deref(), Some(nothing));
        let program = format!("there is no `bot`; found `bot.exe`: {exact}");
        assert_eq!(why(&["bot.exe"], &["./bot"]), Some(program));
    }

    #[test]
    fn words_that_name_no_file_to_run_are_not_missed() {
        for command in [
            &["sh", "bot.py"][..],
            &["sh", "-m", "agent"],
            &["sh", "-c", "cd x && python3 missing.py"],
            &["sh", "bot.py", "missing.py"],
        ] {
            assert_eq!(why(&["bot.py"], command), None, "{command:?}");
        }
    }
}
