//! `referee grade CONFIG`: grades a class.

mod args;
mod check;
mod fill;
mod submission;
mod progress;
mod screen;
mod session;

use std::num::NonZeroUsize;
use std::path::Path;

use super::arguments::known_games;
use crate::cli::exit::{Exit, Failure};
use crate::cli::output::say;
use crate::grade::{
    Class, FeedbackOptions, FeedbackWriter, GradeError, GradeFolder, GradeOptions, GradeRequest,
    Graded, Grading, Platform, Step, write_class_page, write_graded, write_returned,
};
pub(super) use args::GradeArgs;
use fill::{SheetColumns, fill_sheet};
use progress::GradeProgress;
use screen::{appeal_text, ending, returned_text, show_changes, table};
use session::GradeSession;
use submission::SubmissionArgs;

pub(super) fn run(args: &GradeArgs) -> Result<Exit, Failure> {
    if let (Some(submission), Some(results)) = (&args.submission, &args.results) {
        return grade_submission(args, submission, results);
    }
    let grading = Grading::load(&args.config, known_games())?;
    if args.check {
        return check::check(args, &grading);
    }
    let folder = args.folder(&grading);
    if let Some(since) = &args.changes {
        return show_changes(&folder, since.as_deref());
    }
    let options = GradeOptions {
        host: args.machine.options(),
        only: args.only.clone(),
        shard: args.shard,
        until: None,
        checks: None,
    };
    let session = GradeSession::begin()?;
    let progress = GradeProgress::new(args.quiet, Some(session.interrupt.clone()));
    let listen = |step: Step<'_>| progress.tell(&step);
    let (grading, notes) = grading.with_kept_rules(&folder)?;
    let request = session.request(&grading, &folder, &options, &listen);
    if let (Some(student), true) = (&args.only, args.again || args.seed.is_some()) {
        notes.iter().for_each(|note| listen(Step::Problem(note)));
        let appeal = request.appeal(student, args.seed)?;
        drop(progress);
        say(&appeal_text(&grading, &appeal))?;
        return Ok(Exit::Done);
    }
    let mut class = Class::read(&grading)?;
    class.problems.extend(notes);
    let graded = request.grade(class)?;
    if args.shard.is_some() {
        return Ok(Exit::Done);
    }
    let mut alike = Vec::new();
    if args.only.is_none() {
        alike = write_graded(&grading, &folder, &graded)?;
    }
    let feedback = write_feedback(args, &request, &graded);
    if args.only.is_none() {
        // Its links lead to the feedback.
        write_class_page(&grading, &folder, &graded, &alike, lanes(args))?;
    }
    drop(progress);
    say(&results(args, &grading, &folder, &graded)?)?;
    // The marks and tables are written by now, so a failed feedback loses no result of the lecturer.
    feedback?;
    Ok(Exit::Done)
}

/// Grades one submission alone.
fn grade_submission(args: &GradeArgs, submission: &Path, results: &Path) -> Result<Exit, Failure> {
    let one = SubmissionArgs {
        config: &args.config,
        submission,
        results,
        platform: args.platform.map_or(Platform::Gradescope, Platform::from),
        budget: args.budget,
        host: args.machine.options(),
        out: args.out.as_deref(),
    };
    let progress = GradeProgress::new(args.quiet, None);
    submission::run(&one, &|step| progress.tell(&step), &|graded| {
        progress.clear();
        say(&table(&graded.marks, 1, true))
    })
}

/// Writes the feedback of all who were graded.
fn write_feedback(
    args: &GradeArgs,
    request: &GradeRequest<'_>,
    graded: &Graded,
) -> Result<(), GradeError> {
    let options = FeedbackOptions {
        platform: args.platform.map(Platform::from),
        ..FeedbackOptions::default()
    };
    let writer = FeedbackWriter {
        grading: request.grading,
        folder: request.folder,
        graded,
        options: &options,
    };
    writer.write_all(lanes(args), request.interrupt)
}

/// Number of games or other work at a time.
fn lanes(args: &GradeArgs) -> usize {
    let jobs = args.machine.jobs;
    jobs.map_or_else(submission::lanes, NonZeroUsize::get)
}

/// Writes the feedback archive and the sheet. Returns the final text for the screen.
fn results(
    args: &GradeArgs,
    grading: &Grading,
    folder: &GradeFolder,
    graded: &Graded,
) -> Result<String, Failure> {
    let mut text = if args.only.is_some() {
        table(&graded.marks, usize::MAX, true)
    } else {
        let marks = folder.marks();
        let text = ending(graded, &marks, args.verbose);
        let page = folder.class_page();
        format!(
            "{text}marks in {}\nthe class, for teaching staff alone: {}\n",
            marks.display(),
            page.display()
        )
    };
    if args.only.is_none()
        && let Some(returned) = write_returned(grading, folder, graded)?
    {
        text.push_str(&returned_text(&returned, grading.layout));
    }
    if let (Some(sheet), Some(key), Some(column)) = (&args.fill, &args.key, &args.column) {
        let columns = SheetColumns {
            key,
            marks: column,
            comments: args.comment.as_deref(),
        };
        text.push_str(&fill_sheet(sheet, &columns, grading, graded)?);
    }
    Ok(text)
}
