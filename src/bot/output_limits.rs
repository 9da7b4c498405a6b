//! Limits on a bot's output.

/// Limits on a bot's output.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct OutputLimits {
    /// Maximum length of a line on stdout, in bytes.
    pub line: usize,
    /// Maximum output on stdout before an answer, debug lines included, in bytes.
    pub turn: usize,
    /// Maximum kept log (stderr and debug lines) per game, in bytes.
    pub log: usize,
}

impl Default for OutputLimits {
    fn default() -> Self {
        Self {
            line: 4 << 10,
            turn: 1 << 20,
            log: 256 << 10,
        }
    }
}
