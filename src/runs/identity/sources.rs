//! Source files of built bots: the files of their folders that no build made or changed.
//!
//! A resumed run must notice a changed bot, but must not mistake build products for changes. After the
//! first build the two can be told apart; from then on the manifest has the list of source files, and a
//! digest of them.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use walkdir::{DirEntry, WalkDir};

use super::content::{Content, MOST_BYTES, MOST_FILES, content};
use crate::config::Plan;

/// Source files of a run's bots.
#[derive(Debug, Default)]
pub(in crate::runs) struct Sources {
    /// Source files of built bots by player, as paths relative to the bot's folder.
    built: BTreeMap<String, Vec<String>>,
    /// Players without a digest of their folder, because it was too large.
    without_folder: BTreeSet<String>,
}

impl Sources {
    /// Known source files of built bots by player, and the players without a digest of their folder.
    pub fn new(built: BTreeMap<String, Vec<String>>, without_folder: BTreeSet<String>) -> Self {
        Self {
            built,
            without_folder,
        }
    }

    /// The source files of a player, if known.
    pub fn of(&self, player: &str) -> Option<&[String]> {
        self.built.get(player).map(Vec::as_slice)
    }

    /// Whether the digest of a player's bot covers its folder.
    pub fn has_folder(&self, player: &str) -> bool {
        !self.without_folder.contains(player)
    }

    /// Forgets the files of a player, so that its next build finds them again.
    pub fn forget(&mut self, player: &str) {
        self.built.remove(player);
        self.without_folder.remove(player);
    }

    /// Adds the files that the build left unchanged.
    pub fn add(&mut self, before: Unbuilt) {
        for folder in before.0 {
            let now = look(&folder.dir);
            let same = |file: &(String, Content)| now.get(&file.0) == Some(&file.1);
            let files = folder.files.into_iter().filter(same);
            self.built
                .insert(folder.player, files.map(|(name, _)| name).collect());
        }
    }
}

/// Snapshots of the folders of bots before their first build.
#[derive(Debug)]
pub struct Unbuilt(Vec<Folder>);

#[derive(Debug)]
struct Folder {
    player: String,
    dir: PathBuf,
    files: BTreeMap<String, Content>,
}

impl Unbuilt {
    /// Takes a snapshot for each built bot without known source files.
    pub(in crate::runs) fn look(plan: &Plan, known: &Sources) -> Self {
        let new = plan
            .players
            .iter()
            .filter(|entry| entry.build.is_some() && known.of(&entry.name).is_none());
        let folders = new.filter_map(|entry| {
            let dir = entry.launch.dir.clone()?;
            Some(Folder {
                player: entry.name.clone(),
                files: look(&dir),
                dir,
            })
        });
        Self(folders.collect())
    }

    pub(in crate::runs) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

/// The files below a folder with digests of their content. Hidden files are left out, and links are not
/// followed.
fn look(dir: &Path) -> BTreeMap<String, Content> {
    let is_shown = |entry: &DirEntry| !entry.file_name().to_string_lossy().starts_with('.');
    let entries = WalkDir::new(dir).min_depth(1).into_iter();
    let entries = entries.filter_entry(is_shown).flatten();
    let files = entries.filter(|entry| entry.file_type().is_file());
    // The manifest is UTF-8, so other names are left out.
    let names =
        files.filter_map(|file| Some(file.path().strip_prefix(dir).ok()?.to_str()?.to_owned()));
    let mut names: Vec<String> = names.take(MOST_FILES).collect();
    names.sort_unstable();
    let mut left = MOST_BYTES;
    names
        .into_iter()
        .map(|name| {
            let content = content(&dir.join(&name), &mut left);
            (name, content)
        })
        .collect()
}
