//! Text for people, and text that others wrote, such as the output of a bot: shown as text, whatever it
//! contains.
//!
//! A terminal obeys control characters, and characters that set the direction of writing reorder what
//! stands beside them. Both can hide what was written or imitate the output of the referee.

use std::collections::BTreeMap;

use unicode_normalization::UnicodeNormalization as _;

/// What is shown in place of a character that has no picture of its own.
const REPLACEMENT: char = '\u{fffd}';

/// Whether a character changes how text is shown instead of being shown itself: controls (ESC and all
/// of C0 and C1), controls of the writing direction, and separators of lines and paragraphs.
pub fn is_hidden(c: char) -> bool {
    c.is_control()
        || matches!(
            c,
            '\u{200e}' | '\u{200f}' | '\u{61c}' | '\u{2028}' | '\u{2029}'
        )
        || matches!(c, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

/// Whether two texts are the same, of which many are empty. An empty text lies at no real address, and where the
/// system compares with masks, a look there takes a hundred times as long.
pub fn same(one: &str, other: &str) -> bool {
    one.len() == other.len() && (one.is_empty() || one == other)
}

/// A text as it is compared with others that people wrote: in small letters, and with each accent as a part of its
/// letter, as some systems keep the two apart.
pub fn folded(text: &str) -> String {
    composed(text).to_lowercase()
}

/// A text with each accent as a part of its letter (Unicode's normalization form C).
pub fn composed(text: &str) -> String {
    text.nfc().collect()
}

/// A text with all accents apart from their letters (Unicode's normalization form D).
pub fn decomposed(text: &str) -> String {
    text.nfd().collect()
}

/// The text on one line, with a visible character in place of each hidden one.
pub fn visible(text: &str) -> String {
    text.chars().map(shown).collect()
}

/// The text on one line, with no character that means anything in Markdown.
pub fn markdown(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for c in visible(text).chars() {
        if "\\`*_[]<>&|~#$".contains(c) {
            escaped.push('\\');
        }
        escaped.push(c);
    }
    escaped
}

/// The same as [`visible`], but line ends and tabs stay.
pub fn visible_lines(text: &str) -> String {
    let keep = |c| matches!(c, '\n' | '\t');
    let lines = text.replace("\r\n", "\n");
    let shown = lines.chars().map(|c| if keep(c) { c } else { shown(c) });
    shown.collect()
}

/// The beginning of a text, visible and on one line.
pub fn excerpt(text: &str, length: usize) -> String {
    let mut short: String = text.chars().take(length).map(shown).collect();
    if text.chars().nth(length).is_some() {
        short.push('…');
    }
    short
}

/// JSON in which the hidden characters of strings are escaped. Its meaning is the same.
pub fn escaped_json(json: &str) -> String {
    escaped_where(json, |c| is_hidden(c) && c != '\n')
}

/// JSON in which some characters, which stand in strings only, are escaped.
pub fn escaped_where(json: &str, unwanted: impl Fn(char) -> bool) -> String {
    // Nearly all JSON is plain. Without an early end, that is seen many bytes at a time.
    let is_plain = |byte: u8| byte.is_ascii() && !unwanted(byte.into());
    if json.bytes().fold(true, |all, byte| all & is_plain(byte)) {
        return json.to_owned();
    }
    let mut escaped = String::with_capacity(json.len());
    let mut rest = json;
    while let Some((at, c)) = rest.char_indices().find(|(_, c)| unwanted(*c)) {
        escaped.push_str(&rest[..at]);
        escaped.push_str(&format!("\\u{:04x}", u32::from(c)));
        rest = &rest[at + c.len_utf8()..];
    }
    escaped.push_str(rest);
    escaped
}

/// What players are called on screens, where that is not their name. Files have the name.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct DisplayNames(BTreeMap<String, String>);

impl DisplayNames {
    /// What a player is called in tables and sentences.
    pub fn shown(&self, name: &str) -> String {
        visible(self.0.get(name).map_or(name, String::as_str))
    }

    /// The same in headings, with the name that options and files have: `José (jose)`.
    pub fn shown_with_name(&self, name: &str) -> String {
        match self.0.contains_key(name) {
            true => format!("{} ({})", self.shown(name), visible(name)),
            false => visible(name),
        }
    }

    /// Adds those of other players.
    pub fn extend(&mut self, others: Self) {
        self.0.extend(others.0);
    }
}

impl<'a> FromIterator<(&'a str, Option<&'a str>)> for DisplayNames {
    /// From the names of players, and what each is called where that differs.
    fn from_iter<I: IntoIterator<Item = (&'a str, Option<&'a str>)>>(players: I) -> Self {
        let own = players.into_iter().filter_map(|(name, shown)| {
            let shown = shown.filter(|shown| *shown != name)?;
            Some((name.to_owned(), shown.to_owned()))
        });
        Self(own.collect())
    }
}

/// A count and its noun: `1 game`, `2 games`.
pub fn counted(count: u64, one: &str, many: &str) -> String {
    match count {
        1 => format!("1 {one}"),
        _ => format!("{count} {many}"),
    }
}

fn shown(c: char) -> char {
    match is_hidden(c) {
        true => REPLACEMENT,
        false => c,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Escape sequences of 7 and of 8 bits, and every control of the writing direction.
    const HIDDEN: &str = "\u{1b}\u{9b}\0\u{7}\u{7f}\r\u{85}\u{61c}\u{200e}\u{200f}\u{202a}\u{202b}\u{202c}\
                          \u{202d}\u{202e}\u{2066}\u{2067}\u{2068}\u{2069}\u{2028}\u{2029}";

    #[test]
    fn hidden_characters_become_visible() {
        assert!(HIDDEN.chars().all(is_hidden));
        let shown = visible(HIDDEN);
        assert!(shown.chars().all(|c| c == REPLACEMENT));
        assert_eq!(shown.chars().count(), HIDDEN.chars().count());
        assert_eq!(visible_lines(HIDDEN), shown);
        assert_eq!(excerpt(HIDDEN, 3), "\u{fffd}\u{fffd}\u{fffd}…");
    }

    #[test]
    fn all_other_text_stays_as_it_is() {
        for text in [
            "",
            "plain",
            "José 小明 Jose\u{301}",
            "שלום",
            "👨\u{200d}👩\u{200d}👧",
        ] {
            assert_eq!(visible(text), text);
            assert_eq!(excerpt(text, 100), text);
            assert_eq!(escaped_json(text), text);
        }
    }

    #[test]
    fn a_player_is_called_by_its_display_name() {
        let players = [
            ("jose", Some("José Ñ 王")),
            ("bob", None),
            ("eve", Some("\u{202e}eve")),
        ];
        let names = DisplayNames::from_iter(players);
        assert_eq!(
            ["jose", "bob", "eve", "?"].map(|name| names.shown(name)),
            ["José Ñ 王", "bob", "\u{fffd}eve", "?"]
        );
        assert_eq!(names.shown_with_name("jose"), "José Ñ 王 (jose)");
        assert_eq!(names.shown_with_name("bob"), "bob");
    }

    #[test]
    fn lines_stay_only_where_they_may() {
        assert_eq!(visible("a\n\tb"), "a\u{fffd}\u{fffd}b");
        assert_eq!(visible_lines("a\r\n\tb\rc\n"), "a\n\tb\u{fffd}c\n");
    }

    #[test]
    fn json_keeps_its_meaning() {
        let json = serde_json::to_string_pretty(&[HIDDEN]).expect("text");
        let escaped = escaped_json(&json);
        assert!(escaped.chars().all(|c| c == '\n' || !is_hidden(c)));
        let read: [String; 1] = serde_json::from_str(&escaped).expect("JSON");
        assert_eq!(read, [HIDDEN]);
    }
}
