//! Just enough of the language to find every path in a source file.

use std::collections::HashMap;
use std::path::Path;

/// A path as code uses it, or the name of a macro it calls.
#[derive(Debug, Clone)]
pub struct Use {
    /// From `crate`, or from the name of another crate; `super` and `self` are resolved.
    pub path: String,
    pub line: usize,
}

/// What one file uses, its tests left out.
pub struct Source {
    pub file: String,
    /// The top-level module that it belongs to; `None` for the roots of library and binary.
    pub module: Option<String>,
    pub uses: Vec<Use>,
    pub macros: Vec<Use>,
}

#[derive(Debug, Clone, PartialEq)]
struct Token {
    text: String,
    line: usize,
}

impl Source {
    /// All files of `src/`.
    pub fn all() -> Vec<Self> {
        let root = Path::new(env!("CARGO_MANIFEST_DIR"));
        let mut sources = Vec::new();
        let mut folders = vec![root.join("src")];
        while let Some(folder) = folders.pop() {
            for entry in std::fs::read_dir(folder).expect("a folder") {
                let path = entry.expect("an entry").path();
                if path.is_dir() {
                    folders.push(path);
                } else if path.extension().is_some_and(|ending| ending == "rs") {
                    let file = path.strip_prefix(root).expect("inside");
                    let text = std::fs::read_to_string(&path).expect("text");
                    sources.push(Self::parse(&file.to_string_lossy(), &text));
                }
            }
        }
        assert!(sources.len() > 30, "src/ was not found");
        sources.sort_by(|a, b| a.file.cmp(&b.file));
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
        let tokens = without_tests(tokens(text));
        let (raw, macros) = paths(&tokens);
        Self {
            file: file.to_owned(),
            module,
            uses: resolve(raw, &place),
            macros,
        }
    }
}

/// Splits code into names and signs. Comments, strings and characters are left out.
fn tokens(text: &str) -> Vec<Token> {
    let chars: Vec<char> = text.chars().collect();
    let at = |index: usize| chars.get(index).copied().unwrap_or('\0');
    let is_name = |c: char| c.is_alphanumeric() || c == '_';
    let (mut tokens, mut i, mut line) = (Vec::new(), 0, 1);
    while i < chars.len() {
        let begin = i;
        match at(i) {
            '/' if at(i + 1) == '/' => {
                while i < chars.len() && at(i) != '\n' {
                    i += 1;
                }
            }
            '/' if at(i + 1) == '*' => {
                let mut depth = 0;
                loop {
                    match (at(i), at(i + 1)) {
                        ('/', '*') => (depth, i) = (depth + 1, i + 2),
                        ('*', '/') => (depth, i) = (depth - 1, i + 2),
                        _ => i += 1,
                    }
                    if depth == 0 || i >= chars.len() {
                        break;
                    }
                }
            }
            '"' => i = end_of_string(&chars, i),
            'r' | 'b' | 'c' if prefixed_string(&chars, i).is_some() => {
                i = prefixed_string(&chars, i).unwrap_or(i + 1);
            }
            // A lifetime has no closing quote right after one letter.
            '\'' if at(i + 1) == '\\' => {
                i += 3;
                while i < chars.len() && at(i) != '\'' {
                    i += 1;
                }
                i += 1;
            }
            '\'' if at(i + 2) == '\'' => i += 3,
            c if is_name(c) => {
                while is_name(at(i)) {
                    i += 1;
                }
                tokens.push(Token {
                    text: chars[begin..i].iter().collect(),
                    line,
                });
            }
            ':' if at(i + 1) == ':' => {
                i += 2;
                tokens.push(Token {
                    text: "::".to_owned(),
                    line,
                });
            }
            c => {
                i += 1;
                if !c.is_whitespace() {
                    tokens.push(Token {
                        text: c.to_string(),
                        line,
                    });
                }
            }
        }
        let end = i.min(chars.len());
        line += chars[begin..end].iter().filter(|c| **c == '\n').count();
    }
    tokens
}

/// Where a plain string that begins at `i` ends.
fn end_of_string(chars: &[char], i: usize) -> usize {
    let mut i = i + 1;
    while i < chars.len() && chars[i] != '"' {
        i += if chars[i] == '\\' { 2 } else { 1 };
    }
    i + 1
}

/// Where a string with a prefix (`b"…"`, `r#"…"#`) that begins at `i` ends, if one does.
fn prefixed_string(chars: &[char], i: usize) -> Option<usize> {
    if i > 0 && (chars[i - 1].is_alphanumeric() || chars[i - 1] == '_') {
        return None;
    }
    let letters = chars[i..]
        .iter()
        .take_while(|c| "rbc".contains(**c))
        .count();
    let raw = chars[i..i + letters].contains(&'r');
    let rest = &chars[i + letters..];
    let marks = rest.iter().take_while(|c| **c == '#').count();
    if rest.get(marks) != Some(&'"') || (!raw && marks > 0) {
        return None;
    }
    let open = i + letters + marks;
    if !raw {
        return Some(end_of_string(chars, open));
    }
    let close = |at: &usize| {
        chars[*at] == '"' && (1..=marks).all(|offset| chars.get(at + offset) == Some(&'#'))
    };
    let end = (open + 1..chars.len()).find(close);
    Some(end.map_or(chars.len(), |end| end + marks + 1))
}

/// Leaves out every item that is marked `#[cfg(test)]`.
fn without_tests(tokens: Vec<Token>) -> Vec<Token> {
    const MARK: [&str; 7] = ["#", "[", "cfg", "(", "test", ")", "]"];
    let mut kept = Vec::new();
    let mut i = 0;
    while i < tokens.len() {
        let marked = MARK
            .iter()
            .enumerate()
            .all(|(offset, text)| tokens.get(i + offset).is_some_and(|t| t.text == *text));
        if !marked {
            kept.push(tokens[i].clone());
            i += 1;
            continue;
        }
        // An item ends with the brace that closes its first one, or with a semicolon before any.
        i += MARK.len();
        let mut depth = 0;
        let mut is_use = true;
        while i < tokens.len() {
            let text = tokens[i].text.as_str();
            if ["mod", "fn", "impl", "struct", "enum", "trait"].contains(&text) && depth == 0 {
                is_use = false;
            }
            match text {
                "{" | "(" | "[" => depth += 1,
                "}" | ")" | "]" => depth -= 1,
                _ => {}
            }
            i += 1;
            if depth == 0 && (text == ";" || (text == "}" && !is_use)) {
                break;
            }
        }
    }
    kept
}

/// A path as it was written, and the name that a `use` gives it.
struct Written {
    parts: Vec<String>,
    name: Option<String>,
    line: usize,
}

/// All paths of two or more parts, and all macros that are called.
fn paths(tokens: &[Token]) -> (Vec<Written>, Vec<Use>) {
    let mut written = Vec::new();
    let mut macros = Vec::new();
    let mut i = 0;
    while i < tokens.len() {
        let before = i.checked_sub(1).map_or("", |i| tokens[i].text.as_str());
        let name = is_name(&tokens[i].text);
        // `a::b` goes on, `::a` begins.
        let goes_on = before == "::"
            && i.checked_sub(2)
                .is_some_and(|i| is_name(&tokens[i].text) || tokens[i].text == ">");
        if tokens[i].text == "use" || tokens[i].text == "extern" {
            let imported = tokens[i].text == "use";
            i += 1;
            if imported {
                i = tree(tokens, i, &[], &mut written);
            }
        } else if name && before != "." && !goes_on {
            let line = tokens[i].line;
            let mut parts = vec![tokens[i].text.clone()];
            while i + 2 < tokens.len() && tokens[i + 1].text == "::" && is_name(&tokens[i + 2].text)
            {
                parts.push(tokens[i + 2].text.clone());
                i += 2;
            }
            i += 1;
            let next = tokens.get(i).map_or("", |token| token.text.as_str());
            if next == "!" && tokens.get(i + 1).is_some_and(|t| "([{".contains(&*t.text)) {
                let path = parts.last().cloned().unwrap_or_default();
                macros.push(Use { path, line });
            }
            // A name alone can be what a `use` brought in.
            written.push(Written {
                parts,
                name: None,
                line,
            });
        } else {
            i += 1;
        }
    }
    (written, macros)
}

fn is_name(text: &str) -> bool {
    text.starts_with(|c: char| c.is_alphabetic() || c == '_')
}

/// Reads a tree of a `use` from token `i`; where it ends.
fn tree(tokens: &[Token], mut i: usize, before: &[String], found: &mut Vec<Written>) -> usize {
    let mut parts = before.to_vec();
    let mut line = tokens.get(i).map_or(0, |token| token.line);
    while let Some(token) = tokens.get(i) {
        line = token.line;
        match token.text.as_str() {
            "::" => i += 1,
            "{" => {
                i += 1;
                while tokens.get(i).is_some_and(|token| token.text != "}") {
                    i = tree(tokens, i, &parts, found);
                    if tokens.get(i).is_some_and(|token| token.text == ",") {
                        i += 1;
                    }
                }
                return i + 1;
            }
            "as" => {
                let name = tokens.get(i + 1).map(|token| token.text.clone());
                found.push(Written { parts, name, line });
                return i + 2;
            }
            // `a::{self}` is `a`.
            "self" if !before.is_empty() => i += 1,
            "*" => {
                parts.push("*".to_owned());
                i += 1;
            }
            text if is_name(text) => {
                parts.push(text.to_owned());
                i += 1;
            }
            _ => break,
        }
    }
    if let Some(name) = parts.last().cloned() {
        let name = Some(name);
        found.push(Written { parts, name, line });
    }
    i
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
    let names: HashMap<String, Vec<String>> = written
        .iter()
        .filter_map(|one| Some((one.name.clone()?, absolute(&one.parts))))
        .collect();
    written
        .iter()
        .filter_map(|one| {
            let mut parts = absolute(&one.parts);
            if one.name.is_none() {
                match names.get(&parts[0]) {
                    // The line of the `use` is reported; the bare name is not, once more.
                    Some(_) if parts.len() == 1 => return None,
                    Some(full) => {
                        parts.splice(..1, full.iter().cloned());
                    }
                    None if parts.len() == 1 => return None,
                    None => {}
                }
            }
            Some(Use {
                path: parts.join("::"),
                line: one.line,
            })
        })
        .collect()
}
