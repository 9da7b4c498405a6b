//! Names that also serve as names of files.

use toml::Spanned;

use crate::config::Flaw;
use crate::text::{self, is_hidden};

/// Checks a name that also serves as the name of a folder.
pub(crate) fn file_name(name: &Spanned<String>) -> Result<String, Flaw> {
    let text = name.get_ref();
    let good =
        |c: char| (c.is_alphanumeric() && !is_hidden(c)) || matches!(c, '-' | '_' | '.' | '+');
    if text.is_empty() || text.len() > 100 || text.starts_with('.') || !text.chars().all(good) {
        let bad = text.chars().find(|c| !good(*c));
        let bad = bad.map_or_else(String::new, |c| format!("; {} is none of them", named(c)));
        return Err(Flaw::of(
            name,
            format!(
                "`{text}` cannot be a name: expected at most 100 letters, digits, `-`, `_`, `+` and `.`, \
                 not beginning with `.`{bad}"
            ),
        ));
    }
    Ok(text::name(text).into_owned())
}

/// Description of a character. A combining accent looks like part of its letter, so it is named by code point.
fn named(c: char) -> String {
    let code = u32::from(c);
    match c {
        ' ' => "a space".to_owned(),
        '\u{300}'..='\u{36f}' => format!(
            "the separate accent U+{code:04X} (write the letter with its accent as one character)"
        ),
        c if c.is_control() || !c.is_ascii() => format!("the character U+{code:04X}"),
        c => format!("`{c}`"),
    }
}
