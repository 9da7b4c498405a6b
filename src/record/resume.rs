//! Going on with a run that was interrupted, at whatever moment that was.

use std::collections::HashMap;
use std::fmt::{self, Display};
use std::fs::{self, File, OpenOptions};
use std::io::{self, BufReader, Read, Write};
use std::path::Path;

use toml::Table;

use super::changes::{Changes, changes};
use super::journal::Journal;
use super::manifest::{self, Circumstances};
use super::row::each_game;
use super::sources::Sources;
use super::{
    DoneGames, GameRow, Ids, JOURNAL, MANIFEST, RecordError, RunFolder, Stamp, cannot_write,
    game_path,
};
use super::{row, write_whole};
use crate::config::Plan;
use crate::game::{Game, GameResult, Setup};

/// The result of a game that was played before.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Done {
    /// The index of the game.
    pub game: usize,
    /// The number of the game pair.
    pub pair: u64,
    /// The players by seat, as indices into those of the plan.
    pub players: [usize; 2],
    /// Who won.
    pub result: GameResult,
}

/// Why a run cannot go on.
#[derive(Debug)]
pub enum ResumeError {
    /// Its folder cannot be read or written.
    Record(RecordError),
    /// It was begun with another plan.
    Changed(Changes),
}

impl From<RecordError> for ResumeError {
    fn from(error: RecordError) -> Self {
        Self::Record(error)
    }
}

impl Display for ResumeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Record(error) => error.fmt(f),
            Self::Changed(changes) => {
                let words = changes.words.join("; ");
                match changes.other_tournament {
                    true => write!(f, "this run was begun as another tournament: {words}"),
                    false => write!(
                        f,
                        "since this run was begun, {words}; --accept-changes goes on all the same, \
                         and plays the games of changed players again"
                    ),
                }
            }
        }
    }
}

impl std::error::Error for ResumeError {}

/// The seed in the manifest of a run, where there is one.
pub fn recorded_seed(run: &Path) -> Option<u64> {
    let manifest: toml::Table = fs::read_to_string(run.join(MANIFEST)).ok()?.parse().ok()?;
    u64::try_from(manifest.get("seed")?.as_integer()?).ok()
}

impl RunFolder {
    /// Opens the folder of a run that was interrupted, or makes it if there is none yet. What a
    /// kill left half-written is put right: such games are played again, and so are those of
    /// changed players. Every row that stays is shown to `each`.
    pub fn resume(
        path: &Path,
        plan: &Plan,
        stamp: Stamp,
        accept_changes: bool,
        each: &mut dyn FnMut(&GameRow),
    ) -> Result<Self, ResumeError> {
        if !path.join(MANIFEST).exists() {
            // Killed before anything was begun.
            let _ = fs::remove_file(path.join(MANIFEST).with_extension("tmp"));
            return Ok(Self::create(path, plan, stamp)?);
        }
        let lock = super::lock(path)?;
        let old = old_manifest(path)?;
        let mut circumstances = Circumstances {
            sources: Sources::of_manifest(&old, plan),
            ..Circumstances::new(stamp)
        };
        let changes = compare(path, &old, &new_manifest(path, plan, &circumstances)?)?;
        if changes.other_tournament || !(changes.is_empty() || accept_changes) {
            return Err(ResumeError::Changed(changes));
        }
        if !changes.is_empty() {
            // Games of changed players go before the manifest that no longer fits them.
            settle(path, plan, &changes, &mut |_, _| true)?;
            for player in &changes.players {
                circumstances.sources.forget(player);
            }
            let text = new_manifest(path, plan, &circumstances)?;
            write_whole(&path.join(MANIFEST), &mut |file| {
                file.write_all(text.as_bytes())
            })?;
        }
        let mut done = DoneGames::default();
        settle(path, plan, &Changes::default(), &mut |row, result| {
            each(row);
            done.insert(row.id, result)
        })?;
        remove_other_logs(path, &done)?;
        super::write_openings(path, plan)?;
        let journal = Journal::open(path)?;
        Ok(Self::new(path, plan, journal, done, circumstances, lock))
    }
}

fn new_manifest(
    path: &Path,
    plan: &Plan,
    circumstances: &Circumstances,
) -> Result<String, RecordError> {
    manifest::render(plan, circumstances)
        .map_err(|problem| RecordError::new(path.join(MANIFEST), problem))
}

fn old_manifest(path: &Path) -> Result<Table, RecordError> {
    let manifest = path.join(MANIFEST);
    let bad = |problem: String| RecordError::new(&manifest, problem);
    fs::read_to_string(&manifest)
        .map_err(|error| bad(format!("cannot be read: {error}")))?
        .parse()
        .map_err(|error| bad(format!("is no manifest: {error}")))
}

fn compare(path: &Path, old: &Table, new: &str) -> Result<Changes, RecordError> {
    let new = new
        .parse()
        .map_err(|error| RecordError::new(path.join(MANIFEST), format!("{error}")))?;
    Ok(changes(old, &new))
}

/// Puts the journal right, and shows each row that stays; `each` refuses a result by `false`.
fn settle(
    path: &Path,
    plan: &Plan,
    changes: &Changes,
    each: &mut dyn FnMut(&GameRow, Done) -> bool,
) -> Result<(), RecordError> {
    let journal = path.join(JOURNAL);
    cut_torn_row(&journal)?;
    let index: HashMap<&str, usize> = plan
        .players
        .iter()
        .enumerate()
        .map(|(index, entry)| (entry.name.as_str(), index))
        .collect();
    let mut seen = Ids::default();
    let mut dropped = Ids::default();
    each_game(&journal, &mut |row| {
        if row.names().map(|name| index.contains_key(name)) != [true; 2] {
            return Err("it names a player that the plan has not".to_owned());
        }
        if !seen.insert(row.id) {
            return Err(format!("game {} is there twice", row.id));
        }
        let changed = row.names().map(|name| changes.players.contains(name));
        let logged = plan.keep_logs.keeps(row.is_forfeited());
        if changed.contains(&true) || (logged && !log_is_whole(path, &row)) {
            dropped.insert(row.id);
        }
        Ok(())
    })?;
    if let Some(first) = dropped.first() {
        // Which games come after it may depend on it.
        let all_after = plan.format.depends_on_results();
        drop_rows(&journal, &|id| {
            dropped.contains(id) || (all_after && id > first)
        })?;
    }
    let games: Vec<Game> = plan.games.iter().map(Setup::game).collect();
    each_game(&journal, &mut |row| {
        let done = Done::new(&row, &games, &index)?;
        match each(&row, done) {
            true => Ok(()),
            false => Err("it has a result that no game can have".to_owned()),
        }
    })
}

/// Writes the journal anew without some of its games.
fn drop_rows(journal: &Path, dropped: &dyn Fn(u64) -> bool) -> Result<(), RecordError> {
    write_whole(journal, &mut |file| {
        file.write_all(&row::header())?;
        let mut written = Ok(());
        each_game(journal, &mut |row| {
            if written.is_ok() && !dropped(row.id) {
                written = file.write_all(&row::line(&row));
            }
            Ok(())
        })
        .map_err(io::Error::other)?;
        written
    })
}

impl Done {
    /// The result of a row of the journal, given the names of the games and where to find each player.
    pub fn new(
        row: &GameRow,
        games: &[Game],
        players: &HashMap<&str, usize>,
    ) -> Result<Self, String> {
        let seats = row.names().map(|name| players.get(name).copied());
        let [Some(first), Some(second)] = seats else {
            return Err("it names a player that the plan has not".to_owned());
        };
        Ok(Self {
            game: games
                .iter()
                .position(|game| *game == row.game)
                .ok_or("it is of a game that the plan has not")?,
            pair: row.pair,
            players: [first, second],
            result: row.end.result,
        })
    }
}

/// Cuts off what follows the last whole row, and writes the header where even that is not whole.
fn cut_torn_row(journal: &Path) -> Result<(), RecordError> {
    let failed = |error: &std::io::Error| RecordError::new(journal, cannot_write(error));
    let mut file = OpenOptions::new()
        .read(true)
        .append(true)
        .create(true)
        .open(journal)
        .map_err(|error| failed(&error))?;
    let (whole, length) = whole_rows(&mut file).map_err(|error| failed(&error))?;
    if whole < length {
        file.set_len(whole).map_err(|error| failed(&error))?;
    }
    if whole == 0 {
        file.write_all(&row::header())
            .map_err(|error| failed(&error))?;
    }
    Ok(())
}

/// How many bytes are whole rows, and how many there are in all. A line ending inside quotes ends
/// no row.
fn whole_rows(file: &mut File) -> std::io::Result<(u64, u64)> {
    let mut reader = BufReader::new(file);
    let mut buffer = vec![0; 64 << 10];
    let (mut whole, mut length, mut quoted) = (0, 0, false);
    loop {
        let count = reader.read(&mut buffer)?;
        if count == 0 {
            return Ok((whole, length));
        }
        for byte in &buffer[..count] {
            length += 1;
            match byte {
                b'"' => quoted = !quoted,
                b'\n' if !quoted => whole = length,
                _ => {}
            }
        }
    }
}

/// Whether the log of a game has all its plies. A machine that lost power may have kept the row and
/// not the log.
fn log_is_whole(run: &Path, row: &GameRow) -> bool {
    fs::read(game_path(run, "games", row.id, ".csv")).is_ok_and(|log| {
        let lines = log.iter().filter(|byte| **byte == b'\n').count();
        log.ends_with(b"\n") && lines as u64 == u64::from(row.end.plies) + 1
    })
}

/// Removes what was written of games that were not finished.
fn remove_other_logs(run: &Path, done: &DoneGames) -> Result<(), RecordError> {
    for kind in ["games", "stderr"] {
        let Ok(folders) = fs::read_dir(run.join(kind)) else {
            continue;
        };
        for file in folders
            .flatten()
            .filter_map(|folder| fs::read_dir(folder.path()).ok())
            .flat_map(|files| files.flatten())
        {
            let name = file.file_name();
            let digits = name.to_string_lossy();
            let digits = digits.split(['.', '-']).next().unwrap_or_default();
            if digits.parse().is_ok_and(|id: u64| !done.contains(id)) {
                fs::remove_file(file.path())
                    .map_err(|error| RecordError::new(file.path(), cannot_write(&error)))?;
            }
        }
    }
    Ok(())
}
