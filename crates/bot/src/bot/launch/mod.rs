//! Starting a bot's process: its command, its folder, and the variables that it finds there.
//! It is handed a configured command and gives a process with its pipes, or the fault of a failed start.

mod peculiarities;

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::fmt::{self, Display};
use std::fs::File;
use std::io::{self, Read};
use std::path::{Component, Path, PathBuf};

pub use peculiarities::withheld_variables;
use rustix::fs::{Access, access};
use rustix::io::Errno;
use thiserror::Error;

use super::Fault;
use super::machine::process_tree;
use super::supervise::{
    BotCommand, BotSurroundings, Confinement, ShimHandle, StartError, Streams, Supervisor,
};
use crate::bot::environment::passed_on;
use crate::text;

/// Most bytes read of a script's first line.
const LONGEST_LINE: u64 = 256;

/// Extensions of files that another program runs, with the words that start them.
const STARTERS: [(&str, &str); 6] = [
    ("py", "python3"),
    ("js", "node"),
    ("jar", "java -jar"),
    ("rb", "ruby"),
    ("pl", "perl"),
    ("sh", "sh"),
];

pub fn command_of(path: &Path) -> Option<String> {
    let extension = path.extension()?.to_str()?;
    let (_, words) = STARTERS.iter().find(|(known, _)| *known == extension)?;
    Some(format!("{words} {}", path.display()))
}

/// Why a file that may not be executed starts no bot, and what does.
fn how_to_start(program: &Path, file: &Path) -> String {
    let start = beginning_of(file);
    if start.starts_with(b"#!") || start.starts_with(b"\x7fELF") {
        return format!("may not be executed: run `chmod +x {}`", file.display());
    }
    match command_of(program) {
        None => "is no program: expected a program that was built, or the command that starts it"
            .to_owned(),
        Some(command) => format!("does not start by itself: expected the command `{command}`"),
    }
}

fn beginning_of(path: &Path) -> Vec<u8> {
    let mut start = Vec::new();
    if let Some(file) = path.is_file().then(|| File::open(path).ok()).flatten() {
        let _ = file.take(LONGEST_LINE).read_to_end(&mut start);
    }
    start
}

/// The end of a message on a path that does not exist: where it leads, if it is a link.
pub fn dangling(path: &Path) -> String {
    let target = path.read_link();
    target.map_or_else(
        |_| String::new(),
        |target| {
            format!(
                ": it is a link that leads nowhere, to `{}`",
                target.display()
            )
        },
    )
}

#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Launch {
    /// Path of the program, or a name to look up in `PATH`.
    pub program: PathBuf,
    /// Arguments, passed unchanged; no shell is involved.
    pub args: Vec<String>,
    /// The bot's own folder, its working directory. `None`: the working directory of the harness.
    pub dir: Option<PathBuf>,
    /// Variables in addition to the inherited ones; see `docs/isolation.md`.
    pub env: Vec<(String, String)>,
    /// A folder of the course, readable for bots; its Python packages can be imported.
    pub course_files: Option<PathBuf>,
    /// Whether the bot's author wrote the command. Its words then make no file outside `dir` readable.
    pub submitted: bool,
}

impl Display for Launch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.program.display())?;
        self.args.iter().try_for_each(|arg| write!(f, " {arg}"))
    }
}

#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum LaunchError {
    #[error("there is no folder `{}`", .0.display())]
    NoDirectory(PathBuf),
    #[error("the folder `{}` has a name that is not UTF-8, which no record can have: rename it, or run from another one", .0.display())]
    NotText(PathBuf),
    #[error("there is no program `{}`{}", .0.display(), dangling(.0))]
    NoProgram(PathBuf),
    #[error(
        "there is no program `{name}` in PATH; for one in the bot's own folder write `./{name}`",
        name = .0.display()
    )]
    NotInPath(PathBuf),
    #[error("`{}` is a folder, not a program", .0.display())]
    Folder(PathBuf),
    #[error("`{}` {}", .program.display(), how_to_start(.program, .file))]
    NotExecutable {
        /// As it was given.
        program: PathBuf,
        file: PathBuf,
    },
}

impl Launch {
    /// Checks that the folder and the program exist. Starts nothing.
    pub fn check(&self) -> Result<(), LaunchError> {
        if let Some(dir) = &self.dir
            && !dir.is_dir()
        {
            return Err(LaunchError::NoDirectory(dir.clone()));
        }
        let whole = self
            .dir
            .as_ref()
            .and_then(|dir| std::path::absolute(dir).ok());
        if let Some(dir) = whole.filter(|dir| dir.to_str().is_none()) {
            return Err(LaunchError::NotText(dir));
        }
        let not_executable = |file: PathBuf| LaunchError::NotExecutable {
            program: self.program.clone(),
            file,
        };
        let found = self.find_program().ok_or_else(|| {
            let beside = self.folder().join(&self.program);
            match self.is_installed() {
                true if beside.is_file() && access(&beside, Access::EXEC_OK).is_err() => {
                    not_executable(beside)
                }
                true => LaunchError::NotInPath(self.path()),
                false => LaunchError::NoProgram(self.path()),
            }
        })?;
        if found.is_dir() {
            return Err(LaunchError::Folder(found));
        }
        if found.is_file() && access(&found, Access::EXEC_OK).is_ok() {
            Ok(())
        } else {
            Err(not_executable(found))
        }
    }

    /// Whether the program is a bare name, looked up in `PATH`.
    pub fn is_installed(&self) -> bool {
        self.program.components().count() <= 1
    }

    /// The program's file: a path is relative to the working directory, a bare name is looked up in `PATH`.
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

    /// Absolute paths of those among the folder, program and course files that exist: the bot must reach them.
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

    /// Attributes a failed start to the bot or to the machine.
    pub(super) fn fault(&self, error: StartError) -> Fault {
        let is_of_program = error.is_of_program;
        let error = io::Error::from(error);
        match is_of_program && self.cannot_be_run(&error) {
            true => Fault::NotStarted {
                problem: format!("{error}; {}", self.remedy()),
            },
            false => Fault::Machine(error),
        }
    }

    /// Whether the program exists and the error is its own: it is not executable code, or its interpreter is missing,
    /// unusable or out of reach. A program removed since its last check is not at fault.
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

    /// Why a program that is there cannot be run, by its first line, and what helps.
    fn remedy(&self) -> String {
        if !self.is_readable() {
            return "it may be executed and not read, so its processor time could not be counted: make it readable (chmod +r)"
                .to_owned();
        }
        // A script that cannot be read is told as any other.
        let line = self.first_line();
        if line
            .strip_prefix('\u{feff}')
            .is_some_and(|it| it.starts_with("#!"))
        {
            return "a byte-order mark stands before its #!: save it as UTF-8 without one"
                .to_owned();
        }
        let interpreter = line.strip_prefix("#!").map_or("", str::trim_start);
        if interpreter.ends_with('\r') {
            return "its first line ends as on Windows, so that a carriage return belongs to the interpreter's name: \
                    save it with the line ends of Linux, or run `sed -i 's/\\r$//'` on it"
                .to_owned();
        }
        match interpreter.split_ascii_whitespace().next() {
            Some(name) if !Path::new(name).exists() => format!(
                "its first line names `{}`, which is not there: install it, or name another interpreter",
                text::excerpt(name, 80)
            ),
            _ => "a script begins with a line such as #!/usr/bin/env python3, and a program is built for this machine"
                .to_owned(),
        }
    }

    fn first_line(&self) -> String {
        let start = self.find_program().map(|it| beginning_of(&it));
        let start = start.unwrap_or_default();
        let line = start.split(|byte| *byte == b'\n').next();
        String::from_utf8_lossy(line.unwrap_or_default()).into_owned()
    }

    fn is_readable(&self) -> bool {
        let file = self.find_program().and_then(|path| path.metadata().ok());
        !file.is_some_and(|file| process_tree::may_be_executed_and_not_read(&file))
    }

    /// Canonical path of the working directory, however the configuration wrote it.
    pub fn folder(&self) -> PathBuf {
        let dir = self.dir.as_deref().unwrap_or(Path::new("."));
        dir.canonicalize().unwrap_or_else(|_| dir.to_owned())
    }

    /// The program's path, joined with the working directory; a bare name stays bare.
    fn path(&self) -> PathBuf {
        match &self.dir {
            Some(dir) if !self.is_installed() => {
                dir.join(self.program.strip_prefix(".").unwrap_or(&self.program))
            }
            _ => self.program.clone(),
        }
    }

    /// Absolute path of the program: the child changes its directory before a relative path would be resolved.
    fn absolute_program(&self) -> io::Result<PathBuf> {
        let path = std::path::absolute(self.find_program().ok_or(io::ErrorKind::NotFound)?)?;
        let short = without_detours(&path);
        // Both differ if the component before a `..` is a link.
        let same = short.canonicalize().ok() == path.canonicalize().ok();
        Ok(if same { short } else { path })
    }

    fn absolute_course_files(&self) -> Option<PathBuf> {
        std::path::absolute(self.course_files.as_ref()?).ok()
    }

    fn environment(&self) -> BTreeMap<OsString, OsString> {
        let own = self.env.iter();
        let own = own.map(|(key, value)| (key.into(), value.into()));
        let mut environment: BTreeMap<OsString, OsString> = passed_on().chain(own).collect();
        if let Some(folder) = self.absolute_course_files() {
            let path = environment.entry(PYTHON_PATH.into()).or_default();
            let all = std::iter::once(folder.clone())
                .chain(std::env::split_paths(path).filter(|part| !part.as_os_str().is_empty()));
            // `join_paths` refuses a folder with a colon in its name. Such a folder is set alone.
            *path = std::env::join_paths(all).unwrap_or_else(|_| folder.into_os_string());
        }
        environment
    }

    pub(super) fn supervise(
        &self,
        supervisor: &Supervisor,
        confinement: &Confinement,
    ) -> io::Result<(ShimHandle, Streams)> {
        let surroundings = BotSurroundings {
            folder: std::path::absolute(self.dir.as_deref().unwrap_or(Path::new(".")))?.into(),
            environment: self.environment().into_iter().collect(),
        };
        let bot = BotCommand {
            program: self.absolute_program()?.into_os_string(),
            arg0: self.program.clone().into_os_string(),
            args: self.args.clone(),
            has_own_folder: self.dir.is_some(),
            course_files: self.absolute_course_files().map(PathBuf::into_os_string),
            // `PATH` is not the author's.
            opens_program: !self.submitted || self.is_installed(),
            opens_args: !self.submitted,
            confinement: confinement.clone(),
        };
        ShimHandle::start(supervisor, surroundings, bot)
    }
}

const PYTHON_PATH: &str = "PYTHONPATH";

/// Removes each `..` together with the component before it, lexically. The result does not lead through a bot's folder
/// to a program beside it.
pub fn without_detours(path: &Path) -> PathBuf {
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
            ..Launch::default()
        };
        let is_of_bot = |program: &str, error: StartError| {
            matches!(launch(program).fault(error), Fault::NotStarted { .. })
        };
        let errno = |errno: Errno| io::Error::from(errno);
        for of_program in [
            Errno::NOENT,
            Errno::ACCESS,
            Errno::NOTDIR,
            Errno::LOOP,
            Errno::NOEXEC,
        ] {
            assert!(is_of_bot("sh", StartError::of_program(errno(of_program))));
            // That error caused by the harness, such as a missing folder for temporary files.
            assert!(!is_of_bot("sh", errno(of_program).into()));
        }
        for of_machine in [Errno::NOMEM, Errno::AGAIN, Errno::MFILE, Errno::NOSPC] {
            assert!(!is_of_bot("sh", StartError::of_program(errno(of_machine))));
        }
        // The program was removed meanwhile.
        let gone = StartError::of_program(errno(Errno::NOENT));
        assert!(!is_of_bot("./no/such/program", gone));
    }
}
