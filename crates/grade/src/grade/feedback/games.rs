//! A student's own games, by test: a log of each, output of its program, and a page with the boards.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use super::PlayedTest;
use super::facts::seat_of;
use super::folders::Folders;
use crate::grade::error::GradeError;
use crate::grade::folder::{FEEDBACK_FILES, GradeFolder};
use crate::pages::{DrawnGames, GAME_PAGE, game_pages};
use crate::runs::{
    JOURNAL, RunFileError, RunFileProblem, bot_log_path, make_parent, remove_folder,
    remove_if_there, sha256, write_bytes,
};

const PAGES: &str = "report";

/// Feedback folder in commands: it lies in the program's folder.
pub(super) const AT_HOME: &str = "feedback";

/// Writes the games of these tests that count in marks into the folder of the student's feedback, which is
/// replaced as a whole. If the games in it are current, nothing is done.
pub(super) fn write_games(
    folder: &GradeFolder,
    key: &str,
    tests: &[&PlayedTest<'_>],
    folders: &Folders,
) -> Result<(), GradeError> {
    let to = folder.feedback(key);
    let known = folder.work().join("feedback").join(key);
    let state = state(tests)?;
    if to.exists() && fs::read_to_string(&known).is_ok_and(|text| text == state) {
        return Ok(());
    }
    let beside = |name: &str| to.with_file_name(format!(".{key}.{name}"));
    let (new, old) = (beside("new"), beside("old"));
    remove_folder(&new)?;
    remove_folder(&old)?;
    fs::create_dir_all(&new).map_err(RunFileError::at(&new, RunFileProblem::Make))?;
    for test in tests {
        write_test(test, key, &new.join(test.name), folders)?;
    }
    // Remove the state first: after a crash between the renames, it would describe the wrong games.
    remove_if_there(&known)?;
    if to.exists() {
        fs::rename(&to, &old).map_err(RunFileError::at(&to, RunFileProblem::Write))?;
    }
    fs::rename(&new, &to).map_err(RunFileError::at(&to, RunFileProblem::Write))?;
    remove_folder(&old)?;
    make_parent(&known)?;
    write_bytes(&known, state)?;
    Ok(())
}

/// Removes what earlier gradings wrote for keys that are not among `keys`. Other files in their folders stay.
pub(super) fn remove_others(folder: &GradeFolder, keys: &BTreeSet<&str>) -> Result<(), GradeError> {
    let states = fs::read_dir(folder.work().join("feedback"));
    for state in states.into_iter().flatten().flatten() {
        let Ok(key) = state.file_name().into_string() else {
            continue;
        };
        if keys.contains(key.as_str()) {
            continue;
        }
        let to = folder.feedback(&key);
        let text = fs::read_to_string(state.path()).unwrap_or_default();
        for (test, _) in text.lines().filter_map(|line| line.rsplit_once(' ')) {
            remove_folder(&to.join(test))?;
        }
        for file in FEEDBACK_FILES {
            remove_if_there(&to.join(file))?;
        }
        // Fails where somebody put a file of another kind there, which is fine.
        let _ = fs::remove_dir(&to);
        remove_folder(&folder.returned(&key))?;
        remove_if_there(&state.path())?;
    }
    Ok(())
}

/// Page of all games of the student in a test, relative to the feedback.
pub(in crate::grade) fn all_games(test: &str) -> String {
    format!("{test}/{PAGES}/{GAME_PAGE}")
}

pub(super) fn link(test: &str, id: u64, ply: u32) -> String {
    format!("{}#g{id}p{ply}", all_games(test))
}

pub(super) fn sent_file(test: &str, id: u64) -> PathBuf {
    Path::new(test).join(format!("{id}.txt"))
}

fn state(tests: &[&PlayedTest<'_>]) -> Result<String, RunFileError> {
    let mut text = format!("{}\n", env!("CARGO_PKG_VERSION"));
    for test in tests {
        let digest = sha256(&test.run.path().join(JOURNAL))?;
        text.push_str(&format!("{} {digest}-{}\n", test.name, test.end));
    }
    Ok(text)
}

fn write_test(
    PlayedTest { run, end, .. }: &PlayedTest<'_>,
    player: &str,
    to: &Path,
    folders: &Folders,
) -> Result<(), GradeError> {
    let write = |name: &Path, bytes: &[u8]| {
        let path = to.join(name);
        make_parent(&path)?;
        fs::write(&path, bytes).map_err(RunFileError::at(&path, RunFileProblem::Write))
    };
    for row in run.rows()? {
        let row = row?;
        let Some(seat) = seat_of(&row, player).filter(|_| row.id < *end) else {
            continue;
        };
        let seat_name = row.game.seat_name(seat);
        let output = bot_log_path(Path::new(""), row.id, seat_name);
        let is_won = row.end.result.points(seat) == 1.0;
        for (name, digest) in row.files.by_name(row.game, row.id) {
            let is_log = !name.starts_with("stderr");
            if !is_log && (name != output || is_won) {
                continue;
            }
            let bytes = run.game_file(&name, digest)?;
            let shown = match is_log {
                true => log_for(seat_name, &bytes),
                false => Some(folders.text(&String::from_utf8_lossy(&bytes)).into_bytes()),
            };
            if let Some(shown) = shown {
                write(&name, &shown)?;
            }
        }
    }
    let mut write_page =
        |name: &str, page: &str| write(&Path::new(PAGES).join(name), folders.text(page).as_bytes());
    let counting = DrawnGames::Some((0..*end).collect());
    game_pages(run, &counting, Some(player), &mut write_page)?;
    Ok(())
}

/// The log of a game for the player of a seat: without the values that others reported, and the length of their
/// output, which may tell how they think. `None` if it is no log.
fn log_for(own: &str, log: &[u8]) -> Option<Vec<u8>> {
    let mut reader = csv::Reader::from_reader(log);
    let columns = reader.headers().ok()?.clone();
    let place = |name: &str| columns.iter().position(|column| column == name);
    let (seat, secret) = (place("seat")?, [place("values")?, place("output_bytes")?]);
    let mut writer = csv::Writer::from_writer(Vec::new());
    writer.write_record(&columns).ok()?;
    for record in reader.records() {
        let record = record.ok()?;
        let is_own = record.get(seat) == Some(own);
        let fields = record.iter().enumerate();
        let fields = fields.map(|(at, field)| match is_own || !secret.contains(&at) {
            true => field,
            false => "",
        });
        writer.write_record(fields).ok()?;
    }
    writer.into_inner().ok()
}
