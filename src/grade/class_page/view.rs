//! The class as its page sees it: marks, names, links and what the games used.

use std::collections::BTreeMap;

use super::used::{TestUse, used};
use crate::grade::Graded;
use crate::grade::config::Grading;
use crate::grade::error::GradeError;
use crate::grade::feedback::all_games;
use crate::grade::folder::{GradeFolder, PAGE};
use crate::grade::marks::{Mark, Status};
use crate::pages::{Block, CellView, Words};
use crate::parallel;
use crate::text::counted;

/// Headings of the page. Links within it lead to them.
pub(super) const NOT_GRADED: &str = "Who has no mark from games, and why";
pub(super) const FORFEITS: &str = "Forfeited games, by cause";
pub(super) const MARKS: &str = "Marks";
pub(super) const STUDENTS: &str = "All students";
pub(super) const TESTS: &str = "Does each test separate anybody?";
pub(super) const CERTAINTY: &str = "How sure are the marks?";
pub(super) const RESOURCES: &str = "Time and memory near a limit";
pub(super) const COPIES: &str = "Programs that play alike";
pub(super) const CHANGES: &str = "Changes since the last grading";
pub(super) const PROBLEMS: &str = "Problems with the roster and the submissions";

/// The first items of a list, and the number of the others.
pub(super) fn listed(items: impl ExactSizeIterator<Item = Vec<Words>>, most: usize) -> Vec<Words> {
    let more = items.len().saturating_sub(most);
    let mut words = Vec::new();
    for item in items.take(most) {
        if !words.is_empty() {
            words.push(Words::plain(", "));
        }
        words.extend(item);
    }
    if more > 0 {
        words.push(Words::Plain(format!(" and {more} more")));
    }
    words
}

/// The class as its page sees it.
pub(super) struct ClassView<'a> {
    pub grading: &'a Grading,
    pub graded: &'a Graded,
    folder: &'a GradeFolder,
    /// Marks by key.
    marks: BTreeMap<&'a str, &'a Mark>,
    /// Use of time and memory in each test that was played, by key.
    pub used: BTreeMap<&'a str, Vec<TestUse>>,
}

impl<'a> ClassView<'a> {
    /// Reads the runs of a graded class.
    pub fn new(
        grading: &'a Grading,
        folder: &'a GradeFolder,
        graded: &'a Graded,
    ) -> Result<Self, GradeError> {
        let read = parallel::map(&graded.marks, |mark| {
            let runs = graded.runs.get(&mark.key).map_or(&[][..], Vec::as_slice);
            // A run that cannot be read holds the mark, which the page tells.
            GradeError::apart(used(grading, &mark.key, runs)).map(Result::unwrap_or_default)
        });
        let mut by_key = BTreeMap::new();
        for (mark, used) in graded.marks.iter().zip(read) {
            by_key.insert(mark.key.as_str(), used?);
        }
        Ok(Self {
            grading,
            graded,
            folder,
            marks: graded
                .marks
                .iter()
                .map(|it| (it.key.as_str(), it))
                .collect(),
            used: by_key,
        })
    }

    /// Marks with a status, in the order of the roster.
    pub fn with(&self, status: Status) -> impl Iterator<Item = &'a Mark> {
        let marks = self.graded.marks.iter();
        marks.filter(move |mark| mark.status == status)
    }

    /// A number of students, or of students and teams.
    pub fn counted(&self, count: usize) -> String {
        let has_teams = self.graded.marks.iter().any(|mark| mark.members.len() > 1);
        match has_teams {
            true => counted(count as u64, "student or team", "students and teams"),
            false => counted(count as u64, "student", "students"),
        }
    }

    /// The student's feedback, relative to the page, if it is there.
    pub fn link(&self, key: &str) -> Option<String> {
        let is_there = self.folder.feedback(key).join(PAGE).is_file();
        is_there.then(|| format!("feedback/{key}/{PAGE}"))
    }

    /// The page of the student's games in a test, relative to the page, if it is there.
    pub fn games_link(&self, key: &str, test: &str) -> Option<String> {
        let page = all_games(test);
        let is_there = self.folder.feedback(key).join(&page).is_file();
        is_there.then(|| format!("feedback/{key}/{page}"))
    }

    /// The student's names, with a link to the feedback.
    pub fn words(&self, key: &str) -> Words {
        let shown = self.shown(key);
        match self.link(key) {
            Some(link) => Words::Link(shown, link),
            None => Words::Plain(shown),
        }
    }

    /// The student's names as the heading of a row, with a link to the feedback.
    pub fn cell(&self, key: &str) -> CellView {
        CellView::text(&self.shown(key))
            .link(self.link(key))
            .heading()
    }

    /// The first students of a list with links, and the number of the others.
    pub fn listed<'k>(
        &self,
        keys: impl ExactSizeIterator<Item = &'k str>,
        most: usize,
    ) -> Vec<Words> {
        listed(keys.map(|key| vec![self.words(key)]), most)
    }

    /// The key, after the name of a student who is alone.
    pub fn shown(&self, key: &str) -> String {
        let members = self.marks.get(key).map_or(&[][..], |mark| &mark.members);
        match members {
            [alone] if !alone.name.is_empty() && alone.name != key => {
                format!("{} ({key})", alone.name)
            }
            _ => key.to_owned(),
        }
    }
}

/// A paragraph of plain words.
pub(super) fn text(words: impl Into<String>) -> Block {
    Block::Text(vec![Words::Plain(words.into())])
}
