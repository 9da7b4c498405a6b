//! Columns of a roster: our names, and names in exports of learning-management systems.

use std::collections::HashMap;

/// Our names for the columns of a roster.
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
pub(super) const FIRST_NAME: &str = "first name";
pub(super) const LAST_NAME: &str = "last name";

/// Column names in a system's export of students.
struct Export {
    /// Names of columns that identify the export.
    known_by: &'static [&'static str],
    /// Pairs of our name and the export's; the first that exists counts.
    columns: &'static [(&'static str, &'static str)],
}

/// In lower case, because names are compared folded.
const EXPORTS: [Export; 5] = [
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

/// Why a header cannot be used.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum NoColumns {
    /// No column is the id.
    NoId,
    /// A column is there twice.
    Twice(String),
    /// A column named in the configuration is missing.
    Missing(String),
}

/// Number of columns, and index of each known one.
#[derive(Debug)]
pub(super) struct RosterColumns {
    pub count: usize,
    pub places: HashMap<&'static str, usize>,
}

impl RosterColumns {
    /// Finds the columns in a header. `named` has names from the configuration, by ours; they take precedence
    /// over an export's names, and these over ours.
    pub fn find(names: &[&str], named: &[(&'static str, String)]) -> Result<Self, NoColumns> {
        let folded: Vec<String> = names
            .iter()
            .map(|name| name.trim().to_lowercase())
            .collect();
        let place = |name: &str| -> Result<Option<usize>, NoColumns> {
            let mut places = (0..folded.len()).filter(|at| folded[*at] == name);
            match (places.next(), places.next()) {
                (_, Some(_)) => Err(NoColumns::Twice(name.to_owned())),
                (first, None) => Ok(first),
            }
        };
        let is_there = |name: &&str| folded.iter().any(|it| it == name);
        let export = EXPORTS
            .iter()
            .find(|export| export.known_by.iter().all(is_there));
        let own = COLUMNS.iter().map(|column| (*column, *column));
        let mut places = HashMap::new();
        for (column, name) in named {
            let found = place(&name.trim().to_lowercase())?;
            let found = found.ok_or_else(|| NoColumns::Missing(name.clone()))?;
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
            }
        }
        if places.contains_key("id") {
            Ok(Self {
                count: names.len(),
                places,
            })
        } else {
            Err(NoColumns::NoId)
        }
    }
}
