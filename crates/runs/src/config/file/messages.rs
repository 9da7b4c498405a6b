//! Rewords messages of the TOML parser for the author of a file.

use crate::config::line_and_column;
use crate::text::did_you_mean;

/// Replaces the parser's type names with terms of a file: keys, tables, brackets.
pub(crate) fn in_words(message: &str) -> String {
    const WORDS: [(&str, &str); 10] = [
        ("unknown field", "unknown key"),
        ("missing field", "missing key"),
        ("unknown variant", "unknown value"),
        (
            "duplicate key",
            "this key is there already; several players or games are written [[player]] or [[game]]",
        ),
        (
            "map, expected a sequence",
            "table, expected [[player]] in double brackets",
        ),
        (
            "expected u32",
            "expected a whole number from 0 to 4294967295",
        ),
        ("expected u64", "expected a whole number, at least 0"),
        ("invalid type: sequence", "invalid type: list"),
        ("expected a string", "expected text in quotes"),
        ("expected a boolean", "expected true or false"),
    ];
    let one_line = message.replace('\n', "; ");
    let words = WORDS
        .iter()
        .fold(one_line, |text, (theirs, ours)| text.replace(theirs, ours));
    let special = [list_instead_of_text, huge_number, no_table, misspelt];
    let special = special.iter().find_map(|special| special(&words));
    special.unwrap_or(words)
}

/// Message and line (from 1) of a TOML error; `None` if it belongs to no line.
pub fn toml_problem(text: &str, error: &toml::de::Error) -> (Option<usize>, String) {
    let message = error.message();
    // A key missing at the top level has the offset 0, which is no useful line.
    let is_nowhere = |start: usize| start == 0 && message.starts_with("missing field");
    let place = error.span().filter(|span| !is_nowhere(span.start));
    let line = place.map(|span| line_and_column(text, span.start).0);
    (line, in_words(message))
}

fn no_table(message: &str) -> Option<String> {
    let (before, _) = message.split_once(", expected struct ")?;
    Some(format!(
        "{before}, expected a table: a line with its name in brackets, and its keys below"
    ))
}

/// Adds a suggestion for an unknown key or value with a near match.
fn misspelt(message: &str) -> Option<String> {
    let (before, after) = message.split_once(", expected ")?;
    let word = before.strip_prefix("unknown ")?.split('`').nth(1)?;
    let hint = did_you_mean(word, after.split('`').skip(1).step_by(2))?;
    Some(format!(
        "{before}{}, expected {after}",
        in_brackets(Some(hint))
    ))
}

/// A hint in brackets, with a space before it; empty without a hint.
pub fn in_brackets(hint: Option<String>) -> String {
    hint.map_or_else(String::new, |hint| format!(" ({hint})"))
}

/// Rewords an error for text in place of a list, and shows the list that was probably meant.
fn list_instead_of_text(message: &str) -> Option<String> {
    let (before, _) = message.split_once(", expected a sequence")?;
    let text = before.split_once("string \"").and_then(|(_, text)| {
        let words = shlex::split(text.strip_suffix('"')?)?;
        Some(
            words
                .iter()
                .map(|word| format!("{word:?}"))
                .collect::<Vec<_>>(),
        )
    });
    let list = text.map_or_else(|| "\"one\", \"two\"".to_owned(), |words| words.join(", "));
    Some(format!("{before}, expected a list, such as [{list}]"))
}

/// Rewords an error for a number beyond 63 bits, which the parser describes by Rust types.
fn huge_number(message: &str) -> Option<String> {
    if message == "u64 value was too large" {
        return Some(format!(
            "the number is too large: expected at most {}",
            i64::MAX
        ));
    }
    let number = [" as i128", " as u128"].iter().find_map(|kind| {
        let (before, _) = message.split_once(kind)?;
        before.split_once("integer `")?.1.strip_suffix('`')
    })?;
    Some(format!(
        "the number {number} is too large: expected at most {}",
        i64::MAX
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_misspelt_word_is_known_again() {
        let words = ["name", "per-game", "per-move", "memory", "kind"];
        for (wrong, right) in [
            ("nmae", Some("name")),
            ("per_game", Some("per-game")),
            ("Per-Move", Some("per-move")),
            ("memroy", Some("memory")),
            ("ram", None),
            ("x", None),
            ("no-such-key", None),
        ] {
            let hint = right.map(|right| format!("did you mean `{right}`?"));
            assert_eq!(did_you_mean(wrong, words), hint, "{wrong}");
        }
        assert_eq!(
            in_words("unknown field `nmae`, expected one of `name`, `seed`"),
            "unknown key `nmae` (did you mean `name`?), expected one of `name`, `seed`"
        );
    }
}
