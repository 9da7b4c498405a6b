//! Games whose rules are a program.

use std::path::PathBuf;

/// Where the rules of a game come from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Origin {
    /// They are part of the harness.
    BuiltIn,
    /// They are a program.
    Program(RulesProgram),
}

/// A rules program and its description of its game.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RulesProgram {
    /// The name of the game in tables and on pages: its own, unless the harness has another game of this name.
    pub label: &'static str,
    /// How it is started.
    pub command: RulesCommand,
    /// The lines of its hello, each with a line feed.
    pub hello: String,
    /// Whether it lists legal actions.
    pub lists_legal: bool,
    /// Whether it says with each turn what its seats may do, so that bots are told.
    pub offers: bool,
    /// Whether an action is a line, blanks included.
    pub lines: bool,
    /// Whether a seat can leave and the others play on.
    pub drops: bool,
}

/// The command of a rules program.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RulesCommand {
    /// The program and its arguments: at least one word.
    pub words: Vec<String>,
    /// Its working directory.
    pub dir: PathBuf,
    /// Number of seats; `None` leaves it to the program, which takes the fewest of a range.
    pub seats: Option<u8>,
    /// Time for an answer, in milliseconds.
    pub answer_ms: u64,
    /// Time for its hello, and to begin a game, in milliseconds.
    pub start_ms: u64,
    /// Memory of the program with all its processes, in bytes.
    pub memory: u64,
    /// Whether the folder is the program's own, and all of it decides how the program plays.
    pub owns_dir: bool,
}
