//! Assigns each entry of the submissions folder to an entrant.

mod arrivals;
mod gradescope;
mod names;

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use arrivals::{Arrival, ONE_GO, copy_number, joined, newest, without_copies};
use gradescope::Export;
use jiff::Timestamp;
use names::{ASSIGNSUBMISSION, CanvasName, Names, Whose, is_typed};
use serde::Deserialize;

use super::roster::{Entrant, Roster};
use super::{IntakeError, IntakeIssue, listed, shown};
use crate::grade::intake::unpack::without_ending;
use crate::text::counted;

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Layout {
    /// A folder or archive per student, named by id, address or team: `ID`, `ID.zip`, `ID_agent.tar.gz`.
    #[default]
    Folders,
    /// Moodle's "download all submissions": `First Last_ID_assignsubmission_file_`.
    Moodle,
    /// Canvas's download of submissions: `lastfirst_101_9001_bot.zip`.
    Canvas,
    /// Gradescope's export: `submission_NNN`, with `submission_metadata.yml`.
    Gradescope,
}

#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct MatchedSubmission {
    pub path: PathBuf,
    /// Other entries of the entrant, which do not count.
    pub others: Vec<PathBuf>,
    pub loose: LooseFiles,
    /// Submission time from the export; file times are not reliable enough.
    pub submitted: Option<Timestamp>,
    /// Whether it is late by the export, which has no time; `None` if the export does not say.
    pub is_late: Option<bool>,
    /// Submission time from the roster, for the members who handed this in; for all members if it is in the
    /// team's name.
    pub by_roster: Option<Timestamp>,
    /// Why a person has to decide what was handed in. Then it is not graded.
    pub undecided: Option<String>,
    /// Which of several is graded, in words for the student.
    pub chosen: Option<String>,
}

/// Files that a system delivers one by one, by the names that their author gave them.
pub type LooseFiles = BTreeMap<String, PathBuf>;

#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Matched {
    pub entrants: Vec<Entrant>,
    pub found: Vec<Option<MatchedSubmission>>,
    pub problems: Vec<IntakeIssue>,
}

/// Finds the submission of each entrant. Hidden files and `__MACOSX` are skipped. An export may make teams of students for
/// whom the roster names none.
///
/// The latest submission of an entrant counts: by the member's time in the roster, else by the export's time,
/// then by copy number. Copies are one submission. Where only the times of files tell the order, a note says so, and where
/// they do not either, the entrant is held. A file that is no archive counts only without an alternative. A submission of
/// nobody or of several entrants is a problem, and is not graded; several are held.
pub fn submissions(
    folder: &Path,
    layout: Layout,
    roster: &mut Roster,
) -> Result<Matched, IntakeError> {
    let export = match layout {
        Layout::Gradescope => Export::read(folder)?,
        Layout::Folders | Layout::Moodle | Layout::Canvas => Export::default(),
    };
    let problems = export.make_teams(roster);
    let entrants = roster.entrants();
    let names = Names::new(roster, &entrants);
    let members = Names::of_students(roster);
    let mut matched = Matched {
        found: vec![None; entrants.len()],
        entrants,
        problems,
    };
    let mut candidates: Vec<Arrival> = Vec::new();
    let mut contested: Vec<(String, BTreeSet<usize>, String)> = Vec::new();
    let found = entries(folder, &mut matched.problems)?;
    let is_folder = |name: &str| folder.join(name).is_dir();
    let (assignment, of_assignment) = match layout {
        Layout::Folders => of_assignment(&names, &found, is_folder),
        Layout::Moodle | Layout::Canvas | Layout::Gradescope => ("", BTreeSet::new()),
    };
    if !of_assignment.is_empty() {
        let count = counted(of_assignment.len() as u64, "submission", "submissions");
        let text = format!("stands before the names of {count}, and is no part of them");
        matched.problems.push(IntakeIssue::note(assignment, text));
    }
    for name in found.iter().cloned() {
        let is_folder = is_folder(&name);
        let own = match of_assignment.contains(name.as_str()) {
            true => &name[assignment.len()..],
            false => &name,
        };
        let whose_of = |names: &Names| match layout {
            Layout::Folders => names.of_entry(own, is_folder),
            Layout::Moodle => names.of_moodle(&name, is_folder),
            Layout::Canvas => names.of_canvas(&name, is_folder),
            Layout::Gradescope => match export.submissions.get(&name) {
                Some(metadata) => names.of_submitters(&metadata.submitters),
                None => Whose::Unlisted,
            },
        };
        if layout == Layout::Gradescope && name == gradescope::METADATA {
            continue;
        }
        let whose = whose_of(&names);
        let is_nobody = whose == Whose::Nobody;
        let own = whose_of(&members).all();
        let of = |entrant: usize| Arrival {
            entrant,
            submitted: export.submissions.get(&name).and_then(|it| it.created_at),
            by_roster: by_roster(roster, &matched.entrants[entrant], &own),
            copy: copy_number(layout, &name),
            modified: newest(&folder.join(&name)),
            can_be_unpacked: is_folder || without_ending(&name).is_some(),
            loose: LooseFiles::new(),
            name: name.clone(),
        };
        let is_by_number = layout == Layout::Canvas && CanvasName::of(&name).is_some();
        match whose.entrant(layout, &matched.entrants) {
            Ok(entrant) if is_typed(layout, &name) => {
                let text = "was typed into a form, and no file came with it: ask for the program"
                    .to_owned();
                contested.push((name, BTreeSet::from([entrant]), text));
            }
            Ok(entrant) => candidates.push(of(entrant)),
            Err((mut text, several)) if !several.is_empty() => {
                text.push_str(&export.others_of(&names, &name, &several));
                let not_graded = format!("{text}; not graded");
                let problem = IntakeIssue::new(name.as_str(), not_graded);
                matched.problems.push(problem);
                contested.push((name, several, text));
            }
            Err(_)
                if is_by_number
                    && is_nobody
                    && roster.students.iter().all(|it| it.lms_id.is_none()) =>
            {
                let text = "matches nobody in the roster, and Canvas names files by its own numbers: say which column has \
                            them, as in `columns = { lms_id = \"canvas_user_id\" }`; not graded";
                matched.problems.push(IntakeIssue::new(name, text));
            }
            Err((text, _)) => {
                let text = format!("{text}; not graded");
                matched.problems.push(IntakeIssue::new(name, text));
            }
        }
    }
    if layout == Layout::Canvas {
        let is_late = |it: &&Arrival| CanvasName::of(&it.name).is_some_and(|it| it.is_late);
        for candidate in candidates.iter().filter(is_late) {
            if candidate.by_roster.is_none() {
                let text = "is late by what Canvas says, which does not say how much: put the time into the roster, as \
                            `submitted`";
                matched
                    .problems
                    .push(IntakeIssue::note(&candidate.name, text));
            }
        }
    }
    if layout == Layout::Gradescope {
        for candidate in candidates.iter().filter(|it| it.submitted.is_none()) {
            let text = "has no `:created_at:` that can be read: put the time into the roster, as `submitted`";
            matched
                .problems
                .push(IntakeIssue::new(&candidate.name, text));
        }
    }
    for name in export.submissions.keys() {
        if folder.join(name).symlink_metadata().is_err() {
            let text =
                "is in submission_metadata.yml, but not in the folder: download the export again";
            matched.problems.push(IntakeIssue::new(name, text));
        }
    }
    let joined = joined(folder, layout, &names, candidates);
    matched.choose(folder, layout, joined);
    matched.hold(folder, layout, contested);
    Ok(matched)
}

/// The name of an assignment, and the entries of nobody that begin with it.
fn of_assignment<'a>(
    names: &Names,
    entries: &'a [String],
    is_folder: impl Fn(&str) -> bool,
) -> (&'a str, BTreeSet<&'a str>) {
    let mut of_nobody = Vec::new();
    let mut known = BTreeSet::new();
    for name in entries {
        let is_folder = is_folder(name);
        match names.of_entry(name, is_folder) {
            Whose::Nobody if is_folder || without_ending(name).is_some() => {
                of_nobody.push((name.as_str(), is_folder));
            }
            whose => known.extend(whose.all()),
        }
    }
    names.of_assignment(&of_nobody, &known)
}

/// Submission time from the roster: the latest of the members in `own`, or the entrant's if `own` has none.
fn by_roster(roster: &Roster, entrant: &Entrant, own: &BTreeSet<usize>) -> Option<Timestamp> {
    let mut members = entrant
        .members
        .iter()
        .filter(|it| own.contains(it))
        .peekable();
    match members.peek() {
        None => entrant.submitted,
        Some(_) => members
            .filter_map(|it| roster.students[*it].submitted)
            .max(),
    }
}

impl Whose {
    /// The entrant, or the reason why there is not one, with the entrants who could be meant.
    fn entrant(
        self,
        layout: Layout,
        entrants: &[Entrant],
    ) -> Result<usize, (String, BTreeSet<usize>)> {
        let text = match &self {
            Self::Entrant(entrant) => return Ok(*entrant),
            Self::Nobody => {
                "matches nobody in the roster: add the student, or name it after an id".to_owned()
            }
            Self::Several(several) => {
                let keys = several
                    .iter()
                    .map(|entrant| entrants[*entrant].key.as_str());
                let keys = listed(keys);
                match layout {
                    Layout::Gradescope => format!(
                        "is of {keys} by its metadata, and by the roster or another submission they are not one team: \
                         fill the column `team` of the roster, or remove it"
                    ),
                    Layout::Folders | Layout::Moodle | Layout::Canvas => format!(
                        "could belong to {keys}: name it after one of them, or make them one team in the roster"
                    ),
                }
            }
            Self::Unlisted => {
                "is not in submission_metadata.yml: download the export again".to_owned()
            }
        };
        let several = match self {
            Self::Several(several) => several,
            _ => BTreeSet::new(),
        };
        Err((text, several))
    }
}

impl Matched {
    fn choose(&mut self, folder: &Path, layout: Layout, mut candidates: Vec<Arrival>) {
        candidates.sort_by(|a, b| {
            let key = |it: &Arrival| (it.entrant, it.can_be_unpacked, it.order(), it.modified);
            key(a).cmp(&key(b)).then_with(|| a.name.cmp(&b.name))
        });
        for of_one in candidates.chunk_by(|a, b| a.entrant == b.entrant) {
            let Some((latest, earlier)) = of_one.split_last() else {
                continue;
            };
            let of = self.entrants[latest.entrant].key.as_str();
            let (tries, others): (Vec<&Arrival>, Vec<&Arrival>) = of_one
                .iter()
                .partition(|it| it.can_be_unpacked == latest.can_be_unpacked);
            let tries = without_copies(folder, &tries);
            let equal = tries[1..].iter().filter(|it| it.order() == latest.order());
            let equal: Vec<&&Arrival> = equal.collect();
            let is_later = |it: &&&Arrival| match (latest.modified, it.modified) {
                (Some(latest), Some(it)) => latest.duration_since(it) >= ONE_GO,
                _ => false,
            };
            let count = tries.len();
            let times = match equal.is_empty() {
                true => format!("{count} times"),
                false => format!("{count} times, or in {count} parts"),
            };
            let mut undecided = None;
            if !equal.iter().all(is_later) {
                let names = listed(tries.iter().map(|it| it.name.as_str()));
                let text = format!(
                    "handed in {times}, and neither names nor times of files tell: {names}; leave \
                     only the one that counts, or put the parts into one archive"
                );
                self.problems.push(IntakeIssue::new(of, text.as_str()));
                undecided = Some(text);
            }
            let mut note = |text: String| self.problems.push(IntakeIssue::note(of, text));
            let mut chosen = None;
            if count > 1 && undecided.is_none() {
                let why = match equal.is_empty() {
                    true => "is the latest and counts",
                    false => {
                        "is the latest by the times of the files and counts: see that it is the right one, since a copy changes these times"
                    }
                };
                let of_student = format!("handed in {times}: `{}` {why}", shown(&latest.name));
                let others = listed(tries[1..].iter().rev().map(|it| it.name.as_str()));
                note(format!("{of_student}; not graded: {others}"));
                chosen = Some(of_student);
            }
            if !others.is_empty() {
                note(format!(
                    "`{}` counts; neither a folder nor an archive, and passed over: {}",
                    shown(&latest.name),
                    listed(others.iter().map(|it| it.name.as_str()))
                ));
            }
            self.found[latest.entrant] = Some(MatchedSubmission {
                path: folder.join(&latest.name),
                others: earlier.iter().map(|it| folder.join(&it.name)).collect(),
                loose: latest.loose.clone(),
                submitted: latest.submitted,
                is_late: match layout {
                    Layout::Canvas => CanvasName::of(&latest.name).map(|it| it.is_late),
                    Layout::Folders | Layout::Moodle | Layout::Gradescope => None,
                },
                by_roster: latest.by_roster,
                undecided,
                chosen,
            });
        }
    }

    /// Holds the entrants to whom a submission could belong, or whose submission is a text alone. A name that is only like
    /// theirs says less than their own submission; an export knows who handed in.
    fn hold(
        &mut self,
        folder: &Path,
        layout: Layout,
        contested: Vec<(String, BTreeSet<usize>, String)>,
    ) {
        for (name, entrants, text) in contested {
            for entrant in entrants {
                let found = &mut self.found[entrant];
                let stays =
                    |it: &MatchedSubmission| layout != Layout::Gradescope || it.undecided.is_some();
                if found.as_ref().is_some_and(stays) {
                    continue;
                }
                if is_typed(layout, &name) {
                    self.problems.push(IntakeIssue::new(&name, &text));
                }
                *found = Some(MatchedSubmission {
                    path: folder.join(&name),
                    undecided: Some(format!("`{}` {text}", shown(&name))),
                    ..MatchedSubmission::default()
                });
            }
        }
    }
}

fn entries(folder: &Path, problems: &mut Vec<IntakeIssue>) -> Result<Vec<String>, IntakeError> {
    let failed = |error| IntakeError::unreadable(folder, error);
    let mut names = Vec::new();
    for entry in fs::read_dir(folder).map_err(failed)? {
        match entry.map_err(failed)?.file_name().into_string() {
            Ok(name) if name.starts_with('.') || name == "__MACOSX" => {}
            Ok(name) => names.push(name),
            Err(name) => {
                let text = "has a name that is not UTF-8: rename it; not graded";
                problems.push(IntakeIssue::new(name.to_string_lossy(), text));
            }
        }
        if names.len() + problems.len() > MOST_ENTRIES {
            return Err(IntakeError(format!(
                "{}: more than {MOST_ENTRIES} entries: is this the folder of submissions?",
                folder.display()
            )));
        }
    }
    names.sort_unstable();
    Ok(names)
}

const MOST_ENTRIES: usize = 100_000;

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Returned {
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
