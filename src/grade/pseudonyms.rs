//! Pseudonyms for published tables, such as `3fa91c07`: stable over regrades, and irreversible without the
//! secret.

use std::collections::BTreeMap;
use std::fs::{self, File, OpenOptions};
use std::io::{self, Read, Write};
use std::os::unix::fs::{OpenOptionsExt, PermissionsExt};
use std::path::{Path, PathBuf};

use hmac::{Hmac, KeyInit, Mac};
use sha2::Sha256;

/// Bytes of a secret.
const SECRET: usize = 32;

/// Bytes of a block of SHA-256.
const BLOCK: usize = 64;

/// Domain separation: no other use of the secret has this prefix.
const CONTEXT: &[u8] = b"referee pseudonym\0";

/// Hexadecimal digits of a pseudonym, unless another of the class shares them.
const DIGITS: usize = 8;

/// Secret key of a class's pseudonyms. With the list of students it identifies everybody.
#[derive(Clone)]
pub struct Secret([u8; SECRET]);

/// Why there is no secret.
#[derive(Debug, thiserror::Error)]
#[error("{}: {problem}", path.display())]
pub struct SecretError {
    /// Path of the file.
    pub path: PathBuf,
    /// Problem with the file.
    #[source]
    pub problem: SecretProblem,
}

/// Problem with the file of a secret, as a fragment that follows its path.
#[derive(Debug, thiserror::Error)]
pub enum SecretProblem {
    /// It cannot be read.
    #[error("cannot be read: {0}")]
    Read(#[source] io::Error),
    /// It cannot be written.
    #[error("cannot be written: {0}")]
    Write(#[source] io::Error),
    /// The system provides no random bytes.
    #[error("no secret could be drawn: {0}")]
    Draw(#[source] io::Error),
    /// It has a wrong length.
    #[error(
        "is not the secret of a class, which has {SECRET} bytes; remove it, and the next grading draws a new one: \
         then all pseudonyms change"
    )]
    Length,
    /// Other users may read it.
    #[error(
        "can be read by others than its owner: `chmod 600` it; if others had access, remove it"
    )]
    Open,
}

impl Secret {
    /// Reads the secret of a class, or draws one and stores it in this file, readable by its owner only.
    ///
    /// # Errors
    /// The file cannot be read or written, is readable by others, or holds something else.
    pub fn read_or_draw(path: &Path) -> Result<Self, SecretError> {
        let error = |problem| SecretError {
            path: path.to_owned(),
            problem,
        };
        if let Some(secret) = Self::read(path).map_err(error)? {
            return Ok(secret);
        }
        let mut bytes = [0; SECRET];
        getrandom::fill(&mut bytes)
            .map_err(|problem| error(SecretProblem::Draw(problem.into())))?;
        write_new(path, &bytes).map_err(|problem| error(SecretProblem::Write(problem)))?;
        // Another process may have been first; its secret counts.
        let gone = || error(SecretProblem::Read(io::ErrorKind::NotFound.into()));
        Self::read(path).map_err(error)?.ok_or_else(gone)
    }

    /// Secret in a file; `None` if there is no file.
    fn read(path: &Path) -> Result<Option<Self>, SecretProblem> {
        let file = match File::open(path) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
            file => file.map_err(SecretProblem::Read)?,
        };
        let about = file.metadata().map_err(SecretProblem::Read)?;
        if about.permissions().mode() & 0o077 != 0 {
            return Err(SecretProblem::Open);
        }
        let mut bytes = Vec::new();
        let read = file.take(SECRET as u64 + 1).read_to_end(&mut bytes);
        read.map_err(SecretProblem::Read)?;
        let bytes = bytes.try_into().map_err(|_| SecretProblem::Length)?;
        Ok(Some(Self(bytes)))
    }
}

/// Writes a file atomically, unless it exists.
fn write_new(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let mut name = path.file_name().unwrap_or_default().to_owned();
    // Random, so that no other process on any machine uses this name.
    name.push(format!(".{:016x}.tmp", getrandom::u64()?));
    let temporary = path.with_file_name(name);
    let mut options = OpenOptions::new();
    options.write(true).create_new(true).mode(0o600);
    let mut file = options.open(&temporary)?;
    let written = file.write_all(bytes).and_then(|()| file.sync_all());
    let linked = written.and_then(|()| fs::hard_link(&temporary, path));
    let _ = fs::remove_file(&temporary);
    match linked {
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists && path.exists() => Ok(()),
        linked => linked,
    }
}

/// A name that reveals its student only to holders of the secret.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Pseudonym(String);

impl Pseudonym {
    /// Hexadecimal digits.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

#[cfg(test)]
impl From<&str> for Pseudonym {
    fn from(text: &str) -> Self {
        Self(text.to_owned())
    }
}

/// Pseudonyms of a class, by id: a prefix of the HMAC-SHA-256 (RFC 2104) of each id, so that a name does not
/// depend on the other students. On a collision of prefixes both are extended until they differ.
pub fn pseudonyms<'a>(
    secret: &Secret,
    ids: impl IntoIterator<Item = &'a str>,
) -> BTreeMap<&'a str, Pseudonym> {
    // HMAC pads a short key with zeros to the block length.
    let mut key = [0; BLOCK];
    key[..SECRET].copy_from_slice(&secret.0);
    let hmac = Hmac::<Sha256>::new(&key.into()).chain_update(CONTEXT);
    let mut by_digest: Vec<(String, &str)> = ids
        .into_iter()
        .map(|id| {
            let bytes = hmac.clone().chain_update(id).finalize().into_bytes();
            let digits = bytes.iter().map(|byte| format!("{byte:02x}")).collect();
            (digits, id)
        })
        .collect();
    by_digest.sort();
    by_digest.dedup();
    // In sorted order, the longest common prefix is with a neighbour.
    let common = |one: usize, other: usize| {
        let pairs = by_digest[one].0.bytes().zip(by_digest[other].0.bytes());
        pairs.take_while(|(one, other)| one == other).count()
    };
    let digits = |at: usize| {
        let before = at.checked_sub(1).map_or(0, |other| common(at, other));
        let after = if at + 1 < by_digest.len() {
            common(at, at + 1)
        } else {
            0
        };
        DIGITS.max(before.max(after) + 1)
    };
    let name = |(at, (digest, id)): (usize, &(String, &'a str))| {
        (*id, Pseudonym(digest.chars().take(digits(at)).collect()))
    };
    by_digest.iter().enumerate().map(name).collect()
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    fn of(byte: u8, ids: &[String]) -> BTreeMap<&str, Pseudonym> {
        pseudonyms(&Secret([byte; SECRET]), ids.iter().map(String::as_str))
    }

    #[test]
    fn a_thousand_students_have_names_that_stay_and_tell_nothing() {
        let ids: Vec<String> = (1_234_000..1_235_000).map(|n| format!("s{n}")).collect();
        let (class, others) = (of(7, &ids), of(8, &ids));
        let names: BTreeSet<&Pseudonym> = class.values().collect();
        assert_eq!(names.len(), 1000);
        assert!(names.iter().all(|name| name.as_str().len() == DIGITS));
        assert!(class.iter().all(|(id, name)| others[id] != *name));
        // Names are independent of order, and of the other half.
        let half: Vec<String> = ids.iter().rev().step_by(2).cloned().collect();
        assert!(of(7, &half).iter().all(|(id, name)| class[id] == *name));
    }

    /// With `hmac` of Python: `hmac.new(bytes(32), b"referee pseudonym\0ada", "sha256").hexdigest()`.
    #[test]
    fn a_pseudonym_begins_the_hmac_of_an_id() {
        let ids = ["ada".to_owned()];
        assert_eq!(of(0, &ids)["ada"].as_str(), "76856463");
    }

    #[test]
    fn equal_names_are_lengthened_and_no_others() {
        // With this many ids, some share their first eight digits.
        let ids: Vec<String> = (0..200_000).map(|number| number.to_string()).collect();
        let class = of(7, &ids);
        let names: BTreeSet<&Pseudonym> = class.values().collect();
        assert_eq!(names.len(), ids.len());
        let begins = |name: &Pseudonym| name.as_str()[..DIGITS].to_owned();
        let mut sharing: BTreeMap<String, usize> = BTreeMap::new();
        for name in &names {
            *sharing.entry(begins(name)).or_default() += 1;
        }
        for name in names {
            let is_long = name.as_str().len() > DIGITS;
            assert_eq!(is_long, sharing[&begins(name)] > 1, "{name:?}");
        }
        assert!(sharing.values().any(|count| *count > 1));
    }

    #[test]
    fn a_secret_is_drawn_once_and_is_for_its_owner_alone() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("secret");
        let first = Secret::read_or_draw(&path).expect("drawn");
        let mode = |path: &Path| fs::metadata(path).expect("there").permissions().mode() & 0o777;
        assert_eq!(mode(&path), 0o600);
        assert_eq!(Secret::read_or_draw(&path).expect("read").0, first.0);
        let other = Secret::read_or_draw(&folder.path().join("other")).expect("drawn");
        assert_ne!(other.0, first.0);
        assert_eq!(
            fs::read_dir(folder.path()).expect("a folder").count(),
            2,
            "nothing is left"
        );
        let refused = || {
            Secret::read_or_draw(&path)
                .err()
                .expect("refused")
                .to_string()
        };
        fs::set_permissions(&path, fs::Permissions::from_mode(0o640)).expect("set");
        assert!(refused().contains("chmod 600"));
        fs::set_permissions(&path, fs::Permissions::from_mode(0o600)).expect("set");
        for length in [0, 31, 33] {
            fs::write(&path, vec![1; length]).expect("written");
            assert!(refused().contains("32 bytes"), "{length}");
        }
        let nowhere = folder.path().join("none/secret");
        let error = Secret::read_or_draw(&nowhere).err().expect("no folder");
        assert!(error.to_string().contains("cannot be written"), "{error}");
    }
}
