//! Hides private data from a student's feedback.

use std::collections::BTreeSet;
use std::path::Path;

use walkdir::WalkDir;

use crate::grade::class::Candidate;
use crate::grade::config::Grading;
use crate::grade::feedback::copies::Scrub;
use crate::grade::folder::GradeFolder;
use crate::grade::intake::Student;
use crate::grade::marks::Mark;
use crate::text::folded;

/// Maximum number of a bot's files listed.
const MOST_FILES: usize = 10_000;

/// Hides the folders of a grading, details of this machine, and other members of the class. The student's own
/// folder becomes `.`, as at home.
pub(super) fn scrub(
    grading: &Grading,
    folder: &GradeFolder,
    mark: &Mark,
    class: &[Candidate],
    own_files: &BTreeSet<String>,
) -> Scrub {
    let mut scrub = Scrub::of_this_machine();
    if !mark.digest.is_empty() {
        let home = folder.student(&mark.key, &mark.digest);
        for place in ["bot", "unpacked", "built"] {
            scrub.replace(&home.join(place), ".");
        }
    }
    if let Some(files) = &grading.course_files {
        scrub.replace(files, "course-files");
    }
    scrub.hide(folder.path());
    scrub.hide(&grading.submissions);
    for path in class.iter().filter_map(|candidate| candidate.path.as_ref()) {
        scrub.hide(path);
    }
    for file in [&grading.roster]
        .into_iter()
        .chain(grading.by_hand.iter().map(|part| &part.file))
    {
        scrub.hide(file);
    }
    if let Ok(here) = std::env::current_dir() {
        scrub.hide(&here);
    }
    let own = words(&mark.key, &mark.members).map(|(word, _)| folded(word));
    // Keep the names of the student's files, even if a team has one of them: otherwise lines of tracebacks
    // could not be found.
    let files = own_files.iter().flat_map(|name| {
        let words = name.split(|c: char| !c.is_alphanumeric());
        words.chain(name.split('.')).chain([name.as_str()])
    });
    let references = grading.references.iter().map(|bot| bot.name.as_str());
    let kept = files.chain(references).map(folded);
    let kept: BTreeSet<String> = kept.chain(own).collect();
    let others = class.iter().filter(|other| other.key != mark.key);
    for (word, kind) in others.flat_map(|other| words(&other.key, &other.members)) {
        match kind {
            _ if kept.contains(&folded(word)) => {}
            Kind::Word => scrub.hide_word(word),
            Kind::Name => scrub.hide_name(word),
        }
    }
    scrub
}

enum Kind {
    Word,
    /// Full name of a person.
    Name,
}

/// Words that identify a candidate.
fn words<'a>(key: &'a str, members: &'a [Student]) -> impl Iterator<Item = (&'a str, Kind)> {
    let members = members.iter().flat_map(|student| {
        [
            (student.id.as_str(), Kind::Word),
            (student.name.as_str(), Kind::Name),
            (student.email.as_str(), Kind::Word),
            (student.team.as_deref().unwrap_or_default(), Kind::Word),
        ]
    });
    members.chain([(key, Kind::Word)])
}

/// File names of a bot, without folders.
pub(super) fn file_names(bot: &Path) -> BTreeSet<String> {
    let entries = WalkDir::new(bot).min_depth(1).into_iter().flatten();
    let files = entries
        .take(MOST_FILES)
        .filter(|entry| !entry.file_type().is_dir());
    files
        .map(|file| file.file_name().to_string_lossy().into_owned())
        .collect()
}
