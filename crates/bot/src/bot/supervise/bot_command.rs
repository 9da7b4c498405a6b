//! The command for a bot in an order to a shim, and the steps by which a process becomes the bot.

use std::ffi::{CString, OsStr, OsString};
use std::fs::File;
use std::io::{self, Read};
use std::os::fd::OwnedFd;
use std::os::unix::ffi::OsStringExt;
use std::path::{Component, Path, PathBuf};
use std::process::Command;

use rustix::fs::{Mode, OFlags, open};
use rustix::io::Errno;
use serde::{Deserialize, Serialize};

use super::limits::{Confinement, Restrictions, installations};
use super::messages::NotExecuted;
use super::sys;

pub(super) type BotStreams = [OwnedFd; 3];

/// The order to a shim, sent together with the bot's stdin, stdout and stderr. Paths are [`OsString`]s, which JSON has
/// also where they are not UTF-8.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct BotOrder {
    pub cgroup: String,
    /// Whether only a control group can account for the exact CPU time of the bot's tree.
    pub needs_account: bool,
    /// The writable folder, in the tier that has one.
    pub scratch: Option<OsString>,
    pub surroundings: BotSurroundings,
    pub bot: BotCommand,
}

pub(in crate::bot) type Environment = Vec<(OsString, OsString)>;

#[derive(Debug, Serialize, Deserialize)]
pub(in crate::bot) struct BotSurroundings {
    pub folder: OsString,
    pub environment: Environment,
}

#[derive(Debug, Serialize, Deserialize)]
pub(in crate::bot) struct BotCommand {
    pub program: OsString,
    pub arg0: OsString,
    pub args: Vec<String>,
    pub has_own_folder: bool,
    /// The course's folder, read-only.
    pub course_files: Option<OsString>,
    /// Whether the program, and files that the arguments name, become visible.
    pub opens_program: bool,
    pub opens_args: bool,
    pub confinement: Confinement,
}

#[derive(Debug, Serialize, Deserialize)]
pub(super) struct SandboxedBot {
    pub bot: BotCommand,
    pub environment: Environment,
}

impl BotCommand {
    pub(super) fn folder(&self) -> io::Result<Option<PathBuf>> {
        self.has_own_folder.then(std::env::current_dir).transpose()
    }

    /// Files outside the bot's folder that the configuration makes visible: the program and arguments of its command,
    /// and the course's folder.
    pub(super) fn files(&self) -> io::Result<Vec<PathBuf>> {
        let folder = std::env::current_dir()?;
        let program = self.opens_program.then_some(self.program.as_os_str());
        let args = self.args.iter().filter(|_| self.opens_args);
        let words = program.into_iter().chain(args.map(OsStr::new));
        let paths = words.map(Path::new);
        let named = paths
            .filter(|path| self.is_outside(&folder, path))
            .filter_map(|path| named_file(&folder, path));
        let of_course = self.course_files.iter().map(PathBuf::from);
        Ok(named.chain(of_course).collect())
    }

    /// Folders outside the bot's folder with the language of the bot: installations that the environment names, and the
    /// virtual environment of its program. Not one in the bot's own folder: its author may have written the settings,
    /// which could name any path.
    pub(super) fn languages(&self, environment: &Environment) -> io::Result<Vec<PathBuf>> {
        let folder = std::env::current_dir()?;
        let program = Path::new(&self.program);
        let parts = match self.opens_program && self.is_outside(&folder, program) {
            true => parts(program),
            false => Vec::new(),
        };
        let languages = installations(environment).chain(parts);
        Ok(languages
            .filter(|path| self.is_outside(&folder, path))
            .collect())
    }

    /// Whether no part of a path leads through the bot's own folder, where its author may have put a link.
    fn is_outside(&self, folder: &Path, path: &Path) -> bool {
        !self.has_own_folder || !leads_through(folder, path)
    }

    /// A command whose process applies `restrictions`, and executes the bot with these streams and this environment.
    /// `scratch` replaces its folders for writing.
    pub(super) fn into_command(
        self,
        streams: BotStreams,
        environment: impl Iterator<Item = (OsString, OsString)>,
        mut restrictions: Restrictions,
        scratch: Option<&Path>,
    ) -> io::Result<Command> {
        let words = self.args.into_iter().map(OsString::from);
        let words: Vec<CString> = [self.arg0]
            .into_iter()
            .chain(words)
            .map(c_string)
            .collect::<io::Result<_>>()?;
        let path = c_string(self.program.clone())?;
        let environment = moved_to(scratch, environment)?;
        let mut command = Command::new(self.program);
        let [stdin, stdout, stderr] = streams;
        command.stdin(stdin).stdout(stdout).stderr(stderr);
        sys::between_fork_and_exec(&mut command, move || {
            restrictions.apply()?;
            // The kernel stops counting the CPU time of a process that executes a file without read permission, so
            // that is refused.
            let flags = OFlags::RDONLY | OFlags::CLOEXEC;
            let not_executed = |errno| io::Error::other(NotExecuted(errno));
            drop(open(path.as_c_str(), flags, Mode::empty()).map_err(not_executed)?);
            // `execve` directly, since the standard library's fallback would run a file that is no program with `sh`.
            match nix::unistd::execve(&path, &words, &environment) {
                Ok(never) => match never {},
                Err(error) => Err(not_executed(Errno::from_raw_os_error(error as i32))),
            }
        });
        Ok(command)
    }
}

const MOST_LINKS: usize = 40;

/// Whether a path, with the links in it, leads through `folder`, which is canonical and the start of a relative path.
fn leads_through(folder: &Path, path: &Path) -> bool {
    let mut at = folder.to_owned();
    let mut left = vec![path.to_owned()];
    let mut links = 0;
    while let Some(path) = left.pop() {
        let mut parts = path.components();
        let Some(part) = parts.next() else { continue };
        left.push(parts.as_path().to_owned());
        if part == Component::ParentDir {
            at.pop();
        } else if let Ok(target) = at.join(part).read_link() {
            links += 1;
            left.push(target);
        } else {
            at.push(part);
        }
        if at.starts_with(folder) || links > MOST_LINKS {
            return true;
        }
    }
    false
}

/// The file that a word of a command names by a path that leads out of `folder`.
fn named_file(folder: &Path, named: &Path) -> Option<PathBuf> {
    let goes_up = named.components().any(|part| part == Component::ParentDir);
    let leads_out = named.is_absolute() || named.starts_with("..");
    let file = folder.join(named);
    if !leads_out || !file.is_file() {
        return None;
    }
    if goes_up {
        file.canonicalize().ok()
    } else {
        Some(file)
    }
}

/// The environment in the form of `execve`, with `HOME` and `TMPDIR` set to `scratch`.
fn moved_to(
    scratch: Option<&Path>,
    environment: impl Iterator<Item = (OsString, OsString)>,
) -> io::Result<Vec<CString>> {
    let moved = ["HOME", "TMPDIR"];
    environment
        .filter(|(key, _)| scratch.is_none() || moved.iter().all(|name| key != name))
        .chain(
            scratch
                .into_iter()
                .flat_map(|path| moved.map(|name| (name.into(), path.into()))),
        )
        .map(|(mut entry, value)| {
            entry.push("=");
            entry.push(value);
            c_string(entry)
        })
        .collect()
}

fn c_string(word: OsString) -> io::Result<CString> {
    Ok(CString::new(word.into_vec())?)
}

/// The file that marks a virtual environment. Python looks for it in the interpreter's parent folders.
const SETTINGS: &str = "pyvenv.cfg";

const LONGEST: u64 = 64 << 10;

/// Folders of the virtual environment that contains `program`: its own, and the programs and libraries of its base
/// Python. Empty if `program` is in no virtual environment.
pub(super) fn parts(program: &Path) -> Vec<PathBuf> {
    // Links are not resolved: the interpreter of an environment is a link to its base interpreter.
    let Some(folder) = program.parent().and_then(Path::parent) else {
        return Vec::new();
    };
    let mut settings = String::new();
    let read = File::open(folder.join(SETTINGS))
        .and_then(|file| file.take(LONGEST).read_to_string(&mut settings));
    if read.is_err() {
        return Vec::new();
    }
    let mut parts = vec![folder.to_owned()];
    if let Some(home) = home(&settings) {
        let libraries = home.parent().into_iter().flat_map(|prefix| {
            let folders = ["lib", "lib64"].map(|name| prefix.join(name));
            folders.into_iter().filter(|folder| folder.is_dir())
        });
        parts.extend(libraries);
        parts.push(home);
    }
    parts
}

fn home(settings: &str) -> Option<PathBuf> {
    let mut entries = settings.lines().filter_map(|line| line.split_once('='));
    let (_, value) = entries.find(|(key, _)| key.trim() == "home")?;
    Some(PathBuf::from(value.trim())).filter(|home| home.is_absolute() && home.is_dir())
}
