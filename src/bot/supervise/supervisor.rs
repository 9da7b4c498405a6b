//! The program that supervises bots, and the arguments that make it do so.

use std::path::PathBuf;

/// The program that can run as a shim: `referee` itself.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Supervisor {
    /// Path of its executable.
    pub program: PathBuf,
}

/// First argument that makes this program a supervisor. Its stderr is then a socket to its parent.
pub const SUBCOMMAND: &str = "__supervise";

/// Second argument that makes it the maker of shims.
pub const MAKER: &str = "maker";
