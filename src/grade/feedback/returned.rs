//! The feedback of a class as one archive, which Canvas or Moodle takes and gives to the students.

use std::collections::BTreeMap;
use std::fs;
use std::io::{self, Cursor, Write};
use std::path::PathBuf;

use zip::write::SimpleFileOptions;
use zip::{CompressionMethod, DateTime, ZipWriter};

use super::article::{Beside, Said, article};
use crate::grade::config::Grading;
use crate::grade::error::GradeError;
use crate::grade::folder::GradeFolder;
use crate::grade::graded::Graded;
use crate::grade::intake::{Layout, Returned};
use crate::grade::marks::Status;
use crate::record::{RecordError, RecordProblem, write_whole};

/// The forms of the feedback of a student that stands alone.
const PAGE: &str = "feedback.html";
const TEXT: &str = "feedback.md";

/// The archive that was written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ReturnedFeedback {
    /// Where it is.
    pub path: PathBuf,
    /// How many submissions it has feedback about.
    pub count: u64,
    /// Whose feedback is not in it, as the name of the submission does not tell the system whose it is.
    pub without: Vec<String>,
}

/// Writes the feedback of a student without links, where an archive is made of it.
pub(super) fn write_alone(
    grading: &Grading,
    folder: &GradeFolder,
    said: &Said<'_>,
) -> Result<(), GradeError> {
    if let Layout::Folders | Layout::Gradescope = grading.layout {
        return Ok(());
    }
    let to = folder.returned(&said.mark.key);
    fs::create_dir_all(&to).map_err(RecordError::at(&to, RecordProblem::Make))?;
    let alone = article(said, Beside::Nothing);
    for (name, text) in [(TEXT, alone.markdown()), (PAGE, alone.page()?)] {
        write_whole(&to.join(name), &mut |file| file.write_all(text.as_bytes()))?;
    }
    Ok(())
}

/// Writes the feedback about all submissions that have a mark into one archive, in the names that the system of the
/// layout knows; `None` if it is of none.
///
/// # Errors
/// Feedback cannot be read, or the archive cannot be written.
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
    let marked = graded
        .marks
        .iter()
        .filter(|mark| mark.status != Status::Held);
    for mark in marked {
        let mut candidates = graded.class.iter();
        let candidate = candidates.find(|candidate| candidate.key == mark.key);
        let Some(submission) = candidate.and_then(|candidate| candidate.path.as_ref()) else {
            continue;
        };
        let entry = submission.file_name().unwrap_or_default();
        let place = entry
            .to_str()
            .and_then(|entry| Returned::of(grading.layout, entry));
        let Some(place) = place else {
            without.push(mark.key.clone());
            continue;
        };
        let read = |name: &str| {
            let file = folder.returned(&mark.key).join(name);
            fs::read(&file).map_err(RecordError::at(&file, RecordProblem::Read))
        };
        let (name, bytes) = match place {
            Returned::Page(name) => (name, read(PAGE)?),
            Returned::Text(name) => (name, read(TEXT)?),
            Returned::Archive(name) => {
                let page = BTreeMap::from([(PAGE.to_owned(), read(PAGE)?)]);
                let bytes = zipped(&page).map_err(RecordError::at(&path, RecordProblem::Write))?;
                (name, bytes)
            }
        };
        files.insert(name, bytes);
    }
    let bytes = zipped(&files).map_err(RecordError::at(&path, RecordProblem::Write))?;
    write_whole(&path, &mut |file| file.write_all(&bytes))?;
    Ok(Some(ReturnedFeedback {
        path,
        count: files.len() as u64,
        without,
    }))
}

/// An archive of these files, the same bytes for the same files.
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
