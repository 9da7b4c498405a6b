//! Fills the marks of `referee grade` into an exported sheet.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use crate::cli::exit::{Exit, Failure};
use crate::config::{LARGEST_TEXT, read_bounded};
use crate::grade::sheet::{self, Filled, SheetError};
use crate::grade::{Graded, Mark, Status, Student, mark_text};
use crate::report::listed;
use crate::runs::rewrite_whole;
use crate::text::{counted, excerpt, visible};

const MOST_NAMED: usize = 5;

const LONGEST_NOTE: usize = 200;

const LONGEST_KEY: usize = 80;

/// Fills marks into the column `marks` of a sheet, by the ids or addresses in `key`. Returns a report that names each
/// student with 0.
pub(super) fn fill_sheet(
    path: &Path,
    [key, column]: [&str; 2],
    graded: &Graded,
    most: f64,
) -> Result<String, Failure> {
    let failed = |problem: String| Failure::of_file(path, problem);
    let sheet = read_bounded(path, LARGEST_TEXT)
        .map_err(|error| failed(format!("cannot be read: {error}")))?;
    let keys = Keys::of_all(graded);
    let filled = sheet::fill(&sheet, key, column, &keys.marks);
    let of_argument = |problem: String| Failure {
        exit: Exit::Usage,
        ..failed(problem)
    };
    let filled = filled.map_err(|error| match error {
        SheetError::Column(problem) => of_argument(problem),
        SheetError::Flaw(problem) => failed(problem),
    })?;
    if let Some(problem) = keys.meet_nobody(&filled) {
        return Err(of_argument(format!("--key {key}: {problem}")));
    }
    let mut text = format!(
        "{} filled into {}\n{}",
        counted(filled.filled, "mark", "marks"),
        path.display(),
        keys.left_out(&filled)
    );
    let own = mark_text(most);
    let other = filled.most.map(mark_text).filter(|it| *it != own);
    if let Some(other) = other {
        text.push_str(&format!(
            "the most marks are {other} in the sheet, and {own} in this grading: correct one of them\n"
        ));
    }
    rewrite_whole(path, &filled.bytes)?;
    let given = |mark: &&Mark| mark.members.iter().any(|it| keys.is_given(it, &filled));
    text.push_str(&who_gets_nothing(graded, &given));
    let undecided = graded.marks().filter(|mark| mark.unknown_time.is_some());
    let undecided: Vec<&str> = undecided.filter(given).map(|it| it.key.as_str()).collect();
    if !undecided.is_empty() {
        text.push_str(&format!(
            "{} given without a decision about lateness: {}\n",
            counted(undecided.len() as u64, "mark is", "marks are"),
            ids(&undecided)
        ));
    }
    Ok(text)
}

/// Students with 0 and the reasons, one line per reason and per bot.
fn who_gets_nothing(graded: &Graded, given: &impl Fn(&&Mark) -> bool) -> String {
    let mut text = String::new();
    let nothing = |mark: &&Mark| mark.total == 0.0 && given(mark);
    for status in [Status::None, Status::Late] {
        let keys = graded.marks().filter(nothing);
        let keys = keys.filter(|mark| mark.status == status);
        let keys: Vec<&str> = keys.map(|mark| mark.key.as_str()).collect();
        if let (Some(why), false) = (status.why_nothing(), keys.is_empty()) {
            text.push_str(&format!(
                "given 0, as {why}: {}\n",
                visible(&keys.join(", "))
            ));
        }
    }
    let others = graded.marks().filter(nothing);
    for mark in others.filter(|mark| [Status::Graded, Status::Broken].contains(&mark.status)) {
        let why = match (mark.status.why_nothing(), mark.notes.is_empty()) {
            (Some(_), false) => excerpt(&mark.notes.join("; "), LONGEST_NOTE),
            (Some(why), true) => why.to_owned(),
            (None, _) => "its games brought no marks".to_owned(),
        };
        text.push_str(&format!("given 0: {}: {why}\n", visible(&mark.key)));
    }
    text
}

/// The names that a sheet may have for a student: the id, the address, and the other ids of the roster.
fn names(student: &Student) -> impl Iterator<Item = &str> {
    let others = student.lms_id.iter().chain(&student.other_ids);
    let names = [&student.id, &student.email].into_iter().chain(others);
    names.map(String::as_str).filter(|name| !name.is_empty())
}

struct Keys<'a> {
    students: Vec<(&'a Student, Option<String>)>,
    ids: BTreeSet<&'a str>,
    marks: BTreeMap<String, Option<String>>,
    /// Names shared by students with different marks, with the students' ids.
    shared: BTreeMap<&'a str, Vec<&'a str>>,
}

impl<'a> Keys<'a> {
    /// Keys of the students of a class, each with the text of its cell. Marks held for a person to decide are not filled
    /// yet.
    fn of_all(graded: &'a Graded) -> Self {
        let students = graded.marks().flat_map(|mark| {
            let text = (mark.status != Status::Held).then(|| mark_text(mark.total));
            let members = mark.members.iter();
            members.map(move |student| (student, text.clone()))
        });
        Self::of(students.collect())
    }

    /// Keys of these students. An id belongs to one student, even if it is another's address. Where it is a further id of
    /// another student, a sheet may mean either.
    fn of(students: Vec<(&'a Student, Option<String>)>) -> Self {
        let ids: BTreeSet<&str> = students.iter().map(|(it, _)| it.id.as_str()).collect();
        let folded: BTreeSet<String> = ids.iter().map(|id| id.to_lowercase()).collect();
        let mut by_name: BTreeMap<&str, Vec<usize>> = BTreeMap::new();
        for (at, (student, _)) in students.iter().enumerate() {
            for name in names(student) {
                let is_free = !folded.contains(&name.to_lowercase());
                let of_name = by_name.entry(name).or_default();
                let is_id = name == student.id || name != student.email;
                if (is_free || is_id) && !of_name.contains(&at) {
                    of_name.push(at);
                }
            }
        }
        let mut marks = BTreeMap::new();
        let mut shared = BTreeMap::new();
        for (name, those) in by_name {
            let Some(first) = those.first() else {
                continue;
            };
            let mut mark = students[*first].1.clone();
            if those.iter().any(|at| students[*at].1 != mark) {
                let ids = those.iter().map(|at| students[*at].0.id.as_str());
                shared.insert(name, ids.collect());
                mark = None;
            }
            marks.insert(name.to_owned(), mark);
        }
        Self {
            students,
            ids,
            marks,
            shared,
        }
    }

    /// Why a sheet is of another class, or its keys are of another kind: none of them is known.
    fn meet_nobody(&self, filled: &Filled) -> Option<String> {
        let unknown = |key: &String| !self.marks.contains_key(key);
        let (theirs, ours) = (
            filled.without_mark.iter().find(|it| unknown(it))?,
            self.ids.first()?,
        );
        let is_of_nobody = filled.filled == 0 && filled.kept.is_empty();
        (is_of_nobody && filled.without_mark.iter().all(unknown)).then(|| {
            format!(
                "no cell is the id or address of a student: the sheet has `{}`, the class `{}`; expected another column",
                excerpt(theirs, LONGEST_KEY),
                excerpt(ours, LONGEST_KEY)
            )
        })
    }

    fn left_out(&self, filled: &Filled) -> String {
        let (shared, without_mark): (Vec<&str>, Vec<&str>) = filled
            .without_mark
            .iter()
            .map(String::as_str)
            .partition(|key| self.shared.contains_key(key));
        let mut text = String::new();
        if !filled.replaced.is_empty() {
            let cells = filled.replaced.iter();
            let cells = cells.map(|(key, [was, is])| format!("{key} ({was} by {is})"));
            let cells: Vec<String> = cells.collect();
            text.push_str(&format!(
                "{}, so look whether somebody had changed it by hand: {}\n",
                counted(
                    cells.len() as u64,
                    "cell had another mark",
                    "cells had another mark"
                ),
                ids(&cells)
            ));
        }
        if !without_mark.is_empty() {
            text.push_str(&format!(
                "in the sheet and without a mark: {}\n",
                visible(&without_mark.join(", "))
            ));
        }
        if !filled.kept.is_empty() {
            let cells = filled.kept.iter();
            let cells = cells.map(|(key, cell)| format!("{key} ({cell})"));
            let cells: Vec<String> = cells.collect();
            text.push_str(&format!(
                "not filled, as there is something else than a number: {}\n",
                ids(&cells)
            ));
        }
        for name in shared {
            text.push_str(&format!(
                "not filled: `{}` may mean each of {}, whose marks differ: correct it in the roster, or fill by \
                 another column\n",
                excerpt(name, LONGEST_KEY),
                ids(&self.shared[name])
            ));
        }
        let lacking = self.not_in_sheet(filled);
        if !lacking.is_empty() {
            text.push_str(&format!(
                "not in the sheet: the marks of {}: {}\n",
                counted(lacking.len() as u64, "student", "students"),
                ids(&lacking)
            ));
        }
        text
    }

    /// Whether a cell of the sheet has the mark of a student now.
    fn is_given(&self, student: &Student, filled: &Filled) -> bool {
        let is_left = |name: &str| {
            let mut kept = filled.kept.iter().map(|(key, _)| key);
            kept.any(|it| it == name) || filled.not_in_sheet.iter().any(|it| it == name)
        };
        let has_mark = |name: &&str| matches!(self.marks.get(*name), Some(Some(_)));
        names(student).filter(has_mark).any(|name| !is_left(name))
    }

    fn not_in_sheet(&self, filled: &Filled) -> Vec<&'a str> {
        let missing: BTreeSet<&str> = filled.not_in_sheet.iter().map(String::as_str).collect();
        let unfilled: BTreeSet<&str> = filled.without_mark.iter().map(String::as_str).collect();
        let has = |key: &str| match self.marks.get(key) {
            Some(Some(_)) => !missing.contains(key),
            _ => unfilled.contains(key),
        };
        let marked = self.students.iter().filter(|(_, mark)| mark.is_some());
        let lacking = marked.filter(|(student, _)| {
            let id = student.id.as_str();
            let mut own = names(student).filter(|name| *name == id || !self.ids.contains(name));
            !own.any(has)
        });
        lacking.map(|(student, _)| student.id.as_str()).collect()
    }
}

fn ids(ids: &[impl AsRef<str>]) -> String {
    listed(ids, ids.len(), MOST_NAMED, ", ", |id| {
        excerpt(id.as_ref(), LONGEST_KEY)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    type Row<'a> = (&'a str, &'a str, Option<&'a str>);

    fn student((id, email, _): &Row) -> Student {
        Student {
            id: (*id).to_owned(),
            email: (*email).to_owned(),
            ..Student::default()
        }
    }

    fn filled(rows: &[Row], sheet: &str) -> (String, String) {
        let students: Vec<Student> = rows.iter().map(student).collect();
        let marks = rows.iter().map(|(_, _, mark)| mark.map(str::to_owned));
        let keys = Keys::of(students.iter().zip(marks).collect());
        let filled = sheet::fill(sheet.as_bytes(), "ID", "M", &keys.marks).expect("filled");
        let said = keys.left_out(&filled);
        (String::from_utf8(filled.bytes).expect("text"), said)
    }

    const CLASS: [Row; 5] = [
        ("w1", "shared@x.org", Some("0.00")),
        ("w2", "w3", Some("1.00")),
        ("w3", "shared@x.org", Some("12.00")),
        ("w4", "alike@x.org", Some("4.00")),
        ("w5", "alike@x.org", Some("4.00")),
    ];

    #[test]
    fn an_id_wins_over_an_address_and_a_shared_address_is_not_guessed() {
        let sheet = "ID,M\nshared@x.org,\nw3,\nalike@x.org,\nzed,7\n";
        let (text, said) = filled(&CLASS, sheet);
        assert_eq!(
            text,
            "ID,M\nshared@x.org,\nw3,12.00\nalike@x.org,4.00\nzed,7\n"
        );
        let expected = "in the sheet and without a mark: zed\n\
                        not filled: `shared@x.org` may mean each of w1, w3, whose marks differ: correct it in the \
                        roster, or fill by another column\n\
                        not in the sheet: the marks of 1 student: w2\n";
        assert_eq!(said, expected);
        // A student without a mark gets none through another student's address, and keeps the id.
        let held = [("w1", "w2", Some("3.00")), ("w2", "w3", None)];
        let (text, said) = filled(&held, "ID,M\nw2,\nw3,\n");
        assert_eq!(text, "ID,M\nw2,\nw3,\n");
        assert!(
            said.ends_with("not in the sheet: the marks of 1 student: w1\n"),
            "{said}"
        );
        let half = [("w1", "s@x.org", Some("3.00")), ("w2", "s@x.org", None)];
        assert_eq!(filled(&half, "ID,M\ns@x.org,\n").0, "ID,M\ns@x.org,\n");
    }

    #[test]
    fn a_sheet_without_any_student_is_refused() {
        let problem = |sheet: &str| {
            let students: Vec<Student> = CLASS.iter().map(student).collect();
            let keys = Keys::of(students.iter().map(|it| (it, None)).collect());
            let filled = sheet::fill(sheet.as_bytes(), "ID", "M", &keys.marks).expect("filled");
            keys.meet_nobody(&filled)
        };
        let told = "no cell is the id or address of a student: the sheet has `Ada`, the class `w1`; expected another column";
        assert_eq!(problem("ID,M\nAda,\nBob,3\n").as_deref(), Some(told));
        for sheet in ["ID,M\n", "ID,M\nAda,\nw1,\n", "ID,M\nAda,\nw1,EX\n"] {
            assert_eq!(problem(sheet), None, "{sheet}");
        }
    }

    #[test]
    fn a_mark_in_place_of_another_is_named_with_both() {
        let class = [
            ("w1", "", Some("1.00")),
            ("w2", "", Some("2.00")),
            ("w3", "", Some("3.00")),
        ];
        let (text, said) = filled(&class, "ID,M\nw1,7.5\nw2,2\nw3,-\n");
        assert_eq!(text, "ID,M\nw1,1.00\nw2,2.00\nw3,3.00\n");
        let expected = "1 cell had another mark, so look whether somebody had changed it by hand: w1 (7.5 by 1.00)\n";
        assert_eq!(said, expected);
    }

    #[test]
    fn a_mark_has_every_digit_of_marks_csv_and_two_decimals_at_least() {
        for (mark, text) in [
            (2.125, "2.125"),
            (12.5, "12.50"),
            (0.0, "0.00"),
            (9.9996, "10.00"),
        ] {
            assert_eq!(mark_text(mark), text);
        }
    }

    #[test]
    fn an_address_in_another_case_is_found_and_is_not_that_of_somebody_else() {
        let class = [
            ("w1", "Ada@x.org", Some("1.00")),
            ("w2", "w3", Some("2.00")),
            ("W3", "", None),
        ];
        let (text, said) = filled(&class, "ID,M\nada@X.org,EX\nW2,\nw3,\n");
        assert_eq!(text, "ID,M\nada@X.org,EX\nW2,2.00\nw3,\n");
        let expected = "in the sheet and without a mark: W3\n\
                        not filled, as there is something else than a number: Ada@x.org (EX)\n";
        assert_eq!(said, expected);
    }
}
