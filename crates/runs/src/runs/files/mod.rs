//! Files of any kind: digests, whole writes, locks, dates.

pub(super) mod lock;

use std::fs::{self, File, Permissions};
use std::io::{self, BufWriter, Write};
use std::path::Path;
use std::time::SystemTime;

use jiff::Timestamp;
use sha2::{Digest, Sha256};

use crate::bot::remove_tree;
use crate::runs::error::{RunFileError, RunFileProblem};

/// Writes a file under a temporary name and renames it, so that it is there whole or not at all.
pub fn write_whole(
    path: &Path,
    write: &mut dyn FnMut(&mut dyn Write) -> io::Result<()>,
) -> Result<(), RunFileError> {
    write_and_rename(path, None, write)
}

pub fn write_bytes(path: &Path, bytes: impl AsRef<[u8]>) -> Result<(), RunFileError> {
    write_whole(path, &mut |file| file.write_all(bytes.as_ref()))
}

/// Replaces a file that is there, as [`write_whole`] does. Its permissions stay, and a link still leads to it.
pub fn rewrite_whole(path: &Path, bytes: &[u8]) -> Result<(), RunFileError> {
    let read = RunFileError::at(path, RunFileProblem::Read);
    let target = fs::canonicalize(path).and_then(|target| {
        let permissions = fs::metadata(&target)?.permissions();
        Ok((target, permissions))
    });
    let (target, permissions) = target.map_err(read)?;
    write_and_rename(&target, Some(permissions), &mut |file| {
        file.write_all(bytes)
    })
}

fn write_and_rename(
    path: &Path,
    permissions: Option<Permissions>,
    write: &mut dyn FnMut(&mut dyn Write) -> io::Result<()>,
) -> Result<(), RunFileError> {
    let temporary = path.with_extension("tmp");
    // Where others may write too, a link could lie there, and lead to any file.
    let _ = fs::remove_file(&temporary);
    let written = File::create_new(&temporary).and_then(|file| {
        // Before anything is in it, so that nobody reads what they may not.
        if let Some(permissions) = &permissions {
            file.set_permissions(permissions.clone())?;
        }
        let mut file = BufWriter::with_capacity(1 << 16, file);
        write(&mut file)?;
        file.flush()
    });
    written
        .and_then(|()| fs::rename(&temporary, path))
        .map_err(|error| {
            let _ = fs::remove_file(&temporary);
            RunFileError::new(path, RunFileProblem::Write(error))
        })
}

pub(super) fn csv_line<T: AsRef<[u8]>>(fields: impl IntoIterator<Item = T>) -> Vec<u8> {
    let mut writer = csv::Writer::from_writer(Vec::with_capacity(256));
    // Neither error can happen: memory takes the bytes.
    let _ = writer.write_record(fields);
    writer.into_inner().unwrap_or_default()
}

/// An error in a record of a CSV file, without its place: the message names that already.
pub fn csv_words(error: csv::Error) -> String {
    match error.into_kind() {
        csv::ErrorKind::Deserialize { err, .. } => err.to_string(),
        csv::ErrorKind::Utf8 { err, .. } => err.to_string(),
        csv::ErrorKind::UnequalLengths {
            expected_len, len, ..
        } => format!("it has {len} fields, expected {expected_len}"),
        other => format!("{other:?}"),
    }
}

/// A time in UTC to the second, such as `2026-01-02T03:04:05Z`. One that no calendar has is the beginning of 1970.
pub fn utc(time: SystemTime) -> String {
    format!("{:.0}", Timestamp::try_from(time).unwrap_or_default())
}

pub fn utc_millis(time: SystemTime) -> String {
    format!("{:.3}", Timestamp::try_from(time).unwrap_or_default())
}

/// Length of the digest of a game's file, in bytes: 128 bits, beyond reach of a second preimage.
const FILE_DIGEST: usize = 16;

pub(crate) fn digest_of_bytes(bytes: &[u8]) -> String {
    hex(&Sha256::digest(bytes)[..FILE_DIGEST])
}

pub(super) fn digest_of_file(path: &Path) -> io::Result<String> {
    Ok(hex(&sha256_of_file(path)?[..FILE_DIGEST]))
}

pub(super) fn sha256_of_file(path: &Path) -> io::Result<[u8; 32]> {
    let mut hasher = Sha256::new();
    io::copy(&mut File::open(path)?, &mut HashWriter(&mut hasher))?;
    Ok(hasher.finalize().into())
}

pub fn hex(bytes: &[u8]) -> String {
    let digits = bytes.iter().flat_map(|byte| [byte >> 4, byte & 15]);
    let digits = digits.filter_map(|digit| char::from_digit(digit.into(), 16));
    let mut text = String::with_capacity(2 * bytes.len());
    text.extend(digits);
    text
}

pub(super) struct HashWriter<'a>(pub &'a mut Sha256);

impl io::Write for HashWriter<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.update(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

pub fn sha256(path: &Path) -> Result<String, RunFileError> {
    let digest = sha256_of_file(path);
    let digest = digest.map_err(RunFileError::at(path, RunFileProblem::Read))?;
    Ok(hex(&digest))
}

pub(super) fn is_empty(folder: &Path) -> Result<bool, RunFileError> {
    let mut entries =
        fs::read_dir(folder).map_err(RunFileError::at(folder, RunFileProblem::Read))?;
    Ok(entries.next().is_none())
}

pub fn make_parent(path: &Path) -> Result<(), RunFileError> {
    let parent = path.parent().unwrap_or(path);
    fs::create_dir_all(parent).map_err(RunFileError::at(parent, RunFileProblem::Make))
}

/// Removes a folder and everything in it, including read-only folders left by a bot. A missing folder is no
/// error.
pub fn remove_folder(path: &Path) -> Result<(), RunFileError> {
    remove_tree(path, None).map_err(RunFileError::at(path, RunFileProblem::Write))
}

/// Removes a file. A missing file is no error.
pub fn remove_if_there(path: &Path) -> Result<(), RunFileError> {
    match fs::remove_file(path) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => {
            Err(RunFileError::new(path, RunFileProblem::Write(error)))
        }
        _ => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    #[test]
    fn a_link_that_lies_in_the_way_is_not_followed() {
        let folder = tempfile::tempdir().expect("a folder");
        let at = |name: &str| folder.path().join(name);
        fs::write(at("key"), "secret").expect("written");
        for link in ["answer.tmp", "answer.txt"] {
            std::os::unix::fs::symlink(at("key"), at(link)).expect("linked");
        }
        write_bytes(&at("answer.txt"), "told").expect("written");
        let read = |name: &str| fs::read_to_string(at(name)).expect("read");
        assert_eq!([read("key"), read("answer.txt")], ["secret", "told"]);
    }

    #[test]
    fn a_time_is_cut_and_not_rounded() {
        let (day, epoch) = (Duration::from_secs(86_400), SystemTime::UNIX_EPOCH);
        let late = epoch + day - Duration::from_nanos(1);
        assert_eq!(utc(late), "1970-01-01T23:59:59Z");
        assert_eq!(utc_millis(late), "1970-01-01T23:59:59.999Z");
        let never = epoch.checked_add(day * 365 * 1_000_000);
        assert_eq!(never.map(utc), Some(utc(epoch)));
    }
}
