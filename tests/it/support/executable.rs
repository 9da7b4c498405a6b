//! Programs that a test writes and then runs.

use std::io::Write;
use std::path::Path;
use std::process::{Command, Stdio};

/// Writes an executable file. A child does it: if this process had the file open for writing while
/// another test starts a program, that program would hold it open too, and it could not be run.
pub fn write_executable(path: &Path, text: &str) {
    let mut child = Command::new("sh")
        .args(["-c", "cat >\"$0\" && chmod 755 \"$0\""])
        .arg(path)
        .stdin(Stdio::piped())
        .spawn()
        .expect("sh");
    let mut stdin = child.stdin.take().expect("a pipe");
    stdin.write_all(text.as_bytes()).expect("written");
    drop(stdin);
    assert!(child.wait().expect("it ends").success());
}
