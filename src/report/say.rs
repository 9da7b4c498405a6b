//! Words beside the results.

use std::io::Write;

/// Writes a line to stderr. That nobody is there to read it (`2>&1 | head`) is no failure, and must
/// not become one in the middle of a run.
pub fn say(line: &str) {
    let _ = writeln!(std::io::stderr(), "{line}");
}
