//! Values that a bot reports about an answer: what it thinks of the position, and how it came to that.

use std::fmt::{self, Display};

/// Values of one answer, each with a name: `score=31 depth=14`.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Values(Vec<(Name, f64)>);

/// A name. Every answer of an engine has several, so they need no memory of their own.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Name {
    bytes: [u8; Values::LONGEST_NAME],
    length: usize,
}

// No value is NaN.
impl Eq for Values {}

/// No values.
static NONE: Values = Values(Vec::new());

impl Default for &Values {
    fn default() -> Self {
        &NONE
    }
}

impl Values {
    /// Maximum number of values of an answer. Further ones are dropped.
    pub const MOST: usize = 16;
    /// Maximum number of characters in a name.
    pub const LONGEST_NAME: usize = 20;
    /// Maximum absolute value, so that each number is short as text.
    pub const LARGEST: f64 = 1e15;
    /// Maximum number of decimals that are kept.
    const DECIMALS: f64 = 1e6;

    /// Sets a value. A later one of the same name takes its place. A value that cannot be kept is dropped.
    pub fn set(&mut self, name: &str, number: f64) {
        let Some(name) = Name::new(name) else {
            return;
        };
        if number.abs() > Self::LARGEST || number.is_nan() {
            return;
        }
        let number = match whole(number) {
            Some(whole) => whole as f64,
            None => (number * Self::DECIMALS).round() / Self::DECIMALS,
        };
        // There is one zero.
        let number = if number == 0.0 { 0.0 } else { number };
        match self.0.iter().position(|(known, _)| *known == name) {
            Some(index) => self.0[index].1 = number,
            None if self.0.len() < Self::MOST => self.0.push((name, number)),
            None => {}
        }
    }

    /// Forgets all values.
    pub fn clear(&mut self) {
        self.0.clear();
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The value of this name.
    pub fn get(&self, name: &str) -> Option<f64> {
        let mut values = self.iter();
        values.find_map(|(known, number)| (known == name).then_some(number))
    }

    /// All values, in the order of their first lines.
    pub fn iter(&self) -> impl Iterator<Item = (&str, f64)> {
        self.0.iter().map(|(name, number)| (name.as_str(), *number))
    }

    /// Parses values as they are displayed; `None` for any other text.
    pub fn parse(text: &str) -> Option<Self> {
        let mut values = Self::default();
        for word in text.split(' ').filter(|_| !text.is_empty()) {
            let (name, number) = word.split_once('=')?;
            values.set(name, number.parse().ok()?);
        }
        (values.to_string() == text).then_some(values)
    }

    /// Adds the value of a line `value NAME NUMBER`, if it is one.
    pub(in crate::bot) fn add_line(&mut self, line: &str) {
        let mut words = line.split_ascii_whitespace();
        let words = [words.next(), words.next(), words.next(), words.next()];
        if let [Some("value"), Some(name), Some(number), None] = words
            && let Ok(number) = number.parse()
        {
            self.set(name, number);
        }
    }
}

/// The number as an integer, which is written in a fraction of the time, if it is one. It is at most
/// [`Values::LARGEST`].
fn whole(number: f64) -> Option<i64> {
    let whole = number as i64;
    (whole as f64 == number).then_some(whole)
}

impl Name {
    /// `None` for text that is no name.
    fn new(text: &str) -> Option<Self> {
        let good =
            |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || b"-_".contains(&byte);
        let mut bytes = [0; Values::LONGEST_NAME];
        let kept = bytes.get_mut(..text.len())?;
        kept.copy_from_slice(text.as_bytes());
        let is_name = !kept.is_empty() && text.bytes().all(good);
        is_name.then_some(Self {
            bytes,
            length: text.len(),
        })
    }

    fn as_str(&self) -> &str {
        // It was made of text.
        std::str::from_utf8(&self.bytes[..self.length]).unwrap_or_default()
    }
}

impl Values {
    /// Writes them as they are displayed.
    pub fn write_to(&self, out: &mut impl fmt::Write) -> fmt::Result {
        for (at, (name, number)) in self.iter().enumerate() {
            let separator = if at > 0 { " " } else { "" };
            out.write_str(separator)?;
            out.write_str(name)?;
            out.write_str("=")?;
            match whole(number) {
                Some(whole) => out.write_str(itoa::Buffer::new().format(whole))?,
                None => write!(out, "{number}")?,
            }
        }
        Ok(())
    }
}

impl Display for Values {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.write_to(f)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(lines: &[&str]) -> String {
        let mut values = Values::default();
        for line in lines {
            values.add_line(line);
        }
        let text = values.to_string();
        assert_eq!(Values::parse(&text), Some(values), "{text}");
        text
    }

    #[test]
    fn lines_with_a_value_are_kept_and_others_are_none() {
        assert_eq!(
            of(&["value score 31", " value  depth 14 "]),
            "score=31 depth=14"
        );
        assert_eq!(
            of(&["value a 1", "value b -0.25", "value a 2e3"]),
            "a=2000 b=-0.25"
        );
        assert_eq!(of(&["value a -0", "value b 1e-9"]), "a=0 b=0");
        for line in [
            "value",
            "value a",
            "value a b",
            "value a 1 2",
            "value A 1",
            "value a=b 1",
            "value a nan",
            "value a inf",
            "value a 1e16",
            "value abcdefghijklmnopqrstu 1",
            "values a 1",
        ] {
            assert_eq!(of(&[line]), "", "{line}");
        }
    }

    #[test]
    fn their_number_and_length_are_bounded() {
        let lines = (0..100).map(|number| {
            format!("value abcdefghijklmnopqr{number:02} -123456789012345.123456789")
        });
        let lines: Vec<String> = lines.collect();
        let lines: Vec<&str> = lines.iter().map(String::as_str).collect();
        let text = of(&lines);
        assert_eq!(text.split(' ').count(), Values::MOST);
        assert!(text.len() < 50 * Values::MOST, "{text}");
    }

    #[test]
    fn text_that_is_displayed_otherwise_is_refused() {
        for text in [
            "a", "a=", "a=x", "a=1  b=2", " a=1", "a=01", "a=1 a=2", "A=1",
        ] {
            assert_eq!(Values::parse(text), None, "{text}");
        }
        assert_eq!(Values::parse(""), Some(Values::default()));
    }
}
