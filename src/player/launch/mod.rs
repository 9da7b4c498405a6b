//! How a bot's process is started.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::fmt::{self, Display};
use std::io;
use std::os::unix::process::CommandExt;
use std::path::{Component, Path, PathBuf};
use std::process::{Child, Command, Stdio};

use rustix::fs::{Access, access};
use rustix::io::Errno;
use thiserror::Error;

use super::Fault;
use super::environment::passed_on;
use super::machine::process_tree;
use super::supervise::{
    self, BotCommand, Confinement, Place, ShimHandle, StartError, Streams, Supervisor,
};

mod packages;
mod peculiarities;

pub use packages::package_places;
pub use peculiarities::Peculiarities;

/// A command with where and in which environment it runs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Launch {
    /// The program, as a path or a name to look up in `PATH`.
    pub program: PathBuf,
    /// Its arguments. They are handed over as they are; no shell sees them.
    pub args: Vec<String>,
    /// The bot's own folder, its working directory; that of the harness if `None`.
    pub dir: Option<PathBuf>,
    /// Variables added to those that every bot is given; see `docs/isolation.md`.
    pub env: Vec<(String, String)>,
    /// A folder that its course puts beside the bots: they read it, and its Python packages can be imported.
    pub course_files: Option<PathBuf>,
}

impl Display for Launch {
    /// The program and its arguments, for people.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.program.display())?;
        self.args.iter().try_for_each(|arg| write!(f, " {arg}"))
    }
}

/// Why a command cannot be started.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum LaunchError {
    /// The working directory is not there.
    #[error("there is no folder `{}`", .0.display())]
    NoDirectory(PathBuf),
    /// The program is not at its path.
    #[error("there is no program `{}`", .0.display())]
    NoProgram(PathBuf),
    /// The program is not in `PATH`.
    #[error(
        "there is no program `{name}` in PATH; for one in the bot's own folder write `./{name}`",
        name = .0.display()
    )]
    NotInPath(PathBuf),
    /// The program is there, but may not be executed.
    #[error(
        "`{path}` may not be executed; `chmod +x {path}` if it is a program",
        path = .0.display()
    )]
    NotExecutable(PathBuf),
}

impl Launch {
    /// Looks whether the folder and the program are there. Starts nothing.
    ///
    /// # Errors
    ///
    /// One of them is not there, or the program may not be executed.
    pub fn check(&self) -> Result<(), LaunchError> {
        if let Some(dir) = &self.dir
            && !dir.is_dir()
        {
            return Err(LaunchError::NoDirectory(dir.clone()));
        }
        let found = self
            .find_program()
            .ok_or_else(|| match self.is_installed() {
                true => LaunchError::NotInPath(self.path()),
                false => LaunchError::NoProgram(self.path()),
            })?;
        if found.is_file() && access(&found, Access::EXEC_OK).is_ok() {
            Ok(())
        } else {
            Err(LaunchError::NotExecutable(found))
        }
    }

    /// Whether the program is looked up in `PATH`, and not a path of its own.
    pub fn is_installed(&self) -> bool {
        self.program.components().count() <= 1
    }

    /// The file of the program: a path is taken from the working directory, a bare name from `PATH`.
    pub fn find_program(&self) -> Option<PathBuf> {
        if !self.is_installed() {
            let path = self.path();
            return path.exists().then_some(path);
        }
        let path = self
            .env
            .iter()
            .find(|(key, _)| key == "PATH")
            .map(|(_, value)| value.into())
            .or_else(|| std::env::var_os("PATH"))?;
        let candidates: Vec<PathBuf> = std::env::split_paths(&path)
            .map(|dir| dir.join(&self.program))
            .filter(|candidate| candidate.is_file())
            .collect();
        candidates
            .iter()
            .find(|candidate| access(*candidate, Access::EXEC_OK).is_ok())
            .or(candidates.first())
            .cloned()
    }

    /// The folder and the program that must be within reach, as absolute paths where they are there.
    pub fn needs(&self) -> Vec<PathBuf> {
        let folder = self
            .dir
            .iter()
            .filter_map(|dir| std::path::absolute(dir).ok());
        folder
            .chain(self.absolute_program().ok())
            .chain(self.absolute_course_files())
            .collect()
    }

    /// Who is to blame for a bot that did not start.
    pub(super) fn blame(&self, error: StartError) -> Fault {
        match error {
            StartError::Program(error) if self.cannot_be_run(&error) => Fault::NotStarted {
                problem: match self.is_readable() {
                    true => error.to_string(),
                    false => format!(
                        "{error}: who may execute it may not read it, so its processor time could not be counted"
                    ),
                },
            },
            StartError::Program(error) | StartError::Harness(error) => Fault::Machine(error),
        }
    }

    /// Whether the program exists and cannot be run: it is no program, or its interpreter is not there, is
    /// none, or is out of reach. If it has gone since it was last looked for, that is not its fault.
    fn cannot_be_run(&self, error: &io::Error) -> bool {
        let errno = Errno::from_io_error(error);
        let of_interpreter = [
            Errno::NOENT,
            Errno::ACCESS,
            Errno::PERM,
            Errno::NOTDIR,
            Errno::ISDIR,
            Errno::LOOP,
            Errno::NAMETOOLONG,
            Errno::LIBBAD,
        ];
        errno == Some(Errno::NOEXEC)
            || errno.is_some_and(|errno| of_interpreter.contains(&errno)) && self.check().is_ok()
    }

    /// Whether everybody may read the program who may execute it.
    fn is_readable(&self) -> bool {
        let file = self.find_program().and_then(|path| path.metadata().ok());
        !file.is_some_and(|file| process_tree::may_be_executed_and_not_read(&file))
    }

    /// The folder in which it runs, in its canonical form, however the configuration wrote it.
    pub fn folder(&self) -> PathBuf {
        let dir = self.dir.as_deref().unwrap_or(Path::new("."));
        dir.canonicalize().unwrap_or_else(|_| dir.to_owned())
    }

    /// The program with the folder that it is looked up in; a bare name stays as it is.
    fn path(&self) -> PathBuf {
        match &self.dir {
            Some(dir) if !self.is_installed() => dir.join(&self.program),
            _ => self.program.clone(),
        }
    }

    /// The file of the program. Absolute, since a relative path would be looked up after the change
    /// of folder.
    fn absolute_program(&self) -> io::Result<PathBuf> {
        let path = std::path::absolute(self.find_program().ok_or(io::ErrorKind::NotFound)?)?;
        let short = without_detours(&path);
        // They differ where the folder before a `..` is a link.
        let same = short.canonicalize().ok() == path.canonicalize().ok();
        Ok(if same { short } else { path })
    }

    fn absolute_course_files(&self) -> Option<PathBuf> {
        std::path::absolute(self.course_files.as_ref()?).ok()
    }

    /// The bot's environment.
    fn environment(&self) -> BTreeMap<OsString, OsString> {
        let own = self.env.iter();
        let own = own.map(|(key, value)| (key.into(), value.into()));
        let mut environment: BTreeMap<OsString, OsString> = passed_on().chain(own).collect();
        if let Some(folder) = self.absolute_course_files() {
            let path = environment.entry(PYTHON_PATH.into()).or_default();
            let all = std::iter::once(folder.clone())
                .chain(std::env::split_paths(path).filter(|part| !part.as_os_str().is_empty()));
            // A folder with a colon in its name cannot stand in such a list; alone it is taken as it is.
            *path = std::env::join_paths(all).unwrap_or_else(|_| folder.into_os_string());
        }
        environment
    }

    /// Starts the process, in a process group of its own and with pipes to its three streams.
    pub(super) fn spawn(&self) -> Result<Child, StartError> {
        let dir = self.dir.as_deref().unwrap_or(Path::new("."));
        // If this is refused later, nothing tells it from a program that is refused.
        access(dir, Access::EXEC_OK).map_err(io::Error::from)?;
        let mut command = Command::new(self.absolute_program()?);
        command
            .arg0(&self.program)
            .args(&self.args)
            .env_clear()
            .envs(self.environment())
            .current_dir(dir)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .process_group(0);
        supervise::spawn(&mut command).map_err(StartError::Program)
    }

    /// Starts a shim that is to start the process.
    pub(super) fn supervise(
        &self,
        supervisor: &Supervisor,
        confinement: &Confinement,
    ) -> io::Result<(ShimHandle, Streams)> {
        let place = Place {
            folder: std::path::absolute(self.dir.as_deref().unwrap_or(Path::new(".")))?,
            environment: self.environment().into_iter().collect(),
        };
        let bot = BotCommand {
            program: self.absolute_program()?.into_os_string(),
            arg0: self.program.clone().into_os_string(),
            args: self.args.clone(),
            has_own_folder: self.dir.is_some(),
            course_files: self.absolute_course_files(),
            confinement: confinement.clone(),
        };
        ShimHandle::start(supervisor, place, bot)
    }
}

/// Where Python searches for packages.
const PYTHON_PATH: &str = "PYTHONPATH";

/// A path with each `..` taken together with the folder before it, by their names alone. So it does not go
/// through a bot's folder to a program beside it.
pub(crate) fn without_detours(path: &Path) -> PathBuf {
    let mut short = PathBuf::new();
    for part in path.components() {
        let has_folder = matches!(short.components().next_back(), Some(Component::Normal(_)));
        match part {
            Component::ParentDir if has_folder => {
                short.pop();
            }
            part => short.push(part),
        }
    }
    short
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn detours_are_left_out_by_name() {
        for (path, short) in [
            ("/a/bot/../env/bin/python3", "/a/env/bin/python3"),
            ("/a/bot/./sub/../x", "/a/bot/x"),
            ("../env/bin/python3", "../env/bin/python3"),
            ("../../x/../y", "../../y"),
            ("bot.py", "bot.py"),
        ] {
            assert_eq!(without_detours(Path::new(path)), Path::new(short), "{path}");
        }
    }

    #[test]
    fn a_bot_is_to_blame_only_for_a_program_that_the_system_does_not_execute() {
        let launch = |program: &str| Launch {
            program: program.into(),
            args: Vec::new(),
            dir: None,
            env: Vec::new(),
            course_files: None,
        };
        let is_of_bot = |program: &str, error: StartError| {
            matches!(launch(program).blame(error), Fault::NotStarted { .. })
        };
        let errno = |errno: Errno| io::Error::from(errno);
        for of_program in [
            Errno::NOENT,
            Errno::ACCESS,
            Errno::NOTDIR,
            Errno::LOOP,
            Errno::NOEXEC,
        ] {
            assert!(is_of_bot("sh", StartError::Program(errno(of_program))));
            // The same error of the harness, such as a missing folder for temporary files.
            assert!(!is_of_bot("sh", StartError::Harness(errno(of_program))));
        }
        for of_machine in [Errno::NOMEM, Errno::AGAIN, Errno::MFILE, Errno::NOSPC] {
            assert!(!is_of_bot("sh", StartError::Program(errno(of_machine))));
        }
        // It has gone meanwhile.
        let gone = StartError::Program(errno(Errno::NOENT));
        assert!(!is_of_bot("./no/such/program", gone));
    }
}
