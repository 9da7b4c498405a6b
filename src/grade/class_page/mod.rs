//! The page of a class, `class.html`, for teaching staff alone: how the class did, who needs a person and why, how much
//! each test tells, and how sure the marks are.
//!
//! It is handed a class whose marks and feedback are written, and writes one file. All other parts make blocks for it.

mod causes;
mod certainty;
mod conclusion;
mod distribution;
mod forfeits;
mod others;
mod separation;
mod students;
mod used;
mod view;

use others::Changes;
use view::{
    CERTAINTY, CHANGES, COPIES, ClassView, FORFEITS, MARKS, NOT_GRADED, PROBLEMS, RESOURCES,
    STUDENTS, TESTS,
};

use super::Graded;
use super::config::Grading;
use super::error::GradeError;
use super::folder::GradeFolder;
use super::marks::{changed_marks, earlier_marks};
use super::results::Alike;
use crate::pages::{Article, Block, Words};
use crate::runs::write_whole;

/// Writes the page of a graded class.
///
/// # Errors
/// A run cannot be read, or the page cannot be written.
pub fn write_class_page(
    grading: &Grading,
    folder: &GradeFolder,
    graded: &Graded,
    alike: &[Alike],
) -> Result<(), GradeError> {
    let class = ClassView::new(grading, folder, graded)?;
    let changes = changes(folder);
    let page = article(&class, alike, &changes).page()?;
    Ok(write_whole(&folder.class_page(), &mut |file| {
        file.write_all(page.as_bytes())
    })?)
}

/// Changes since the last grading whose marks differ.
fn changes(folder: &GradeFolder) -> Changes {
    let Ok(before) = earlier_marks(folder) else {
        return Changes::First;
    };
    let since = before.file_stem().unwrap_or_default();
    let since = since.to_string_lossy().into_owned();
    match changed_marks(&before, &folder.marks()) {
        Ok(marks) => Changes::Since(since, marks),
        Err(error) => Changes::Unknown(error.to_string()),
    }
}

fn article(class: &ClassView<'_>, alike: &[Alike], changes: &Changes) -> Article {
    let mut blocks = vec![Block::Text(vec![Words::Strong(
        "For teaching staff alone: this page names students and their marks.".to_owned(),
    )])];
    blocks.extend(conclusion::blocks(class, alike));
    blocks.push(Block::Contents);
    let mut part = |heading: &str, inside: Vec<Block>| {
        if !inside.is_empty() {
            blocks.push(Block::Heading(heading.to_owned()));
            blocks.extend(inside);
        }
    };
    part(NOT_GRADED, causes::blocks(class));
    part(MARKS, distribution::blocks(class));
    part(STUDENTS, students::blocks(class));
    part(TESTS, separation::blocks(class));
    part(CERTAINTY, certainty::blocks(class));
    part(FORFEITS, forfeits::blocks(class));
    part(RESOURCES, used::blocks(class));
    part(COPIES, others::copies(class, alike));
    part(CHANGES, others::changes(class, changes));
    part(PROBLEMS, others::problems(class));
    Article {
        title: format!("{}: the class", class.grading.name),
        blocks,
    }
}
