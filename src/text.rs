//! Text for people, and text that others wrote, such as the output of a bot: shown as text, whatever it
//! contains.
//!
//! A terminal obeys control characters, and characters that set the direction of writing reorder what
//! stands beside them. Both can hide what was written or imitate the output of the referee.

use std::borrow::Cow;
use std::collections::BTreeMap;

use unicode_normalization::UnicodeNormalization as _;

/// What is shown in place of a character that has no picture of its own.
const REPLACEMENT: char = '\u{fffd}';

/// The character shown for a blank that is not the usual space.
const BLANK: char = '␣';

/// Whether a character changes how text is shown instead of being shown itself, or shows nothing at all: controls
/// (ESC and all of C0 and C1), controls of the writing direction, separators of lines and paragraphs, byte order
/// marks, spaces without width, and fillers.
pub fn is_hidden(c: char) -> bool {
    c.is_control()
        || matches!(
            c,
            '\u{ad}'
                | '\u{34f}'
                | '\u{61c}'
                | '\u{115f}'
                | '\u{1160}'
                | '\u{180e}'
                | '\u{200b}'
                | '\u{200e}'
                | '\u{200f}'
                | '\u{2028}'
                | '\u{2029}'
                | '\u{3164}'
                | '\u{feff}'
                | '\u{ffa0}'
        )
        || matches!(c, '\u{202a}'..='\u{202e}' | '\u{2060}'..='\u{206f}')
        || matches!(c, '\u{fff9}'..='\u{fffb}' | '\u{e0000}'..='\u{e007f}')
}

/// Whether a character is a blank and not the usual space.
fn is_blank(c: char) -> bool {
    (c.is_whitespace() && c != ' ' && !is_hidden(c)) || c == '\u{2800}'
}

/// Whether a character shows nothing, and is part of how some scripts and pictures are written: it joins or parts its
/// neighbours, or chooses a variant of the one before it.
fn is_joiner(c: char) -> bool {
    matches!(c, '\u{200c}' | '\u{200d}' | '\u{fe00}'..='\u{fe0f}' | '\u{e0100}'..='\u{e01ef}')
}

/// Whether a joiner may follow this character: letters from Hebrew on, symbols, and what becomes a symbol.
fn takes_joiner(c: char) -> bool {
    let is_western = c < '\u{590}' || matches!(c, '\u{1e00}'..='\u{1fff}');
    (!is_western || matches!(c, '©' | '®' | '#' | '*' | '0'..='9')) && !is_hidden(c) && !is_blank(c)
}

/// A name as it is compared with others and shown beside them: each accent is a part of its letter, every blank is a
/// space and none is at an end, and there is no character that shows nothing.
pub fn name(text: &str) -> Cow<'_, str> {
    if text.bytes().all(|byte| matches!(byte, b' '..=b'~')) {
        return text.trim_ascii().into();
    }
    let is_shown = |c: &char| !is_joiner(*c) && (c.is_control() || !is_hidden(*c));
    let spaced = |c: char| {
        if c.is_whitespace() || is_blank(c) {
            ' '
        } else {
            c
        }
    };
    let name: String = text.chars().filter(is_shown).map(spaced).nfc().collect();
    name.trim_ascii().to_owned().into()
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

/// The text on one line, with a visible character in place of each hidden one, and of each blank but the space.
pub fn visible(text: &str) -> String {
    shown(text, |_| false).collect()
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

/// A part of a message.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Part<'a> {
    /// Words.
    Plain(&'a str),
    /// What stood between two backticks: a command, or a word of a program.
    Code(&'a str),
}

/// The parts of a message. A backtick without another one is a character like any other.
pub fn parts(message: &str) -> Vec<Part<'_>> {
    let mut parts = Vec::new();
    let mut rest = message;
    while let Some((plain, marked)) = rest.split_once('`')
        && let Some((code, after)) = marked.split_once('`')
    {
        parts.push(Part::Plain(plain));
        parts.push(match code {
            "" => Part::Plain("``"),
            code => Part::Code(code),
        });
        rest = after;
    }
    parts.push(Part::Plain(rest));
    parts.retain(|part| *part != Part::Plain(""));
    parts
}

/// The same as [`visible`], but line ends and tabs stay.
pub fn visible_lines(text: &str) -> String {
    let lines = text.replace("\r\n", "\n");
    shown(&lines, |c| matches!(c, '\n' | '\t')).collect()
}

/// The beginning of a text, visible and on one line.
pub fn excerpt(text: &str, length: usize) -> String {
    let mut short: String = shown(text, |_| false).take(length).collect();
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
        for unit in c.encode_utf16(&mut [0; 2]) {
            escaped.push_str(&format!("\\u{unit:04x}"));
        }
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

/// The characters of a text, with a visible one in place of each that is not, but for those to keep.
fn shown(text: &str, keep: impl Fn(char) -> bool) -> impl Iterator<Item = char> {
    let mut previous = ' ';
    let mut chars = text.chars().peekable();
    std::iter::from_fn(move || {
        let c = chars.next()?;
        let follows = takes_joiner(std::mem::replace(&mut previous, c));
        // A variant needs what is before it alone; a joiner needs both of its neighbours.
        let joins = follows
            && (!matches!(c, '\u{200c}' | '\u{200d}')
                || chars.peek().copied().is_some_and(takes_joiner));
        Some(match c {
            _ if keep(c) => c,
            _ if is_hidden(c) || (is_joiner(c) && !joins) => REPLACEMENT,
            _ if is_blank(c) => BLANK,
            _ => c,
        })
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Escape sequences of 7 and of 8 bits, every control of the writing direction, and what shows nothing.
    const HIDDEN: &str = "\u{1b}\u{9b}\0\u{7}\u{7f}\r\u{85}\u{61c}\u{200e}\u{200f}\u{202a}\u{202b}\u{202c}\
                          \u{202d}\u{202e}\u{2066}\u{2067}\u{2068}\u{2069}\u{2028}\u{2029}\
                          \u{feff}\u{200b}\u{2060}\u{2063}\u{ad}\u{180e}\u{3164}\u{e0041}";

    /// Blanks with and without a width of their own, breaking or not.
    const BLANKS: &str = "\u{a0}\u{1680}\u{2002}\u{2009}\u{202f}\u{205f}\u{3000}\u{2800}";

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
    fn what_looks_like_a_space_or_like_nothing_is_seen() {
        let blanks = BLANKS.chars().count();
        assert_eq!(visible(BLANKS), "␣".repeat(blanks));
        assert_eq!(visible_lines("a\u{a0}b\n"), "a␣b\n");
        for joiner in ["\u{200c}", "\u{200d}", "\u{fe0f}"] {
            for text in [
                format!("a{joiner}"),
                format!("é{joiner}é"),
                joiner.to_owned(),
            ] {
                let seen = text.replace(joiner, "\u{fffd}");
                assert_eq!(visible(&text), seen);
                assert_eq!(excerpt(&text, 9), seen);
            }
        }
        assert_eq!(visible("王\u{200d}"), "王\u{fffd}");
    }

    #[test]
    fn what_cannot_be_seen_tells_no_two_names_apart() {
        let same = ["José 王", "Jose\u{301} 王"];
        for unseen in
            "\u{feff}\u{200b}\u{200c}\u{200d}\u{2060}\u{ad}\u{200e}\u{202e}\u{3164}".chars()
        {
            for place in 0..same[1].chars().count() + 1 {
                let mut name: Vec<char> = same[1].chars().collect();
                name.insert(place, unseen);
                let hidden: String = name.into_iter().collect();
                assert_eq!(super::name(&hidden), same[0], "{hidden:?}");
            }
        }
        for blank in BLANKS.chars().chain(['\t', '\n']) {
            let [inside, outside] = [format!("José{blank}王"), format!("{blank}José 王{blank}")];
            assert_eq!([name(&inside), name(&outside)], [same[0]; 2]);
        }
        for other in ["", "a b", "A", "ａ", "jose", "\u{1b}", "שלום"] {
            assert_eq!(name(other), other);
        }
    }

    #[test]
    fn all_other_text_stays_as_it_is() {
        for text in [
            "",
            "plain",
            "José 小明 Jose\u{301}",
            "שלום",
            "👨\u{200d}👩\u{200d}👧",
            "❤\u{fe0f} ☠\u{fe0f} 1\u{fe0f}\u{20e3}",
            "می\u{200c}خواهم",
            "ක්\u{200d}ර",
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
    fn what_stands_between_backticks_is_code() {
        use Part::{Code, Plain};
        for (text, expected) in [
            ("", &[][..]),
            ("no code", &[Plain("no code")]),
            (
                "`a` is none of `b`",
                &[Code("a"), Plain(" is none of "), Code("b")],
            ),
            ("a `b` c ` d", &[Plain("a "), Code("b"), Plain(" c ` d")]),
            ("a `` b", &[Plain("a "), Plain("``"), Plain(" b")]),
        ] {
            assert_eq!(parts(text), expected, "{text}");
        }
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
