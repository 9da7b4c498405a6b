//! Facts about a file of results that was read.

use std::borrow::Cow;

/// Encoding of a file's text.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Encoding {
    /// All of it is UTF-8.
    #[default]
    Utf8,
    /// Some of it is not UTF-8, and was read as Windows-1252, a superset of printable Latin-1.
    Windows1252,
}

/// Characters of the bytes from 0x80 to 0x9f. The five undefined bytes map to themselves, as in browsers.
const WINDOWS_1252: [char; 32] = [
    '€', '\u{81}', '‚', 'ƒ', '„', '…', '†', '‡', 'ˆ', '‰', 'Š', '‹', 'Œ', '\u{8d}', 'Ž', '\u{8f}',
    '\u{90}', '‘', '’', '“', '”', '•', '–', '—', '˜', '™', 'š', '›', 'œ', '\u{9d}', 'ž', 'Ÿ',
];

impl Encoding {
    /// Decodes bytes, and sets `self` to Windows-1252 if they are not UTF-8.
    pub(super) fn text<'a>(&mut self, bytes: &'a [u8]) -> Cow<'a, str> {
        if let Ok(text) = std::str::from_utf8(bytes) {
            return text.into();
        }
        *self = Self::Windows1252;
        let character = |byte: &u8| match byte {
            0x80..=0x9f => WINDOWS_1252[usize::from(byte - 0x80)],
            _ => char::from(*byte),
        };
        bytes.iter().map(character).collect::<String>().into()
    }
}

/// Summary of a file of results.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct ReadResults {
    /// Encoding of its text.
    pub encoding: Encoding,
    /// Number of unfinished games, with the result `*`.
    pub unfinished: u64,
}
