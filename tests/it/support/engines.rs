//! Engines that are installed, and stand-ins of `tests/engines`.

use std::path::PathBuf;

use super::program::root;
use super::python::python;

/// The command of a stand-in; `None` without Python.
pub fn stand_in(script: &str, words: &[&str]) -> Option<Vec<String>> {
    let script = root().join("tests/engines").join(script);
    let script = script.to_str().expect("text").to_owned();
    let words = words.iter().map(|word| (*word).to_owned());
    let program = [python()?.program, script];
    Some(program.into_iter().chain(words).collect())
}

/// An installed engine. Without it, prints that the test is skipped.
pub fn engine(program: &str) -> Option<PathBuf> {
    let path = std::env::var_os("PATH").unwrap_or_default();
    // Debian installs games beside the usual folders.
    let folders = std::env::split_paths(&path).chain([PathBuf::from("/usr/games")]);
    let found = folders
        .map(|folder| folder.join(program))
        .find(|path| path.is_file());
    if found.is_none() {
        println!("skipped: needs {program}");
    }
    found
}
