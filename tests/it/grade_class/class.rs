//! The class in a folder of its own, and what `referee grade` makes of it.

use std::collections::BTreeMap;
use std::fs::File;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, SystemTime};

use tempfile::TempDir;

use crate::support::{
    REFEREE, Ran, Table, command, files_below, root, rows, wait_for_the_end_of_all_with,
};

/// A variable that bots and builds inherit, so that those of one class can be found.
const MARK: &str = "PYTHON_TEST_FOLDER";

/// Students whose games are short, and do not depend on a clock.
pub const QUICK: [&str; 5] = ["s1001", "s1004", "s1010", "s1012", "s1013"];

pub fn set_modified(file: &Path, time: SystemTime) {
    let file = File::options().write(true).open(file);
    file.and_then(|it| it.set_modified(time)).expect("set");
}

/// A copy of the class in a folder of its own.
pub struct TestClass(TempDir);

impl TestClass {
    /// `None` without Python, which its bots need.
    pub fn new() -> Option<Self> {
        command("python3")?;
        let class = Self(tempfile::tempdir().expect("a folder"));
        let from = root().join("tests/class");
        for file in files_below(&from) {
            let to = class.path(file.strip_prefix(&from).expect("inside"));
            std::fs::create_dir_all(to.parent().expect("a folder")).expect("made");
            std::fs::copy(&file, to).expect("copied");
        }
        // A clone does not say which of two came later.
        let earlier = SystemTime::UNIX_EPOCH + Duration::from_secs(1_778_400_000);
        set_modified(&class.path("submissions/s1011-first-try/bot.py"), earlier);
        Some(class)
    }

    /// The class with only those of its students whose id is chosen.
    pub fn of(is_chosen: impl Fn(&str) -> bool) -> Option<Self> {
        let class = Self::new()?;
        let roster = class.read("roster.csv");
        let lines = roster.lines().enumerate();
        let chosen = lines.filter(|(at, line)| {
            let id = line.split(',').next().expect("an id");
            *at == 0 || is_chosen(id)
        });
        let chosen: String = chosen.map(|(_, line)| format!("{line}\n")).collect();
        class.write("roster.csv", &chosen);
        Some(class)
    }

    pub fn quick() -> Option<Self> {
        Self::of(|id| QUICK.contains(&id))
    }

    pub fn path(&self, name: impl AsRef<Path>) -> PathBuf {
        self.0.path().join("tests/class").join(name)
    }

    pub fn read(&self, name: &str) -> String {
        std::fs::read_to_string(self.path(name)).expect(name)
    }

    pub fn write(&self, name: &str, text: &str) {
        std::fs::write(self.path(name), text).expect(name);
    }

    /// `referee grade` of the class into `out`, with more arguments.
    pub fn command(&self, args: &[&str]) -> Command {
        let mut command = self.referee(&["grade", "tests/class/grading.toml", "--out", "out"]);
        command.args(["-j", "2"]).args(args);
        command
    }

    pub fn referee(&self, args: &[&str]) -> Command {
        let mut command = Command::new(REFEREE);
        command
            .args(args)
            .current_dir(self.0.path())
            .env(MARK, self.0.path())
            // A launcher in a home folder cannot be read by bots that are kept to their own files.
            .env("PATH", "/usr/bin:/bin");
        command
    }

    #[track_caller]
    pub fn grade(&self, args: &[&str]) -> Ran {
        Ran::from(self.command(args).output().expect("it runs")).done()
    }

    pub fn out(&self) -> PathBuf {
        self.0.path().join("out")
    }

    pub fn marks(&self) -> String {
        std::fs::read_to_string(self.out().join("marks.csv")).expect("marks")
    }

    pub fn mark_rows(&self) -> Table {
        rows(&self.out().join("marks.csv"))
    }

    pub fn runs(&self) -> BTreeMap<String, Vec<u8>> {
        let runs = self.out().join("work/runs");
        let files = files_below(&runs).into_iter();
        files
            .map(|file| {
                let name = file.strip_prefix(&runs).expect("inside").display();
                (name.to_string(), std::fs::read(&file).expect("a file"))
            })
            .collect()
    }

    pub fn run_folders(&self) -> Vec<PathBuf> {
        let journals = files_below(&self.out().join("work/runs")).into_iter();
        let journals = journals.filter(|file| file.ends_with("games.csv"));
        journals
            .map(|journal| journal.parent().expect("a folder").to_owned())
            .collect()
    }

    #[track_caller]
    pub fn nothing_is_left(&self) {
        wait_for_the_end_of_all_with(&format!("{MARK}={}", self.0.path().display()));
    }
}
