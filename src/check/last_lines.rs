//! The last lines of a program's output, for people.

use crate::bot::Log;
use crate::text::excerpt;

/// Maximum number of quoted lines.
const LINES: usize = 6;

/// Maximum characters of a quoted line.
pub(super) const EXCERPT: usize = 160;

/// Last lines of a program's output, escaped for a terminal.
pub(super) fn last_lines(log: &Log) -> Vec<String> {
    let text = log.text();
    let text = String::from_utf8_lossy(&text);
    let lines = text.lines().filter(|line| !line.trim().is_empty());
    let mut last: Vec<String> = lines
        .rev()
        .take(LINES)
        .map(|line| excerpt(line, EXCERPT))
        .collect();
    last.reverse();
    last
}
