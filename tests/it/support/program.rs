//! The program as a person at a shell meets it.

use std::io::Write;
use std::process::{Command, Stdio};

/// What a command did.
#[derive(Debug)]
pub struct Ran {
    pub exit: i32,
    pub stdout: String,
    pub stderr: String,
}

/// Runs `referee` with these arguments and this input, in the package's folder.
pub fn referee_reading(input: &[u8], args: &[&str]) -> Ran {
    let mut child = Command::new(env!("CARGO_BIN_EXE_referee"))
        .args(args)
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("it starts");
    let mut stdin = child.stdin.take().expect("a pipe");
    let input = input.to_vec();
    // A command that refuses its arguments reads nothing and closes the pipe.
    let writer = std::thread::spawn(move || stdin.write_all(&input).ok());
    let output = child.wait_with_output().expect("it ends");
    writer.join().expect("written");
    Ran {
        exit: output.status.code().expect("no signal"),
        stdout: String::from_utf8(output.stdout).expect("text"),
        stderr: String::from_utf8(output.stderr).expect("text"),
    }
}
