//! The Python of this machine.

use crate::support::needs::{command, skip};
use std::process::Command;

pub struct Python {
    /// The program itself, not a launcher in a home folder.
    pub program: String,
    pub prefix: String,
}

/// Python 3. Without it, prints that the test is skipped.
pub fn python() -> Option<Python> {
    let script = "import sys; print(sys.executable, sys.base_prefix, sep='\\n')";
    let ran = command("python3")?.args(["-c", script]).output();
    let ran = ran.expect("it ran");
    let said = String::from_utf8(ran.stdout).expect("text");
    let mut lines = said.lines().map(str::to_owned);
    Some(Python {
        program: lines.next().expect("a program"),
        prefix: lines.next().expect("a folder"),
    })
}

/// The Python that `WRAPPED_PYTHON` names, or Python 3, if it has a module. Without it, prints that the test is skipped.
pub fn python_with(module: &str) -> Option<String> {
    let program = match std::env::var("WRAPPED_PYTHON") {
        Ok(program) => program,
        Err(_) => python()?.program,
    };
    let imported = Command::new(&program)
        .args(["-c", &format!("import {module}")])
        .output();
    if imported.is_ok_and(|output| output.status.success()) {
        return Some(program);
    }
    skip(module);
    None
}
