//! `logs.tar`: all files of the games of one attempt at a shard. Shared network file systems are slow with
//! thousands of small files.

use std::fs::{File, OpenOptions};
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use crate::runs::error::{RunFileError, RunFileProblem};

/// The file's name.
pub(in crate::runs) const PACK: &str = "logs.tar";

/// End-of-archive marker: two zero blocks.
const END: [u8; 1024] = [0; 1024];

/// An archive being written, shared by threads.
#[derive(Debug)]
pub struct Pack {
    path: PathBuf,
    file: Mutex<Open>,
}

#[derive(Debug)]
struct Open {
    file: File,
    /// Length of all whole members, in bytes.
    length: u64,
}

impl Pack {
    /// Makes an empty archive in a folder.
    pub(in crate::runs) fn create(folder: &Path) -> Result<Self, RunFileError> {
        let path = folder.join(PACK);
        let file = OpenOptions::new().create_new(true).append(true).open(&path);
        let file = file.map_err(RunFileError::at(&path, RunFileProblem::Write))?;
        Ok(Self {
            path,
            file: Mutex::new(Open { file, length: 0 }),
        })
    }

    /// Adds a file in one write. On failure the archive is truncated to its whole members.
    pub(in crate::runs) fn add(&self, name: &Path, bytes: &[u8]) -> Result<(), RunFileError> {
        member(name, bytes)
            .and_then(|member| self.append(&member))
            .map_err(RunFileError::at(&self.path, RunFileProblem::Write))
    }

    /// Ends the archive, and syncs it to the disk.
    pub(in crate::runs) fn end(&self) -> Result<(), RunFileError> {
        self.append(&END)
            .and_then(|()| self.open().file.sync_all())
            .map_err(RunFileError::at(&self.path, RunFileProblem::Write))
    }

    fn append(&self, bytes: &[u8]) -> io::Result<()> {
        let mut open = self.open();
        match open.file.write_all(bytes) {
            Ok(()) => {
                open.length += bytes.len() as u64;
                Ok(())
            }
            Err(error) => {
                // A full disk may take a part of the member; truncating needs no space.
                let _ = open.file.set_len(open.length);
                Err(error)
            }
        }
    }

    fn open(&self) -> std::sync::MutexGuard<'_, Open> {
        // A poisoned lock is harmless: `length` grows only after a whole write.
        self.file.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A file as it is in an archive.
fn member(name: &Path, bytes: &[u8]) -> io::Result<Vec<u8>> {
    let mut header = tar::Header::new_gnu();
    header.set_size(bytes.len() as u64);
    header.set_mode(0o644);
    let mut builder = tar::Builder::new(Vec::with_capacity(bytes.len() + 2048));
    builder.append_data(&mut header, name, bytes)?;
    let mut member = builder.into_inner()?;
    member.truncate(member.len() - END.len());
    Ok(member)
}

/// Callback for each file: its name and bytes.
pub(in crate::runs) type EachFile<'a> = dyn FnMut(&Path, &[u8]) -> Result<(), RunFileError> + 'a;

/// Passes every whole file of an archive to `each`. A torn archive, or one being written, ends with its
/// last whole file. A missing archive has no files.
pub(in crate::runs) fn each_member(
    folder: &Path,
    each: &mut EachFile<'_>,
) -> Result<(), RunFileError> {
    let path = folder.join(PACK);
    let file = match File::open(&path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(()),
        file => file.map_err(RunFileError::at(&path, RunFileProblem::Read))?,
    };
    let mut archive = tar::Archive::new(io::BufReader::with_capacity(1 << 16, file));
    let members = archive
        .entries()
        .map_err(RunFileError::at(&path, RunFileProblem::Read))?;
    let mut bytes = Vec::new();
    for member in members {
        let Ok(mut member) = member else {
            return Ok(());
        };
        let size = member.size();
        bytes.clear();
        let read = member.read_to_end(&mut bytes);
        let Ok(name) = member.path() else {
            return Ok(());
        };
        if read.is_err() || bytes.len() as u64 != size {
            return Ok(());
        }
        each(&name, &bytes)?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(folder: &Path) -> Vec<(String, Vec<u8>)> {
        let mut names = Vec::new();
        each_member(folder, &mut |name, bytes| {
            names.push((name.display().to_string(), bytes.to_vec()));
            Ok(())
        })
        .expect("read");
        names
    }

    #[test]
    fn whole_files_are_read_from_a_torn_archive() {
        let folder = tempfile::tempdir().expect("a folder");
        assert!(names(folder.path()).is_empty());
        let pack = Pack::create(folder.path()).expect("made");
        pack.add(Path::new("games/0000/000001.csv"), b"ply\n1\n")
            .expect("added");
        pack.add(Path::new("stderr/0000/000001-red.log"), &[7; 5000])
            .expect("added");
        let path = folder.path().join(PACK);
        let length = std::fs::metadata(&path).expect("there").len();
        let all = names(folder.path());
        assert_eq!(all.len(), 2);
        assert_eq!(
            all[0],
            ("games/0000/000001.csv".to_owned(), b"ply\n1\n".to_vec())
        );
        pack.end().expect("ended");
        assert_eq!(names(folder.path()), all);
        let file = OpenOptions::new().write(true).open(&path).expect("opened");
        for cut in [length - 1, length - 600, length - 5000, 1300, 600] {
            file.set_len(cut).expect("cut");
            let left = names(folder.path());
            assert!(
                left.len() < 2 || cut > length - 500,
                "{cut}: {}",
                left.len()
            );
            assert_eq!(left, all[..left.len()], "{cut}");
        }
    }
}
