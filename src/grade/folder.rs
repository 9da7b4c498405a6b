//! The folder of a grading.

use std::fs;
use std::path::{Path, PathBuf};

/// The folder of a grading: what was graded, what was played for it, and what came of it.
///
/// ```text
/// marks.csv                    a row per student
/// problems.txt                 what was wrong with roster and submissions
/// feedback/KEY/                what a student gets
/// feedback.zip                 the same as one archive that Canvas or Moodle takes back
/// published/                   what the class gets
/// history/2026-…Z.csv          the marks of every grading
/// work/students/KEY/DIGEST/    a submission, and the bot that was made of it
/// work/references/             the bots that they meet, as they were at the first grading
/// work/returned/KEY/           feedback that stands alone, for that archive
/// work/runs/KEY/TEST/DIGEST/   an ordinary run: the games of a student in a test
/// work/again/KEY/NUMBER/TEST/  the same, when they were played once more
/// work/tournament/DIGEST/      the run of the class tournament
/// work/stands.json             where everybody stands in it
/// ```
#[derive(Debug, Clone)]
pub struct GradeFolder(PathBuf);

impl GradeFolder {
    /// The folder at a path, which may not be there yet.
    pub fn new(path: &Path) -> Self {
        Self(path.to_owned())
    }

    /// Where it is.
    pub fn path(&self) -> &Path {
        &self.0
    }

    /// The marks.
    pub fn marks(&self) -> PathBuf {
        self.0.join("marks.csv")
    }

    /// What was wrong with roster and submissions.
    pub fn problems(&self) -> PathBuf {
        self.0.join("problems.txt")
    }

    /// What a student gets.
    pub fn feedback(&self, key: &str) -> PathBuf {
        self.all_feedback().join(key)
    }

    /// What all students get.
    pub fn all_feedback(&self) -> PathBuf {
        self.0.join("feedback")
    }

    /// The feedback of all for a learning-management system.
    pub fn feedback_archive(&self) -> PathBuf {
        self.0.join("feedback.zip")
    }

    /// What that archive has of a student.
    pub fn returned(&self, key: &str) -> PathBuf {
        self.work().join("returned").join(key)
    }

    /// What the class gets.
    pub fn published(&self) -> PathBuf {
        self.0.join("published")
    }

    /// The marks of every grading.
    pub fn history(&self) -> PathBuf {
        self.0.join("history")
    }

    /// What the program keeps for itself.
    pub fn work(&self) -> PathBuf {
        self.0.join("work")
    }

    /// The submission of a student with this digest.
    pub fn student(&self, key: &str, digest: &str) -> PathBuf {
        self.students().join(key).join(digest)
    }

    /// All submissions.
    pub fn students(&self) -> PathBuf {
        self.work().join("students")
    }

    /// The bots that students meet.
    pub fn references(&self) -> PathBuf {
        self.work().join("references")
    }

    /// The runs of a student.
    pub fn runs(&self, key: &str) -> PathBuf {
        self.work().join("runs").join(key)
    }

    /// The runs of a student that there are, in any test.
    pub fn test_runs(&self, key: &str) -> Vec<PathBuf> {
        let inside = |path: &PathBuf| {
            let entries = fs::read_dir(path).into_iter().flatten().flatten();
            entries.map(|entry| entry.path()).collect::<Vec<_>>()
        };
        let tests = inside(&self.runs(key));
        tests.iter().flat_map(inside).collect()
    }

    /// The games of a student that were played once more, the number of the time.
    pub fn again(&self, key: &str, number: u32) -> PathBuf {
        self.all_again(key).join(number.to_string())
    }

    /// All games of a student that were played once more.
    pub fn all_again(&self, key: &str) -> PathBuf {
        self.work().join("again").join(key)
    }

    /// The runs of class tournaments.
    pub fn tournaments(&self) -> PathBuf {
        self.work().join("tournament")
    }

    /// Where everybody stood in the last class tournament.
    pub fn stands(&self) -> PathBuf {
        self.work().join("stands.json")
    }
}
