//! Digests of files.

use std::fs::File;
use std::io;
use std::path::Path;

use sha2::{Digest, Sha256};

use crate::runs::error::{RunFileError, RunFileProblem};

/// Length of the digest of a game's file, in bytes: 128 bits, beyond reach of a second preimage.
const FILE_DIGEST: usize = 16;

/// The digest of a game's file, from its bytes.
pub(crate) fn digest_of_bytes(bytes: &[u8]) -> String {
    hex(&Sha256::digest(bytes)[..FILE_DIGEST])
}

/// The digest of a game's file, from its path.
pub(in crate::runs) fn digest_of_file(path: &Path) -> io::Result<String> {
    Ok(hex(&sha256_of_file(path)?[..FILE_DIGEST]))
}

/// The SHA-256 of a file.
pub(in crate::runs) fn sha256_of_file(path: &Path) -> io::Result<[u8; 32]> {
    let mut hasher = Sha256::new();
    io::copy(&mut File::open(path)?, &mut HashWriter(&mut hasher))?;
    Ok(hasher.finalize().into())
}

/// Bytes as hexadecimal digits.
pub(crate) fn hex(bytes: &[u8]) -> String {
    let digits = bytes.iter().flat_map(|byte| [byte >> 4, byte & 15]);
    let digits = digits.filter_map(|digit| char::from_digit(digit.into(), 16));
    let mut text = String::with_capacity(2 * bytes.len());
    text.extend(digits);
    text
}

/// Adds the bytes that are written to a digest.
pub(in crate::runs) struct HashWriter<'a>(pub &'a mut Sha256);

impl io::Write for HashWriter<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.update(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// The SHA-256 of a file, in hexadecimal digits.
///
/// # Errors
/// The file cannot be read.
pub fn sha256(path: &Path) -> Result<String, RunFileError> {
    let digest = sha256_of_file(path);
    let digest = digest.map_err(RunFileError::at(path, RunFileProblem::Read))?;
    Ok(hex(&digest))
}
