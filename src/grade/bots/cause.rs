//! Why submissions fail, as values. A cause that several share is for the lecturer.

use std::collections::BTreeMap;
use std::fmt;

use serde::{Deserialize, Serialize};

use crate::grade::intake::shown;
use crate::text::{counted, excerpt, visible};

/// So many students with one cause are named together.
const SEVERAL: usize = 3;

/// How many of them are named, and how many characters of a line of a program are shown.
const NAMED: usize = 5;
const LINE: usize = 160;

/// Why a submission is no bot.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Broken {
    /// In words for the student.
    pub why: String,
    /// The cause, which others may share.
    pub cause: Cause,
}

impl Broken {
    /// This machine fails, where others may not.
    pub(super) fn unready(why: String) -> Self {
        Self {
            cause: Cause::Unready(why.clone()),
            why,
        }
    }

    /// Whether a person has to look before anybody loses marks.
    pub(super) fn is_held(&self) -> bool {
        matches!(
            self.cause,
            Cause::Undecided | Cause::UndecidedFolder | Cause::Unready(_)
        )
    }
}

/// Why a submission fails. Submissions with equal causes fail for one reason.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Cause {
    /// It cannot be unpacked: what is wrong with it.
    Unpacking(String),
    /// Its `kit.toml` is of no use: why.
    Kit(String),
    /// A file or program of this name is not there.
    Missing(String),
    /// Its program cannot be started: why.
    Program(String),
    /// A person has to say which of its modules plays.
    Undecided,
    /// Several of its folders have a program.
    UndecidedFolder,
    /// It cannot be read or made ready on this machine: why.
    Unready(String),
    /// It has no module that plays.
    NoModule,
    /// It cannot be built: the line that says why.
    Build(String),
    /// It fails before its first action: the line that says why.
    Loading(String),
    /// It ends in a game: the line that says why.
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
    /// Advice to the lecturer about a shared cause.
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
            Self::Unpacking(_)
            | Self::Kit(_)
            | Self::Program(_)
            | Self::NoModule
            | Self::UndecidedFolder
            | Self::Unready(_) => None,
        }
    }
}

/// A cause that several students share. Its [`Display`](fmt::Display) is one line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CommonCause {
    /// The cause.
    pub cause: Cause,
    /// The keys of the students and teams.
    pub students: Vec<String>,
}

impl CommonCause {
    /// The causes that three or more share, the most frequent first.
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
            self.cause
        )?;
        match self.cause.advice() {
            Some(advice) => write!(f, "; {advice}"),
            None => Ok(()),
        }
    }
}

/// The line that says what a program failed with, among the last ones that it wrote: what follows the calls of Python, or
/// precedes those of Java or JavaScript; else the last one.
pub(super) fn telling_line<'a>(lines: &[&'a str]) -> Option<&'a str> {
    let is_call = |line: &str| line.starts_with([' ', '\t']);
    let last_call = lines.iter().rposition(|line| is_call(line));
    let telling = last_call.and_then(|last| match lines[last].trim_start().starts_with("at ") {
        true => lines[..last].iter().rfind(|line| !is_call(line)),
        false => lines.get(last + 1),
    });
    telling.or(lines.last()).map(|line| line.trim())
}

/// The line that says what a build failed with: the first error of a compiler without its place, else as of a program.
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
    fn a_cause_is_named_once_three_share_it_whatever_else_they_wrote() {
        let module =
            |name: &str| Cause::Loading(format!("ModuleNotFoundError: No module named '{name}'"));
        let failed = [
            ("s1", module("referee")),
            ("s2", module("numpy")),
            ("s3", module("referee")),
            ("s4", module("numpy")),
            ("s5", module("referee")),
            (
                "s6",
                Cause::Ending("ModuleNotFoundError: No module named 'numpy'".to_owned()),
            ),
        ];
        let common = CommonCause::among(failed.iter().map(|(key, cause)| (*key, cause)));
        let said: Vec<String> = common.iter().map(ToString::to_string).collect();
        assert_eq!(
            said,
            [
                "3 students or teams (s1, s3, s5): it cannot be loaded: `ModuleNotFoundError: No module named 'referee'`; \
              name what the course puts beside agents with `course-files`, or install the package"
            ]
        );
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
