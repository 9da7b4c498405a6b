//! Names under which entrants hand in.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet, HashMap};

use super::Layout;
use super::gradescope::Submitter;
use crate::grade::intake::roster::{Entrant, Roster, Student};
use crate::grade::intake::unpack::without_ending;
use crate::text;

/// Separator in Moodle's export between the student's number and the submitted file.
pub(super) const ASSIGNSUBMISSION: &str = "_assignsubmission_";

const BOUNDARIES: [char; 4] = ['-', '_', '.', ' '];

/// Endings of what was typed into a form of Canvas: a text, or an address.
const OF_FORMS: [&str; 2] = ["_text.html", "_link.html"];

#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Whose {
    Entrant(usize),
    Nobody,
    Several(BTreeSet<usize>),
    Unlisted,
}

impl Whose {
    pub fn all(self) -> BTreeSet<usize> {
        match self {
            Self::Entrant(entrant) => BTreeSet::from([entrant]),
            Self::Several(entrants) => entrants,
            Self::Nobody | Self::Unlisted => BTreeSet::new(),
        }
    }
}

impl From<BTreeSet<usize>> for Whose {
    fn from(mut entrants: BTreeSet<usize>) -> Self {
        match entrants.len() {
            0 => Self::Nobody,
            1 => entrants.pop_first().map_or(Self::Nobody, Self::Entrant),
            _ => Self::Several(entrants),
        }
    }
}

#[derive(Debug, Default)]
struct Index {
    exact: HashMap<String, BTreeSet<usize>>,
    /// Keys in lower case, with composed accents and single spaces.
    folded: HashMap<String, BTreeSet<usize>>,
}

impl Index {
    fn add(&mut self, name: &str, entrant: usize) {
        if !name.is_empty() {
            let exact = self.exact.entry(name.to_owned()).or_default();
            exact.insert(entrant);
            self.folded.entry(folded(name)).or_default().insert(entrant);
        }
    }

    /// Entrants of a name: exact matches, or else matches in any case.
    fn of(&self, name: &str) -> BTreeSet<usize> {
        let exact = self.exact.get(name);
        let entrants = exact.or_else(|| self.folded.get(&folded(name)));
        entrants.cloned().unwrap_or_default()
    }
}

fn folded(name: &str) -> String {
    let words: Vec<String> = name.split_whitespace().map(text::folded).collect();
    words.join(" ")
}

fn letters(name: &str) -> String {
    let letters = name.chars().filter(|c| c.is_alphanumeric());
    text::folded(&letters.collect::<String>())
}

/// The name of an entry without the ending of an archive and the copy number of a browser.
fn stem(name: &str, is_folder: bool) -> &str {
    let archive = without_ending(name).filter(|_| !is_folder);
    without_copy_number(archive.unwrap_or(name)).0
}

/// Splits off the copy number of a browser, as in `s3 (1)`; 0 without one.
pub(super) fn without_copy_number(stem: &str) -> (&str, u32) {
    let browser = stem.strip_suffix(')').and_then(|it| it.rsplit_once(" ("));
    let number = |text: &str| {
        if text.bytes().all(|byte| byte.is_ascii_digit()) {
            text.parse().ok()
        } else {
            None
        }
    };
    browser
        .and_then(|(name, text)| Some((name, number(text)?)))
        .unwrap_or((stem, 0))
}

#[derive(Debug, PartialEq, Eq)]
pub(super) struct CanvasName<'a> {
    /// Letters of the last name, then the first name.
    person: &'a str,
    pub is_late: bool,
    user: &'a str,
    /// Number of earlier submissions under this file name.
    pub attempt: u32,
    /// File name chosen by the student, and perhaps a number added by Canvas.
    pub file: &'a str,
}

impl<'a> CanvasName<'a> {
    pub fn of(name: &'a str) -> Option<Self> {
        let (person, rest) = name.split_once('_')?;
        let late = rest.strip_prefix("LATE_");
        let (user, rest) = late.unwrap_or(rest).split_once('_')?;
        let (submission, file) = rest.split_once('_')?;
        let is_number = |text: &str| !text.is_empty() && text.bytes().all(|it| it.is_ascii_digit());
        let attempt = numbered(file).map(|(_, number, _)| number);
        (is_number(user) && is_number(submission)).then(|| Self {
            person,
            is_late: late.is_some(),
            user,
            attempt: attempt.unwrap_or(0),
            file,
        })
    }
}

/// Parts of a file name to which Canvas added a number: `bot-2.py`.
pub(super) fn numbered(file: &str) -> Option<(&str, u32, &str)> {
    let stem = without_ending(file).or_else(|| Some(file.rsplit_once('.')?.0));
    let stem = stem.unwrap_or(file);
    let (name, number) = stem.rsplit_once('-')?;
    let is_number = !number.is_empty() && number.bytes().all(|it| it.is_ascii_digit());
    let number = number.parse().unwrap_or(u32::MAX);
    (is_number && !name.is_empty()).then(|| (name, number, &file[stem.len()..]))
}

/// Who uploaded a file by the name that a system gave it, and the file's own name. `None` where no system did.
pub(super) fn uploaded(layout: Layout, name: &str) -> Option<(&str, &str)> {
    match layout {
        Layout::Canvas => CanvasName::of(name).map(|it| (it.user, it.file)),
        Layout::Moodle => {
            let (who, rest) = name.split_once(ASSIGNSUBMISSION)?;
            Some((who, rest.strip_prefix("file_")?))
        }
        Layout::Folders | Layout::Gradescope => None,
    }
}

/// Whether an entry is what a student typed into a form of the system, and no file.
pub(super) fn is_typed(layout: Layout, name: &str) -> bool {
    match layout {
        Layout::Canvas => {
            CanvasName::of(name).is_none() && OF_FORMS.iter().any(|it| name.ends_with(it))
        }
        Layout::Moodle => name
            .split_once(ASSIGNSUBMISSION)
            .is_some_and(|(_, rest)| rest.starts_with("onlinetext")),
        Layout::Folders | Layout::Gradescope => false,
    }
}

#[derive(Debug, Default)]
pub(super) struct Names {
    ids: Index,
    emails: Index,
    people: Index,
    of_system: Index,
    sortable: Index,
}

impl Names {
    pub fn new(roster: &Roster, entrants: &[Entrant]) -> Self {
        let mut names = Self::default();
        for (index, entrant) in entrants.iter().enumerate() {
            names.ids.add(&entrant.key, index);
            names
                .ids
                .add(entrant.team.as_deref().unwrap_or_default(), index);
            for member in entrant
                .members
                .iter()
                .filter_map(|it| roster.students.get(*it))
            {
                names.add(member, index);
            }
        }
        names
    }

    pub fn of_students(roster: &Roster) -> Self {
        let mut names = Self::default();
        for (index, student) in roster.students.iter().enumerate() {
            names.add(student, index);
        }
        names
    }

    fn add(&mut self, student: &Student, index: usize) {
        self.ids.add(&student.id, index);
        self.ids.add(&student.key, index);
        self.emails.add(&student.email, index);
        self.people.add(&student.name, index);
        self.of_system
            .add(student.lms_id.as_deref().unwrap_or_default(), index);
        let (last, first) = match student.name.split_once(',') {
            Some((last, first)) => (last.trim(), first.trim()),
            None => student
                .name
                .rsplit_once(' ')
                .map_or((student.name.as_str(), ""), |(first, last)| (last, first)),
        };
        if student.name.contains(',') {
            self.people.add(&format!("{first} {last}"), index);
        }
        self.sortable.add(&letters(&[last, first].concat()), index);
    }

    fn of_id(&self, name: &str) -> BTreeSet<usize> {
        let ids = self.ids.of(name);
        if ids.is_empty() {
            self.emails.of(name)
        } else {
            ids
        }
    }

    /// Owner of a folder or archive: the whole stem, or else the longest prefix before `-`, `_`, `.` or a blank
    /// that is an id, with each id that follows.
    pub fn of_entry(&self, name: &str, is_folder: bool) -> Whose {
        let stem = stem(name, is_folder);
        let whole = self.of_id(stem);
        if !whole.is_empty() {
            return whole.into();
        }
        let mut found = BTreeSet::new();
        let mut rest = Some(stem);
        while let Some(name) = rest {
            let ends = name.rmatch_indices(BOUNDARIES).map(|(end, _)| end);
            let ends = std::iter::once(name.len()).chain(ends);
            let mut ids = ends.map(|end| (end, self.ids.of(&name[..end])));
            let (end, of_id) = ids.find(|(_, of)| !of.is_empty()).unwrap_or_default();
            if found.is_empty() && of_id.is_empty() {
                break;
            }
            found.extend(of_id);
            rest = name[end..].split_once(BOUNDARIES).map(|(_, rest)| rest);
        }
        found.into()
    }

    /// The entries that begin with the name of an assignment, as GitHub Classroom names them: `part-b-ID`. It is what ends in
    /// `-` before the ids of most entries of nobody, each with whether it is a folder. An entrant who `has` another one is not
    /// meant.
    pub fn of_assignment<'a>(
        &self,
        entries: &[(&'a str, bool)],
        has: &BTreeSet<usize>,
    ) -> (&'a str, BTreeSet<&'a str>) {
        let mut found: BTreeMap<&str, (usize, BTreeSet<&str>)> = BTreeMap::new();
        for (name, is_folder) in entries {
            for (end, _) in name.match_indices('-') {
                let (assignment, own) = name.split_at(end + 1);
                match self.of_entry(own, *is_folder) {
                    Whose::Entrant(entrant) if !has.contains(&entrant) => {
                        let (whole, names) = found.entry(assignment).or_default();
                        let is_whole = !self.of_id(stem(own, *is_folder)).is_empty();
                        *whole += usize::from(is_whole);
                        names.insert(name);
                    }
                    _ => {}
                }
            }
        }
        // The shortest of equal ones: an id may have a `-` too.
        let best = found
            .into_iter()
            .max_by_key(|(assignment, (whole, names))| {
                (*whole, names.len(), Reverse(assignment.len()))
            });
        match best {
            Some((assignment, (_, names))) if names.len() * 2 > entries.len() => {
                (assignment, names)
            }
            _ => ("", BTreeSet::new()),
        }
    }

    /// The longest beginning of a file's name that is an id, and the file's own name: what follows an id and one of these,
    /// and else all of it.
    pub fn split<'a>(&self, name: &'a str) -> Option<(&'a str, &'a str)> {
        let mut boundaries = name.rmatch_indices(BOUNDARIES);
        let (end, boundary) = boundaries.find(|(end, _)| !self.ids.of(&name[..*end]).is_empty())?;
        let own = if boundary == "." { 0 } else { end + 1 };
        Some((&name[..end], &name[own..]))
    }

    /// Owner of an entry in Moodle's export, by id and full name. The number may be Moodle's own, so if both
    /// are known they must agree.
    pub fn of_moodle(&self, name: &str, is_folder: bool) -> Whose {
        let Some((who, _)) = name.split_once(ASSIGNSUBMISSION) else {
            return self.of_entry(name, is_folder);
        };
        let (full_name, id) = who.rsplit_once('_').unwrap_or((who, who));
        self.of_id_and_name(id, self.people.of(full_name))
    }

    /// Owner of an entry in Canvas's download: `lastfirst_101_9001_bot-2.zip`, with 101 as Canvas's number of
    /// the student. A text typed into a form is `lastfirst_101_text.html`.
    pub fn of_canvas(&self, name: &str, is_folder: bool) -> Whose {
        let of_form = OF_FORMS.iter().find_map(|it| name.strip_suffix(it));
        let (person, user) = match (CanvasName::of(name), of_form) {
            (Some(canvas), _) => (canvas.person, canvas.user),
            (None, Some(who)) => who.rsplit_once('_').unwrap_or((who, who)),
            (None, None) => return self.of_entry(name, is_folder),
        };
        let person = person.strip_suffix("_LATE").unwrap_or(person);
        self.of_id_and_name(user, self.sortable.of(&letters(person)))
    }

    fn of_id_and_name(&self, id: &str, by_name: BTreeSet<usize>) -> Whose {
        let of_system = self.of_system.of(id);
        let by_id = if of_system.is_empty() {
            self.of_id(id)
        } else {
            of_system
        };
        if by_id.is_empty() {
            return by_name.into();
        }
        let both: BTreeSet<usize> = by_id.intersection(&by_name).copied().collect();
        if by_name.is_empty() {
            by_id.into()
        } else if both.is_empty() {
            Whose::from(by_id.union(&by_name).copied().collect::<BTreeSet<usize>>())
        } else {
            both.into()
        }
    }

    pub fn of_submitters(&self, submitters: &[Submitter]) -> Whose {
        let found = submitters.iter().flat_map(|it| self.of_submitter(it));
        found.collect::<BTreeSet<usize>>().into()
    }

    /// Entrants of a submitter: by id, else by address, else by name.
    pub fn of_submitter(&self, submitter: &Submitter) -> BTreeSet<usize> {
        let found = [
            self.of_id(&submitter.sid),
            self.emails.of(&submitter.email),
            self.people.of(&submitter.name),
        ];
        let first = found.into_iter().find(|found| !found.is_empty());
        first.unwrap_or_default()
    }
}
