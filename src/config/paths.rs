//! Where the paths of a configuration start: at the folder of its file, wherever `referee` runs.

use std::path::{Component, Path, PathBuf};

use toml::Spanned;

use super::Flaw;
use crate::player::without_detours;

/// The folder of a configuration.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Base<'a>(&'a Path);

impl<'a> Base<'a> {
    /// The folder of this file. Text that comes from no file has a name without a folder, and its paths start at
    /// the current folder.
    pub fn of(config: &'a Path) -> Self {
        Self(config.parent().unwrap_or(Path::new("")))
    }

    /// The path that the configuration writes like this, from the current folder.
    pub fn path(self, written: &str) -> PathBuf {
        let path = short(self.0.join(written));
        match path.as_os_str().is_empty() {
            true => PathBuf::from("."),
            false => path,
        }
    }

    /// The path of a file or folder that is looked for when it is needed; refused where it is meant from the current
    /// folder.
    pub fn later(self, key: &str, written: &Spanned<String>) -> Result<PathBuf, Flaw> {
        let path = self.path(written.get_ref());
        match path.exists() || !Path::new(written.get_ref()).exists() {
            true => Ok(path),
            false => Err(Flaw::of(
                written,
                format!(
                    "`{key}`: there is no `{}`{}",
                    path.display(),
                    self.hint(written.get_ref())
                ),
            )),
        }
    }

    /// Where a path starts, said where there is nothing at it; what to write, if it was meant from the current folder.
    pub fn hint(self, written: &str) -> String {
        let path = Path::new(written);
        if path.is_absolute() || self.path(written).exists() {
            return String::new();
        }
        let is_elsewhere = !self.0.as_os_str().is_empty() && path.exists();
        match self.relative(path).filter(|_| is_elsewhere) {
            Some(right) => format!(
                "; paths start at the folder of the configuration, not at the one in which referee runs: write \
                 `{}`",
                right.display()
            ),
            None => "; paths start at the folder of the configuration".to_owned(),
        }
    }

    /// The path from this folder to one that starts at the current folder.
    fn relative(self, path: &Path) -> Option<PathBuf> {
        let whole = path.canonicalize().ok()?;
        let base = self.0.canonicalize().ok()?;
        let shared = whole.components().zip(base.components());
        let shared = shared.take_while(|(one, other)| one == other).count();
        let up = base.components().skip(shared).map(|_| Component::ParentDir);
        Some(up.chain(whole.components().skip(shared)).collect())
    }
}

/// A path with each `..` taken together with the folder before it, unless that is a link.
pub(super) fn short(path: PathBuf) -> PathBuf {
    let short = without_detours(&path);
    match short.canonicalize().ok() == path.canonicalize().ok() {
        true => short,
        false => path,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_start_at_the_folder_of_the_configuration() {
        for (config, written, path) in [
            (
                "configs/cachex.toml",
                "openings/x.txt",
                "configs/openings/x.txt",
            ),
            ("configs/cachex.toml", "../bots/x", "bots/x"),
            ("configs/cachex.toml", "/etc/x", "/etc/x"),
            ("cachex.toml", "bots/x", "bots/x"),
            ("kit.toml", ".", "."),
            ("bots/x/kit.toml", ".", "bots/x"),
            ("stdin", "bots/x", "bots/x"),
        ] {
            let found = Base::of(Path::new(config)).path(written);
            assert_eq!(found, Path::new(path), "{config} {written}");
        }
    }
}
