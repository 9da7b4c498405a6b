//! Tournaments through the program, and how their games ended.

use std::path::Path;
use std::process::Command;

use referee::record::{GameRow, RecordError, Rows};

/// Reads a whole journal.
pub fn read_games(path: &Path) -> Result<Vec<GameRow>, RecordError> {
    Rows::open(path)?.collect()
}

/// Runs a configuration, so many games at a time, into `folder/out`.
pub fn journal(config: &str, folder: &Path, jobs: u32) -> Vec<GameRow> {
    let file = folder.join("config.toml");
    std::fs::write(&file, config).expect("written");
    let ran = Command::new(env!("CARGO_BIN_EXE_referee"))
        .args(["run", "-j", &jobs.to_string(), "--out"])
        .args([&folder.join("out"), &file])
        .output()
        .expect("it runs");
    assert!(ran.status.success(), "{ran:?}");
    read_games(&folder.join("out/games.csv")).expect("a journal")
}
