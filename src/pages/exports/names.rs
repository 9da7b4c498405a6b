//! Names of files from words.

use std::collections::BTreeSet;

/// Maximum length of a name.
const LONGEST: usize = 80;

/// The name for words that have no letter or digit of ASCII.
const NAMELESS: &str = "figure";

/// Words as a name of a file: letters and digits of ASCII in lower case, with `-` between them.
pub fn slug(words: &str) -> String {
    let lower = words.to_ascii_lowercase();
    let parts = lower.split(|c: char| !c.is_ascii_alphanumeric());
    let parts: Vec<&str> = parts.filter(|part| !part.is_empty()).collect();
    let mut name = parts.join("-");
    name.truncate(LONGEST);
    let name = name.trim_end_matches('-');
    match name {
        "" => NAMELESS.to_owned(),
        name => name.to_owned(),
    }
}

/// Names that are used already.
#[derive(Debug, Default)]
pub struct Names(BTreeSet<String>);

impl Names {
    /// The name, or with the lowest number from 2 that is not used.
    pub fn unused(&mut self, name: &str) -> String {
        let numbered = (2..).map(|number: u32| format!("{name}-{number}"));
        let mut candidates = std::iter::once(name.to_owned()).chain(numbered);
        let unused = candidates.find(|name| !self.0.contains(name));
        // The numbers do not end before memory does.
        let unused = unused.unwrap_or_default();
        self.0.insert(unused.clone());
        unused
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_safe_names() {
        for (words, name) in [
            ("cachex ratings", "cachex-ratings"),
            (
                "Cachex: ratings with 95 % intervals",
                "cachex-ratings-with-95-intervals",
            ),
            ("../../etc/passwd", "etc-passwd"),
            ("王 -- ", "figure"),
            ("", "figure"),
        ] {
            assert_eq!(slug(words), name);
        }
        assert_eq!(slug(&"abc ".repeat(100)).len(), 80 - 1);
        let mut names = Names::default();
        let found = ["a", "b", "a", "a"].map(|name| names.unused(name));
        assert_eq!(found, ["a", "b", "a-2", "a-3"]);
    }
}
