//! Copies of bots' folders.

use std::fs;
use std::io;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

/// Folders that are not copied, because tools make them anew where they are needed.
const LEFT_OUT: [&str; 2] = [".git", "__pycache__"];

const MOST_FILES: usize = 100_000;
const MOST_BYTES: u64 = 4 << 30;

#[derive(Debug, thiserror::Error)]
pub enum CopyError {
    #[error("{} cannot be copied: {source}", path.display())]
    File {
        path: PathBuf,
        #[source]
        source: io::Error,
    },
    #[error(
        "{} has more than {MOST_FILES} files or {} GiB, and is copied for all machines: give the player a \
         smaller `dir`",
        .0.display(),
        MOST_BYTES >> 30
    )]
    TooLarge(PathBuf),
}

/// Copies a folder into a new one. Links are kept; folders that tools make anew are skipped.
pub fn copy_folder(from: &Path, to: &Path) -> Result<(), CopyError> {
    copy_except(from, to, to)
}

/// Copies a file or a folder, without the folder `except` in it. Links are kept; folders that tools make anew are
/// skipped.
pub fn copy_except(from: &Path, to: &Path, except: &Path) -> Result<(), CopyError> {
    let (mut files, mut bytes) = (MOST_FILES, MOST_BYTES);
    let mut left = vec![(from.to_owned(), to.to_owned())];
    while let Some((from_here, to_here)) = left.pop() {
        let failed = |source| CopyError::File {
            path: from_here.clone(),
            source,
        };
        let what = fs::symlink_metadata(&from_here).map_err(failed)?;
        files = files.saturating_sub(1);
        if what.is_file() {
            bytes = bytes.saturating_sub(what.len());
        }
        if files == 0 || bytes == 0 {
            return Err(CopyError::TooLarge(from.to_owned()));
        }
        // Compare inodes: canonicalizing each entry's path takes a minute in deeply nested folders.
        let is_excepted = || {
            fs::metadata(except).is_ok_and(|it| (it.dev(), it.ino()) == (what.dev(), what.ino()))
        };
        if what.is_symlink() {
            fs::read_link(&from_here)
                .and_then(|target| std::os::unix::fs::symlink(target, &to_here))
                .map_err(failed)?;
        } else if what.is_dir() && !is_excepted() {
            fs::create_dir(&to_here).map_err(failed)?;
            for entry in fs::read_dir(&from_here).map_err(failed)? {
                let entry = entry.map_err(failed)?;
                let name = entry.file_name();
                let left_out = LEFT_OUT.iter().any(|known| name == *known);
                if !left_out {
                    left.push((entry.path(), to_here.join(name)));
                }
            }
        } else if what.is_file() {
            fs::copy(&from_here, &to_here).map_err(failed)?;
        }
    }
    Ok(())
}
