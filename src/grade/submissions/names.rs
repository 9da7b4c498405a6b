//! The names under which entrants hand in.

use std::collections::{BTreeSet, HashMap};

use super::gradescope::Submitter;
use crate::grade::roster::{Entrant, Roster, Student};
use crate::grade::unpack::without_ending;
use crate::text;

/// Whose a submission is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Whose {
    /// That of the entrant with this index.
    Entrant(usize),
    /// It matches nobody.
    Nobody,
    /// It matches several.
    Several(BTreeSet<usize>),
    /// The export says nothing of it.
    Unlisted,
}

impl Whose {
    /// All whose it may be.
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

/// Names of one kind, and who has each.
#[derive(Debug, Default)]
struct Index {
    exact: HashMap<String, BTreeSet<usize>>,
    /// The same in small letters, with composed accents and one space between words.
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

    /// Who has that name: as it is written, or else in any case.
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

/// The names of all entrants.
#[derive(Debug, Default)]
pub(super) struct Names {
    /// Ids, teams and keys.
    ids: Index,
    emails: Index,
    /// What people are called.
    people: Index,
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

    /// Those of each student alone, by the index in the roster.
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
    }

    /// An id, or else an address.
    fn of_id(&self, name: &str) -> BTreeSet<usize> {
        let ids = self.ids.of(name);
        if ids.is_empty() {
            self.emails.of(name)
        } else {
            ids
        }
    }

    /// Of a folder or archive that begins with an id: with the longest that ends at `-`, `_` or `.`.
    pub fn of_entry(&self, name: &str, is_folder: bool) -> Whose {
        let archive = if is_folder {
            None
        } else {
            without_ending(name)
        };
        let stem = archive.unwrap_or(name);
        let whole = self.of_id(stem);
        if !whole.is_empty() {
            return whole.into();
        }
        let boundaries = stem.rmatch_indices(['-', '_', '.']);
        let beginnings = boundaries.map(|(end, _)| self.ids.of(&stem[..end]));
        let longest = beginnings.into_iter().find(|found| !found.is_empty());
        longest.unwrap_or_default().into()
    }

    /// Of an entry of Moodle's export: by the id and by the full name. Its number may be one of Moodle's own,
    /// so where both are known they must agree. `None` if it was typed into a form.
    pub fn of_moodle(&self, name: &str, is_folder: bool) -> Option<Whose> {
        let Some((who, rest)) = name.split_once("_assignsubmission_") else {
            return Some(self.of_entry(name, is_folder));
        };
        if rest.starts_with("onlinetext") {
            return None;
        }
        let (full_name, id) = who.rsplit_once('_').unwrap_or((who, who));
        Some(self.of_id_and_name(id, full_name))
    }

    fn of_id_and_name(&self, id: &str, full_name: &str) -> Whose {
        let by_id = self.of_id(id);
        let by_name = self.people.of(full_name);
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

    /// Of all who handed in together: each by the id, else the address, else the name.
    pub fn of_submitters(&self, submitters: &[Submitter]) -> Whose {
        let mut entrants = BTreeSet::new();
        for submitter in submitters {
            let found = [
                self.of_id(&submitter.sid),
                self.emails.of(&submitter.email),
                self.people.of(&submitter.name),
            ];
            let first = found.into_iter().find(|found| !found.is_empty());
            entrants.extend(first.unwrap_or_default());
        }
        entrants.into()
    }
}
