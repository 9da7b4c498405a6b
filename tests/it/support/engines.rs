//! Engines that are installed, and stand-ins of `tests/engines`.

use std::path::PathBuf;

use super::program::root;
use super::python::python;
use crate::support::needs::{place_of, skip};

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
    let found = place_of(program);
    if found.is_none() {
        skip(program);
    }
    found
}
