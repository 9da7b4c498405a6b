//! Whether something stands in published files that must not be there: ids, names and addresses of students.

use std::collections::{BTreeSet, HashMap};
use std::fs::{self, File};
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use crate::text::{composed, decomposed};

/// The fewest characters of a text that is searched for: shorter ones stand everywhere.
const SHORTEST: usize = 4;

/// The most places that are reported.
const MOST: usize = 1000;

/// How many bytes of a file are in memory at a time, besides the longest text that is searched for.
const BLOCK: usize = 1 << 16;

/// A text that stands where it must not.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Leak {
    /// The file or folder, below the one that was searched.
    pub file: PathBuf,
    /// The text.
    pub secret: String,
    /// From which byte it stands there first; nothing if it is in the name, or in that of which the file is a link.
    pub at: Option<u64>,
}

/// What a search found.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Leaks {
    /// The places, sorted: the first of each text in each file, and at most the first 1000 in all.
    pub found: Vec<Leak>,
    /// The texts that are too short to be searched for.
    pub not_searched: Vec<String>,
}

/// A file or folder that cannot be searched.
#[derive(Debug, thiserror::Error)]
#[error("{}: cannot be searched for names and ids: {error}", path.display())]
pub struct SearchError {
    /// Which one.
    pub path: PathBuf,
    /// Why.
    #[source]
    pub error: io::Error,
}

/// Searches the names and every byte of all files below a folder for texts, in capital or small letters, and as they
/// are written in HTML and in addresses of pages. Texts of fewer than four characters are not searched for. Links are
/// not followed.
///
/// # Errors
/// A file or folder cannot be read.
pub fn leaks(folder: &Path, secrets: &[String]) -> Result<Leaks, SearchError> {
    let needles = Needles::new(secrets);
    let mut leaks = Leaks {
        found: Vec::new(),
        not_searched: needles.too_short(secrets),
    };
    let mut folders = vec![PathBuf::new()];
    while let Some(below) = folders.pop() {
        let mut entries = Vec::new();
        let here: PathBuf = folder.components().chain(below.components()).collect();
        let read = fs::read_dir(&here).and_then(|all| {
            for entry in all {
                let entry = entry?;
                entries.push((below.join(entry.file_name()), entry.file_type()?));
            }
            Ok(())
        });
        read.map_err(SearchError::at(&here))?;
        entries.sort_by(|one, other| one.0.cmp(&other.0));
        for (file, kind) in entries {
            let path = folder.join(&file);
            let mut found = BTreeSet::new();
            let mut names = vec![file.file_name().unwrap_or_default().to_owned()];
            if kind.is_symlink() {
                let target = fs::read_link(&path).map_err(SearchError::at(&path))?;
                names.push(target.into_os_string());
            }
            for name in names {
                needles
                    .search(&mut name.as_encoded_bytes(), &mut |secret, _| {
                        found.insert((secret, None));
                    })
                    .map_err(SearchError::at(&path))?;
            }
            if kind.is_dir() {
                folders.push(file.clone());
            } else if kind.is_file() {
                let mut seen = HashMap::new();
                File::open(&path)
                    .and_then(|mut file| {
                        needles.search(&mut file, &mut |secret, at| {
                            seen.entry(secret).or_insert(at);
                        })
                    })
                    .map_err(SearchError::at(&path))?;
                found.extend(seen.into_iter().map(|(secret, at)| (secret, Some(at))));
            }
            leaks
                .found
                .extend(found.into_iter().map(|(secret, at)| Leak {
                    file: file.clone(),
                    secret: secrets[secret].clone(),
                    at,
                }));
            if leaks.found.len() >= MOST {
                leaks.found.truncate(MOST);
                folders.clear();
                break;
            }
        }
    }
    leaks.found.sort();
    Ok(leaks)
}

impl SearchError {
    fn at(path: &Path) -> impl FnOnce(io::Error) -> Self {
        move |error| Self {
            path: path.to_owned(),
            error,
        }
    }
}

/// What is searched for, in small letters as far as ASCII goes.
struct Needles {
    /// Each form, and which text it is of, by its first four bytes.
    by_begin: HashMap<[u8; BEGIN], Vec<(Vec<u8>, usize)>>,
    /// Whether a form begins with these two bytes.
    pairs: Vec<bool>,
    /// The length of the longest form.
    longest: usize,
}

/// How many bytes the shortest form has at least.
const BEGIN: usize = 4;

impl Needles {
    fn new(secrets: &[String]) -> Self {
        let mut needles = Self {
            by_begin: HashMap::new(),
            pairs: vec![false; 1 << 16],
            longest: BEGIN,
        };
        for (index, secret) in secrets.iter().enumerate() {
            if !is_searched(secret) {
                continue;
            }
            for form in forms(secret.trim()) {
                if let Some(begin) = form.first_chunk::<BEGIN>() {
                    needles.pairs[pair(begin)] = true;
                    needles.longest = needles.longest.max(form.len());
                    let alike = needles.by_begin.entry(*begin).or_default();
                    alike.push((form, index));
                }
            }
        }
        needles
    }

    fn too_short(&self, secrets: &[String]) -> Vec<String> {
        let short = secrets.iter().filter(|secret| !is_searched(secret));
        short.cloned().collect()
    }

    /// Shows each place to `found`: which text, and from which byte.
    fn search(&self, file: &mut dyn Read, found: &mut dyn FnMut(usize, u64)) -> io::Result<()> {
        let mut block: Vec<u8> = Vec::new();
        let mut offset = 0_u64;
        loop {
            let kept = block.len();
            let read = (&mut *file).take(BLOCK as u64).read_to_end(&mut block)?;
            block[kept..].make_ascii_lowercase();
            let is_last = read == 0;
            // A form that begins in the last bytes may go on in the next block.
            let end = match is_last {
                true => block.len(),
                false => (block.len() + 1).saturating_sub(self.longest),
            };
            for at in 0..end {
                let rest = &block[at..];
                let Some(begin) = rest.first_chunk::<BEGIN>() else {
                    break;
                };
                if !self.pairs[pair(begin)] {
                    continue;
                }
                for (form, secret) in self.by_begin.get(begin).into_iter().flatten() {
                    if rest.starts_with(form) {
                        found(*secret, offset + at as u64);
                    }
                }
            }
            if is_last {
                return Ok(());
            }
            block.drain(..end);
            offset += end as u64;
        }
    }
}

fn pair(begin: &[u8; BEGIN]) -> usize {
    usize::from(u16::from_le_bytes([begin[0], begin[1]]))
}

/// Whether a text is long enough to be searched for.
fn is_searched(secret: &str) -> bool {
    secret.trim().chars().count() >= SHORTEST
}

/// How a text may be written: as it is, in HTML, and in an address; each in capital and small letters, and with both
/// ways to write accents.
fn forms(secret: &str) -> BTreeSet<Vec<u8>> {
    let mut forms = BTreeSet::new();
    let cases = [
        secret.to_owned(),
        secret.to_lowercase(),
        secret.to_uppercase(),
    ];
    let texts = cases
        .iter()
        .flat_map(|text| [composed(text), decomposed(text)]);
    for text in texts {
        let html = |quote: &str| {
            let signs = text
                .replace('&', "&amp;")
                .replace('<', "&lt;")
                .replace('>', "&gt;");
            signs.replace('"', "&quot;").replace('\'', quote)
        };
        let percent: String = text.bytes().fold(String::new(), |mut address, byte| {
            match byte.is_ascii_alphanumeric() || b"-._~".contains(&byte) {
                true => address.push(char::from(byte)),
                false => address.push_str(&format!("%{byte:02x}")),
            }
            address
        });
        for mut form in [html("&#x27;"), html("&#39;"), percent, text.clone()] {
            form.make_ascii_lowercase();
            forms.insert(form.into_bytes());
        }
    }
    forms
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What is found in a file of these bytes: the texts, and where.
    fn found(bytes: &[u8], secrets: &[&str]) -> Vec<(String, Option<u64>)> {
        let folder = tempfile::tempdir().expect("a folder");
        fs::write(folder.path().join("page.html"), bytes).expect("written");
        let secrets: Vec<String> = secrets.iter().map(|it| (*it).to_owned()).collect();
        let leaks = leaks(folder.path(), &secrets).expect("searched");
        let leaks = leaks.found.into_iter();
        leaks.map(|leak| (leak.secret, leak.at)).collect()
    }

    #[test]
    fn texts_are_found_in_every_form() {
        for (text, secret, at) in [
            ("by Ada Lovelace", "ada lovelace", 3),
            ("ADA@EXAMPLE.ORG", "ada@example.org", 0),
            ("?to=ada%40example.org", "ada@example.org", 4),
            ("O&#x27;Brien", "O'Brien", 0),
            ("<b>Mar&amp;Co</b>", "Mar&Co", 3),
            ("JOSÉ ÑANDÚ", "José Ñandú", 0),
            ("Zoe\u{308}y", "Zoëy", 0),
            ("JOSÉ", "Jose\u{301}", 0),
            ("\0\0s1234567\0", "S1234567", 2),
        ] {
            let expected = [(secret.to_owned(), Some(at))];
            assert_eq!(found(text.as_bytes(), &[secret]), expected, "{text}");
        }
        assert_eq!(found(b"ada Ad", &["adam", "lovelace"]), []);
    }

    #[test]
    fn a_text_is_found_wherever_it_lies() {
        for at in [
            0,
            1,
            BLOCK - 9,
            BLOCK - 8,
            BLOCK - 1,
            BLOCK,
            2 * BLOCK - 3,
            3 * BLOCK,
        ] {
            let mut bytes = vec![b'x'; at];
            bytes.extend(b"lovelace");
            for after in [0, 1, BLOCK] {
                bytes.extend(vec![b'y'; after]);
                let expected = [("Lovelace".to_owned(), Some(at as u64))];
                assert_eq!(
                    found(&bytes, &["Lovelace", "a much longer text"]),
                    expected,
                    "{at} {after}"
                );
            }
        }
    }

    #[test]
    fn names_links_and_short_texts_are_reported() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = |name: &str| folder.path().join(name);
        fs::create_dir_all(path("feedback/s1234567")).expect("made");
        fs::write(path("feedback/s1234567/page.html"), "nothing").expect("written");
        std::os::unix::fs::symlink("/home/lovelace/x", path("link")).expect("made");
        let secrets = ["s1234567", "Lovelace", "Ada", ""].map(str::to_owned);
        let leaks = leaks(folder.path(), &secrets).expect("searched");
        let leak = |file: &str, secret: &str| Leak {
            file: PathBuf::from(file),
            secret: secret.to_owned(),
            at: None,
        };
        assert_eq!(
            leaks.found,
            [
                leak("feedback/s1234567", "s1234567"),
                leak("link", "Lovelace")
            ]
        );
        assert_eq!(leaks.not_searched, ["Ada", ""]);
        let error = super::leaks(&path("none"), &secrets).expect_err("no folder");
        assert!(
            error.to_string().contains("none: cannot be searched"),
            "{error}"
        );
    }

    #[test]
    fn a_folder_full_of_names_ends_the_search() {
        let folder = tempfile::tempdir().expect("a folder");
        for number in 0..MOST + 20 {
            fs::write(folder.path().join(format!("{number}")), "lovelace").expect("written");
        }
        let leaks = leaks(folder.path(), &["Lovelace".to_owned()]).expect("searched");
        assert_eq!(leaks.found.len(), MOST);
    }
}
