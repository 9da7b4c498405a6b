//! Lines on stderr: warnings, errors and progress.

use std::io::{IsTerminal, Write, stderr};

use super::text::wrap;
use crate::text::visible_lines;

/// How a note begins.
const NOTE: &str = "note: ";

/// The fewest columns for which a note is broken into lines.
const NARROWEST: usize = 40;

/// Prints a message to stderr, with what it quotes made visible. A note is broken into lines where stderr is a
/// terminal. An error is ignored, so that a closed stderr (`2>&1 | head`) does not end a run, as it would with
/// `eprintln!`.
pub fn print_to_stderr(line: &str) {
    let stderr = stderr();
    let size = rustix::termios::tcgetwinsize(&stderr).ok();
    let width = size
        .filter(|_| stderr.is_terminal())
        .map(|size| size.ws_col.into());
    let _ = writeln!(&stderr, "{}", fitting(&visible_lines(line), width));
}

/// Whether the terminal takes text alone, and shows escape sequences as text: `TERM=dumb`, as in the shells of editors.
pub fn is_dumb() -> bool {
    std::env::var_os("TERM").is_some_and(|term| term == "dumb")
}

/// The message as it is, or a note in lines of at most this many columns.
fn fitting(message: &str, width: Option<usize>) -> String {
    match (message.strip_prefix(NOTE), width) {
        (Some(note), Some(width)) if width > 0 => {
            let mut lines = String::new();
            wrap(&mut lines, NOTE, note, width.max(NARROWEST));
            lines.trim_end_matches('\n').to_owned()
        }
        _ => message.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_note_on_a_terminal_is_broken_into_lines() {
        let words = "a".to_owned() + &" word".repeat(20);
        let (note, error) = (format!("note: {words}"), format!("referee: {words}"));
        assert_eq!(fitting(&note, None), note);
        assert_eq!(fitting(&error, Some(50)), error);
        let lines = fitting(&note, Some(50));
        let lines: Vec<&str> = lines.lines().collect();
        assert_eq!(lines.len(), 3);
        assert!(lines.iter().all(|line| line.len() <= 50), "{lines:?}");
        assert!(lines[1].starts_with("      word"), "{lines:?}");
    }
}
