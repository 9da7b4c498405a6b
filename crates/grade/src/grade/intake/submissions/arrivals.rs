//! Arrivals for an entrant: an entry of the submissions folder, or the loose files of one student.

use std::collections::{BTreeMap, BTreeSet};
use std::fs::Metadata;
use std::path::Path;

use jiff::{SignedDuration, Timestamp};
use walkdir::WalkDir;

use super::names::{CanvasName, Names, numbered, uploaded, without_copy_number};
use super::{Layout, LooseFiles};
use crate::grade::intake::unpack::{is_document, without_ending};
use crate::runs;

const MOST_LOOKED_AT: usize = 10_000;

pub(super) struct Arrival {
    pub entrant: usize,
    pub name: String,
    pub submitted: Option<Timestamp>,
    pub by_roster: Option<Timestamp>,
    pub copy: u32,
    pub modified: Option<Timestamp>,
    /// Whether it is a folder, or an archive by its name.
    pub can_be_unpacked: bool,
    pub loose: LooseFiles,
}

/// Files whose times differ by less may have been written in one go: downloaded, unpacked or copied.
pub(super) const ONE_GO: SignedDuration = SignedDuration::from_mins(1);

impl Arrival {
    fn time(&self) -> Option<Timestamp> {
        self.by_roster.or(self.submitted)
    }

    /// Order in which submissions came, by the roster, an export and names.
    pub fn order(&self) -> (Option<Timestamp>, Option<Timestamp>, u32) {
        (self.time(), self.submitted, self.copy)
    }

    /// Digest of its content; `None` if it cannot be read, or is too large.
    fn digest(&self, folder: &Path) -> Option<String> {
        let loose = self.loose.iter();
        let loose = loose.map(|(name, path)| Some(format!("{name}/{}", runs::sha256(path).ok()?)));
        let path = folder.join(&self.name);
        match path.symlink_metadata().ok()? {
            _ if !self.loose.is_empty() => Some(loose.collect::<Option<Vec<_>>>()?.join("/")),
            what if what.is_dir() => runs::folder_digest(&path),
            what if what.is_file() => runs::sha256(&path).ok(),
            _ => None,
        }
    }
}

/// Submissions of one entrant from the last to the first, without copies of a later one. A copy has no other time.
pub(super) fn without_copies<'a>(folder: &Path, arrivals: &[&'a Arrival]) -> Vec<&'a Arrival> {
    let mut kept: Vec<(&Arrival, Option<String>)> = Vec::new();
    for arrival in arrivals.iter().copied().rev() {
        let digest = match arrivals {
            [_] => None,
            _ => arrival.digest(folder),
        };
        let is_copy = |(of, other): &(&Arrival, Option<String>)| {
            let times = [arrival.time(), of.time()];
            let is_then = times.contains(&None) || times[0] == times[1];
            digest.is_some() && digest == *other && is_then && arrival.copy == of.copy
        };
        if !kept.iter().any(is_copy) {
            kept.push((arrival, digest));
        }
    }
    kept.into_iter().map(|(arrival, _)| arrival).collect()
}

/// Makes one arrival of the files that one student uploaded one by one. Of archives beside documents alone, the latest
/// counts as everywhere. In a folder that no system made, files beside something that can be unpacked are passed over.
pub(super) fn joined(
    folder: &Path,
    layout: Layout,
    names: &Names,
    arrivals: Vec<Arrival>,
) -> Vec<Arrival> {
    let packed = arrivals.iter().filter(|it| it.can_be_unpacked);
    let packed: BTreeSet<usize> = packed.map(|it| it.entrant).collect();
    let mut alone = Vec::new();
    let mut by_student: BTreeMap<(usize, String), Vec<(Arrival, String)>> = BTreeMap::new();
    for arrival in arrivals {
        let metadata = folder.join(&arrival.name).symlink_metadata();
        let is_alone = !packed.contains(&arrival.entrant) && !is_document(&arrival.name);
        let file = match layout {
            Layout::Folders if is_alone => names.split(&arrival.name),
            _ => uploaded(layout, &arrival.name),
        };
        let file = file.filter(|_| metadata.is_ok_and(|it| it.is_file()));
        match file.map(|(who, file)| (who.to_owned(), file.to_owned())) {
            Some((who, file)) => {
                let of = by_student.entry((arrival.entrant, who)).or_default();
                of.push((arrival, file));
            }
            None => alone.push(arrival),
        }
    }
    for files in by_student.into_values() {
        let is_of_program =
            |(it, file): &(Arrival, String)| !it.can_be_unpacked && !is_document(file);
        let has_archive = files.iter().any(|(it, _)| it.can_be_unpacked);
        if has_archive && !files.iter().any(is_of_program) {
            let archives = files.into_iter().map(|(it, _)| it);
            alone.extend(archives.filter(|it| it.can_be_unpacked));
        } else {
            alone.extend(one_of(folder, layout, files));
        }
    }
    alone
}

fn one_of(folder: &Path, layout: Layout, mut files: Vec<(Arrival, String)>) -> Option<Arrival> {
    files.sort_by_key(|(it, file)| (is_document(file), it.can_be_unpacked, it.copy));
    let given: BTreeSet<String> = files.iter().map(|(_, file)| file.clone()).collect();
    let own = |file: &str| match numbered(file).filter(|_| layout == Layout::Canvas) {
        // Numbers of the author's, as in `data-1.csv` beside `data-2.csv`, stay.
        Some((name, number, ending)) => {
            let is_alike = |it: &&String| {
                numbered(it)
                    .is_some_and(|(a, other, b)| (a, b) == (name, ending) && other != number)
            };
            let plain = format!("{name}{ending}");
            if given.iter().any(|it| is_alike(&it)) && !given.contains(&plain) {
                file.to_owned()
            } else {
                plain
            }
        }
        None => file.to_owned(),
    };
    let loose = files
        .iter()
        .map(|(it, file)| (own(file), folder.join(&it.name)));
    let loose = loose.collect();
    let copy = files.iter().map(|(it, _)| it.copy).max()?;
    let modified = files.iter().filter_map(|(it, _)| it.modified).max();
    let (first, _) = files.into_iter().next()?;
    Some(Arrival {
        can_be_unpacked: true,
        copy,
        modified,
        loose,
        ..first
    })
}

/// Copy number of an entry, added to its name by a browser or by Canvas.
pub(super) fn copy_number(layout: Layout, name: &str) -> u32 {
    match layout {
        Layout::Canvas => CanvasName::of(name).map_or(0, |it| it.attempt),
        Layout::Folders | Layout::Moodle | Layout::Gradescope => {
            without_copy_number(without_ending(name).unwrap_or(name)).1
        }
    }
}

/// Modification time of a file, or of the newest file in a folder. Large folders are sampled.
pub(super) fn newest(path: &Path) -> Option<Timestamp> {
    let changed = |metadata: Metadata| Timestamp::try_from(metadata.modified().ok()?).ok();
    let entries = WalkDir::new(path)
        .follow_root_links(false)
        .min_depth(1)
        .into_iter()
        .flatten();
    let files = entries
        .take(MOST_LOOKED_AT)
        .filter(|entry| !entry.file_type().is_dir());
    let newest = files
        .filter_map(|file| changed(file.metadata().ok()?))
        .max();
    newest.or_else(|| changed(path.symlink_metadata().ok()?))
}
