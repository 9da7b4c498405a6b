//! Lines on stderr: warnings, errors and progress.

use std::collections::BTreeMap;
use std::io::{IsTerminal, Write, stderr};
use std::sync::{Mutex, PoisonError};

use super::text::in_lines;
use crate::text::visible_lines;

/// Warnings printed, with their number of occurrences.
static WARNINGS: Mutex<BTreeMap<String, u64>> = Mutex::new(BTreeMap::new());

/// Prints a message to stderr, with hidden characters made visible. On a terminal it is broken into lines between
/// words. An error is ignored, so that a closed stderr (`2>&1 | head`) does not end a run, as it would with
/// `eprintln!`.
pub fn print_to_stderr(message: &str) {
    let message = in_lines(&visible_lines(message), stderr_width());
    let _ = writeln!(stderr(), "{message}");
}

/// Width of stderr in columns; `None` if it is no terminal.
pub(super) fn stderr_width() -> Option<usize> {
    let stderr = stderr();
    let size = rustix::termios::tcgetwinsize(&stderr).ok();
    let width = size.map(|size| size.ws_col.into());
    width.filter(|width| stderr.is_terminal() && *width > 0)
}

/// Prints a warning to stderr. A repeated warning is only counted.
pub fn warn(warning: &str) {
    let mut warnings = WARNINGS.lock().unwrap_or_else(PoisonError::into_inner);
    let times = warnings.entry(warning.to_owned()).or_default();
    *times += 1;
    if *times == 1 {
        print_to_stderr(&format!("warning: {warning}"));
    }
}

/// Prints the warnings that came more than once, with their number of occurrences.
pub fn print_repeated_warnings() {
    let warnings = WARNINGS.lock().unwrap_or_else(PoisonError::into_inner);
    for (warning, times) in warnings.iter().filter(|(_, times)| **times > 1) {
        print_to_stderr(&format!("warning: {warning} ({times} times)"));
    }
}

/// Whether the terminal takes text alone, and shows escape sequences as text: `TERM=dumb`, as in the shells of editors.
pub fn is_dumb() -> bool {
    std::env::var_os("TERM").is_some_and(|term| term == "dumb")
}
