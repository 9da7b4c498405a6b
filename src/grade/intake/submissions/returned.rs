//! Names of feedback files by which a learning-management system assigns them to students.

use super::Layout;
use super::names::{ASSIGNSUBMISSION, CanvasName};
use crate::grade::intake::unpack::without_ending;

/// Path of a submission's feedback in the archive for the system.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Returned {
    /// A page at this path.
    Page(String),
    /// An archive with a page. The system shows it under the submitted archive's name.
    Archive(String),
    /// A text. The system shows it under the submitted file's name.
    Text(String),
}

impl Returned {
    /// Path for an entry of the submissions folder; `None` if the system could not assign it.
    pub fn of(layout: Layout, entry: &str) -> Option<Self> {
        match layout {
            Layout::Folders | Layout::Gradescope => None,
            Layout::Moodle => {
                let (who, _) = entry.split_once(ASSIGNSUBMISSION)?;
                // Moodle parses name, number and plugin up to the fourth `_`, so a name with `_` would be
                // misread.
                let is_known = who.split('_').count() == 2;
                is_known.then(|| Self::Page(format!("{who}{ASSIGNSUBMISSION}file_/feedback.html")))
            }
            Layout::Canvas => {
                // Canvas parses the first two numbers between `_`: the student's, and the submitted file's.
                let file = CanvasName::of(entry)?.file;
                let numbers = entry.strip_suffix(file)?;
                Some(match without_ending(file) {
                    Some(_) if file.to_lowercase().ends_with(".zip") => {
                        Self::Archive(entry.to_owned())
                    }
                    _ => Self::Text(format!("{numbers}feedback.md")),
                })
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn feedback_has_the_names_by_which_systems_know_whose_it_is() {
        let page = |path: &str| Some(Returned::Page(path.to_owned()));
        let archive = |path: &str| Some(Returned::Archive(path.to_owned()));
        let text = |path: &str| Some(Returned::Text(path.to_owned()));
        for (layout, entry, expected) in [
            (
                Layout::Moodle,
                "Ann Li_101_assignsubmission_file_",
                page("Ann Li_101_assignsubmission_file_/feedback.html"),
            ),
            (
                Layout::Moodle,
                "Ann Li_101_assignsubmission_file",
                page("Ann Li_101_assignsubmission_file_/feedback.html"),
            ),
            (
                Layout::Moodle,
                "Ann Li_101_assignsubmission_file_bot.zip",
                page("Ann Li_101_assignsubmission_file_/feedback.html"),
            ),
            (Layout::Moodle, "s101.zip", None),
            (Layout::Moodle, "An_n Li_101_assignsubmission_file_", None),
            (
                Layout::Canvas,
                "liann_LATE_101_9001_bot_v2-2.ZIP",
                archive("liann_LATE_101_9001_bot_v2-2.ZIP"),
            ),
            (
                Layout::Canvas,
                "liann_101_9001_bot.py",
                text("liann_101_9001_feedback.md"),
            ),
            (
                Layout::Canvas,
                "liann_101_9001_bot.tar.gz",
                text("liann_101_9001_feedback.md"),
            ),
            (Layout::Canvas, "s101.zip", None),
            (Layout::Folders, "liann_101_9001_bot.py", None),
            (Layout::Gradescope, "submission_1", None),
        ] {
            assert_eq!(Returned::of(layout, entry), expected, "{entry}");
        }
    }
}
