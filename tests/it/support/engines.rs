//! Engines that are installed, and stand-ins of `tests/engines`.

use std::path::PathBuf;

use super::program::root;
use super::python::python;
use super::run::{TestRun, wait_for_the_end_of_all_with};
use super::tables::columns;
use crate::support::needs::{place_of, skip};

/// The command of a stand-in; `None` without Python.
pub fn stand_in(script: &str, words: &[&str]) -> Option<Vec<String>> {
    let script = root().join("tests/engines").join(script);
    let script = script.to_str().expect("text").to_owned();
    let words = words.iter().map(|word| (*word).to_owned());
    let program = [python()?.program, script];
    Some(program.into_iter().chain(words).collect())
}

/// An engine or another program that is installed. Without it, prints that the test is skipped.
pub fn engine(program: &str) -> Option<PathBuf> {
    let found = place_of(program);
    if found.is_none() {
        skip(program);
    }
    found
}

/// Plays each stand-in of a script, a row of its name, the termination of its games and words of the detail, against the one that `plays`, in both seats, and leaves no process. `None` without Python.
pub fn end_as_declared(script: &str, game: &str, stand_ins: &[&str]) -> Option<TestRun> {
    let speaks = script.trim_end_matches(".py");
    let plays = stand_in(script, &["plays"])?;
    let names: Vec<&str> = stand_ins.iter().map(|row| columns::<3>(row)[0]).collect();
    let mut config = format!(
        "seed = 3\n{game}[format]\nkind = \"gauntlet\"\nchallengers = {names:?}\n\
         games-per-pairing = 2\n[clock]\nper-move = \"2s\"\nmargin = \"1s\"\n\
         [limits]\nhandshake = \"4s\"\nstart = \"4s\"\n\
         [[player]]\nname = \"other\"\nspeaks = \"{speaks}\"\ncommand = {plays:?}\n"
    );
    let (key, value) = (format!("REFEREE_TEST_{speaks}"), std::process::id());
    for name in names {
        let command = stand_in(script, &[name])?;
        config += &format!(
            "[[player]]\nname = \"{name}\"\nspeaks = \"{speaks}\"\ncommand = {command:?}\nenv = {{ {key} = \"{value}\" }}\n"
        );
    }
    let run = TestRun::played(&config);
    let rows = run.rows();
    assert_eq!(rows.len(), 2 * stand_ins.len());
    for row in stand_ins {
        let [name, termination, words] = columns(row);
        for seat in ["first", "second"] {
            // A stone of the opponent is there for the second seat alone.
            if (name, seat) == ("plays-on-a-stone", "first") {
                continue;
            }
            let row = rows.iter().find(|row| row[seat] == name);
            let row = row.expect("it plays both seats");
            let said = format!("{}{}", row["reason"], row[&format!("{seat}_detail")]);
            assert_eq!(row["termination"], termination, "{name}: {said}");
            assert!(said.contains(words), "{name}: `{said}`");
        }
    }
    run.referee("verify out").ok();
    wait_for_the_end_of_all_with(&format!("{key}={value}"));
    Some(run)
}
