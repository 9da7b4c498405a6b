//! Formatting of text for people, and escaping of foreign text such as a bot's output.
//!
//! A terminal interprets control characters, and bidirectional controls reorder neighbouring text. Both can hide
//! output or imitate the referee's.

use std::borrow::Cow;
use std::collections::BTreeMap;

use unicode_normalization::UnicodeNormalization as _;
use unicode_security::confusable_detection::skeleton;

const REPLACEMENT: char = '\u{fffd}';

const BLANK: char = '␣';

/// Whether a character is invisible or changes how other text is shown: control characters (C0 with ESC, and C1),
/// bidirectional controls, line and paragraph separators, byte order marks, zero-width spaces, and fillers.
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

fn is_blank(c: char) -> bool {
    (c.is_whitespace() && c != ' ' && !is_hidden(c)) || c == '\u{2800}'
}

/// Whether a character is an invisible part of some scripts and emoji: a joiner or non-joiner of its neighbours, or a
/// variation selector.
fn is_joiner(c: char) -> bool {
    matches!(c, '\u{200c}' | '\u{200d}' | '\u{fe00}'..='\u{fe0f}' | '\u{e0100}'..='\u{e01ef}')
}

/// Whether a joiner may follow this character: letters from Hebrew on, symbols, and characters with an emoji form.
fn takes_joiner(c: char) -> bool {
    let is_western = c < '\u{590}' || matches!(c, '\u{1e00}'..='\u{1fff}');
    (!is_western || matches!(c, '©' | '®' | '#' | '*' | '0'..='9')) && !is_hidden(c) && !is_blank(c)
}

/// Normal form of a name, for comparison and display: NFC, every blank a space, no blank at either end, and no
/// invisible characters.
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

/// Equality that tests for empty first. The pointer of an empty `String` dangles, and where `memcmp` uses masked
/// loads, reading there costs a hundred times as much.
pub fn same(one: &str, other: &str) -> bool {
    one.len() == other.len() && (one.is_empty() || one == other)
}

/// Form of a text for case-insensitive comparison: lower case and NFC, since some systems store accents decomposed.
pub fn folded(text: &str) -> String {
    text.nfc().collect::<String>().to_lowercase()
}

/// Forms of a name, as it is and in lower case, that two names share if people may take one for the other. UTS #39 lists
/// the characters that look alike.
pub fn looks(text: &str) -> [String; 2] {
    let plain: String = name(text).nfkc().collect();
    [&plain, &folded(&plain)].map(|text| skeleton(text).collect())
}

pub fn look_alike(one: &str, other: &str) -> bool {
    let own = looks(one);
    looks(other).iter().any(|look| own.contains(look))
}

/// A text on one line, with a visible character in place of each hidden one, and of each blank except the space.
pub fn visible(text: &str) -> String {
    shown(text, |_| false).collect()
}

/// A text on one line, with Markdown's special characters escaped.
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

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TextPart<'a> {
    Plain(&'a str),
    /// Text between two backticks: a command, or a word of a program.
    Code(&'a str),
}

/// Splits a message into prose and code. An unpaired backtick is an ordinary character.
pub fn parts(message: &str) -> Vec<TextPart<'_>> {
    let mut parts = Vec::new();
    let mut rest = message;
    while let Some((plain, marked)) = rest.split_once('`')
        && let Some((code, after)) = marked.split_once('`')
    {
        parts.push(TextPart::Plain(plain));
        parts.push(match code {
            "" => TextPart::Plain("``"),
            code => TextPart::Code(code),
        });
        rest = after;
    }
    parts.push(TextPart::Plain(rest));
    parts.retain(|part| *part != TextPart::Plain(""));
    parts
}

/// [`visible`], except that line feeds and tabs stay.
pub fn visible_lines(text: &str) -> String {
    let lines = text.replace("\r\n", "\n");
    shown(&lines, |c| matches!(c, '\n' | '\t')).collect()
}

/// The first `length` characters of a text, visible and on one line, with `…` if it is longer.
pub fn excerpt(text: &str, length: usize) -> String {
    let mut short: String = shown(text, |_| false).take(length).collect();
    if text.chars().nth(length).is_some() {
        short.push('…');
    }
    short
}

/// [`excerpt`] of an answer between backticks.
pub fn answer_quoted(answer: &str, length: usize) -> String {
    match answer {
        "" => "an empty line".to_owned(),
        answer => format!("`{}`", excerpt(answer, length)),
    }
}

/// The encoding that a line of output seems to have, if it is not plain UTF-8.
pub fn foreign_encoding(line: &[u8]) -> Option<&'static str> {
    match line {
        [0xef, 0xbb, 0xbf, ..] => Some("UTF-8 with a byte order mark"),
        line if line.contains(&0) => Some("UTF-16, or text with zero bytes"),
        line if std::str::from_utf8(line).is_ok() => None,
        _ => Some("Latin-1"),
    }
}

/// [`excerpt`] of a line of a program's output, with blanks in place of tabs, as in the stack traces of Java.
pub fn output_line(line: &str, length: usize) -> String {
    excerpt(&line.replace('\t', "    "), length)
}

/// `did you mean X?`, for the word nearest to a wrong one, if it is near enough.
pub fn did_you_mean<'a>(wrong: &str, words: impl IntoIterator<Item = &'a str>) -> Option<String> {
    let plain = |word: &str| word.to_lowercase().replace('_', "-");
    let distance = |word: &str| strsim::damerau_levenshtein(&plain(wrong), &plain(word));
    let nearest = words.into_iter().min_by_key(|word| distance(word))?;
    // One typo per four characters, and at least one.
    let most = 1.max(nearest.chars().count() / 4);
    (distance(nearest) <= most && wrong.chars().count() > 1)
        .then(|| format!("did you mean `{nearest}`?"))
}

/// Escapes hidden characters in JSON. Its meaning does not change.
pub fn escaped_json(json: &str) -> String {
    escaped_where(json, |c| is_hidden(c) && c != '\n')
}

/// Escapes unwanted characters in JSON. They must occur in strings only.
pub fn escaped_where(json: &str, unwanted: impl Fn(char) -> bool) -> String {
    // Nearly all JSON is plain. Without an early exit, the compiler vectorizes the scan.
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

/// Display names of players, where they differ from the name. Files contain the name.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct DisplayNames(BTreeMap<String, String>);

impl DisplayNames {
    /// Display name of a player, for tables and sentences.
    pub fn shown(&self, name: &str) -> String {
        visible(self.0.get(name).map_or(name, String::as_str))
    }

    /// Display name for headings, followed by the name in options and files: `José (jose)`.
    pub fn shown_with_name(&self, name: &str) -> String {
        if self.0.contains_key(name) {
            format!("{} ({})", self.shown(name), visible(name))
        } else {
            visible(name)
        }
    }

    /// Name of the player with this display name, or this name.
    pub fn named<'a>(&'a self, shown: &'a str) -> &'a str {
        let mut names = self.0.iter();
        let found = names.find(|(_, own)| visible(own) == shown);
        found.map_or(shown, |(name, _)| name)
    }

    pub fn extend(&mut self, others: Self) {
        self.0.extend(others.0);
    }
}

impl<'a> FromIterator<(&'a str, Option<&'a str>)> for DisplayNames {
    /// From pairs of a name and an optional display name.
    fn from_iter<I: IntoIterator<Item = (&'a str, Option<&'a str>)>>(players: I) -> Self {
        let own = players.into_iter().filter_map(|(name, shown)| {
            let shown = shown.filter(|shown| *shown != name)?;
            Some((name.to_owned(), shown.to_owned()))
        });
        Self(own.collect())
    }
}

/// A count with its noun: `1 game`, `2 games`.
pub fn counted(count: u64, one: &str, many: &str) -> String {
    match count {
        1 => format!("1 {one}"),
        _ => format!("{count} {many}"),
    }
}

/// Characters of a text, with a visible one in place of each hidden one unless `keep` holds for it.
fn shown(text: &str, keep: impl Fn(char) -> bool) -> impl Iterator<Item = char> {
    let mut previous = ' ';
    let mut chars = text.chars().peekable();
    std::iter::from_fn(move || {
        let c = chars.next()?;
        let follows = takes_joiner(std::mem::replace(&mut previous, c));
        // A variation selector needs only its predecessor; a joiner needs both neighbours.
        let joins = follows
            && (!matches!(c, '\u{200c}' | '\u{200d}')
                || chars.peek().copied().is_some_and(takes_joiner));
        Some(match c {
            _ if keep(c) => c,
            '\t' => BLANK,
            _ if is_hidden(c) || (is_joiner(c) && !joins) => REPLACEMENT,
            _ if is_blank(c) => BLANK,
            _ => c,
        })
    })
}

const QUOTED: usize = 40;

/// The beginning of a bad value, for a message of one line.
pub fn quoted(text: &str) -> String {
    let begin: String = text.chars().take(QUOTED).collect();
    begin.escape_debug().to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Escape sequences of 7 and 8 bits, every bidirectional control, and invisible characters.
    const HIDDEN: &str = "\u{1b}\u{9b}\0\u{7}\u{7f}\r\u{85}\u{61c}\u{200e}\u{200f}\u{202a}\u{202b}\u{202c}\
                          \u{202d}\u{202e}\u{2066}\u{2067}\u{2068}\u{2069}\u{2028}\u{2029}\
                          \u{feff}\u{200b}\u{2060}\u{2063}\u{ad}\u{180e}\u{3164}\u{e0041}";

    /// Blanks with and without a fixed width, breaking or not.
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
    fn what_stands_between_backticks_is_code() {
        use TextPart::{Code, Plain};
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
        assert_eq!(visible("a\n\tb"), "a\u{fffd}␣b");
        assert_eq!(output_line("\tat A.main\tx", 14), "    at A.main …");
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
