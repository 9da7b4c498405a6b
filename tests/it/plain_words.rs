//! What people read is in plain words.

use std::path::PathBuf;

use proc_macro2::{TokenStream, TokenTree};

use crate::support::files::{files_below, has_extension};
use crate::support::program::root;

/// Words that make a reader look for what they stand for.
const AVOIDED: [&str; 9] = [
    " those of ",
    " that of ",
    " of which ",
    " of whom ",
    " whom none ",
    " whoever ",
    " as far as ",
    " awaited ",
    " the same of ",
];

/// The files of the program and its crates.
fn sources() -> Vec<PathBuf> {
    ["src", "crates"]
        .map(|folder| files_below(&root().join(folder)))
        .concat()
}

#[test]
fn what_the_program_says_stands_for_itself() {
    let files = sources().into_iter();
    let mut found = Vec::new();
    for path in files.filter(|file| has_extension(file, "rs")) {
        let text = std::fs::read_to_string(&path).expect("text");
        let name = path.strip_prefix(root()).expect("inside").to_string_lossy();
        // The help of a command is made from its comments.
        let with_comments = name.starts_with("src/cli/");
        let mut texts = Vec::new();
        literals(text.parse().expect("Rust"), with_comments, &mut texts);
        for text in texts {
            let words = format!(" {} ", unbroken(&text).to_lowercase());
            let avoided = AVOIDED.iter().filter(|avoided| words.contains(*avoided));
            found
                .extend(avoided.map(|avoided| format!("{name}: \"{}\" in {text}", avoided.trim())));
        }
    }
    assert!(found.is_empty(), "{}", found.join("\n"));
}

/// Chains of pronouns, which send a reader back to what they stand for.
const CHAINS: [&str; 17] = [
    " those of ",
    " that of ",
    " the same of ",
    " the same for ",
    " the same as ",
    " of which ",
    " of whom ",
    " to whom ",
    " in which ",
    " what is ",
    " what was ",
    " what are ",
    " as far as ",
    " so many ",
    " whoever ",
    " as of ",
    " whom none ",
];

/// First words of sentences whose subject comes late.
const BEGINNINGS: [&str; 5] = ["What ", "Whoever ", "The same ", "How far ", "Those of "];

/// How many there may be, in all comments and in all pages. Lower the numbers as they fall.
const MOST_IN_COMMENTS: Plainness = Plainness {
    chains: 1,
    beginnings: 0,
};
const MOST_IN_PAGES: Plainness = Plainness {
    chains: 5,
    beginnings: 0,
};

#[derive(Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
struct Plainness {
    chains: usize,
    beginnings: usize,
}

impl Plainness {
    fn add(&mut self, paragraph: &str) {
        let words = format!(" {} ", unbroken(paragraph));
        let lower = words.to_lowercase();
        self.chains += CHAINS
            .map(|it| lower.matches(it).count())
            .iter()
            .sum::<usize>();
        let sentences = words
            .split(". ")
            .map(|it| it.trim_start_matches([' ', '-', '|']));
        let begins = |sentence: &str| BEGINNINGS.iter().any(|it| sentence.starts_with(it));
        self.beginnings += sentences.filter(|sentence| begins(sentence)).count();
    }

    fn assert_at_most(&self, most: &Self) {
        assert!(
            self.chains <= most.chains && self.beginnings <= most.beginnings,
            "{self:?}, and there may be {most:?}"
        );
    }
}

#[test]
fn comments_and_pages_send_no_reader_back() {
    let mut comments = Plainness::default();
    let files = sources().into_iter();
    for path in files.filter(|file| has_extension(file, "rs")) {
        let text = std::fs::read_to_string(&path).expect("text");
        let mut paragraph = String::new();
        for line in text.lines() {
            match line.trim_start().strip_prefix("//") {
                Some(comment) => {
                    paragraph.push_str(comment.trim_start_matches(['/', '!']));
                    paragraph.push('\n');
                }
                None => comments.add(&std::mem::take(&mut paragraph)),
            }
        }
    }
    comments.assert_at_most(&MOST_IN_COMMENTS);
    let mut pages = Plainness::default();
    let mut files = files_below(&root().join("docs"));
    files.extend(["README.md", "CHANGELOG.md", "CONTRIBUTING.md"].map(|page| root().join(page)));
    for path in files.iter().filter(|file| has_extension(file, "md")) {
        let text = std::fs::read_to_string(path).expect("text");
        text.split("\n\n")
            .for_each(|paragraph| pages.add(paragraph));
    }
    pages.assert_at_most(&MOST_IN_PAGES);
}

/// All literals; comments are those of attributes `doc`.
fn literals(stream: TokenStream, with_comments: bool, texts: &mut Vec<String>) {
    let tokens: Vec<TokenTree> = stream.into_iter().collect();
    for (at, token) in tokens.iter().enumerate() {
        match token {
            TokenTree::Group(group) => literals(group.stream(), with_comments, texts),
            TokenTree::Literal(literal) => {
                let before = at.checked_sub(2).map(|at| tokens[at].to_string());
                if with_comments || before.as_deref() != Some("doc") {
                    texts.push(literal.to_string());
                }
            }
            TokenTree::Ident(_) | TokenTree::Punct(_) => {}
        }
    }
}

/// A text in one line, where its source has several.
fn unbroken(text: &str) -> String {
    let words = text.split(|c: char| c.is_whitespace() || c == '\\' || c == '"');
    let words: Vec<&str> = words.filter(|word| !word.is_empty()).collect();
    words.join(" ")
}
