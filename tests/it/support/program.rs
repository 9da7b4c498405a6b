//! The program, run as from a shell.

use std::io::Write;
use std::path::Path;
use std::process::{Child, Command, Output, Stdio};

pub const REFEREE: &str = env!("CARGO_BIN_EXE_referee");

#[derive(Debug)]
pub struct Ran {
    pub exit: i32,
    pub stdout: String,
    pub stderr: String,
}

impl From<Output> for Ran {
    fn from(output: Output) -> Self {
        Self {
            exit: output.status.code().expect("no signal"),
            stdout: String::from_utf8(output.stdout).expect("text"),
            stderr: String::from_utf8(output.stderr).expect("text"),
        }
    }
}

impl Ran {
    /// What the command printed. It must succeed and write nothing to stderr, but that a busy machine slowed the rules, and how
    /// far long work is.
    #[track_caller]
    pub fn ok(self) -> String {
        let of_busy_machines = ["times their median of", "making pages: ", "verifying: "];
        let mut said = self.stderr.lines();
        let is_silent = said.all(|line| of_busy_machines.iter().any(|it| line.contains(it)));
        assert!(self.exit == 0 && is_silent, "{self:?}");
        self.stdout
    }

    /// The JSON that a command printed, which succeeded.
    #[track_caller]
    pub fn json(self) -> serde_json::Value {
        serde_json::from_str(&self.done().stdout).expect("JSON")
    }

    #[track_caller]
    pub fn done(self) -> Self {
        assert_eq!(self.exit, 0, "{self:?}");
        self
    }

    /// The command must end with this code, print nothing, and write these words to stderr.
    #[track_caller]
    pub fn fails(&self, exit: i32, words: &str) {
        assert_eq!((self.exit, self.stdout.as_str()), (exit, ""), "{self:?}");
        assert!(self.stderr.contains(words), "no `{words}`: {}", self.stderr);
    }

    /// All of it as one text, for a snapshot.
    pub fn screen(&self) -> String {
        let mut screen = format!("exit code {}\n", self.exit);
        for (name, text) in [("stdout", &self.stdout), ("stderr", &self.stderr)] {
            if !text.is_empty() {
                screen.push_str(&format!("----- {name} -----\n{text}"));
            }
        }
        screen
    }
}

pub fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// Runs `referee` in the package's folder with the arguments of this line, quoted as for a shell.
/// What follows ` <<< ` is its input.
pub fn referee(line: &str) -> Ran {
    referee_in(root(), line)
}

pub fn referee_in(folder: &Path, line: &str) -> Ran {
    let (args, input) = line.split_once(" <<< ").unwrap_or((line, ""));
    let args = shlex::split(args).expect("closed quotes");
    let args: Vec<&str> = args.iter().map(String::as_str).collect();
    referee_reading(folder, input.as_bytes(), &args)
}

/// What these lines show, one after another, for a snapshot.
pub fn screens(folder: &Path, lines: &[&str]) -> String {
    let screen = |line: &&str| format!("$ referee {line}\n{}", referee_in(folder, line).screen());
    lines.iter().map(screen).collect::<Vec<_>>().join("\n")
}

/// Starts a command with pipes for its input, its output and its errors.
pub fn started(command: &mut Command) -> Child {
    let piped = command.stdin(Stdio::piped()).stdout(Stdio::piped());
    piped.stderr(Stdio::piped()).spawn().expect("it starts")
}

pub fn referee_reading(folder: &Path, input: &[u8], args: &[&str]) -> Ran {
    let mut command = Command::new(REFEREE);
    command.args(args).current_dir(folder).env_remove("COLUMNS");
    // A warning tells of it.
    let mut child = started(command.env_remove("PYTHONUNBUFFERED"));
    let mut stdin = child.stdin.take().expect("a pipe");
    let input = input.to_vec();
    // A command that refuses its arguments reads nothing and closes the pipe.
    let writer = std::thread::spawn(move || stdin.write_all(&input).ok());
    let output = child.wait_with_output().expect("it ends");
    writer.join().expect("written");
    output.into()
}
