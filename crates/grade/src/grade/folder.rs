//! Layout of a grading's folder.

use std::fs;
use std::path::{Path, PathBuf};

pub const TEXT: &str = "feedback.md";
pub const PAGE: &str = "index.html";
pub const RESULTS: &str = "results.json";

/// Names of these files. No test may have such a name, because its run lies beside them.
pub const FEEDBACK_FILES: [&str; 3] = [TEXT, PAGE, RESULTS];

/// Folder of a grading: submissions, runs and results.
///
/// ```text
/// marks.csv                    a row per student
/// problems.txt                 problems with roster and submissions
/// class.html                   the page of the class, for teaching staff alone
/// feedback/KEY/                feedback for a student
/// feedback.zip                 all feedback as one archive for Canvas or Moodle
/// history/2026-…Z.csv          the marks of every grading
/// work/students/KEY/DIGEST/    a submission, and the bot made from it
/// work/references/             the bots that students meet, frozen at the first grading
/// work/rules/GAME/             the rules program of a game, frozen too
/// work/returned/KEY/           self-contained feedback for feedback.zip
/// work/runs/KEY/TEST/DIGEST/   a run: the games of a student in a test
/// work/again/KEY/NUMBER/TEST/  a run of the same games, played once more
/// work/tournament/DIGEST/      the run of the class tournament
/// ```
#[derive(Debug, Clone)]
pub struct GradeFolder(PathBuf);

impl GradeFolder {
    pub fn new(path: &Path) -> Self {
        Self(path.to_owned())
    }

    pub fn path(&self) -> &Path {
        &self.0
    }

    pub fn marks(&self) -> PathBuf {
        self.0.join("marks.csv")
    }

    pub fn problems(&self) -> PathBuf {
        self.0.join("problems.txt")
    }

    pub fn class_page(&self) -> PathBuf {
        self.0.join("class.html")
    }

    pub fn feedback(&self, key: &str) -> PathBuf {
        self.0.join("feedback").join(key)
    }

    pub fn feedback_archive(&self) -> PathBuf {
        self.0.join("feedback.zip")
    }

    pub fn returned(&self, key: &str) -> PathBuf {
        self.work().join("returned").join(key)
    }

    pub fn history(&self) -> PathBuf {
        self.0.join("history")
    }

    pub fn work(&self) -> PathBuf {
        self.0.join("work")
    }

    pub fn student(&self, key: &str, digest: &str) -> PathBuf {
        self.students().join(key).join(digest)
    }

    pub fn students(&self) -> PathBuf {
        self.work().join("students")
    }

    pub fn references(&self) -> PathBuf {
        self.work().join("references")
    }

    pub fn rules(&self, game: &str) -> PathBuf {
        self.work().join("rules").join(game)
    }

    pub fn runs(&self, key: &str) -> PathBuf {
        self.work().join("runs").join(key)
    }

    pub fn test_runs(&self, key: &str) -> Vec<PathBuf> {
        let inside = |path: &PathBuf| {
            let entries = fs::read_dir(path).into_iter().flatten().flatten();
            entries.map(|entry| entry.path()).collect::<Vec<_>>()
        };
        let tests = inside(&self.runs(key));
        tests.iter().flat_map(inside).collect()
    }

    pub fn again(&self, key: &str, number: u32) -> PathBuf {
        self.all_again(key).join(number.to_string())
    }

    pub fn all_again(&self, key: &str) -> PathBuf {
        self.work().join("again").join(key)
    }

    pub fn tournaments(&self) -> PathBuf {
        self.work().join("tournament")
    }
}
