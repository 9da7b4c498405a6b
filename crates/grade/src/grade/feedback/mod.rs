//! Feedback for a student: pages, a text, and a file for a learning platform. It contains nothing about other
//! students.

mod article;
mod causes;
mod facts;
mod folders;
mod games;
mod results;
mod returned;
mod tables;
mod trace;

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::io::Read;
use std::path::{Path, PathBuf};

use article::article;
pub(super) use causes::text;
use facts::{Facts, facts};
use folders::{Folders, file_names};
pub(super) use games::all_games;
use games::{link, remove_others, sent_file, write_games};
pub use results::Platform;
pub use returned::{ReturnedFeedback, write_returned};
pub(super) use tables::{dash, number, percent};

use crate::grade::bots::{BUILD_LOG, Cause, Fitness};
use crate::grade::config::Grading;
use crate::grade::error::GradeError;
use crate::grade::folder::{GradeFolder, PAGE, RESULTS, TEXT};
use crate::grade::marks::{Mark, Status};
use crate::grade::{Graded, GradedStudent, in_lanes};
use crate::runner::Interrupt;
use crate::runs::{JOURNAL, Run, RunFileError, write_bytes};
use crate::text::visible_lines;

/// Numbers of lines shown of a build's output: the first, with the cause, and the last.
const FIRST_LINES: usize = 40;
const LAST_LINES: usize = 10;

const MOST_LOG: u64 = 256 << 10;

#[derive(Debug, Clone, Default)]
pub struct FeedbackOptions {
    pub platform: Option<Platform>,
    pub notes: Vec<String>,
    pub seconds: Option<u64>,
}

#[derive(Debug, Clone, Copy)]
pub struct FeedbackWriter<'a> {
    pub grading: &'a Grading,
    pub folder: &'a GradeFolder,
    pub graded: &'a Graded,
    pub options: &'a FeedbackOptions,
}

impl FeedbackWriter<'_> {
    pub fn write_all(&self, lanes: usize, interrupt: &Interrupt) -> Result<(), GradeError> {
        let students = self.graded.students.iter().collect();
        let written = in_lanes(lanes, students, interrupt, |_, student: &GradedStudent| {
            let problem = GradeError::apart(self.write(student))?.err();
            Ok(problem.map(|problem| format!("{}: {problem}", student.mark.key)))
        })?;
        let failed: Vec<String> = written.into_iter().flatten().collect();
        if failed.is_empty() {
            Ok(())
        } else {
            Err(GradeError::Feedback(failed))
        }
    }

    pub fn remove_others(&self) -> Result<(), GradeError> {
        remove_others(
            self.folder,
            &self.graded.marks().map(|mark| &*mark.key).collect(),
        )
    }

    fn write(&self, student: &GradedStudent) -> Result<(), GradeError> {
        let Self {
            grading,
            folder,
            options,
            ..
        } = *self;
        let mark = &student.mark;
        let home = folder.student(&mark.key, &mark.digest);
        let own_files = match mark.digest.as_str() {
            "" => Default::default(),
            _ => file_names(&home.join("unpacked")),
        };
        let folders = Folders::of(grading, folder, mark);
        let tests = grading.tests.iter().zip(&student.runs).zip(&mark.tests);
        let tests = tests.filter(|((_, path), _)| path.join(JOURNAL).exists());
        let played = tests.map(|((test, path), own)| {
            let run = Run::open(path, grading.known_games)?;
            let (name, end) = (test.name.as_str(), own.end);
            Ok(PlayedTest { name, run, end })
        });
        let played: Vec<PlayedTest<'_>> = played.collect::<Result<_, RunFileError>>()?;
        let withheld = grading.tests.iter().filter(|test| grading.withholds(test));
        let withheld: BTreeSet<&str> = withheld.map(|test| test.name.as_str()).collect();
        let given = played.iter().filter(|test| !withheld.contains(test.name));
        write_games(folder, &mark.key, &given.collect::<Vec<_>>(), &folders)?;
        let facts = facts(&played, &mark.key, &own_files, &folders)?;
        let to = folder.feedback(&mark.key);
        let examples = facts.causes.iter().map(|cause| &cause.example);
        for example in examples.filter(|it| !withheld.contains(it.test.as_str())) {
            if let Some(sent) = &example.sent {
                let file = to.join(sent_file(&example.test, example.id));
                write_bytes(&file, sent)?;
            }
        }
        let fitness = student.fitness.as_ref();
        let is_broken = mark.status == Status::Broken;
        let input = FeedbackInput {
            grading,
            mark,
            facts: &facts,
            fitness: fitness.map(|found| without_folders(found, &folders)),
            broken: student.broken.as_ref().map(|why| folders.text(why)),
            cause: student.cause.as_ref(),
            // A bot with a check was built, so its log is not needed.
            build_log: (is_broken && fitness.is_none())
                .then(|| build_log(&home.join(BUILD_LOG), &folders))
                .flatten(),
            notes: &options.notes,
            withheld: &withheld,
        };
        let whole = article(&input, Links::Games);
        let mut files = BTreeMap::from([(TEXT, whole.markdown()), (PAGE, whole.page()?)]);
        if let Some(platform) = options.platform {
            let text = article(&input, Links::None).markdown();
            files.insert(RESULTS, platform.results(&input, &text, options.seconds));
        }
        for (name, text) in files {
            write_bytes(&to.join(name), text)?;
        }
        returned::write_alone(grading, folder, &input)
    }
}

struct PlayedTest<'a> {
    name: &'a str,
    run: Run,
    end: u64,
}

pub fn results_path(folder: &GradeFolder, key: &str) -> PathBuf {
    folder.feedback(key).join(RESULTS)
}

fn without_folders(found: &Fitness, folders: &Folders) -> Fitness {
    let mut found = found.clone();
    for fault in &mut found.findings {
        fault.seen = folders.text(&fault.seen);
        fault.hint = folders.text(&fault.hint);
        for line in &mut fault.wrote {
            *line = folders.text(line);
        }
    }
    found
}

fn build_log(path: &Path, folders: &Folders) -> Option<String> {
    let mut bytes = Vec::new();
    let file = fs::File::open(path).ok()?;
    file.take(MOST_LOG).read_to_end(&mut bytes).ok()?;
    let text = visible_lines(&folders.text(&String::from_utf8_lossy(&bytes)));
    let lines: Vec<&str> = text.lines().collect();
    let shown = if lines.len() > FIRST_LINES + LAST_LINES {
        let last = &lines[lines.len() - LAST_LINES..];
        [&lines[..FIRST_LINES], &["…"], last].concat()
    } else {
        lines
    };
    (!shown.is_empty()).then(|| shown.join("\n"))
}

struct FeedbackInput<'a> {
    pub grading: &'a Grading,
    pub mark: &'a Mark,
    pub facts: &'a Facts,
    pub fitness: Option<Fitness>,
    pub broken: Option<String>,
    pub cause: Option<&'a Cause>,
    pub build_log: Option<String>,
    pub notes: &'a [String],
    pub withheld: &'a BTreeSet<&'a str>,
}

impl FeedbackInput<'_> {
    pub fn link(&self, test: &str, id: u64, ply: u32) -> Option<String> {
        (!self.withheld.contains(test)).then(|| link(test, id, ply))
    }

    pub fn links_of(&self, test: &str, links: Links) -> Links {
        match self.withheld.contains(test) {
            true => Links::None,
            false => links,
        }
    }
}

/// Where the links of a text lead.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Links {
    Games,
    /// Nowhere: the student sees the text only.
    None,
}
