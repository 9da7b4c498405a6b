//! Folders in a student's feedback: of this machine it names none.

use std::collections::BTreeSet;
use std::path::{Component, Path, PathBuf};

use walkdir::WalkDir;

use crate::bot::SCRATCH_PREFIX;
use crate::grade::config::Grading;
use crate::grade::folder::GradeFolder;
use crate::grade::marks::Mark;

const MOST_FILES: usize = 10_000;

/// Absolute folders, the longest first, each with the text that stands for it.
pub(super) struct Folders(Vec<(String, &'static str)>);

impl Folders {
    /// The student's own folders, which become `.`, as at home; and the folders of the grading and of this machine.
    pub fn of(grading: &Grading, folder: &GradeFolder, mark: &Mark) -> Self {
        let home = folder.student(&mark.key, &mark.digest);
        let own = ["bot", "unpacked", "built"].map(|place| (home.join(place), "."));
        let course = grading.course_files.clone();
        let others = [
            Some(folder.path().to_owned()),
            Some(grading.submissions.clone()),
            std::env::current_dir().ok(),
            std::env::var_os("HOME").map(PathBuf::from),
            // Under `landlock`, each bot has a folder with this prefix.
            Some(std::env::temp_dir().join(SCRATCH_PREFIX)),
        ];
        let others = others.into_iter().flatten().map(|path| (path, "…"));
        let all = own
            .into_iter()
            .chain(course.map(|path| (path, "course-files")));
        Self::new(all.chain(others))
    }

    fn new(folders: impl Iterator<Item = (PathBuf, &'static str)>) -> Self {
        let mut known = Vec::new();
        for (folder, instead) in folders {
            let given = std::path::absolute(&folder).ok();
            for path in given.into_iter().chain(folder.canonicalize()) {
                // The root is a part of every path.
                if path
                    .components()
                    .any(|part| matches!(part, Component::Normal(_)))
                {
                    let text = path.display().to_string();
                    known.push((text.trim_end_matches('/').to_owned(), instead));
                }
            }
        }
        known.sort_by_key(|(text, _)| std::cmp::Reverse(text.len()));
        Self(known)
    }

    pub fn text(&self, text: &str) -> String {
        let folders = self.0.iter();
        folders.fold(text.to_owned(), |text, (folder, instead)| {
            text.replace(folder, instead)
        })
    }

    /// A word of a command: of a program that lies elsewhere on this machine, the name only.
    pub fn word(&self, word: &str) -> String {
        let text = self.text(word);
        match text.strip_prefix(['/', '…']) {
            Some(rest) => rest.rsplit('/').next().unwrap_or(rest).to_owned(),
            None => text,
        }
    }
}

pub(super) fn file_names(bot: &Path) -> BTreeSet<String> {
    let entries = WalkDir::new(bot).min_depth(1).into_iter().flatten();
    let files = entries
        .take(MOST_FILES)
        .filter(|entry| !entry.file_type().is_dir());
    files
        .map(|file| file.file_name().to_string_lossy().into_owned())
        .collect()
}
