//! The command that a shim is told to start a bot by, and how a process becomes the bot.

use std::ffi::{CString, OsStr, OsString};
use std::io;
use std::os::fd::OwnedFd;
use std::os::unix::ffi::OsStringExt;
use std::path::{Component, Path, PathBuf};
use std::process::Command;

use rustix::fs::{Mode, OFlags, open};
use rustix::io::Errno;
use serde::{Deserialize, Serialize};

use super::limits::{Confinement, Restrictions};
use super::messages::NotExecuted;
use super::{sys, virtual_env};

/// A bot's stdin, stdout and stderr.
pub(super) type BotStreams = [OwnedFd; 3];

/// What a shim is told, together with the bot's stdin, stdout and stderr.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct BotOrder {
    /// A name for the bot's control group.
    pub cgroup: String,
    /// Whether nothing but a control group tells the exact processor time of the bot's tree.
    pub needs_account: bool,
    /// The folder that it may write to, in the tier that has one.
    pub scratch: Option<PathBuf>,
    pub place: Place,
    pub bot: BotCommand,
}

/// Variables and their values.
pub(in crate::player) type Environment = Vec<(OsString, OsString)>;

/// Where a bot is to run.
#[derive(Debug, Serialize, Deserialize)]
pub(in crate::player) struct Place {
    pub folder: PathBuf,
    pub environment: Environment,
}

/// A bot that is to be started in the working directory.
#[derive(Debug, Serialize, Deserialize)]
pub(in crate::player) struct BotCommand {
    pub program: OsString,
    /// The name that the program is called by.
    pub arg0: OsString,
    pub args: Vec<String>,
    /// Whether the working directory is the bot's own folder.
    pub has_own_folder: bool,
    /// The folder that its course puts beside it, for reading.
    pub course_files: Option<PathBuf>,
    pub confinement: Confinement,
}

/// A bot that is to be started in a sandbox, with its variables.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct SandboxedBot {
    pub bot: BotCommand,
    pub environment: Environment,
}

impl BotCommand {
    /// The bot's own folder, where it has one.
    pub(super) fn folder(&self) -> io::Result<Option<PathBuf>> {
        self.has_own_folder.then(std::env::current_dir).transpose()
    }

    /// The files outside the bot's folder that its command names: its program, and arguments. And what its
    /// course puts beside it.
    pub(super) fn files(&self) -> io::Result<Vec<PathBuf>> {
        let folder = std::env::current_dir()?;
        let args = self.args.iter().map(OsStr::new);
        let words = [self.program.as_os_str()].into_iter().chain(args);
        Ok(words
            .filter_map(|word| match self.has_own_folder {
                true => named_outside(&folder, word),
                false => named_file(&folder, word),
            })
            .chain(self.course_files.clone())
            .collect())
    }

    /// What the bot must see of the virtual environment that its program is in. One in its own folder is
    /// not asked what else is to be seen: the bot's author may have written it.
    pub(super) fn virtual_env(&self) -> io::Result<Vec<PathBuf>> {
        let folder = std::env::current_dir()?;
        let is_own = self.has_own_folder && named_outside(&folder, &self.program).is_none();
        Ok(match is_own {
            true => Vec::new(),
            false => virtual_env::parts(Path::new(&self.program)),
        })
    }

    /// A command whose process applies `restrictions` and becomes the bot with these streams and this
    /// environment. It may write to `scratch`.
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
            // The kernel stops to count the processor time of a process that executes what it may not read.
            let flags = OFlags::RDONLY | OFlags::CLOEXEC;
            let not_executed = |errno| io::Error::other(NotExecuted(errno));
            drop(open(path.as_c_str(), flags, Mode::empty()).map_err(not_executed)?);
            // Not left to the library, which would hand a file that is not a program to `sh`.
            match nix::unistd::execve(&path, &words, &environment) {
                Ok(never) => match never {},
                Err(error) => Err(not_executed(Errno::from_raw_os_error(error as i32))),
            }
        });
        Ok(command)
    }
}

/// The file outside the bot's folder that a word of its command names, which the bot must then see. Only
/// the author of the configuration can name one. A link inside the folder that leads out does not count:
/// the bot's author can make those.
fn named_outside(folder: &Path, word: &OsStr) -> Option<PathBuf> {
    let parent = folder.join(word).parent()?.canonicalize().ok()?;
    let inside = Path::new(word).starts_with(folder) || parent.starts_with(folder);
    named_file(folder, word).filter(|_| !inside)
}

/// The file that a word of a command names by a path that leads out of `folder`.
fn named_file(folder: &Path, word: &OsStr) -> Option<PathBuf> {
    let named = Path::new(word);
    let goes_up = named.components().any(|part| part == Component::ParentDir);
    let leads_out = named.is_absolute() || named.starts_with("..");
    let file = folder.join(named);
    if !leads_out || !file.is_file() {
        return None;
    }
    match goes_up {
        true => file.canonicalize().ok(),
        false => Some(file),
    }
}

/// An environment as the system takes it, with the folders that are for writing at `scratch`.
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
