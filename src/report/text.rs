//! Text for a terminal: its width is counted in columns, not in characters.

use unicode_width::UnicodeWidthStr;

/// How many columns a terminal needs for a text. A Chinese character takes two, and a combining
/// accent none.
pub(super) fn width(text: &str) -> usize {
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
    match right {
        true => spaces + text,
        false => text.to_owned() + &spaces,
    }
}

/// Adds a paragraph, broken into lines of at most this many columns. The first line begins with
/// `mark`, and the others are indented as far.
pub(super) fn wrap(output: &mut String, mark: &str, paragraph: &str, columns: usize) {
    let mut line = mark.to_owned();
    let mut empty = true;
    for word in paragraph.split(' ') {
        if !empty && width(&line) + 1 + width(word) > columns {
            output.push_str(&line);
            output.push('\n');
            line = " ".repeat(width(mark));
            empty = true;
        }
        if !empty {
            line.push(' ');
        }
        line.push_str(word);
        empty = false;
    }
    output.push_str(&line);
    output.push('\n');
}

/// A whole number with its sign. Zero has no sign.
pub(super) fn signed(value: f64) -> String {
    match value.round() {
        0.0 => "0".to_owned(),
        value => format!("{value:+.0}"),
    }
}

/// The first of `count` items, and how many more there are: `a, b and 3 more`.
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
    }
}
