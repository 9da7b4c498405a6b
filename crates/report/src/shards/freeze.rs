//! Copies all files that a configuration names into the folder of a plan, so that every machine plays with the
//! same bots, even if the originals change.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::fs;
use std::path::{Component, Path, PathBuf};

use toml::{Table, Value};
use walkdir::{DirEntry, WalkDir};

use super::FolderError;
use crate::config::read_text;
use crate::runs::{CopyError, copy_except, sha256, write_bytes};

const DIGESTS: &str = "frozen.sha256";

/// Subfolder with the files that the course puts beside the bots.
const COURSE: &str = "course";

/// Copies the files that a configuration names into `folder`; its paths are relative to `base`. Rewrites the
/// paths in `config` to be relative to `folder`, and returns a warning for each file that could not be frozen.
pub fn freeze(config: &mut Table, base: &Path, folder: &Path) -> Result<Vec<String>, FolderError> {
    let mut freezer = Freezer {
        base,
        folder,
        copied: BTreeMap::new(),
        warnings: Vec::new(),
    };
    for game in tables(config, "game") {
        freezer.openings(game)?;
        freezer.program(game, "rules", "rules", "the rules program")?;
    }
    for player in tables(config, "player") {
        freezer.player(player)?;
    }
    if let Some(Value::String(path)) = config.get_mut("course-files") {
        *path = freezer.copy(COURSE, Path::new(path.as_str()))?;
    }
    write_digests(folder)?;
    Ok(freezer.warnings)
}

/// The tables under a key: a single table, or an array of them.
fn tables<'a>(config: &'a mut Table, key: &str) -> Vec<&'a mut Table> {
    match config.get_mut(key) {
        Some(Value::Table(table)) => vec![table],
        Some(Value::Array(values)) => values.iter_mut().filter_map(Value::as_table_mut).collect(),
        _ => Vec::new(),
    }
}

struct Freezer<'a> {
    base: &'a Path,
    folder: &'a Path,
    /// Copied originals, each with its path in the plan's folder.
    copied: BTreeMap<PathBuf, String>,
    /// Messages about files that could not be frozen.
    warnings: Vec<String>,
}

impl Freezer<'_> {
    fn openings(&mut self, game: &mut Table) -> Result<(), FolderError> {
        if let Some(Value::String(path)) = game.get_mut("openings") {
            *path = self.copy("openings", Path::new(path.as_str()))?;
        }
        // Tablebases are too large to copy.
        if let Some(Value::String(path)) = game.get_mut("syzygy") {
            let there = self.base.join(&*path);
            let there = std::path::absolute(&there).unwrap_or(there);
            *path = there.to_string_lossy().into_owned();
        }
        Ok(())
    }

    fn player(&mut self, player: &mut Table) -> Result<(), FolderError> {
        if player.contains_key("house") {
            return Ok(());
        }
        let name = player.get("name").and_then(Value::as_str);
        let name = name.unwrap_or("a player").to_owned();
        self.program(player, "command", "bots", &name)?;
        if !player.contains_key("dir") && player.contains_key("shell") {
            self.warnings.push(format!(
                "{name} has `shell` and no `dir`: nothing of it is frozen, so every machine must have it"
            ));
        }
        Ok(())
    }

    /// Copies the folder of a program, or the files that its command under `key` names, into a part of the plan's
    /// folder.
    fn program(
        &mut self,
        table: &mut Table,
        key: &str,
        part: &str,
        name: &str,
    ) -> Result<(), FolderError> {
        let dir = table.get("dir").and_then(Value::as_str);
        let dir = dir.map(str::to_owned);
        if let Some(dir) = &dir {
            let copy = self.copy(part, Path::new(dir))?;
            table.insert("dir".to_owned(), Value::String(copy));
        }
        let words = table.get_mut(key).and_then(Value::as_array_mut);
        let words = words.into_iter().flatten();
        for (at, word) in words.enumerate() {
            let Value::String(word) = word else { continue };
            let path = PathBuf::from(word.as_str());
            match &dir {
                Some(dir) if at == 0 && leaves(&path) => {
                    *word = absolute(&self.base.join(dir).join(&path))?
                        .display()
                        .to_string();
                    self.warn_of_program(name, word);
                }
                None if at == 0 && path.is_absolute() => self.warn_of_program(name, word),
                None if at == 0 && path.components().count() < 2 => {}
                None if self.base.join(&path).is_file() => {
                    *word = self.copy(part, &path)?;
                    self.warnings.push(format!(
                        "{name} has no `dir`: only the files that its command names are frozen, and nothing \
                         that they load"
                    ));
                }
                _ => {}
            }
        }
        Ok(())
    }

    fn warn_of_program(&mut self, name: &str, program: &str) {
        self.warnings.push(format!(
            "the program of {name}, {program}, is not frozen: every machine must have it"
        ));
    }

    /// Copies a file or a folder into a part of the plan's folder, once for each original. Returns the new
    /// path, relative to the plan's folder.
    fn copy(&mut self, part: &str, path: &Path) -> Result<String, FolderError> {
        let from = absolute(&self.base.join(path))?;
        if let Some(known) = self.copied.get(&from) {
            return Ok(known.clone());
        }
        let name = from.file_name().unwrap_or_default().to_string_lossy();
        let is_plain = |c: char| c.is_ascii_alphanumeric() || "-_.".contains(c);
        let name: String = name
            .chars()
            .map(|c| if is_plain(c) { c } else { '_' })
            .collect();
        let to = format!("{part}/{:03}-{name}", self.copied.len());
        let below = self.folder.join(part);
        fs::create_dir_all(&below).map_err(|source| CopyError::File {
            path: below.clone(),
            source,
        })?;
        copy_except(&from, &self.folder.join(&to), self.folder)?;
        self.copied.insert(from, to.clone());
        Ok(to)
    }
}

/// Whether a path relative to a bot's folder leads out of it.
fn leaves(path: &Path) -> bool {
    path.components().next() == Some(Component::ParentDir)
}

fn absolute(path: &Path) -> Result<PathBuf, CopyError> {
    path.canonicalize().map_err(|source| CopyError::File {
        path: path.to_owned(),
        source,
    })
}

/// Writes digests of all frozen files, including results of builds in the plan's folder.
pub(super) fn write_digests(folder: &Path) -> Result<(), FolderError> {
    let mut text = String::new();
    for name in files(folder)? {
        let digest = sha256(&folder.join(&name))?;
        // Writing to a string cannot fail.
        let _ = writeln!(text, "{digest}  {}", name.display());
    }
    let path = folder.join(DIGESTS);
    Ok(write_bytes(&path, text)?)
}

/// Files below the frozen folders, relative to the plan's folder, sorted. A name with a line end is left out:
/// it would be two lines of digests.
fn files(folder: &Path) -> Result<Vec<PathBuf>, FolderError> {
    let mut files = Vec::new();
    let is_kept =
        |entry: &DirEntry| !entry.file_type().is_dir() || entry.file_name() != "__pycache__";
    let mut parts = ["bots", COURSE, "openings", "rules"]
        .map(|part| folder.join(part))
        .to_vec();
    parts.retain(|part| part.exists());
    for entry in parts
        .iter()
        .flat_map(|part| WalkDir::new(part).into_iter().filter_entry(is_kept))
    {
        let entry = entry.map_err(|error| CopyError::File {
            path: error.path().unwrap_or(folder).to_owned(),
            source: error.into(),
        })?;
        if entry.file_type().is_file() && !entry.path().to_string_lossy().contains('\n') {
            files.extend(entry.path().strip_prefix(folder).map(Path::to_owned));
        }
    }
    files.sort();
    Ok(files)
}

/// Compares all frozen files with their digests.
pub(super) fn check_digests(folder: &Path) -> Result<(), FolderError> {
    let path = folder.join(DIGESTS);
    let text = read_text(&path).map_err(|source| CopyError::File {
        path: path.clone(),
        source,
    })?;
    for line in text.lines() {
        let Some((digest, name)) = line.split_once("  ") else {
            return Err(FolderError::Changed(path));
        };
        let file = folder.join(name);
        if !file.is_file() || sha256(&file)? != digest {
            return Err(FolderError::Changed(file));
        }
    }
    Ok(())
}
