//! Lines on stderr: warnings, errors and progress.

use std::io::Write;

use crate::text::visible_lines;

/// Prints a message to stderr, with what it quotes made visible. An error is ignored, so that a closed
/// stderr (`2>&1 | head`) does not end a run, as it would with `eprintln!`.
pub fn print_to_stderr(line: &str) {
    let _ = writeln!(std::io::stderr(), "{}", visible_lines(line));
}
