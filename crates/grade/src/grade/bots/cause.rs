//! Causes of failed submissions as values. Causes shared by several students are reported to the lecturer.

use std::collections::BTreeMap;
use std::fmt;

use serde::{Deserialize, Serialize};

use crate::grade::intake::shown;
use crate::text::{counted, excerpt, visible};

/// Characters kept at each end of a path that is longer than two of them.
const KEPT_OF_PATH: usize = 100;

const SEVERAL: usize = 3;

/// Maximum number of students named, and characters shown of a program's line.
const NAMED: usize = 5;
const LINE: usize = 160;

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct BrokenBot {
    pub why: String,
    pub cause: Cause,
}

impl BrokenBot {
    pub(super) fn new(why: String, cause: Cause) -> Self {
        let why = with_short_paths(&why);
        Self { why, cause }
    }

    /// A failure of this machine, which others may not have.
    pub(super) fn unready(why: &str) -> Self {
        let why = with_short_paths(why);
        Self::new(why.clone(), Cause::Unready(why))
    }

    /// Whether a person has to decide before any marks are lost.
    pub(super) fn is_held(&self) -> bool {
        self.cause.is_undecided() || matches!(self.cause, Cause::Unready(_))
    }
}

/// A text with `…` in the middle of each long path: what follows a path must stay.
fn with_short_paths(text: &str) -> String {
    let short = |word: &str| {
        let chars: Vec<char> = word.chars().collect();
        if chars.len() <= 2 * KEPT_OF_PATH || !word.contains('/') {
            return word.to_owned();
        }
        let [begin, end] = [&chars[..KEPT_OF_PATH], &chars[chars.len() - KEPT_OF_PATH..]]
            .map(|part| part.iter().collect::<String>());
        format!("{begin}…{end}")
    };
    let words: Vec<String> = text.split(' ').map(short).collect();
    words.join(" ")
}

/// Cause of a failed submission. Equal causes fail for one reason.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Cause {
    Unpacking(String),
    Kit(String),
    Missing(String),
    Program(String),
    Undecided,
    UndecidedFolder,
    /// It cannot be read or prepared on this machine, with the reason.
    Unready(String),
    NoModule,
    Build(String),
    Loading(String),
    Ending(String),
}

impl fmt::Display for Cause {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let quoted = |line: &str| format!("`{}`", excerpt(line, LINE));
        match self {
            Self::Unpacking(flaw) => {
                write!(
                    f,
                    "what was handed in cannot be unpacked: it {}",
                    visible(flaw)
                )
            }
            Self::Kit(why) | Self::Program(why) | Self::Unready(why) => f.write_str(&visible(why)),
            Self::Missing(name) => write!(f, "there is no {}", quoted(name)),
            Self::Undecided => f.write_str("it is not decided which module plays"),
            Self::UndecidedFolder => f.write_str("it is not decided which of its folders plays"),
            Self::NoModule => f.write_str("there is no module that plays"),
            Self::Build(line) => write!(f, "the build fails with {}", quoted(line)),
            Self::Loading(line) => write!(f, "it cannot be loaded: {}", quoted(line)),
            Self::Ending(line) => write!(f, "it ends in a game with {}", quoted(line)),
        }
    }
}

impl Cause {
    /// Whether the student's own files leave open what plays.
    pub fn is_undecided(&self) -> bool {
        matches!(self, Self::Undecided | Self::UndecidedFolder)
    }

    /// Whether there is a program.
    pub fn is_of_program(&self) -> bool {
        !matches!(self, Self::Kit(_) | Self::Missing(_) | Self::NoModule)
    }

    fn advice(&self) -> Option<&'static str> {
        match self {
            Self::Build(line) | Self::Loading(line) | Self::Ending(line) => {
                let is_import = ["ModuleNotFoundError: ", "ImportError: "];
                is_import.iter().any(|it| line.starts_with(it)).then_some(
                    "name what the course puts beside agents with `course-files`, or install the package",
                )
            }
            Self::Missing(_) => Some("does `command` in [submission] say what students were told?"),
            Self::Undecided => {
                Some("name it in the column `module` of the roster, or for all by the key `module`")
            }
            Self::UndecidedFolder => Some("name it in the column `module` of the roster"),
            Self::Unpacking(_)
            | Self::Kit(_)
            | Self::Program(_)
            | Self::NoModule
            | Self::Unready(_) => None,
        }
    }
}

/// A cause shared by several students. Its [`Display`](fmt::Display) is one line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CommonCause {
    pub cause: Cause,
    pub students: Vec<String>,
}

impl CommonCause {
    pub fn among<'a>(failed: impl IntoIterator<Item = (&'a str, &'a Cause)>) -> Vec<Self> {
        let mut students: BTreeMap<&Cause, Vec<String>> = BTreeMap::new();
        for (key, cause) in failed {
            students.entry(cause).or_default().push(key.to_owned());
        }
        let common = students
            .into_iter()
            .filter(|(_, keys)| keys.len() >= SEVERAL);
        let common = common.map(|(cause, students)| Self {
            cause: cause.clone(),
            students,
        });
        let mut common: Vec<Self> = common.collect();
        common.sort_by_key(|it| std::cmp::Reverse(it.students.len()));
        common
    }

    pub fn words(&self) -> String {
        match self.cause.advice() {
            Some(advice) => format!("{}; {advice}", self.cause),
            None => self.cause.to_string(),
        }
    }
}

impl fmt::Display for CommonCause {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let count = self.students.len();
        let named = self.students.iter().take(NAMED).map(|key| shown(key));
        let mut named: Vec<String> = named.collect();
        if count > NAMED {
            named.push("…".to_owned());
        }
        write!(
            f,
            "{} ({}): {}",
            counted(count as u64, "student or team", "students or teams"),
            named.join(", "),
            self.words()
        )
    }
}

/// The most telling of a program's last lines: after the traceback of Python, or before the stack trace of Java
/// or JavaScript; else the last line.
pub(super) fn telling_line<'a>(lines: &[&'a str]) -> Option<&'a str> {
    let is_call = |line: &str| line.starts_with([' ', '\t']);
    let last_call = lines.iter().rposition(|line| is_call(line));
    let telling = last_call.and_then(|last| {
        if lines[last].trim_start().starts_with("at ") {
            lines[..last].iter().rfind(|line| !is_call(line))
        } else {
            lines.get(last + 1)
        }
    });
    telling.or(lines.last()).map(|line| line.trim())
}

/// The most telling line of a build: the first compiler error without its position, else as in
/// [`telling_line`].
pub(super) fn telling_line_of_build(text: &str) -> String {
    let lines: Vec<&str> = text
        .lines()
        .filter(|line| !line.trim().is_empty())
        .collect();
    let error = |line: &&str| {
        let at = [line.find("error: "), line.find("error[")];
        at.into_iter().flatten().min()
    };
    let first = lines.iter().find_map(|line| Some(&line[error(line)?..]));
    first
        .or_else(|| telling_line(&lines))
        .unwrap_or_default()
        .to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_long_path_is_short_and_what_follows_stays() {
        let path = format!("/work/{}/end.py", "long name/".repeat(90).replace(' ', "-"));
        let why =
            format!("it cannot be made ready here: {path}: cannot be read: File name too long");
        let broken = BrokenBot::unready(&why);
        let (begin, end) = (
            "it cannot be made ready here: /work/long-name/",
            "/end.py: cannot be read: File name too long",
        );
        let said = &broken.why;
        assert!(said.starts_with(begin) && said.ends_with(end), "{said}");
        let longest = said.split(' ').map(|it| it.chars().count()).max();
        assert_eq!(longest, Some(201));
        assert_eq!(broken.cause, Cause::Unready(broken.why.clone()));
    }

    #[test]
    fn the_telling_line_is_that_of_the_failure_in_each_language() {
        let of = |text: &str| {
            let lines: Vec<&str> = text.lines().filter(|line| !line.is_empty()).collect();
            telling_line(&lines).map(str::to_owned)
        };
        let python = "  File \"x.py\", line 1, in <module>\n    import y\nImportError: y\nimport('x') raised ImportError: y\n";
        assert_eq!(of(python).as_deref(), Some("ImportError: y"));
        let node = "x.js:1\nboom()\n^\n\nReferenceError: boom is not defined\n    at x.js:1:1\n    at node:1\n\nNode.js v18\n";
        assert_eq!(
            of(node).as_deref(),
            Some("ReferenceError: boom is not defined")
        );
        assert_eq!(of("starting\nno weights\n").as_deref(), Some("no weights"));
        assert_eq!(of(""), None);
        let build = telling_line_of_build;
        assert_eq!(
            build("a.cpp:1:1: error: no x\na.cpp:9:1: error: no y\nmake: *** [a] Error 1\n"),
            build("b.cpp:7:3: error: no x\nmake: *** [b] Error 1\n")
        );
        assert_eq!(
            build("  File \"b.py\", line 1\n    (\n    ^\nSyntaxError: '(' was never closed\n"),
            "SyntaxError: '(' was never closed"
        );
        assert_eq!(build("sh: 1: g++: not found\n"), "sh: 1: g++: not found");
    }
}
