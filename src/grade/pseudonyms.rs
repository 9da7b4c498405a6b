//! Names for published tables, such as `calm-otter-417`: stable over regrades, and nobody without the secret can
//! work back from one to a student.

use std::collections::{BTreeMap, BTreeSet};
use std::fs::{self, File, OpenOptions};
use std::io::{self, Read, Write};
use std::os::unix::fs::{OpenOptionsExt, PermissionsExt};
use std::path::{Path, PathBuf};

use hmac::{Hmac, KeyInit, Mac};
use sha2::Sha256;

mod words;

use words::{ADJECTIVES, NOUNS};

/// How many bytes a secret has.
const SECRET: usize = 32;

/// How many bytes a block of SHA-256 has.
const BLOCK: usize = 64;

/// What no other use of the secret begins with.
const CONTEXT: &[u8] = b"referee pseudonym\0";

/// The fewest letters of a word that is avoided inside of other words too.
const SHORTEST_INSIDE: usize = 4;

/// How many numbers a pseudonym can have.
const NUMBERS: u16 = 1000;

/// What a class's pseudonyms are made with. Whoever has it and the list of students knows who is who.
#[derive(Clone)]
pub struct Secret([u8; SECRET]);

/// Why there is no secret.
#[derive(Debug, thiserror::Error)]
#[error("{}: {problem}", path.display())]
pub struct SecretError {
    /// The file.
    pub path: PathBuf,
    /// What is wrong with it.
    #[source]
    pub problem: SecretProblem,
}

/// What is wrong with the file of a secret, as a fragment that follows its path.
#[derive(Debug, thiserror::Error)]
pub enum SecretProblem {
    /// It cannot be read.
    #[error("cannot be read: {0}")]
    Read(#[source] io::Error),
    /// It cannot be written.
    #[error("cannot be written: {0}")]
    Write(#[source] io::Error),
    /// The system gave no random bytes.
    #[error("no secret could be drawn: {0}")]
    Draw(#[source] io::Error),
    /// It is not a secret.
    #[error(
        "is not the secret of a class, which has {SECRET} bytes; remove it, and the next grading draws a new one: \
         then all pseudonyms change"
    )]
    Length,
    /// Others than its owner may read it.
    #[error(
        "can be read by others than its owner: `chmod 600` it; if others had access, remove it"
    )]
    Open,
}

impl Secret {
    /// Reads the secret of a class, or draws one and keeps it in this file, which nobody but its owner may read.
    ///
    /// # Errors
    /// The file cannot be read or written, others may read it, or it holds something else.
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
        // Another process may have been faster: what is in the file counts.
        let gone = || error(SecretProblem::Read(io::ErrorKind::NotFound.into()));
        Self::read(path).map_err(error)?.ok_or_else(gone)
    }

    /// The secret in a file; `None` if there is no file.
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

/// Writes a file that is there whole or not at all, unless it is there already.
fn write_new(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let mut name = path.file_name().unwrap_or_default().to_owned();
    // A number that no process on any machine has too.
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

/// Makes pseudonyms.
#[derive(Clone)]
pub struct Pseudonyms(Hmac<Sha256>);

impl Pseudonyms {
    /// Those that this secret makes.
    pub fn new(secret: &Secret) -> Self {
        // An HMAC fills a short key up with zeros, to the length of a block.
        let mut key = [0; BLOCK];
        key[..SECRET].copy_from_slice(&secret.0);
        Self(Hmac::new(&key.into()))
    }

    /// The pseudonym of an id: two words and a number, from the first bytes of the HMAC-SHA-256 of the id. No
    /// other id has a part in it, so nobody is renamed when a student comes or goes.
    pub fn of(&self, id: &str) -> String {
        name(&self.digest(id, 0), 1)
    }

    /// The pseudonyms of a class, by id, no two of them equal. Those that would be are lengthened by as many more
    /// numbers from the same bytes as it takes: of 200 students two have one name in one class of 3,000.
    ///
    /// No word of them is one of those to avoid, which are in small letters, or has one of four letters or more in it:
    /// nobody is to take `calm-finch-417` for the student whose name is Finch. Whoever would be called so has other
    /// words.
    pub fn of_class<'a>(
        &self,
        ids: impl IntoIterator<Item = &'a str>,
        avoided: &BTreeSet<String>,
    ) -> BTreeMap<&'a str, String> {
        let digests: BTreeMap<&str, Digest> = ids
            .into_iter()
            .map(|id| (id, self.digest_without(id, avoided)))
            .collect();
        let mut names: BTreeMap<&str, String> = digests
            .iter()
            .map(|(id, digest)| (*id, name(digest, 1)))
            .collect();
        for numbers in 2..=MOST_NUMBERS {
            let (mut seen, mut twice) = (BTreeSet::new(), BTreeSet::new());
            for name in names.values() {
                if !seen.insert(name.clone()) {
                    twice.insert(name.clone());
                }
            }
            for (id, known) in &mut names {
                if twice.contains(known) {
                    *known = name(&digests[id], numbers);
                }
            }
        }
        names
    }

    /// The first digest of an id whose words are free of these; the first of all if none is so.
    fn digest_without(&self, id: &str, avoided: &BTreeSet<String>) -> Digest {
        let is_free = |word: &str| {
            let mut long = avoided.iter().filter(|text| text.len() >= SHORTEST_INSIDE);
            !avoided.contains(word) && !long.any(|text| word.contains(text.as_str()))
        };
        let mut digests = (0..=u8::MAX).map(|attempt| self.digest(id, attempt));
        digests
            .find(|digest| words(digest).into_iter().all(is_free))
            .unwrap_or_else(|| self.digest(id, 0))
    }

    fn digest(&self, id: &str, attempt: u8) -> Digest {
        let mut mac = self.0.clone().chain_update(CONTEXT).chain_update(id);
        if attempt > 0 {
            mac.update(&[0, attempt]);
        }
        mac.finalize().into_bytes().into()
    }
}

type Digest = [u8; 32];

/// How many numbers the bytes of a digest are enough for.
const MOST_NUMBERS: usize = 15;

fn words([adjective, noun, ..]: &Digest) -> [&'static str; 2] {
    [
        ADJECTIVES[usize::from(*adjective)],
        NOUNS[usize::from(*noun)],
    ]
}

/// Two words and so many numbers.
fn name(digest: &Digest, numbers: usize) -> String {
    let mut name = words(digest).join("-");
    let [_, _, rest @ ..] = digest;
    let (pairs, _) = rest.as_chunks::<2>();
    for pair in pairs.iter().take(numbers) {
        let number = u16::from_le_bytes(*pair) % NUMBERS;
        name.push_str(&format!("-{number:03}"));
    }
    name
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pseudonyms(byte: u8) -> Pseudonyms {
        Pseudonyms::new(&Secret([byte; SECRET]))
    }

    fn ids() -> Vec<String> {
        let numbers = 1_234_000..1_235_000;
        numbers.map(|number| format!("s{number}")).collect()
    }

    #[test]
    fn the_words_are_plain_and_no_two_are_equal() {
        let all: BTreeSet<&str> = ADJECTIVES.iter().chain(&NOUNS).copied().collect();
        assert_eq!(all.len(), 512);
        for word in all {
            let plain = word.bytes().all(|byte| byte.is_ascii_lowercase());
            assert!(plain && (3..=9).contains(&word.len()), "{word}");
        }
        for words in [ADJECTIVES, NOUNS] {
            for (index, word) in words.iter().enumerate() {
                let alike = |other: &&&str| strsim::damerau_levenshtein(word, other) < 2;
                assert_eq!(words[..index].iter().find(alike), None, "{word}");
            }
        }
    }

    #[test]
    fn a_thousand_students_have_names_that_stay_and_tell_nothing() {
        let ids = ids();
        let class = pseudonyms(7).of_class(ids.iter().map(String::as_str), &BTreeSet::new());
        let names: BTreeSet<&String> = class.values().collect();
        assert_eq!(names.len(), 1000);
        assert_eq!(class["s1234567"], pseudonyms(7).of("s1234567"));
        let others = pseudonyms(8);
        for (id, name) in &class {
            assert_ne!(*name, others.of(id), "another secret");
            for at in 0..id.len() - 3 {
                assert!(!name.contains(&id[at..at + 4]), "{id}: {name}");
            }
        }
        // In another order, and without half of them, the names are the same.
        let half = pseudonyms(7).of_class(
            ids.iter().rev().step_by(2).map(String::as_str),
            &BTreeSet::new(),
        );
        assert_eq!(half.len(), 500);
        assert!(half.iter().all(|(id, name)| class[id] == *name));
    }

    /// The names are part of what was published: another version must not rename everybody.
    #[test]
    fn names_are_the_same_in_all_versions() {
        assert_eq!(pseudonyms(0).of("ada"), "keen-lemur-444");
    }

    #[test]
    fn equal_names_are_lengthened_and_no_others() {
        let secret = pseudonyms(7);
        let mut seen: BTreeMap<String, String> = BTreeMap::new();
        let ids = (0_u32..).map(|number| number.to_string());
        let mut pairs = ids.filter_map(|id| {
            let known = seen.insert(secret.of(&id), id.clone())?;
            Some([known, id])
        });
        let [one, other] = pairs.next().expect("a pair");
        let class = secret.of_class([one.as_str(), other.as_str(), "ada"], &BTreeSet::new());
        assert_eq!(secret.of(&one), secret.of(&other));
        assert_ne!(class[one.as_str()], class[other.as_str()]);
        for id in [&one, &other] {
            let longer = class[id.as_str()].strip_prefix(&secret.of(id));
            assert!(longer.is_some_and(|it| it.len() == 4), "{class:?}");
        }
        assert_eq!(class["ada"], secret.of("ada"));
    }

    #[test]
    fn words_to_avoid_are_in_no_name_and_nobody_else_is_renamed() {
        let ids = ids();
        let of = |avoided: &[&str]| {
            let avoided = avoided.iter().map(|text| (*text).to_owned()).collect();
            pseudonyms(7).of_class(ids.iter().map(String::as_str), &avoided)
        };
        let free = of(&[]);
        let class = of(&["pine", "lemur", "elk", "ear"]);
        let has = |name: &str| {
            ["pine", "lemur", "-elk-"]
                .iter()
                .any(|it| name.contains(it))
        };
        for kept in ["porcupine", "-elk-", "bear"] {
            assert!(free.values().any(|name| name.contains(kept)), "{kept}");
        }
        assert_eq!(class.values().find(|name| has(name)), None);
        for (id, name) in &class {
            assert_eq!(*name == free[id], !has(&free[id]), "{name}");
        }
        // Where every name has them, there are names all the same.
        assert_eq!(of(&ADJECTIVES), free);
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
