//! Paths of a configuration: relative to the folder of its file, independent of the working directory.

use std::path::{Component, Path, PathBuf};

use toml::Spanned;

use crate::bot::without_detours;
use crate::config::Flaw;
use crate::config::RulesLimits;
use crate::game::Games;

#[derive(Debug, Clone, Copy)]
pub struct Base<'a> {
    folder: &'a Path,
    pub games: Games,
    pub rules_limits: RulesLimits,
    /// Whether this is a manifest, which has the hello of each rules program, so that none is asked.
    pub is_manifest: bool,
}

impl<'a> Base<'a> {
    /// The folder of this file. Text without a file is named without a folder, so its paths are relative to the
    /// current folder.
    pub fn of(config: &'a Path, games: Games) -> Self {
        Self {
            folder: config.parent().unwrap_or(Path::new("")),
            games,
            rules_limits: RulesLimits::default(),
            is_manifest: false,
        }
    }

    pub fn of_manifest(manifest: &'a Path, games: Games, rules_limits: RulesLimits) -> Self {
        Self {
            is_manifest: true,
            ..Self::of(manifest, games).with_rules_limits(rules_limits)
        }
    }

    pub fn with_rules_limits(self, rules_limits: RulesLimits) -> Self {
        Self {
            rules_limits,
            ..self
        }
    }

    /// A written path, made relative to the current folder.
    pub fn path(self, written: &str) -> PathBuf {
        let path = short(self.folder.join(written));
        if path.as_os_str().is_empty() {
            PathBuf::from(".")
        } else {
            path
        }
    }

    /// A path that need not exist yet. Refused if it exists only from the current folder, because that is a
    /// likely mistake.
    pub fn later(self, key: &str, written: &Spanned<String>) -> Result<PathBuf, Flaw> {
        let path = self.path(written.get_ref());
        if path.exists() || !Path::new(written.get_ref()).exists() {
            return Ok(path);
        }
        let problem = format!(
            "`{key}`: there is no `{}`{}",
            path.display(),
            self.hint(written.get_ref())
        );
        Err(Flaw::of(written, problem))
    }

    /// Hint for a missing file: the base of paths, and the corrected path if the file exists from the current
    /// folder.
    pub fn hint(self, written: &str) -> String {
        let path = Path::new(written);
        if path.is_absolute() || self.path(written).exists() {
            return String::new();
        }
        let is_elsewhere = !self.folder.as_os_str().is_empty() && path.exists();
        match path_between(self.folder, path).filter(|_| is_elsewhere) {
            Some(right) => format!(
                "; paths start at the folder of the configuration, not at the one in which referee runs: write \
                 `{}`",
                right.display()
            ),
            None => self.start_of_paths().to_owned(),
        }
    }

    /// Words on where paths start. Also options of a command line have this base.
    pub fn start_of_paths(self) -> &'static str {
        match self.folder.as_os_str().is_empty() {
            true => "; paths start at the current folder",
            false => "; paths start at the folder of the configuration",
        }
    }
}

fn path_between(folder: &Path, path: &Path) -> Option<PathBuf> {
    let whole = path.canonicalize().ok()?;
    let base = folder.canonicalize().ok()?;
    let shared = whole.components().zip(base.components());
    let shared = shared.take_while(|(one, other)| one == other).count();
    let up = base.components().skip(shared).map(|_| Component::ParentDir);
    Some(up.chain(whole.components().skip(shared)).collect())
}

/// Removes each `..` together with the folder before it, unless that folder is a link.
pub fn short(path: PathBuf) -> PathBuf {
    let short = without_detours(&path);
    if short.canonicalize().ok() == path.canonicalize().ok() {
        short
    } else {
        path
    }
}
