//! Text for a terminal: its width is counted in columns, not in characters.

use std::path::Path;

use unicode_width::UnicodeWidthStr;

use crate::text::visible;

/// Display width of a text in columns. A Chinese character takes two, and a combining accent none.
pub fn width(text: &str) -> usize {
    text.width()
}

/// The text in at most this many columns. If it is longer, it is cut and ends with `…`.
pub fn shortened(text: &str, columns: usize) -> String {
    if width(text) <= columns {
        return text.to_owned();
    }
    let ends: Vec<usize> = text.char_indices().map(|(start, _)| start).collect();
    // Measured as a whole: the width of an emoji of several characters is not their sum.
    let fitting = ends.partition_point(|end| width(&text[..*end]) < columns);
    let end = fitting.checked_sub(1).map_or(0, |last| ends[last]);
    format!("{}…", text[..end].trim_end())
}

/// The text with spaces up to this many columns: before it if it is aligned to the `right`, else after it.
pub(super) fn padded(text: &str, columns: usize, right: bool) -> String {
    let spaces = " ".repeat(columns.saturating_sub(width(text)));
    if right {
        spaces + text
    } else {
        text.to_owned() + &spaces
    }
}

/// Minimum width of broken text, in columns.
const NARROWEST: usize = 40;

/// Adds a paragraph, broken into lines of at most this many columns. The first line begins with
/// `mark`, and the others are indented as far.
pub(super) fn wrap(output: &mut String, mark: &str, paragraph: &str, columns: usize) {
    let indent = " ".repeat(width(mark));
    output.push_str(&broken(mark, &indent, paragraph, columns));
    output.push('\n');
}

/// Breaks lines longer than `columns` between words. Continuation lines are indented by two more columns.
pub fn in_lines(text: &str, columns: Option<usize>) -> String {
    let Some(columns) = columns.map(|columns| columns.max(NARROWEST)) else {
        return text.to_owned();
    };
    let each = text.split('\n').map(|line| {
        let words = line.trim_start_matches(' ');
        let blanks = &line[..line.len() - words.len()];
        if width(line) <= columns {
            line.to_owned()
        } else {
            broken(blanks, &format!("{blanks}  "), words, columns)
        }
    });
    each.collect::<Vec<_>>().join("\n")
}

/// A paragraph in lines that begin with `mark` or with the indent. A command between backticks stays on one line if it
/// fits one.
fn broken(mark: &str, indent: &str, paragraph: &str, columns: usize) -> String {
    let (mut lines, mut line) = (String::new(), mark.to_owned());
    let mut is_empty = true;
    for word in unbreakable_words(paragraph, columns.saturating_sub(indent.len())) {
        if !is_empty && width(&line) + 1 + width(word) > columns {
            lines.push_str(&line);
            lines.push('\n');
            indent.clone_into(&mut line);
            is_empty = true;
        }
        if !is_empty {
            line.push(' ');
        }
        line.push_str(word);
        is_empty = false;
    }
    lines + &line
}

/// The words of a text; a command between backticks is one word if it fits a line.
fn unbreakable_words(text: &str, columns: usize) -> impl Iterator<Item = &str> {
    let is_odd = |word: &str| word.matches('`').count() % 2 == 1;
    let (mut rest, mut is_long_code) = (Some(text), false);
    std::iter::from_fn(move || {
        let text = rest?;
        let end = |from: usize| text[from..].find(' ').map_or(text.len(), |at| from + at);
        let mut word = end(0);
        if is_long_code {
            is_long_code = !is_odd(&text[..word]);
        } else if is_odd(&text[..word]) {
            let mut longer = word;
            while is_odd(&text[..longer]) && longer < text.len() {
                longer = end(longer + 1);
            }
            is_long_code = width(&text[..longer]) > columns;
            if !is_long_code {
                word = longer;
            }
        }
        rest = text.get(word + 1..);
        Some(&text[..word])
    })
}

/// A number rounded to an integer, with its sign. Zero has no sign.
pub(super) fn signed(value: f64) -> String {
    match value.round() {
        0.0 => "0".to_owned(),
        value => format!("{value:+.0}"),
    }
}

/// The first items, and the number of the others among `count`: `a, b and 3 more`.
pub fn listed<T>(
    items: &[T],
    count: usize,
    limit: usize,
    separator: &str,
    words: impl Fn(&T) -> String,
) -> String {
    let named: Vec<String> = items.iter().take(limit).map(words).collect();
    match count.saturating_sub(named.len()) {
        0 => named.join(separator),
        more => format!("{} and {more} more", named.join(separator)),
    }
}

/// Text chosen by others, as a cell that no spreadsheet evaluates: an apostrophe precedes any character that
/// begins a formula, also a full-width one.
pub fn sheet_text(text: &str) -> String {
    let text = visible(text);
    if text.starts_with(['=', '+', '-', '@', '＝', '＋', '－', '＠']) {
        format!("'{text}")
    } else {
        text
    }
}

pub fn shell_word(path: &Path) -> String {
    let path = path.to_string_lossy();
    shlex::try_quote(&path).map_or_else(|_| path.to_string(), |quoted| quoted.into_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Names of two columns a character, with a combining accent, and emoji of several characters.
    const NAMES: [&str; 5] = [
        "小明的机器人",
        "Jose\u{301} Jose\u{301}",
        "José José",
        "👨\u{200d}👩\u{200d}👧 family",
        "plain ascii",
    ];

    #[test]
    fn padding_and_cutting_count_columns() {
        assert_eq!(NAMES.map(width), [12, 9, 9, 9, 11]);
        for name in NAMES {
            for right in [false, true] {
                assert_eq!(width(&padded(name, 20, right)), 20, "{name}");
            }
            for columns in 1..12 {
                let cut = shortened(name, columns);
                assert!(width(&cut) <= columns, "{cut}");
                assert_eq!(cut.ends_with('…'), width(name) > columns, "{cut}");
            }
        }
        assert_eq!(shortened("小明的机器人", 8), "小明的…");
        assert_eq!(shortened("Jose\u{301} Jose\u{301}", 5), "Jose\u{301}…");
    }

    #[test]
    fn a_paragraph_is_broken_by_columns() {
        let mut text = String::new();
        wrap(&mut text, "! ", "小明 小明 小明 and José", 12);
        assert_eq!(text, "! 小明 小明\n  小明 and\n  José\n");
        let mut text = String::new();
        wrap(&mut text, "", "say `a b c` or `a b c d e f g` (`h i`).", 10);
        assert_eq!(text, "say\n`a b c` or\n`a b c d e\nf g`\n(`h i`).\n");
    }

    #[test]
    fn what_a_spreadsheet_would_compute_is_text() {
        for formula in ["=1+1", "+1", "-1", "@sum", "＝1", "\u{feff}=1", "\t=1"] {
            let cell = sheet_text(formula);
            let first = cell.chars().next().unwrap_or_default();
            assert!(['\'', '\u{fffd}', '␣'].contains(&first), "{cell}");
        }
        for text in ["", "Ann-Lee", "s1=2", "'x"] {
            assert_eq!(sheet_text(text), text);
        }
    }

    #[test]
    fn only_lines_that_are_too_long_are_broken_and_none_where_no_terminal_is() {
        let long = "a".to_owned() + &" word".repeat(20);
        let text = format!("warning: {long}\n  1    2\n  {long}\n");
        assert_eq!(in_lines(&text, None), text);
        assert_eq!(in_lines(&text, Some(200)), text);
        let broken = in_lines(&text, Some(50));
        let lines: Vec<&str> = broken.lines().collect();
        assert!(lines.iter().all(|line| line.len() <= 50), "{lines:?}");
        assert_eq!(lines.len(), 7, "{lines:?}");
        assert!(
            lines[1].starts_with("  word") && lines[5].starts_with("    word"),
            "{lines:?}"
        );
        assert_eq!(lines[3], "  1    2");
        let words = |text: &str| {
            text.split_whitespace()
                .map(str::to_owned)
                .collect::<Vec<_>>()
        };
        assert_eq!(words(&broken), words(&text));
    }
}
