//! Finds out from which commit a release build is made, for `referee --version`.

use std::path::Path;
use std::process::Command;

fn main() {
    let package = env!("CARGO_PKG_VERSION");
    let version = match commit() {
        Some(commit) => format!("{package} ({commit})"),
        None => package.to_owned(),
    };
    println!("cargo::rustc-env=REFEREE_VERSION={version}");
}

/// The commit, with `+` if files were changed after it. `None` if nobody knows.
fn commit() -> Option<String> {
    println!("cargo::rerun-if-changed=src/commit.txt");
    let written = std::fs::read_to_string("src/commit.txt").ok()?;
    if !written.starts_with("$Format") {
        return Some(written.trim().to_owned());
    }
    // Otherwise every commit would make developers compile all of it again.
    if std::env::var("PROFILE").as_deref() != Ok("release") {
        return None;
    }
    for path in ["src", "crates", "Cargo.toml", "Cargo.lock"] {
        println!("cargo::rerun-if-changed={path}");
    }
    println!(
        "cargo::rerun-if-changed={}",
        git(&["rev-parse", "--git-path", "logs/HEAD"])?
    );
    // The sources may lie in a folder of another repository.
    let top = git(&["rev-parse", "--show-toplevel"])?;
    if Path::new(&top).canonicalize().ok()? != std::env::current_dir().ok()?.canonicalize().ok()? {
        return None;
    }
    let commit = git(&["rev-parse", "--short", "HEAD"])?;
    let changes = git(&[
        "status",
        "--porcelain",
        "--untracked-files=no",
        "src",
        "crates",
        "Cargo.toml",
        "Cargo.lock",
    ])?;
    let mark = if changes.is_empty() { "" } else { "+" };
    Some(format!("{commit}{mark}"))
}

fn git(args: &[&str]) -> Option<String> {
    let output = Command::new("git").args(args).output().ok()?;
    let text = String::from_utf8(output.stdout).ok()?;
    output.status.success().then(|| text.trim().to_owned())
}
