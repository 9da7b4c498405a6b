//! What the crate has in it, as `cargo package` makes it.

use std::collections::BTreeSet;
use std::path::{Component, Path, PathBuf};
use std::process::Command;

use crate::support::files::{files_below, has_extension};
use crate::support::program::root;

/// The files of the crate, from its folder.
fn files_of_the_crate() -> BTreeSet<PathBuf> {
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let output = Command::new(cargo)
        .args(["package", "--list", "--allow-dirty", "--offline", "--quiet"])
        .current_dir(root())
        .output()
        .expect("cargo starts");
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{errors}");
    let text = String::from_utf8(output.stdout).expect("text");
    text.lines().map(PathBuf::from).collect()
}

/// A path without `..`.
fn resolved(path: &Path) -> PathBuf {
    let mut resolved = PathBuf::new();
    for part in path.components() {
        match part {
            Component::ParentDir => assert!(resolved.pop(), "{}", path.display()),
            part => resolved.push(part),
        }
    }
    resolved
}

/// Files that a source file compiles into the program: `include_str!("…")`, `include_bytes!("…")`.
fn included_by(source: &Path) -> Vec<PathBuf> {
    let text = std::fs::read_to_string(source).expect("text");
    let folder = source.parent().expect("a folder");
    let calls = ["include_str!(", "include_bytes!("];
    let calls = calls.iter().flat_map(|call| text.split(call).skip(1));
    let paths = calls.filter_map(|after| after.trim_start().strip_prefix('"')?.split('"').next());
    paths.map(|path| resolved(&folder.join(path))).collect()
}

/// Cargo leaves out each folder with a `Cargo.toml`, whatever `include` says.
#[test]
fn the_crate_has_all_that_the_program_is_built_from() {
    let files = files_of_the_crate();
    let sources = files_below(&root().join("src"));
    let sources: Vec<&PathBuf> = sources
        .iter()
        .filter(|file| has_extension(file, "rs"))
        .collect();
    let included: Vec<PathBuf> = sources
        .iter()
        .flat_map(|source| included_by(source))
        .collect();
    assert!(included.len() > 20, "{included:?}");
    let needed = sources.into_iter().chain(&included);
    let needed = needed.map(|path| path.strip_prefix(root()).expect("inside"));
    let missing: Vec<&Path> = needed.filter(|path| !files.contains(*path)).collect();
    assert!(missing.is_empty(), "not in the crate: {missing:?}");
}

#[test]
fn the_crate_has_no_tests_and_no_results() {
    let files = files_of_the_crate();
    let tops: BTreeSet<&Path> = files
        .iter()
        .filter_map(|file| Some(Path::new(file.components().next()?.as_os_str())))
        .collect();
    let expected = [
        ".cargo_vcs_info.json",
        "CHANGELOG.md",
        "Cargo.lock",
        "Cargo.toml",
        "Cargo.toml.orig",
        "LICENSE",
        "LICENSE-APACHE",
        "LICENSE-MIT",
        "README.md",
        "bots",
        "build.rs",
        "configs",
        "docs",
        "examples",
        "src",
    ];
    // The first is of git, which an unpacked archive lacks.
    let expected: BTreeSet<&Path> = expected.into_iter().map(Path::new).collect();
    let strange: Vec<_> = tops.symmetric_difference(&expected).collect();
    assert!(
        strange.is_empty() || strange == [&Path::new(".cargo_vcs_info.json")],
        "{strange:?}"
    );
    let examples = files.iter().filter(|file| file.starts_with("examples"));
    let programs: Vec<&PathBuf> = examples
        .filter(|file| file.components().count() < 3)
        .collect();
    assert!(programs.is_empty(), "{programs:?}");
}
