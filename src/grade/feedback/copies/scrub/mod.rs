//! Removes private data, such as paths and names, from text that other people read.
//!
//! This covers tracebacks and messages of compilers. It is no defence against a bot that encodes what it knows.

use std::collections::BTreeMap;
use std::path::{Component, Path};

mod words;

use words::Words;

use crate::bot::SCRATCH_PREFIX;

/// Replacement for hidden text.
const HIDDEN: &str = "…";

/// Minimum length of a hidden word: shorter ones occur in all texts.
const SHORTEST: usize = 4;

/// Replacements of paths and words in a text.
#[derive(Debug, Clone, Default)]
pub struct Scrub {
    /// By their first byte; the longest first.
    needles: BTreeMap<u8, Vec<Needle>>,
    words: Words,
}

#[derive(Debug, Clone)]
struct Needle {
    text: Vec<u8>,
    kind: Kind,
}

#[derive(Debug, Clone, PartialEq, Eq)]
enum Kind {
    /// A path with its replacement. The rest of a longer path stays.
    Place(String),
    /// The prefix of a path that is hidden whole.
    Hidden,
    /// A word without letters and digits.
    Word,
}

impl Scrub {
    /// Replaces nothing.
    pub fn new() -> Self {
        Self::default()
    }

    /// Hides this machine and its user: the home folder, the folders that bots may write to, the name of the
    /// machine, and the name of the user. `root` is kept, since it is an ordinary word.
    pub fn of_this_machine() -> Self {
        let mut scrub = Self::new();
        // Without the variable, only a service of names knows, which a static program cannot ask.
        if let Some(home) = std::env::var_os("HOME") {
            scrub.hide(Path::new(&home));
        }
        // Under `landlock`, each bot has a folder with this prefix.
        scrub.hide(&std::env::temp_dir().join(SCRATCH_PREFIX));
        scrub.hide_word(&rustix::system::uname().nodename().to_string_lossy());
        for variable in ["USER", "LOGNAME"] {
            if let Some(user) = std::env::var(variable).ok().filter(|user| user != "root") {
                scrub.hide_word(&user);
            }
        }
        scrub
    }

    /// Replaces a path by a text such as `.`, as given and with links resolved. The rest of a longer path stays.
    pub fn replace(&mut self, path: &Path, instead: &str) {
        self.add_path(path, &Kind::Place(instead.to_owned()));
    }

    /// Hides a path and the names below it, which may be names of people.
    pub fn hide(&mut self, path: &Path) {
        self.add_path(path, &Kind::Hidden);
    }

    /// Hides a whole word in any case. A very short word is kept: it occurs in all texts.
    pub fn hide_word(&mut self, word: &str) {
        if word.chars().count() >= SHORTEST && !self.words.add(word) {
            self.add(word.as_bytes(), Kind::Word);
        }
    }

    /// Hides a person's name, also as `Last, First`, and with other signs than spaces.
    pub fn hide_name(&mut self, name: &str) {
        if name.chars().count() >= SHORTEST && !self.words.add_name(name) {
            self.add(name.as_bytes(), Kind::Word);
        }
    }

    fn add_path(&mut self, path: &Path, kind: &Kind) {
        let given = std::path::absolute(path).ok();
        for path in given.into_iter().chain(path.canonicalize()) {
            // The root is a part of every path.
            let names = |part| matches!(part, Component::Normal(_));
            if path.components().any(names) {
                let text = path.as_os_str().as_encoded_bytes();
                let length = text.iter().rposition(|byte| *byte != b'/');
                self.add(&text[..length.map_or(0, |last| last + 1)], kind.clone());
            }
        }
    }

    fn add(&mut self, text: &[u8], kind: Kind) {
        let Some(first) = text.first() else {
            return;
        };
        let needles = self.needles.entry(*first).or_default();
        // The first replacement of a text holds.
        if needles.iter().all(|known| known.text != text) {
            let text = text.to_owned();
            needles.push(Needle { text, kind });
            needles.sort_by_key(|needle| std::cmp::Reverse(needle.text.len()));
        }
    }

    /// A text after all replacements.
    pub fn text(&self, text: &str) -> String {
        String::from_utf8_lossy(&self.bytes(text.as_bytes())).into_owned()
    }

    /// Bytes after all replacements. They may be no text.
    pub fn bytes(&self, text: &[u8]) -> Vec<u8> {
        self.pass(text, &|_| true)
    }

    /// A text such as a command after all replacements, with only the last component of each absolute path.
    pub fn names(&self, text: &str) -> String {
        let placed = self.pass(text.as_bytes(), &|kind| matches!(kind, Kind::Place(_)));
        let named = last_components(&placed);
        String::from_utf8_lossy(&self.bytes(&named)).into_owned()
    }

    fn pass(&self, text: &[u8], wanted: &dyn Fn(&Kind) -> bool) -> Vec<u8> {
        let words = if wanted(&Kind::Word) {
            self.words.places(text)
        } else {
            Vec::new()
        };
        let mut words = words.into_iter().peekable();
        let mut out = Vec::with_capacity(text.len());
        let mut at = 0;
        while let Some(byte) = text.get(at) {
            while words.next_if(|word| word.start < at).is_some() {}
            if let Some(word) = words.next_if(|word| word.start == at) {
                out.extend_from_slice(HIDDEN.as_bytes());
                at = word.end;
                continue;
            }
            let needles = self.needles.get(byte).into_iter().flatten();
            let mut fitting = needles.filter(|it| wanted(&it.kind) && it.is_at(text, at));
            match fitting.next() {
                Some(needle) => {
                    out.extend_from_slice(needle.instead().as_bytes());
                    at = needle.end(text, at);
                }
                None => {
                    out.push(*byte);
                    at += 1;
                }
            }
        }
        out
    }
}

impl Needle {
    fn instead(&self) -> &str {
        match &self.kind {
            Kind::Place(instead) => instead,
            Kind::Hidden | Kind::Word => HIDDEN,
        }
    }

    fn is_at(&self, text: &[u8], at: usize) -> bool {
        let Some(after) = text[at..].strip_prefix(self.text.as_slice()) else {
            return false;
        };
        match self.kind {
            // `class/ann` is no part of `class/anna`.
            Kind::Place(_) => match after {
                [b'.', next, ..] => !is_of_word(*next),
                [b'-', ..] => false,
                _ => !after.first().copied().is_some_and(is_of_word),
            },
            Kind::Hidden | Kind::Word => true,
        }
    }

    /// The end of the replaced bytes.
    fn end(&self, text: &[u8], at: usize) -> usize {
        let end = at + self.text.len();
        if self.kind != Kind::Hidden {
            return end;
        }
        let quote = at.checked_sub(1).map(|before| text[before]);
        // Between quotes a path may have spaces. A colon before a space makes it a message.
        if let Some(quote) = quote.filter(|byte| b"\"'`".contains(byte)) {
            let rest = &text[end..];
            let line = rest.iter().position(|byte| *byte == b'\n');
            let line = &rest[..line.unwrap_or(rest.len())];
            if let Some(length) = line.iter().position(|byte| *byte == quote)
                && !line[..length].windows(2).any(|two| two == b": ")
            {
                return end + length;
            }
        }
        end + path_length(&text[end..])
    }
}

/// Whether a byte belongs to a word, or to a character beyond ASCII.
fn is_of_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_' || !byte.is_ascii()
}

/// Length in bytes of the path at the start of a text.
fn path_length(text: &[u8]) -> usize {
    let ends = |byte: &u8| {
        byte.is_ascii_whitespace() || byte.is_ascii_control() || b"\"'`:;,()[]{}<>|".contains(byte)
    };
    text.iter().position(ends).unwrap_or(text.len())
}

/// A text with only the last component of each absolute path.
fn last_components(text: &[u8]) -> Vec<u8> {
    let mut out = Vec::with_capacity(text.len());
    let mut at = 0;
    while let Some(byte) = text.get(at) {
        let before = at.checked_sub(1).map(|before| text[before]);
        let inside = before.is_some_and(|it| is_of_word(it) || b".~/-*$}".contains(&it));
        let path = if *byte == b'/' && !inside {
            &text[at..at + path_length(&text[at..])]
        } else {
            &[]
        };
        let last = path.split(|byte| *byte == b'/').rfind(|it| !it.is_empty());
        match last {
            Some(last) => {
                out.extend_from_slice(last);
                at += path.len();
            }
            None => {
                out.push(*byte);
                at += 1;
            }
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    fn scrub() -> Scrub {
        let mut scrub = Scrub::new();
        scrub.replace(Path::new("/srv/grading/class/ann/"), ".");
        scrub.hide(Path::new("/srv/grading/class"));
        scrub.hide(Path::new("/home/lecturer"));
        scrub.hide_word("marker");
        scrub.hide_word("pc");
        scrub.hide_word("****");
        scrub.hide_name("Ada Aldridge");
        scrub
    }

    #[test]
    fn paths_of_one_machine_are_replaced_and_others_stay() {
        for (text, expected) in [
            (
                "File \"/srv/grading/class/ann/search.py\", line 3",
                "File \"./search.py\", line 3",
            ),
            ("in /srv/grading/class/ann.", "in .."),
            ("/srv/grading/class/ann/", "./"),
            ("/srv/grading/class/anna/x.py", "…"),
            ("/srv/grading/class/ann-2/x.py: no", "…: no"),
            ("/srv/grading/class/ann.old/x.py)", "…)"),
            ("'/srv/grading/class/Bob Smith/x.py' is", "'…' is"),
            ("'/srv/grading/class/bob\nnext'", "'…\nnext'"),
            ("file:///home/lecturer/.cache/x y", "file://… y"),
            ("/home/lecturers/marks", "…"),
            (
                "/usr/lib/python3/json.py, line 1",
                "/usr/lib/python3/json.py, line 1",
            ),
            (
                "on marker: a bookmarker, marker_2, marker",
                "on …: a bookmarker, …_2, …",
            ),
            (
                "ends with `/home/lecturer/env/bin/python3: can't open file '/srv/grading/class/ann/bot.py': No such file`",
                "ends with `…: can't open file './bot.py': No such file`",
            ),
            ("pc", "pc"),
            ("by Aldridge, Ada of ****", "by … of …"),
            ("/srv/grading/class/ann/Ada_Aldridge.py", "./….py"),
            ("", ""),
        ] {
            assert_eq!(scrub().text(text), expected, "{text}");
        }
        let bytes = b"\xff/home/lecturer\xff \xff";
        let expected = [&b"\xff"[..], "…".as_bytes(), b" \xff"].concat();
        assert_eq!(scrub().bytes(bytes), expected);
    }

    #[test]
    fn of_absolute_paths_in_commands_the_name_is_left() {
        for (word, expected) in [
            ("/usr/bin/python3", "python3"),
            ("/srv/grading/class/ann/run.sh", "./run.sh"),
            ("/home/lecturer/env/bin/python3", "python3"),
            ("--book=/opt/books/a.txt", "--book=a.txt"),
            ("cd /srv/x && ./bot -a '/y/z'", "cd x && ./bot -a 'z'"),
            ("../bots/a", "../bots/a"),
            ("a/b /", "a/b /"),
        ] {
            assert_eq!(scrub().names(word), expected, "{word}");
        }
    }

    #[test]
    fn what_bots_learn_of_this_machine_is_hidden() {
        let home = std::path::PathBuf::from(std::env::var_os("HOME").expect("a home"));
        let host = rustix::system::uname();
        // A name such as `vm` is left: see `hide_word`.
        let host = host.nodename().to_str().ok();
        let host = host.filter(|name| name.len() >= SHORTEST);
        let scratch = std::env::temp_dir().join("referee-bot-4711/tmp");
        let paths = [&home, &scratch].map(|path| path.to_str().expect("text"));
        for secret in paths.into_iter().chain(host) {
            let text = Scrub::of_this_machine().text(&format!("at {secret}: {secret}, 1"));
            assert_eq!(text, "at …: …, 1", "{secret}");
        }
    }

    #[test]
    fn links_are_followed_and_the_root_is_no_secret() {
        let folder = tempfile::tempdir().expect("a folder");
        let (real, link) = (folder.path().join("real"), folder.path().join("link"));
        std::fs::create_dir(&real).expect("made");
        std::os::unix::fs::symlink(&real, &link).expect("made");
        let mut scrub = Scrub::new();
        scrub.hide(Path::new("/"));
        scrub.replace(&link, "HERE");
        let text = format!("{}/a {}/b /etc", link.display(), real.display());
        assert_eq!(scrub.text(&text), "HERE/a HERE/b /etc");
    }
}
