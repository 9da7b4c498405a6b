//! Roster of a class: students and their teams.

use std::borrow::Cow;
use std::collections::{BTreeMap, HashMap};
use std::path::Path;

use jiff::Timestamp;
use jiff::civil::DateTime;
use jiff::tz::TimeZone;

use super::table::{DELIMITERS, Fields, is_of_assignments, read_text, value};
use super::{IntakeError, IntakeIssue, keys, shown};
use crate::text;

const TEST_STUDENT: &str = "Student, Test";

const LONGEST_FIELD: usize = 200;

/// A student of the roster. No text has control characters.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Student {
    pub id: String,
    /// Name for folders and players: the id, or a safe name made from it. Unique also without regard to case.
    pub key: String,
    pub team: Option<String>,
    pub name: String,
    pub email: String,
    pub submitted: Option<Timestamp>,
    pub extension_until: Option<Timestamp>,
    pub module: Option<String>,
    /// Number in the learning-management system, used in its exports, if the roster has it.
    pub lms_id: Option<String>,
    /// Other ids that an export has for the student, such as a login.
    pub other_ids: Vec<String>,
}

#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Roster {
    pub students: Vec<Student>,
}

/// Unit of grading: a team, or a student without one.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Entrant {
    /// Name for folders and players; a single student's own key.
    pub key: String,
    pub team: Option<String>,
    /// Indices into [`Roster::students`], ascending.
    pub members: Vec<usize>,
    pub submitted: Option<Timestamp>,
    pub extension_until: Option<Timestamp>,
}

impl Roster {
    /// Reads a roster. Times without an offset are local to `zone`. `named` maps our names of columns to the
    /// roster's. A bad line is a problem, and the others go on; the problem tells whether the student is left
    /// out.
    pub fn read(
        path: &Path,
        zone: &TimeZone,
        named: &[(&'static str, String)],
    ) -> Result<(Self, Vec<IntakeIssue>), IntakeError> {
        let unusable = |problem| IntakeError(format!("{}: {problem}", path.display()));
        let text = read_text(path).map_err(unusable)?;
        let (delimiter, columns) = header(&text, named).map_err(unusable)?;
        let mut lines = Lines {
            columns,
            zone: zone.clone(),
            students: Vec::new(),
            by_id: HashMap::new(),
            problems: Vec::new(),
        };
        let mut records = Fields::new(text.as_bytes(), delimiter);
        let mut fields = Vec::new();
        // Line ends before this offset are already counted.
        let (mut line, mut counted) = (1, 0);
        loop {
            let begin = records.at();
            line += line_ends(&text[counted..begin]);
            counted = begin;
            let read = match records.record(&mut fields) {
                Ok(false) => break,
                // The header was read above.
                Ok(true) if begin == 0 => Ok(()),
                Ok(true) => {
                    let values: Vec<Cow<'_, str>> =
                        fields.iter().map(|it| value(&text[it.clone()])).collect();
                    lines.read(line, &values)
                }
                // Resume at the next line, so that a stray quote costs one student only.
                Err(_) => {
                    records.skip_line(begin);
                    Err("a quote is not closed, or does not enclose a whole field: double one that is meant".to_owned())
                }
            };
            if let Err(flaw) = read {
                let what = format!("{flaw}; the line is left out");
                lines.problem(line, what);
            }
        }
        let Lines {
            mut students,
            problems,
            ..
        } = lines;
        let keys = keys(students.iter().map(|student| student.id.as_str()), &[]);
        for (student, key) in students.iter_mut().zip(keys) {
            student.key = key;
        }
        Ok((Self { students }, problems))
    }

    /// Teams and single students, in the order of their first members.
    pub fn entrants(&self) -> Vec<Entrant> {
        let mut entrants: Vec<Entrant> = Vec::new();
        let mut teams: BTreeMap<&str, usize> = BTreeMap::new();
        for (index, student) in self.students.iter().enumerate() {
            let known = student.team.as_deref().and_then(|team| teams.get(team));
            if let Some(entrant) = known.and_then(|known| entrants.get_mut(*known)) {
                entrant.members.push(index);
                entrant.submitted = entrant.submitted.max(student.submitted);
                entrant.extension_until = entrant.extension_until.max(student.extension_until);
                continue;
            }
            if let Some(team) = &student.team {
                teams.insert(team, entrants.len());
            }
            entrants.push(Entrant {
                key: student.key.clone(),
                team: student.team.clone(),
                members: vec![index],
                submitted: student.submitted,
                extension_until: student.extension_until,
            });
        }
        let taken: Vec<&str> = self.students.iter().map(|it| it.key.as_str()).collect();
        let names: Vec<&str> = teams.keys().copied().collect();
        for (key, entrant) in keys(names.into_iter(), &taken)
            .into_iter()
            .zip(teams.values())
        {
            entrants[*entrant].key = key;
        }
        entrants
    }
}

/// Delimiter and columns of the header. The first delimiter with an `id` column wins.
fn header(text: &str, named: &[(&'static str, String)]) -> Result<(u8, RosterColumns), String> {
    let first = text.split(['\n', '\r']).next().unwrap_or_default();
    let mut why = None;
    for delimiter in DELIMITERS {
        let mut fields = Vec::new();
        let read = Fields::new(text.as_bytes(), delimiter).record(&mut fields);
        let names: Vec<Cow<'_, str>> = fields.iter().map(|it| value(&text[it.clone()])).collect();
        let names: Vec<&str> = names.iter().map(AsRef::as_ref).collect();
        match RosterColumns::find(&names, named) {
            Ok(columns) if read == Ok(true) => return Ok((delimiter, columns)),
            Err(flaw) if why.is_none() && names.len() > 1 => why = flaw,
            Ok(_) | Err(_) => {}
        }
    }
    let header = text::excerpt(first, 80);
    Err(match why {
        Some((column, what)) => {
            let column = text::excerpt(&column, 80);
            format!("`{column}` is {what} in the first line, which is `{header}`")
        }
        None => format!(
            "the first line must name the columns, and one of them `id`, once, or come from an export of Canvas, Moodle or \
             Gradescope; it is `{header}`; `columns` in [class] says which other column is which"
        ),
    })
}

fn line_ends(text: &str) -> u64 {
    let pairs = text.matches("\r\n").count();
    (text.matches(['\n', '\r']).count() - pairs) as u64
}

struct Lines {
    columns: RosterColumns,
    zone: TimeZone,
    students: Vec<Student>,
    by_id: HashMap<String, u64>,
    problems: Vec<IntakeIssue>,
}

impl Lines {
    fn problem(&mut self, line: u64, text: String) {
        let of = format!("roster line {line}");
        self.problems.push(IntakeIssue::new(of, text));
    }

    fn read(&mut self, line: u64, record: &[Cow<'_, str>]) -> Result<(), String> {
        if record.iter().all(|field| field.trim().is_empty()) {
            return Ok(());
        }
        if record.len() > self.columns.count {
            return Err(format!(
                "{} fields, and the header has {}: put quotes around a field with a delimiter in it",
                record.len(),
                self.columns.count
            ));
        }
        let places = &self.columns.places;
        let field = |name| places.get(name).and_then(|place| record.get(*place));
        let field = |name| field(name).map_or("", |it| it.trim());
        let begin = record.first().map_or("", |it| it.trim());
        let is_first = self.students.is_empty();
        if is_first && is_of_assignments(record.iter().map(AsRef::as_ref)) || begin == TEST_STUDENT
        {
            return Ok(());
        }
        let id = checked("id", field("id"))?;
        if id.is_empty() {
            return Err("no `id`: give the student one".to_owned());
        }
        let team = checked("team", field("team"))?;
        let module = checked("module", field("module"))?;
        let lms_id = field("lms_id").trim_start_matches("Participant ");
        let other_ids = self.columns.other_ids.iter();
        let other_ids = other_ids.filter_map(|place| record.get(*place));
        let other_ids = other_ids.map(|field| text::excerpt(field.trim(), LONGEST_FIELD));
        let full_name = match field("name") {
            "" => format!("{} {}", field(FIRST_NAME), field(LAST_NAME)),
            name => name.to_owned(),
        };
        // Some exports break a name into two lines.
        let full_name = full_name
            .split_ascii_whitespace()
            .collect::<Vec<_>>()
            .join(" ");
        if let Some(first) = self.by_id.get(id) {
            let id = shown(id);
            return Err(format!(
                "the id `{id}` is on line {first} already: remove one of them"
            ));
        }
        let [submitted, extension_until] =
            ["submitted", "extension_until"].map(|column| (column, field(column)));
        let mut student = Student {
            id: id.to_owned(),
            key: String::new(),
            team: (!team.is_empty()).then(|| team.to_owned()),
            name: text::excerpt(&full_name, LONGEST_FIELD),
            email: text::excerpt(field("email"), LONGEST_FIELD),
            submitted: None,
            extension_until: None,
            module: (!module.is_empty()).then(|| module.to_owned()),
            lms_id: (!lms_id.is_empty()).then(|| text::excerpt(lms_id, LONGEST_FIELD)),
            other_ids: other_ids.collect(),
        };
        if [full_name.as_str(), field("email")]
            .iter()
            .any(|field| field.chars().any(text::is_hidden))
        {
            let what = "a control character in `name` or `email`: remove it; the student is kept";
            self.problem(line, what.to_owned());
        }
        student.submitted = self.time(line, submitted);
        student.extension_until = self.time(line, extension_until);
        self.by_id.insert(student.id.clone(), line);
        self.students.push(student);
        Ok(())
    }

    /// Parses a time. A malformed one is a problem and counts as missing.
    fn time(&mut self, line: u64, (column, text): (&str, &str)) -> Option<Timestamp> {
        // Moodle's for nobody.
        if matches!(text, "" | "-") {
            return None;
        }
        let time = time(text, &self.zone);
        if time.is_none() {
            let what = format!(
                "`{column}` is `{}`: write it as 2026-05-20 23:59 or 2026-05-20T23:59:00+10:00; the student is kept, \
                 without that time",
                text::excerpt(text, 40)
            );
            self.problem(line, what);
        }
        time
    }
}

/// Validates an id or a team, which programs read too.
fn checked<'a>(column: &str, field: &'a str) -> Result<&'a str, String> {
    if field.chars().any(text::is_hidden) {
        return Err(format!("a control character in `{column}`: remove it"));
    }
    if field.chars().nth(LONGEST_FIELD).is_some() {
        return Err(format!(
            "`{column}` has more than {LONGEST_FIELD} characters: shorten it"
        ));
    }
    Ok(field)
}

/// Local times of Moodle in English, as in Europe and as in America, and Gradescope's with an offset.
const OF_MOODLE: [&str; 2] = ["%A, %d %B %Y, %I:%M %p", "%A, %B %d, %Y, %I:%M %p"];
const OF_GRADESCOPE: &str = "%Y-%m-%d %H:%M:%S %z";

/// Parses a time with an offset, or a local time of a zone with hours and minutes.
fn time(text: &str, zone: &TimeZone) -> Option<Timestamp> {
    let text = &*text::name(text);
    let with_offset = text.parse::<Timestamp>();
    if let Ok(time) = with_offset.or_else(|_| Timestamp::strptime(OF_GRADESCOPE, text)) {
        return Some(time);
    }
    let mut of_moodle = OF_MOODLE.iter();
    if let Some(local) = of_moodle.find_map(|form| DateTime::strptime(form, text).ok()) {
        return zone.to_timestamp(local).ok();
    }
    // A date alone would parse as midnight, and a zone name would be ignored.
    if !text.contains(':') || text.contains(['[', '+', 'Z', 'z']) {
        return None;
    }
    let local: DateTime = text.parse().ok()?;
    zone.to_timestamp(local).ok()
}

pub const COLUMNS: [&str; 8] = [
    "id",
    "team",
    "name",
    "email",
    "submitted",
    "extension_until",
    "module",
    "lms_id",
];

/// Two columns that together replace `name`.
const FIRST_NAME: &str = "first name";
const LAST_NAME: &str = "last name";

struct Export {
    known_by: &'static [&'static str],
    /// Pairs of our name and the export's; the first that exists counts.
    columns: &'static [(&'static str, &'static str)],
}

/// In lower case, because names are compared folded.
const EXPORTS: [Export; 6] = [
    // Canvas: the students of a group set.
    Export {
        known_by: &["canvas_user_id", "group_name"],
        columns: &[
            ("id", "user_id"),
            ("id", "login_id"),
            ("id", "canvas_user_id"),
            ("lms_id", "canvas_user_id"),
            ("team", "group_name"),
        ],
    },
    // Canvas: the gradebook. Its `ID` is Canvas's own number, which its download uses in file names.
    Export {
        known_by: &["student", "id", "section"],
        columns: &[
            ("id", "sis user id"),
            ("id", "sis login id"),
            ("id", "id"),
            ("lms_id", "id"),
            ("name", "student"),
        ],
    },
    // Moodle: the gradebook and the list of participants.
    Export {
        known_by: &["first name", "last name", "id number"],
        columns: MOODLE,
    },
    Export {
        known_by: &["first name", "surname", "id number"],
        columns: MOODLE,
    },
    // Moodle: the worksheet of an assignment.
    Export {
        known_by: &["identifier", "full name"],
        columns: &[
            ("id", "id number"),
            ("id", "email address"),
            ("id", "identifier"),
            ("lms_id", "identifier"),
            ("name", "full name"),
            ("email", "email address"),
            ("submitted", "submitted"),
            ("submitted", "last modified (submission)"),
        ],
    },
    // Gradescope: the roster and the grades.
    Export {
        known_by: &["sid", "email"],
        columns: &[
            ("id", "sid"),
            ("name", "name"),
            (FIRST_NAME, "first name"),
            (LAST_NAME, "last name"),
            ("email", "email"),
        ],
    },
];

const MOODLE: &[(&str, &str)] = &[
    ("id", "id number"),
    (FIRST_NAME, "first name"),
    (LAST_NAME, "last name"),
    (LAST_NAME, "surname"),
    ("email", "email address"),
];

/// Flaw of a column in a header: its name and its fault. None if no column is the id.
type ColumnFlaw = Option<(String, &'static str)>;

#[derive(Debug)]
struct RosterColumns {
    pub count: usize,
    pub places: HashMap<&'static str, usize>,
    /// Indices of further columns of an export that could be the id.
    pub other_ids: Vec<usize>,
}

impl RosterColumns {
    /// Finds the columns in a header. `named` has names from the configuration, by ours; they take precedence
    /// over an export's names, and these over ours.
    pub fn find(names: &[&str], named: &[(&'static str, String)]) -> Result<Self, ColumnFlaw> {
        let folded: Vec<String> = names
            .iter()
            .map(|name| name.trim().to_lowercase())
            .collect();
        let place = |name: &str| -> Result<Option<usize>, ColumnFlaw> {
            let mut places = (0..folded.len()).filter(|at| folded[*at] == name);
            match (places.next(), places.next()) {
                (_, Some(_)) => Err(Some((name.to_owned(), "there twice"))),
                (first, None) => Ok(first),
            }
        };
        let is_there = |name: &&str| folded.iter().any(|it| it == name);
        let export = EXPORTS
            .iter()
            .find(|export| export.known_by.iter().all(is_there));
        let own = COLUMNS.iter().map(|column| (*column, *column));
        let mut places = HashMap::new();
        let mut other_ids = Vec::new();
        for (column, name) in named {
            let found = place(&name.trim().to_lowercase())?;
            let found = found.ok_or_else(|| Some((name.clone(), "not there")))?;
            places.insert(*column, found);
        }
        for (column, name) in export
            .map_or(&[][..], |it| it.columns)
            .iter()
            .copied()
            .chain(own)
        {
            if !places.contains_key(column)
                && let Some(found) = place(name)?
            {
                places.insert(column, found);
            } else if column == "id" {
                other_ids.extend(place(name).ok().flatten());
            }
        }
        if places.contains_key("id") {
            Ok(Self {
                count: names.len(),
                places,
                other_ids,
            })
        } else {
            Err(None)
        }
    }
}
