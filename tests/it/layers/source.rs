//! Finds the paths in a source file. The lexer is `proc_macro2`, and not `syn`, which leaves what is
//! inside macros and attributes unread.

use std::collections::HashMap;

use proc_macro2::{Delimiter, Ident, TokenStream, TokenTree};

use crate::support::files::{files_below, has_extension};
use crate::support::program::root;

/// A path as code uses it, or the name of a macro it calls.
#[derive(Clone)]
pub struct Use {
    /// From `crate`, or from the name of another crate; `super` and `self` are resolved.
    pub path: String,
    pub line: usize,
}

/// What one file uses, its tests left out.
#[derive(Clone)]
pub struct Source {
    pub file: String,
    /// The top-level module that it belongs to; `None` for the roots of library and binary.
    pub module: Option<String>,
    pub uses: Vec<Use>,
    pub macros: Vec<Use>,
}

impl Source {
    /// All files of `src/`.
    pub fn all() -> Vec<Self> {
        let files = files_below(&root().join("src")).into_iter();
        let files = files.filter(|file| has_extension(file, "rs"));
        let sources: Vec<Self> = files
            .map(|path| {
                let file = path.strip_prefix(root()).expect("inside");
                let text = std::fs::read_to_string(&path).expect("text");
                Self::parse(&file.to_string_lossy(), &text)
            })
            .collect();
        assert!(sources.len() > 30, "src/ was not found");
        sources
    }

    /// Reads the text of a file; `file` is its path from the root of the package.
    pub fn parse(file: &str, text: &str) -> Self {
        let inner = file.trim_start_matches("src/").trim_end_matches(".rs");
        let mut place: Vec<&str> = inner.split('/').collect();
        if place.last() == Some(&"mod") {
            place.pop();
        }
        let module = match place[..] {
            ["lib" | "main"] => None,
            _ => place.first().map(|name| (*name).to_owned()),
        };
        let mut found = Found::default();
        found.read(text.parse().expect(file));
        Self {
            file: file.to_owned(),
            module,
            uses: resolve(found.paths, &place),
            macros: found.macros,
        }
    }
}

/// A path as it was written, and the name that a `use` gives it.
struct Written {
    parts: Vec<String>,
    name: Option<String>,
    line: usize,
    is_export: bool,
}

#[derive(Default)]
struct Found {
    paths: Vec<Written>,
    macros: Vec<Use>,
    /// Whether a `pub use` is being read.
    is_export: bool,
}

impl Found {
    fn read(&mut self, stream: TokenStream) {
        let tokens: Vec<TokenTree> = stream.into_iter().collect();
        let mut rest = &tokens[..];
        loop {
            rest = match rest {
                [] => return,
                [
                    TokenTree::Punct(mark),
                    TokenTree::Group(attribute),
                    after @ ..,
                ] if mark.as_char() == '#' && attribute.to_string() == "[cfg (test)]" => {
                    after_item(after)
                }
                // `..` may stand before a path; a name after one dot is a field or a method.
                [dot, second, after @ ..] if is(dot, '.') && is(second, '.') => after,
                [dot, TokenTree::Ident(_), after @ ..] if is(dot, '.') => after,
                [TokenTree::Ident(word), TokenTree::Ident(next), after @ ..]
                    if word == "pub" && next == "use" =>
                {
                    self.export(after)
                }
                [
                    TokenTree::Ident(word),
                    TokenTree::Group(_),
                    TokenTree::Ident(next),
                    after @ ..,
                ] if word == "pub" && next == "use" => self.export(after),
                [TokenTree::Ident(word), after @ ..] if word == "use" => self.tree(after, &[]),
                [TokenTree::Ident(first), after @ ..] => self.path(first, after),
                [TokenTree::Group(group), after @ ..] => {
                    self.read(group.stream());
                    after
                }
                [_, after @ ..] => after,
            }
        }
    }

    /// Reads the tree of a `pub use`, and says what comes after it.
    fn export<'a>(&mut self, rest: &'a [TokenTree]) -> &'a [TokenTree] {
        self.is_export = true;
        let after = self.tree(rest, &[]);
        self.is_export = false;
        after
    }

    /// Reads a path from its first name, and says what comes after it.
    fn path<'a>(&mut self, first: &Ident, mut rest: &'a [TokenTree]) -> &'a [TokenTree] {
        let line = first.span().start().line;
        let mut parts = vec![first.to_string()];
        while let [colon, second, TokenTree::Ident(name), after @ ..] = rest
            && is(colon, ':')
            && is(second, ':')
        {
            parts.push(name.to_string());
            rest = after;
        }
        if let [mark, TokenTree::Group(_), ..] = rest
            && is(mark, '!')
        {
            let path = parts.last().cloned().unwrap_or_default();
            self.macros.push(Use { path, line });
        }
        self.paths.push(Written {
            parts,
            name: None,
            line,
            is_export: false,
        });
        rest
    }

    /// Reads one tree of a `use` that is inside the path `before`, and says what comes after it.
    fn tree<'a>(&mut self, mut rest: &'a [TokenTree], before: &[String]) -> &'a [TokenTree] {
        let mut parts = before.to_vec();
        let mut name = None;
        let mut line = 0;
        while let [token, after @ ..] = rest {
            match token {
                TokenTree::Group(group) if group.delimiter() == Delimiter::Brace => {
                    let inner: Vec<TokenTree> = group.stream().into_iter().collect();
                    let mut inner = &inner[..];
                    while !inner.is_empty() {
                        inner = self.tree(inner, &parts);
                    }
                    return after;
                }
                TokenTree::Ident(word) if word == "as" => {
                    name = after.first().map(ToString::to_string);
                }
                // `a::{self}` is `a`.
                TokenTree::Ident(word) if word == "self" && !before.is_empty() => {}
                TokenTree::Ident(word) if name.is_none() => parts.push(word.to_string()),
                TokenTree::Punct(star) if star.as_char() == '*' => parts.push("*".to_owned()),
                TokenTree::Punct(end) if end.as_char() != ':' => {
                    rest = after;
                    break;
                }
                _ => {}
            }
            line = token.span().start().line;
            rest = after;
        }
        if let Some(last) = parts.last().cloned() {
            self.paths.push(Written {
                parts,
                name: name.or(Some(last)),
                line,
                is_export: self.is_export,
            });
        }
        rest
    }
}

fn is(token: &TokenTree, sign: char) -> bool {
    matches!(token, TokenTree::Punct(punct) if punct.as_char() == sign)
}

/// What comes after an item, which ends with a semicolon or with the first braces.
fn after_item(item: &[TokenTree]) -> &[TokenTree] {
    let ends = |token: &TokenTree| match token {
        TokenTree::Group(group) => group.delimiter() == Delimiter::Brace,
        _ => is(token, ';'),
    };
    let end = item.iter().position(ends).map_or(item.len(), |at| at + 1);
    &item[end..]
}

/// Makes paths absolute: `super` and `self` by where the file stands, names by what `use` says.
fn resolve(written: Vec<Written>, place: &[&str]) -> Vec<Use> {
    let absolute = |parts: &[String]| -> Vec<String> {
        let ups = parts.iter().take_while(|part| *part == "super").count();
        let own = usize::from(parts.first().is_some_and(|part| part == "self"));
        if ups + own == 0 {
            return parts.to_vec();
        }
        let kept = place.len().saturating_sub(ups);
        let mut path = vec!["crate".to_owned()];
        path.extend(place[..kept].iter().map(|part| (*part).to_owned()));
        path.extend(parts[ups + own..].iter().cloned());
        path
    };
    let names: HashMap<String, (Vec<String>, bool)> = written
        .iter()
        .filter_map(|one| Some((one.name.clone()?, (absolute(&one.parts), one.is_export))))
        .collect();
    written
        .iter()
        .filter_map(|one| {
            let mut parts = absolute(&one.parts);
            if one.name.is_none() {
                let full = names.get(&parts[0]);
                // A name alone is reported where `use` brings it in, unless that only lets it out again.
                if parts.len() == 1 && full.is_none_or(|(_, is_export)| !is_export) {
                    return None;
                }
                if let Some((full, _)) = full {
                    parts.splice(..1, full.iter().cloned());
                }
            }
            Some(Use {
                path: parts.join("::"),
                line: one.line,
            })
        })
        .collect()
}
