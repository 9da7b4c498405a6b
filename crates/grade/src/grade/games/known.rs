//! Games that were played and are used no more, since something that decides games has changed.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use super::{Player, TestRun};
use crate::grade::config::Grading;
use crate::grade::folder::GradeFolder;
use crate::grade::intake::IntakeIssue;
use crate::runs::{Changes, JOURNAL, Manifest, RunFileError, folder_digest, write_bytes};
use crate::text::{counted, excerpt};

const MANIFEST: &str = "manifest.toml";

const CHANGE: usize = 160;

/// The file with the digest of the course's files at the last grading of the class.
const COURSE_FILES: &str = "course-files";

/// The digest of the course's files, if there are any; empty for a folder that is too large.
fn digest(grading: &Grading) -> Option<String> {
    let folder = grading.course_files.as_ref()?;
    Some(folder_digest(folder).unwrap_or_default())
}

/// Keeps the digest of the course's files, since all games of the class are played with them now.
pub fn keep_course_files(grading: &Grading, folder: &GradeFolder) -> Result<(), RunFileError> {
    let path = folder.work().join(COURSE_FILES);
    digest(grading).map_or(Ok(()), |digest| write_bytes(&path, digest))
}

/// Notes on known games that are to be played again although the submission is the same: how many, and why.
pub fn unused_games(
    grading: &Grading,
    folder: &GradeFolder,
    players: &[Player<'_>],
) -> Vec<IntakeIssue> {
    let then = fs::read_to_string(folder.work().join(COURSE_FILES)).ok();
    let course = then.filter(|then| digest(grading).is_some_and(|now| now != *then));
    let course = course.and(grading.course_files.as_ref());
    let course =
        course.map(|dir| format!("the files in `course-files` changed ({})", dir.display()));
    let mut by_cause: BTreeMap<String, (u64, u64)> = BTreeMap::new();
    for player in players {
        let mut of_player: BTreeMap<String, u64> = BTreeMap::new();
        for (run, earlier) in player
            .runs
            .iter()
            .filter_map(|it| Some((it, it.earlier()?)))
        {
            let games = games_in(&earlier);
            let cause = course
                .clone()
                .unwrap_or_else(|| run.changes_since(&earlier, games));
            *of_player.entry(cause).or_default() += games;
        }
        for (cause, games) in of_player.into_iter().filter(|(_, games)| *games > 0) {
            let (all, students) = by_cause.entry(cause).or_default();
            *all += games;
            *students += 1;
        }
    }
    let notes = by_cause.into_iter().map(|(cause, (games, students))| {
        let text = format!(
            "{} of {} will not be used any more, and such games are played again: since they were played, {cause}",
            counted(games, "known game", "known games"),
            counted(students, "student or team", "students and teams"),
        );
        IntakeIssue::note("games", text)
    });
    notes.collect()
}

impl TestRun<'_> {
    /// The newest run of the test by the same submission, if the run that is to be played has not begun.
    fn earlier(&self) -> Option<PathBuf> {
        if self.path.exists() {
            return None;
        }
        let own = self.bot.launch.dir.as_deref().map(place);
        let is_own = |run: &PathBuf| {
            let text = fs::read_to_string(run.join(MANIFEST)).ok();
            let manifest = text.and_then(|text| toml::from_str::<Manifest>(&text).ok());
            let dir = manifest.and_then(|it| it.player(&self.bot.name)?.dir.clone());
            dir.as_deref().map(place) == own
        };
        let runs = fs::read_dir(self.path.parent()?).ok()?.flatten();
        let runs = runs.map(|run| run.path()).filter(is_own);
        let begun = |run: &PathBuf| {
            run.join(MANIFEST)
                .metadata()
                .and_then(|it| it.modified())
                .ok()
        };
        runs.max_by_key(begun)
    }

    fn changes_since(&self, earlier: &Path, games: u64) -> String {
        let seats = self.test.seats() as u32;
        // With as many games as there were, their number is no change.
        let games = (games as u32).next_multiple_of(seats).max(self.test.games);
        let changes = Changes::since(earlier, &self.plan(games), self.of.host.stamp());
        let Ok(changes) = changes else {
            return "the form of the records changed".to_owned();
        };
        let own = format!("player {}", self.bot.name);
        let words = changes.words.iter();
        let words = words.map(|word| excerpt(&word.replace(&own, "their programs"), CHANGE));
        words.collect::<Vec<_>>().join("; ")
    }
}

/// The end of a bot's path, which names the submission: the class may have been moved.
fn place(dir: &Path) -> PathBuf {
    let parts: Vec<_> = dir.components().collect();
    parts[parts.len().saturating_sub(2)..].iter().collect()
}

fn games_in(run: &Path) -> u64 {
    let rows = csv::Reader::from_path(run.join(JOURNAL)).ok();
    rows.map_or(0, |rows| rows.into_records().flatten().count() as u64)
}
