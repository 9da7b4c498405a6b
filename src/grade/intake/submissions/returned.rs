//! How a learning-management system knows whose feedback a file is that comes back to it.

use super::names::CanvasName;
use super::{ASSIGNSUBMISSION, Layout};
use crate::grade::intake::unpack::without_ending;

/// Where the feedback about a submission lies in the archive that the system takes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Returned {
    /// A page at this path.
    Page(String),
    /// An archive with a page: the system shows it under the name of the archive that was handed in.
    Archive(String),
    /// A text: the system shows it under the name of the file that was handed in.
    Text(String),
}

impl Returned {
    /// For an entry of the folder of submissions; `None` where the system would not know whose it is.
    pub fn of(layout: Layout, entry: &str) -> Option<Self> {
        match layout {
            Layout::Folders | Layout::Gradescope => None,
            Layout::Moodle => {
                let (who, _) = entry.split_once(ASSIGNSUBMISSION)?;
                // Moodle reads the name, the number, and which of its plugins a file is for, up to the fourth `_`.
                let is_known = who.split('_').count() == 2;
                is_known.then(|| Self::Page(format!("{who}{ASSIGNSUBMISSION}file_/feedback.html")))
            }
            Layout::Canvas => {
                // Canvas reads the first two numbers between `_`: of the student, and of the file that was handed in.
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
