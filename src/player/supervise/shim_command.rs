//! What this program is told when it is run as a supervisor, and how it becomes the bot.

use std::ffi::{CString, OsStr, OsString};
use std::fs::File;
use std::io::{self, Read, Write};
use std::os::fd::RawFd;
use std::os::unix::ffi::OsStringExt;
use std::os::unix::net::UnixStream;
use std::path::{Component, Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use serde::{Deserialize, Serialize};

use super::restrictions::Restrictions;
use super::{Confinement, cgroup, sys, virtual_env};

/// How long a process may take to begin to read its command, on a machine that is very busy.
const PATIENCE: Duration = Duration::from_secs(30);

/// What a supervisor is to do.
#[derive(Debug, Serialize, Deserialize)]
pub(super) enum ShimCommand {
    /// Start a bot with this process's streams, and watch it: be its shim.
    Supervise {
        /// A name for the bot's control group.
        cgroup: String,
        place: Place,
        bot: BotCommand,
    },
    /// Be the first process in a sandbox and start the bot there. The working directory and the environment
    /// are the bot's.
    StartInSandbox {
        /// The numbers of the bot's stdin, stdout and stderr, which are inherited.
        streams: [RawFd; 3],
        bot: BotCommand,
    },
}

impl ShimCommand {
    /// Waits for what [`ShimCommand::send`] sends.
    pub(super) fn receive(mut socket: &UnixStream) -> io::Result<Self> {
        let mut line = Vec::new();
        let mut chunk = [0; 4 << 10];
        // Nothing follows the command before it is answered.
        while line.last() != Some(&b'\n') {
            match socket.read(&mut chunk)? {
                0 => return Err(io::ErrorKind::UnexpectedEof.into()),
                count => line.extend_from_slice(&chunk[..count]),
            }
        }
        Ok(serde_json::from_slice(&line)?)
    }

    /// Sends the command to a process that waits for it. It does not stand in the arguments, since the
    /// system limits their length.
    pub(super) fn send(&self, mut socket: &UnixStream) -> io::Result<()> {
        let mut line = serde_json::to_vec(self)?;
        line.push(b'\n');
        socket.set_write_timeout(Some(PATIENCE))?;
        socket.write_all(&line)
    }
}

/// Where a bot is to run.
#[derive(Debug, Serialize, Deserialize)]
pub(in crate::player) struct Place {
    pub folder: PathBuf,
    pub environment: Vec<(OsString, OsString)>,
}

impl Place {
    /// Makes it that of this process.
    pub(super) fn enter(&self) -> io::Result<()> {
        std::env::set_current_dir(&self.folder)?;
        sys::set_environment(&self.environment)
    }
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
    pub confinement: Confinement,
}

impl BotCommand {
    /// The bot's own folder, where it has one.
    pub(super) fn folder(&self) -> io::Result<Option<PathBuf>> {
        self.has_own_folder.then(std::env::current_dir).transpose()
    }

    /// The files outside the bot's folder that its command names: its program, and arguments.
    pub(super) fn files(&self) -> io::Result<Vec<PathBuf>> {
        let folder = std::env::current_dir()?;
        let args = self.args.iter().map(OsStr::new);
        let words = [self.program.as_os_str()].into_iter().chain(args);
        Ok(words
            .filter_map(|word| match self.has_own_folder {
                true => named_outside(&folder, word),
                false => named_file(&folder, word),
            })
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

    /// A command whose process enters its control group through `cgroup_entrances`, applies
    /// `restrictions` and becomes the bot, which may write to `scratch`.
    pub(super) fn into_command(
        self,
        mut restrictions: Restrictions,
        scratch: Option<&Path>,
        mut cgroup_entrances: Vec<File>,
    ) -> io::Result<Command> {
        let words = self.args.into_iter().map(OsString::from);
        let words: Vec<CString> = [self.arg0]
            .into_iter()
            .chain(words)
            .map(c_string)
            .collect::<io::Result<_>>()?;
        let path = c_string(self.program.clone())?;
        let environment = environment(scratch)?;
        let mut command = Command::new(self.program);
        sys::between_fork_and_exec(&mut command, move || {
            cgroup::enter(&mut cgroup_entrances);
            restrictions.apply()?;
            // Not left to the library, which would hand a file that is not a program to `sh`.
            match nix::unistd::execve(&path, &words, &environment) {
                Ok(never) => match never {},
                Err(error) => Err(error.into()),
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

/// This process's environment, which is the bot's, except for where it may write.
fn environment(scratch: Option<&Path>) -> io::Result<Vec<CString>> {
    let moved = ["HOME", "TMPDIR"];
    std::env::vars_os()
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

/// Closes this process's copies of the bot's streams.
pub(super) fn close_streams() -> io::Result<()> {
    let null = File::options().read(true).write(true).open("/dev/null")?;
    rustix::stdio::dup2_stdin(&null)?;
    rustix::stdio::dup2_stdout(&null)?;
    rustix::stdio::dup2_stderr(&null)?;
    Ok(())
}
