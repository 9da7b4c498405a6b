//! What people read is in plain words.

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

#[test]
fn what_the_program_says_stands_for_itself() {
    let files = files_below(&root().join("src")).into_iter();
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
