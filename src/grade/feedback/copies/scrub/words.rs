//! Search for words to redact, in any spelling: case, Unicode normalization form, signs around them, percent-encoding
//! and HTML entities.

use std::collections::HashMap;
use std::ops::Range;

use unicode_normalization::char::compose;

use crate::text::composed;

/// Upper bound on the signs between two words of a name.
const MOST_SIGNS: usize = 16;

/// Upper bound on the words of a name that is also searched for in rotated order.
const MOST_WORDS: usize = 8;

/// Maximum length of an HTML entity, such as `&#x2019;`.
const LONGEST_ENTITY: usize = 10;

/// The words by their first run of letters and digits. A text is read once, from run to run.
#[derive(Debug, Clone, Default)]
pub(super) struct Words(HashMap<String, Vec<Vec<Next>>>);

/// Continuation after a run: the signs, and the next run.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Next {
    signs: String,
    /// Whether spaces, or their substitutes, may replace the signs.
    is_in_name: bool,
    run: String,
}

impl Words {
    /// Adds a word. Returns whether it has letters or digits, without which it is never found.
    pub fn add(&mut self, word: &str) -> bool {
        self.add_runs(word, false)
    }

    /// Adds a name. Each of its words may come first, as in `Last, First`.
    pub fn add_name(&mut self, name: &str) -> bool {
        let words: Vec<&str> = name
            .split(|c: char| c.is_whitespace() || c == ',')
            .filter(|word| !word.is_empty())
            .collect();
        if words.len() <= MOST_WORDS {
            for at in 1..words.len() {
                self.add_runs(&[&words[at..], &words[..at]].concat().join(" "), true);
            }
        }
        self.add_runs(name, true)
    }

    fn add_runs(&mut self, text: &str, is_in_name: bool) -> bool {
        let mut runs: Vec<Next> = Vec::new();
        let mut signs = String::new();
        let mut is_inside = false;
        for c in composed(text).chars() {
            if !c.is_alphanumeric() {
                signs.push(plain(c));
                is_inside = false;
                continue;
            }
            if !is_inside {
                runs.push(Next {
                    signs: std::mem::take(&mut signs),
                    is_in_name,
                    run: String::new(),
                });
                is_inside = true;
            }
            if let Some(last) = runs.last_mut() {
                last.run.extend(folded(c));
            }
        }
        if runs.is_empty() {
            return false;
        }
        let first = runs.remove(0);
        let alike = self.0.entry(first.run).or_default();
        if !alike.contains(&runs) {
            alike.push(runs);
        }
        true
    }

    /// Byte ranges of the words in a text, sorted and without overlap.
    pub fn places(&self, text: &[u8]) -> Vec<Range<usize>> {
        if self.0.is_empty() {
            return Vec::new();
        }
        let mut places = self.places_in(&Reader {
            text,
            has_escapes: false,
        });
        // `%ada` can be a sign before a name, and a byte before an `a`.
        if text.iter().any(|byte| b"%&\\".contains(byte)) {
            places.extend(self.places_in(&Reader {
                text,
                has_escapes: true,
            }));
            places.sort_by_key(|place| (place.start, place.end));
            places.dedup_by(|next, place| {
                let overlaps = next.start < place.end;
                if overlaps {
                    place.end = place.end.max(next.end);
                }
                overlaps
            });
        }
        places
    }

    fn places_in(&self, reader: &Reader) -> Vec<Range<usize>> {
        let mut places = Vec::new();
        let mut run = String::new();
        let mut at = 0;
        while let Some((c, length)) = reader.read(at) {
            let start = at;
            at += length;
            if !c.is_alphanumeric() {
                continue;
            }
            run.clear();
            run.extend(folded(c));
            while let Some((c, length)) = reader.read(at).filter(|(c, _)| c.is_alphanumeric()) {
                run.extend(folded(c));
                at += length;
            }
            let words = self.0.get(&run).into_iter().flatten();
            if let Some(end) = words.filter_map(|rest| reader.end_of(rest, at)).max() {
                at = end;
                places.push(start..end);
            }
        }
        places
    }
}

/// Case folding of a character: `ß` and `SS` are equal.
fn folded(c: char) -> impl Iterator<Item = char> {
    c.to_uppercase().flat_map(char::to_lowercase)
}

/// Maps all variants of an apostrophe to one.
fn plain(c: char) -> char {
    match c {
        '\u{2018}' | '\u{2019}' | '\u{02bc}' | '`' | '´' => '\'',
        c => c,
    }
}

/// Reads characters of a text that may have invalid bytes.
struct Reader<'a> {
    text: &'a [u8],
    has_escapes: bool,
}

impl Reader<'_> {
    /// The character that begins at a byte, with the accents that follow it, and how many bytes that has; `None` at
    /// the end.
    fn read(&self, at: usize) -> Option<(char, usize)> {
        let (mut c, mut length) = self.read_one(at)?;
        // No accent is in ASCII, or escaped by a sign that is no letter.
        while c.is_alphabetic()
            && let Some((accent, more)) = self.read_one(at + length)
            && !accent.is_ascii()
            && let Some(whole) = compose(c, accent)
        {
            c = whole;
            length += more;
        }
        Some((c, length))
    }

    fn read_one(&self, at: usize) -> Option<(char, usize)> {
        let rest = &self.text[at..];
        let first = *rest.first()?;
        if self.has_escapes
            && let Some(escaped) = escaped(rest)
        {
            return Some(escaped);
        }
        if first.is_ascii() {
            return Some((char::from(first), 1));
        }
        let chunk = rest[..rest.len().min(4)].utf8_chunks().next();
        let c = chunk.and_then(|chunk| chunk.valid().chars().next());
        Some(c.map_or((char::REPLACEMENT_CHARACTER, 1), |c| (c, c.len_utf8())))
    }

    /// End of a word's rest that begins at a byte; `None` if something else is there.
    fn end_of(&self, rest: &[Next], mut at: usize) -> Option<usize> {
        for next in rest {
            at = self.run(&next.run, self.signs(next, at)?)?;
        }
        Some(at)
    }

    /// The end of the signs before a run.
    fn signs(&self, next: &Next, mut at: usize) -> Option<usize> {
        if !next.is_in_name {
            for sign in next.signs.chars() {
                let (c, length) = self.read(at)?;
                at += length;
                if plain(c) != sign {
                    return None;
                }
            }
            return Some(at);
        }
        let begin = at;
        for _ in 0..MOST_SIGNS {
            let (c, length) = self.read(at)?;
            let is_space = c.is_whitespace() && c != '\n';
            if !is_space && !"_.-,+'".contains(plain(c)) && !next.signs.contains(plain(c)) {
                break;
            }
            at += length;
        }
        (at > begin).then_some(at)
    }

    /// The end of this run, if it begins at a byte and is not part of a longer one.
    fn run(&self, run: &str, mut at: usize) -> Option<usize> {
        let mut expected = run.chars();
        while let Some((c, length)) = self.read(at).filter(|(c, _)| c.is_alphanumeric()) {
            if folded(c).any(|c| expected.next() != Some(c)) {
                return None;
            }
            at += length;
        }
        expected.next().is_none().then_some(at)
    }
}

/// The character of an escape at the start of a text, and the escape's length.
fn escaped(text: &[u8]) -> Option<(char, usize)> {
    match text {
        [b'%', ..] => {
            let byte = |at: usize| {
                let digits = text.get(3 * at..)?.strip_prefix(b"%")?.get(..2)?;
                u8::from_str_radix(str::from_utf8(digits).ok()?, 16).ok()
            };
            let length = match byte(0)? {
                0..0x80 => 1,
                0x80..0xe0 => 2,
                0xe0..0xf0 => 3,
                0xf0.. => 4,
            };
            let bytes: Option<Vec<u8>> = (0..length).map(byte).collect();
            let c = str::from_utf8(&bytes?).ok()?.chars().next()?;
            Some((c, 3 * length))
        }
        [b'&', rest @ ..] => {
            let end = rest
                .iter()
                .take(LONGEST_ENTITY)
                .position(|it| *it == b';')?;
            let name = str::from_utf8(&rest[..end]).ok()?.to_ascii_lowercase();
            let number = |text: &str| match text.strip_prefix('x') {
                Some(digits) => u32::from_str_radix(digits, 16).ok(),
                None => text.parse().ok(),
            };
            let c = match name.as_str() {
                "amp" => '&',
                "lt" => '<',
                "gt" => '>',
                "quot" => '"',
                "apos" => '\'',
                "nbsp" => ' ',
                name => char::from_u32(number(name.strip_prefix('#')?)?)?,
            };
            Some((c, end + 2))
        }
        [b'\\', b'n', ..] => Some(('\n', 2)),
        [b'\\', b't' | b'r', ..] => Some((' ', 2)),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The text with the found words removed.
    fn hidden(text: &str) -> String {
        let mut words = Words::default();
        for word in ["s1001", "ada@uni.example", "crows", "a-1234"] {
            assert!(words.add(word), "{word}");
        }
        for name in [
            "Ada Aldridge",
            "Sycamore, Bea Lou",
            "Tim O'Brien",
            "José Strauß",
            "Zoe\u{308} A\u{30a}s",
        ] {
            assert!(words.add_name(name), "{name}");
        }
        let mut bytes = text.as_bytes().to_vec();
        for place in words.places(text.as_bytes()).into_iter().rev() {
            bytes.splice(place, *b"#");
        }
        String::from_utf8(bytes).expect("text")
    }

    #[test]
    fn a_word_is_found_in_any_case_and_beside_any_sign() {
        for (text, expected) in [
            ("s1001 S1001 s1001_eval x_s1001", "# # #_eval x_#"),
            (
                "\u{2018}s1001\u{2019} \u{201c}Crows\u{201d} crows\u{2014}",
                "\u{2018}#\u{2019} \u{201c}#\u{201d} #\u{2014}",
            ),
            (
                "ADA@uni.example, ada%40UNI.example, ada&#64;uni.example",
                "#, #, #",
            ),
            ("100%s1001 \\ns1001\\n %73%31%3001", "100%# \\n#\\n #"),
            (
                "ada uni example A-1234 a, 1234",
                "ada uni example # a, 1234",
            ),
            (
                "s10010 ss1001 scrows crowst és1001",
                "s10010 ss1001 scrows crowst és1001",
            ),
        ] {
            assert_eq!(hidden(text), expected);
        }
    }

    #[test]
    fn a_name_is_found_in_another_order_and_with_other_signs_between_its_words() {
        for (text, expected) in [
            ("ADA ALDRIDGE Ada  Aldridge ada_aldridge", "# # #"),
            ("Aldridge, Ada; ada.aldridge! ada%20aldridge", "#; #! #"),
            (
                "Bea Lou Sycamore; Sycamore, Bea Lou; lou sycamore bea",
                "#; #; #",
            ),
            (
                "Tim O\u{2019}Brien Tim O&#x27;Brien O&#39;BRIEN, TIM",
                "# # #",
            ),
            ("JOSÉ STRAUSS Jos%C3%A9+Strau%c3%9f", "# #"),
            (
                "Jose\u{301} Strauß, Jose%CC%81_Strauss Jose Strauß",
                "#, # Jose Strauß",
            ),
            ("zoë ås Zoe\u{308} As\u{301}", "# Zoe\u{308} As\u{301}"),
            (
                "Ada\nAldridge; Ada Aldridges; Canada Aldridge Ada",
                "Ada\nAldridge; Ada Aldridges; Canada #",
            ),
        ] {
            assert_eq!(hidden(text), expected);
        }
    }

    #[test]
    fn what_is_no_text_is_passed_over() {
        let mut words = Words::default();
        assert!(!words.add("\u{1f98a}"));
        assert!(words.add("crows"));
        let text = b"\xffcrows\xf0\x9f%ff%f0%9f&#xd800;&;&%2";
        assert_eq!(words.places(text).as_slice(), std::slice::from_ref(&(1..6)));
    }
}
