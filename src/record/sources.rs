//! What bots are made from that are built: the files of their folders that no build made or changed.
//!
//! A run that goes on must notice that a bot is another, and must not take what the build itself left
//! in the folder for that. Which is which is known once the first build is over; from then on the
//! manifest has the list of files, and a digest of them.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use walkdir::{DirEntry, WalkDir};

use super::digest::{Content, MOST_BYTES, content};
use super::manifest::{Manifest, words_of};
use crate::config::Plan;

/// How many files of a bot's folder are looked at: it may hold anything.
pub(super) const MOST_FILES: usize = 4096;

/// What a run has noted of the files from which bots are made.
#[derive(Debug, Default)]
pub(super) struct Sources {
    /// The files of bots that are built, by player, as paths below its folder, as far as they are known.
    built: BTreeMap<String, Vec<String>>,
    /// The players of whose folder the run has no digest: it was too large, or the run is an old one.
    without_folder: BTreeSet<String>,
}

impl Sources {
    /// What the manifest of a run says of players that are built as they were.
    pub fn of_manifest(manifest: &Manifest, plan: &Plan) -> Self {
        let known = manifest.players.iter().filter_map(|player| {
            let entry = plan
                .players
                .iter()
                .find(|entry| entry.name == player.name)?;
            let build = words_of(entry.build.as_ref()?);
            // The folder of a tournament may have been moved as a whole.
            let name = |dir: &Option<PathBuf>| dir.as_ref()?.file_name().map(ToOwned::to_owned);
            let same_folder = name(&player.dir) == name(&entry.launch.dir);
            let same = same_folder && player.build.as_ref() == Some(&build);
            same.then_some((player.name.clone(), player.files.clone()?))
        });
        Self {
            built: known.collect(),
            without_folder: manifest.without_folder().map(str::to_owned).collect(),
        }
    }

    /// The files of a player, if they are known.
    pub fn of(&self, player: &str) -> Option<&[String]> {
        self.built.get(player).map(Vec::as_slice)
    }

    /// Whether the digest of a player's bot has its folder.
    pub fn has_folder(&self, player: &str) -> bool {
        !self.without_folder.contains(player)
    }

    /// The files of a player are to be looked for again.
    pub fn forget(&mut self, player: &str) {
        self.built.remove(player);
        self.without_folder.remove(player);
    }

    /// Takes in the files that are as they were before the build.
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

/// The folders of bots that are about to be built for the first time, as they are now.
#[derive(Debug)]
pub struct Unbuilt(Vec<Folder>);

#[derive(Debug)]
struct Folder {
    player: String,
    dir: PathBuf,
    files: BTreeMap<String, Content>,
}

impl Unbuilt {
    /// Looks at the folders of all whose files are not known.
    pub(super) fn look(plan: &Plan, known: &Sources) -> Self {
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

    pub(super) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

/// The files below a folder with what is in them, but for hidden ones. Links are not followed.
fn look(dir: &Path) -> BTreeMap<String, Content> {
    let is_shown = |entry: &DirEntry| !entry.file_name().to_string_lossy().starts_with('.');
    let entries = WalkDir::new(dir).min_depth(1).into_iter();
    let entries = entries.filter_entry(is_shown).flatten();
    let files = entries.filter(|entry| entry.file_type().is_file());
    // A name that is not text would not survive in a manifest.
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
