//! A bot's output besides its answers.

use std::os::fd::AsFd;

use rustix::io::Errno;

use crate::text::excerpt;

/// Minimum size of the kept tail, in bytes. It is cut back to this when it reaches twice as much.
const LAST: usize = 4 << 10;

/// Last lines of crash reports in some languages that say nothing about the crash.
const FOOTERS: [&str; 6] = [
    "note: run with `RUST_BACKTRACE",
    "note: Some details are omitted",
    "stack backtrace:",
    "Node.js v",
    "/usr/bin/env: use -",
    "env: use -",
];

/// Prefix of an exception's message in C++, below the line that names its type.
const EXCEPTION: &str = "what():";

/// Kept part of a bot's stderr and debug lines: the head and the tail.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Log {
    /// The first bytes, up to the limit.
    pub kept: Vec<u8>,
    /// Number of bytes dropped between `kept` and `last`.
    pub dropped: u64,
    /// The last bytes, a few KiB, if the total exceeds the limit.
    pub last: Vec<u8>,
}

impl Log {
    /// Appends `bytes`. The first `limit` bytes of the log are kept, and always the last ones.
    pub(in crate::bot) fn push(&mut self, bytes: &[u8], limit: usize) {
        let room = limit.saturating_sub(self.kept.len()).min(bytes.len());
        self.kept.extend_from_slice(&bytes[..room]);
        self.last.extend_from_slice(&bytes[room..]);
        if self.last.len() > 2 * LAST {
            let surplus = self.last.len() - LAST;
            self.last.drain(..surplus);
            self.dropped += surplus as u64;
        }
    }

    /// Reads once from a non-blocking pipe. Returns the number of bytes read; `None` at the end of the stream.
    pub(in crate::bot) fn read_from(&mut self, pipe: impl AsFd, limit: usize) -> Option<usize> {
        let mut chunk = [0; 8 << 10];
        match rustix::io::read(pipe, &mut chunk) {
            Ok(0) => None,
            Ok(count) => {
                self.push(&chunk[..count], limit);
                Some(count)
            }
            Err(Errno::AGAIN | Errno::INTR) => Some(0),
            Err(_) => None,
        }
    }

    /// Reads what a non-blocking pipe holds, and no more: nine reads of 8 KiB empty a full one (64 KiB by default).
    /// Returns whether the stream goes on.
    pub(in crate::bot) fn drain(&mut self, pipe: &impl AsFd, limit: usize) -> bool {
        for _ in 0..9 {
            match self.read_from(pipe, limit) {
                Some(0) => return true,
                Some(_) => {}
                None => return false,
            }
        }
        true
    }

    pub fn len(&self) -> u64 {
        (self.kept.len() + self.last.len()) as u64 + self.dropped
    }

    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    pub fn text(&self) -> Vec<u8> {
        let mut text = self.kept.clone();
        if self.dropped > 0 {
            text.extend_from_slice(
                format!("\n[{} bytes were not kept here]\n", self.dropped).as_bytes(),
            );
        }
        text.extend_from_slice(&self.last);
        text
    }

    /// The last meaningful line, at most `length` characters, escaped for quoting. Debug lines and crash footers are
    /// skipped, and indented lines, which belong to a line above, unless there is no other. The indented message of a
    /// C++ exception is appended. Of several lines that begin with one label, such as `ERROR:`, the first says why.
    pub fn last_words(&self, length: usize) -> Option<String> {
        let text = match self.dropped {
            0 => [self.kept.as_slice(), &self.last].concat(),
            // The tail begins in the middle of a line.
            _ => {
                let line = self.last.iter().position(|byte| *byte == b'\n');
                self.last[line.unwrap_or(0)..].to_vec()
            }
        };
        let text = String::from_utf8_lossy(&text);
        let says_something = |line: &&str| {
            let is_footer = FOOTERS.iter().any(|footer| line.starts_with(footer));
            !line.trim().is_empty() && !line.starts_with('#') && !is_footer
        };
        let lines = || text.lines().rev().filter(says_something);
        let mut below = None;
        let line = lines().find(|line| {
            let is_indented = line.starts_with(char::is_whitespace);
            if is_indented {
                below = Some(line.trim());
            }
            !is_indented
        });
        let Some(mut line) = line else {
            return Some(excerpt(lines().next()?.trim(), length));
        };
        if let Some(label) = error_label(line) {
            let alike = |other: &&str| other.starts_with(label);
            line = lines()
                .skip_while(|other| *other != line)
                .take_while(alike)
                .last()
                .unwrap_or(line);
        }
        let what = below.filter(|below| below.starts_with(EXCEPTION));
        let words = [Some(line.trim()), what];
        let words: Vec<&str> = words.into_iter().flatten().collect();
        Some(excerpt(&words.join("; "), length))
    }
}

/// The begin of a line up to the word `error` and a colon or bracket, where it is a word of its own.
fn error_label(line: &str) -> Option<&str> {
    let lower = line.to_ascii_lowercase();
    let begin = lower.find("error")?;
    let end = begin + "error".len();
    let is_word = !line[..begin].ends_with(char::is_alphanumeric);
    (is_word && line[end..].starts_with([':', ']'])).then(|| &line[..end])
}

#[cfg(test)]
mod tests {
    use super::*;

    fn log(text: &str, limit: usize) -> Log {
        let mut log = Log::default();
        log.push(text.as_bytes(), limit);
        log
    }

    #[test]
    fn the_beginning_and_the_end_are_kept() {
        let mut log = Log::default();
        for number in 0..10_000 {
            log.push(format!("line {number}\n").as_bytes(), 100);
        }
        let written: usize = (0..10_000).map(|n| format!("line {n}\n").len()).sum();
        assert_eq!(log.kept.len(), 100);
        assert!((LAST..=2 * LAST).contains(&log.last.len()));
        assert_eq!(log.len(), written as u64);
        let text = String::from_utf8(log.text()).expect("text");
        assert!(text.starts_with("line 0\n"), "{text}");
        assert!(text.ends_with("line 9999\n"), "{text}");
        let told = format!("\n[{} bytes were not kept here]\n", log.dropped);
        assert!(text.contains(&told), "{text}");
        assert_eq!(log.last_words(80).as_deref(), Some("line 9999"));
    }

    #[test]
    fn a_long_trace_hides_no_cause() {
        let frames = "\tat Bot.deep(Bot.java:65)\n".repeat(2000);
        let trace = format!("java.lang.StackOverflowError\n{frames}");
        let words = |limit| log(&trace, limit).last_words(80);
        assert_eq!(
            words(1 << 20).as_deref(),
            Some("java.lang.StackOverflowError")
        );
        // Where the line itself is not kept, no part of another one stands for it.
        assert_eq!(words(10).as_deref(), Some("at Bot.deep(Bot.java:65)"));
    }

    #[test]
    fn the_last_words_are_those_that_say_what_happened() {
        let cases = [
            ("", None),
            ("\n \n# thinking\n", None),
            ("one\ntwo\n\n", Some("two")),
            ("no end of line", Some("no end of line")),
            // Python, Rust, Java and Node.
            (
                "Traceback (most recent call last):\n  File \"a.py\", line 1\nValueError: no moves\n",
                Some("ValueError: no moves"),
            ),
            (
                "thread 'main' panicked at a.rs:2:5:\nno moves\nnote: run with `RUST_BACKTRACE=1` to see\n",
                Some("no moves"),
            ),
            (
                "thread 'main' panicked at a.rs:2:5:\nno moves\nstack backtrace:\n   0: main\n             at ./a.rs:2:5\n\
                 note: Some details are omitted, run with `RUST_BACKTRACE=full` for more\n",
                Some("no moves"),
            ),
            (
                "Exception in thread \"main\" java.lang.Error: no moves\n\tat A.main(A.java:1)\n",
                Some("Exception in thread \"main\" java.lang.Error: no moves"),
            ),
            (
                "Error: no moves\n    at a.js:1:7\n\nNode.js v20.1.0\n",
                Some("Error: no moves"),
            ),
            (
                "terminate called after throwing an instance of 'std::runtime_error'\n  what():  no moves\n",
                Some(
                    "terminate called after throwing an instance of 'std::runtime_error'; what():  no moves",
                ),
            ),
            // A script whose first line ends as on Windows.
            (
                "/usr/bin/env: ‘python3\\r’: No such file or directory\n\
                 /usr/bin/env: use -[v]S to pass options in shebang lines\n",
                Some("/usr/bin/env: ‘python3\\r’: No such file or directory"),
            ),
            // Stockfish without its network.
            (
                "info string NNUE\ninfo string ERROR: no network\ninfo string ERROR: get it\ninfo string ERROR: I end\n",
                Some("info string ERROR: no network"),
            ),
            ("ValueError: a\nValueError: b\n", Some("ValueError: b")),
            // The message belongs to an earlier line than the last.
            ("terminate\n  what():  no moves\nlast\n", Some("last")),
            (
                "one\n  what():  no moves\n  more\n",
                Some("one; what():  no moves"),
            ),
            ("  indented alone\n", Some("indented alone")),
            ("\u{1b}[31mred\n", Some("\u{fffd}[31mred")),
        ];
        for (text, words) in cases {
            assert_eq!(log(text, 1000).last_words(100).as_deref(), words, "{text}");
        }
        let long = log("a line that is too long", 1000).last_words(20);
        assert_eq!(long.as_deref(), Some("a line that is too l…"));
    }
}
