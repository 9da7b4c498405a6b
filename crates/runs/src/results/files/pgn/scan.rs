//! Line scanner for PGN: finds tag pairs, results, and whether anything else is there.
//!
//! The standard allows tag pairs anywhere on a line, with spaces inside, and several on one line.
//! Comments are `{…}` over any number of lines, `;` to the end of the line, and lines that begin with `%`.

/// Longer lines are refused, so that memory stays bounded.
pub(super) const LONGEST_LINE: usize = 1 << 20;

#[derive(Debug, PartialEq)]
pub(super) enum PgnPart<'a> {
    /// `[Name "value"]`, without the escapes of the value.
    Tag {
        name: &'a [u8],
        value: Vec<u8>,
    },
    /// A result after the moves, outside of variations.
    Result(&'static str),
    Other,
}

/// Results that end the moves. Matched as whole words, so `1-0-0` has none.
const RESULTS: [&str; 4] = ["1-0", "0-1", "1/2-1/2", "*"];

#[derive(Debug, Default)]
pub(super) struct Scanner {
    pub comment: Option<u64>,
    depth: usize,
    /// Whether the last line began with a tag without an end.
    cut_tag: bool,
}

impl Scanner {
    pub fn line<E>(
        &mut self,
        number: u64,
        line: &[u8],
        mut each: impl FnMut(PgnPart<'_>) -> Result<(), E>,
    ) -> Result<(), E> {
        if self.comment.is_none() && line.starts_with(b"%") {
            return Ok(());
        }
        let trimmed = line.trim_ascii();
        let ends_tag = !trimmed.starts_with(b"[") && trimmed.ends_with(b"\"]");
        if std::mem::take(&mut self.cut_tag) && ends_tag {
            return Ok(());
        }
        let (mut rest, mut previous, mut may_have_tags) = (line, b' ', true);
        while let Some(&byte) = rest.first() {
            if self.comment.is_some() {
                let Some(end) = rest.iter().position(|byte| *byte == b'}') else {
                    return Ok(());
                };
                self.comment = None;
                (rest, previous) = (&rest[end + 1..], b' ');
                continue;
            }
            match byte {
                b'{' => self.comment = Some(number),
                b';' => return Ok(()),
                b'[' if may_have_tags => match tag(rest) {
                    Tag::Is { name, value, after } => {
                        self.depth = 0;
                        each(PgnPart::Tag { name, value })?;
                        (rest, previous) = (after, b' ');
                        continue;
                    }
                    // A damaged tag is passed over, so that it does not end the tags of its game.
                    not_a_tag if line.trim_ascii_start().len() == rest.len() => {
                        self.cut_tag = matches!(not_a_tag, Tag::NoneOnThisLine);
                        return Ok(());
                    }
                    Tag::IsNot => {}
                    Tag::NoneOnThisLine => may_have_tags = false,
                },
                b'(' => self.depth += 1,
                b')' => self.depth = self.depth.saturating_sub(1),
                _ if byte.is_ascii_whitespace() => {}
                _ => {
                    each(PgnPart::Other)?;
                    if self.depth == 0
                        && !is_of_word(previous)
                        && let Some(result) = result(rest)
                    {
                        each(PgnPart::Result(result))?;
                    }
                }
            }
            previous = byte;
            rest = &rest[1..];
        }
        Ok(())
    }
}

fn is_of_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || b"-/*".contains(&byte)
}

fn result(text: &[u8]) -> Option<&'static str> {
    let begins = |result: &&str| {
        let after = text.strip_prefix(result.as_bytes());
        after.is_some_and(|after| !after.first().is_some_and(|byte| is_of_word(*byte)))
    };
    RESULTS.into_iter().find(begins)
}

pub(super) fn begins_with_tag(line: &[u8]) -> bool {
    let line = line.trim_ascii_start();
    line.starts_with(b"[") && matches!(tag(line), Tag::Is { .. })
}

enum Tag<'a> {
    Is {
        name: &'a [u8],
        value: Vec<u8>,
        after: &'a [u8],
    },
    IsNot,
    /// No value ends on this line, so that nothing after it is a tag pair either.
    NoneOnThisLine,
}

fn tag(text: &[u8]) -> Tag<'_> {
    let text = text[1..].trim_ascii_start();
    let is_of_name = |byte: &&u8| byte.is_ascii_alphanumeric() || b"_+#=:-".contains(byte);
    let (name, value) = text.split_at(text.iter().take_while(is_of_name).count());
    let Some(value) = value.trim_ascii_start().strip_prefix(b"\"") else {
        return Tag::IsNot;
    };
    if name.is_empty() {
        return Tag::IsNot;
    }
    // Some programs do not escape quotes, so a quote ends a value only before a bracket. Some do not
    // escape backslashes, so a backslash before the last quote may belong to the value.
    let mut last = None;
    for (at, _) in value.iter().enumerate().filter(|(_, byte)| **byte == b'"') {
        let Some(after) = value[at + 1..].trim_ascii_start().strip_prefix(b"]") else {
            continue;
        };
        let backslashes = value[..at].iter().rev().take_while(|byte| **byte == b'\\');
        let is_escaped = backslashes.count() % 2 == 1;
        last = last.or(Some((at, after)));
        if !is_escaped {
            last = Some((at, after));
            break;
        }
    }
    match last {
        Some((end, after)) => Tag::Is {
            name,
            value: without_escapes(&value[..end]),
            after,
        },
        None => Tag::NoneOnThisLine,
    }
}

fn without_escapes(value: &[u8]) -> Vec<u8> {
    let mut plain = Vec::with_capacity(value.len());
    let mut bytes = value.iter().copied().peekable();
    while let Some(byte) = bytes.next() {
        match (byte, bytes.peek()) {
            (b'\\', Some(b'"' | b'\\')) => plain.extend(bytes.next()),
            _ => plain.push(byte),
        }
    }
    plain
}
