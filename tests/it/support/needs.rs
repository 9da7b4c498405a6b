//! What tests need beside Rust and a C linker. A test that lacks it passes, and the last test program tells how many did.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Display;
use std::fs::{self, OpenOptions};
use std::io::Write;
use std::os::unix::process::parent_id;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::atomic::{AtomicUsize, Ordering};

/// A command of this program; `None`, and a line that says so, where it is not installed.
pub fn command(name: &str) -> Option<Command> {
    match place_of(name) {
        Some(path) => Some(Command::new(path)),
        None => {
            skip(name);
            None
        }
    }
}

/// Where a program is. Debian installs games beside the usual folders.
pub fn place_of(name: &str) -> Option<PathBuf> {
    let path = std::env::var_os("PATH").unwrap_or_default();
    let folders = std::env::split_paths(&path).chain([PathBuf::from("/usr/games")]);
    let mut places = folders.map(|folder| folder.join(name));
    places.find(|place| place.is_file())
}

/// Tells that a test, or a part of one, is skipped for want of this.
pub fn skip(need: impl Display) {
    skip_part("", need);
}

/// Tells that a part of a test, which has this name, is skipped.
pub fn skip_part(part: &str, need: impl Display) {
    // A list that this user may not write to misses it.
    static SKIPPED: AtomicUsize = AtomicUsize::new(0);
    let after = if part.is_empty() { "" } else { " " };
    println!("skipped: {part}{after}needs {need}");
    let thread = std::thread::current();
    let test = match thread.name() {
        _ if !part.is_empty() => part.to_owned(),
        Some(name) if name != "main" => name.to_owned(),
        _ => format!(
            "{}-{}-{}",
            env!("CARGO_CRATE_NAME"),
            std::process::id(),
            SKIPPED.fetch_add(1, Ordering::Relaxed)
        ),
    };
    let need = need.to_string().replace(['\n', '\t'], " ");
    let _ = fs::create_dir_all(list().with_file_name(""));
    let file = OpenOptions::new().append(true).create(true).open(list());
    let _ = file.and_then(|mut file| file.write_all(format!("{need}\t{test}\n").as_bytes()));
}

/// The list of all that was skipped. The test programs of one `cargo test` have one parent. A list that the environment names
/// is kept.
fn list() -> PathBuf {
    kept_list().unwrap_or_else(|| {
        Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("skipped/{}", parent_id()))
    })
}

fn kept_list() -> Option<PathBuf> {
    std::env::var_os("SKIPPED_TESTS").map(PathBuf::from)
}

/// Tells how many tests all programs of this `cargo test` skipped, and what they need.
pub fn tell_totals() {
    let Ok(text) = fs::read_to_string(list()) else {
        return;
    };
    if kept_list().is_none() {
        let _ = fs::remove_file(list());
    }
    let mut tests: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
    for (need, test) in text.lines().filter_map(|line| line.split_once('\t')) {
        tests.entry(need).or_default().insert(test);
    }
    let all: BTreeSet<&str> = tests.values().flatten().copied().collect();
    println!(
        "\nnot run here: {} tests, or parts of them, which need",
        all.len()
    );
    for (need, tests) in tests {
        println!("{:6}  {need}", tests.len());
    }
}
