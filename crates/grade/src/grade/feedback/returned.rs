//! Feedback of a class as one archive that Canvas or Moodle hands out to the students.

use std::collections::BTreeMap;
use std::fs;
use std::io::{self, Cursor, Write};
use std::path::PathBuf;

use zip::write::SimpleFileOptions;
use zip::{CompressionMethod, DateTime, ZipWriter};

use super::article::article;
use super::{FeedbackInput, Links};
use crate::grade::Graded;
use crate::grade::config::Grading;
use crate::grade::error::GradeError;
use crate::grade::folder::GradeFolder;
use crate::grade::intake::{Layout, Returned};
use crate::grade::marks::Status;
use crate::runs::{RunFileError, RunFileProblem, write_bytes};

const PAGE: &str = "feedback.html";
const TEXT: &str = "feedback.md";

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ReturnedFeedback {
    pub path: PathBuf,
    pub count: u64,
    /// Keys of students left out, because the system could not assign the feedback by the submission's name.
    pub without: Vec<String>,
}

pub(super) fn write_alone(
    grading: &Grading,
    folder: &GradeFolder,
    input: &FeedbackInput<'_>,
) -> Result<(), GradeError> {
    if let Layout::Folders | Layout::Gradescope = grading.layout {
        return Ok(());
    }
    let to = folder.returned(&input.mark.key);
    fs::create_dir_all(&to).map_err(RunFileError::at(&to, RunFileProblem::Make))?;
    let alone = article(input, Links::None);
    for (name, text) in [(TEXT, alone.markdown()), (PAGE, alone.page()?)] {
        write_bytes(&to.join(name), text)?;
    }
    Ok(())
}

/// Writes the feedback on all submissions with a mark into one archive, under names that the layout's system
/// assigns to students. `None` if the layout has no such system.
pub fn write_returned(
    grading: &Grading,
    folder: &GradeFolder,
    graded: &Graded,
) -> Result<Option<ReturnedFeedback>, GradeError> {
    if let Layout::Folders | Layout::Gradescope = grading.layout {
        return Ok(None);
    }
    let path = folder.feedback_archive();
    let mut files = BTreeMap::new();
    let mut without = Vec::new();
    let students = graded.students.iter();
    for student in students.filter(|it| it.mark.status != Status::Held) {
        let mark = &student.mark;
        let Some(submission) = &student.submission else {
            continue;
        };
        let place = |path: &PathBuf| Returned::of(grading.layout, path.file_name()?.to_str()?);
        // Canvas gives a member's feedback to all; in Moodle each member has a folder.
        let others = student
            .others
            .iter()
            .filter(|_| grading.layout == Layout::Moodle);
        let places: Vec<Returned> = others.chain([submission]).filter_map(place).collect();
        if places.is_empty() {
            without.push(mark.key.clone());
        }
        let read = |name: &str| {
            let file = folder.returned(&mark.key).join(name);
            fs::read(&file).map_err(RunFileError::at(&file, RunFileProblem::Read))
        };
        for place in places {
            let (name, bytes) = match place {
                Returned::Page(name) => (name, read(PAGE)?),
                Returned::Text(name) => (name, read(TEXT)?),
                Returned::Archive(name) => {
                    let page = BTreeMap::from([(PAGE.to_owned(), read(PAGE)?)]);
                    let bytes =
                        zipped(&page).map_err(RunFileError::at(&path, RunFileProblem::Write))?;
                    (name, bytes)
                }
            };
            files.insert(name, bytes);
        }
    }
    let bytes = zipped(&files).map_err(RunFileError::at(&path, RunFileProblem::Write))?;
    write_bytes(&path, &bytes)?;
    Ok(Some(ReturnedFeedback {
        path,
        count: files.len() as u64,
        without,
    }))
}

fn zipped(files: &BTreeMap<String, Vec<u8>>) -> io::Result<Vec<u8>> {
    let options = SimpleFileOptions::default()
        .compression_method(CompressionMethod::Deflated)
        .last_modified_time(DateTime::default())
        .unix_permissions(0o644);
    let mut archive = ZipWriter::new(Cursor::new(Vec::new()));
    for (name, bytes) in files {
        archive.start_file(name, options)?;
        archive.write_all(bytes)?;
    }
    Ok(archive.finish()?.into_inner())
}
