//! What a shim is told to start, and the command that becomes it.

use std::ffi::{CString, OsStr, OsString};
use std::fs::File;
use std::io;
use std::os::unix::ffi::OsStringExt;
use std::path::{Component, Path, PathBuf};
use std::process::Command;

use super::restrictions::Restrictions;
use super::{Confinement, HAS_FOLDER, cgroup, sys};

/// A bot, as the last arguments of a shim describe it: its confinement, its program, whether the
/// working directory is its own folder, and its words, the name that it is called by first.
pub(super) struct Order {
    pub confinement: Confinement,
    pub program: OsString,
    has_folder: bool,
    words: Vec<OsString>,
}

impl Order {
    pub(super) fn parse(args: impl IntoIterator<Item = OsString>) -> io::Result<Self> {
        let mut args = args.into_iter();
        let confinement = args.next().and_then(|text| text.into_string().ok());
        Ok(Self {
            confinement: confinement
                .and_then(|text| serde_json::from_str(&text).ok())
                .ok_or_else(no_command)?,
            program: args.next().ok_or_else(no_command)?,
            has_folder: args.next().ok_or_else(no_command)? == HAS_FOLDER,
            words: args.collect(),
        })
    }

    /// The bot's own folder, where it has one: the working directory.
    pub(super) fn folder(&self) -> io::Result<Option<PathBuf>> {
        self.has_folder.then(std::env::current_dir).transpose()
    }

    /// The program, and the files outside the bot's folder that its arguments name.
    pub(super) fn files(&self) -> io::Result<Vec<PathBuf>> {
        let folder = std::env::current_dir()?;
        let named = self.words.iter().skip(1);
        let named = named.filter_map(|word| named_outside(&folder, word));
        Ok([PathBuf::from(&self.program)]
            .into_iter()
            .chain(named)
            .collect())
    }

    /// A command whose process goes through `entrances` into its control group, applies `restrictions` and becomes
    /// the bot, which may write to `scratch`.
    pub(super) fn command(
        self,
        mut restrictions: Restrictions,
        scratch: Option<&Path>,
        mut entrances: Vec<File>,
    ) -> io::Result<Command> {
        let words: Vec<CString> = self
            .words
            .into_iter()
            .map(c_string)
            .collect::<io::Result<_>>()?;
        let path = c_string(self.program.clone())?;
        let environment = environment(scratch)?;
        let mut command = Command::new(self.program);
        sys::between_fork_and_exec(&mut command, move || {
            cgroup::enter(&mut entrances);
            restrictions.apply()?;
            // The library would hand a file that is no program to `sh`.
            match nix::unistd::execve(&path, &words, &environment) {
                Ok(never) => match never {},
                Err(error) => Err(error.into()),
            }
        });
        Ok(command)
    }
}

/// The file outside the bot's folder that an argument names. Only who writes the configuration can put
/// one there. What is inside is seen anyway, but for links that lead out: the bot's author can make those.
fn named_outside(folder: &Path, arg: &OsStr) -> Option<PathBuf> {
    let named = Path::new(arg);
    let goes_up = named.components().any(|part| part == Component::ParentDir);
    let leads_out = named.is_absolute() || named.starts_with("..");
    let file = folder.join(named);
    let parent = file.parent()?.canonicalize().ok()?;
    let inside = named.starts_with(folder) || parent.starts_with(folder);
    if !leads_out || inside || !file.is_file() {
        return None;
    }
    match goes_up {
        true => file.canonicalize().ok(),
        false => Some(file),
    }
}

/// The number in an argument.
pub(super) fn number(arg: Option<OsString>) -> io::Result<i32> {
    arg.and_then(|arg| arg.to_str()?.parse().ok())
        .ok_or_else(no_command)
}

/// The text in an argument.
pub(super) fn text(arg: Option<OsString>) -> io::Result<String> {
    arg.and_then(|arg| arg.into_string().ok())
        .ok_or_else(no_command)
}

/// The error of arguments that no harness gave.
fn no_command() -> io::Error {
    io::Error::new(io::ErrorKind::InvalidInput, "this is no command for people")
}

/// This process's environment, which is the bot's, but for where it may write.
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
pub(super) fn let_go_of_streams() -> io::Result<()> {
    let null = File::options().read(true).write(true).open("/dev/null")?;
    rustix::stdio::dup2_stdin(&null)?;
    rustix::stdio::dup2_stdout(&null)?;
    rustix::stdio::dup2_stderr(&null)?;
    Ok(())
}
