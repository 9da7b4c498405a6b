//! Tournaments of house bots, and what they leave behind.

use std::path::PathBuf;
use std::process::Command;

use tempfile::TempDir;

use super::tables::{Table, rows};

/// The folder of a run that went well; it goes away with this value.
pub struct Run {
    folder: TempDir,
    /// What the command said at the end.
    pub summary: String,
}

/// Runs a configuration.
pub fn run(config: &str, jobs: u32) -> Run {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("config.toml");
    std::fs::write(&file, config).expect("written");
    let output = Command::new(env!("CARGO_BIN_EXE_referee"))
        .arg("run")
        .arg(&file)
        .args(["-j", &jobs.to_string(), "--out"])
        .arg(folder.path().join("out"))
        .output()
        .expect("it runs");
    assert!(output.status.success(), "{output:?}");
    let said = String::from_utf8_lossy(&output.stderr);
    // Where the machine is small or busy it may be warned of that.
    let said: Vec<&str> = said
        .lines()
        .filter(|line| !line.starts_with("warning: "))
        .collect();
    assert_eq!(said, [""; 0], "silent in a pipe");
    Run {
        folder,
        summary: String::from_utf8(output.stdout).expect("text"),
    }
}

impl Run {
    pub fn path(&self) -> PathBuf {
        self.folder.path().join("out")
    }

    pub fn text(&self, file: &str) -> String {
        std::fs::read_to_string(self.path().join(file)).expect(file)
    }

    /// A CSV file with its header.
    pub fn table(&self, file: &str) -> Table {
        rows(&self.path().join(file))
    }

    /// The journal, by the number of the game.
    pub fn games(&self) -> Table {
        let mut rows = self.table("games.csv");
        rows.sort_by_key(|row| row["id"].parse::<u64>().expect("a number"));
        rows
    }

    /// The plies of a game.
    pub fn plies(&self, id: usize) -> Table {
        self.table(&format!("games/0000/{id:06}.csv"))
    }
}
