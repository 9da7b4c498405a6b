//! Values that a bot reports about an answer: what it thinks of the position, and how it came to that.

use std::fmt::{self, Display};
use std::ops::Range;

/// Values of one answer, each with a name, as they are displayed: `score=31 depth=14`. Records have them as this text, and
/// few readers need the numbers.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Values(String);

static NONE: Values = Values(String::new());

impl Default for &Values {
    fn default() -> Self {
        &NONE
    }
}

impl Values {
    /// Maximum number of values of an answer. Further ones are dropped.
    pub const MOST: usize = 16;
    pub const LONGEST_NAME: usize = 20;
    /// Maximum absolute value, so that each number is short as text.
    pub const LARGEST: f64 = 1e15;
    const DECIMALS: f64 = 1e6;
    /// The one value that can be a text: moves of an engine, with commas between them.
    pub const PV: &'static str = "pv";

    /// Sets a value. A later one of the same name takes its place. A value that cannot be kept is dropped.
    pub fn set(&mut self, name: &str, number: f64) {
        let Some(number) = kept(number).filter(|_| is_name(name.as_bytes())) else {
            return;
        };
        match self.place(name) {
            Some(place) => self.0.replace_range(place, &displayed(number)),
            None if words(&self.0).count() < Self::MOST => self.add(name, &displayed(number)),
            None => {}
        }
    }

    /// Takes these values in place of all. No name stands twice, and each is a good one.
    pub(in crate::bot) fn replace(&mut self, values: &[(&str, Option<i64>)]) {
        self.0.clear();
        for (name, number) in values {
            if let Some(number) = number.filter(|it| it.unsigned_abs() <= Self::LARGEST as u64) {
                self.add(name, itoa::Buffer::new().format(number));
            }
        }
    }

    fn add(&mut self, name: &str, number: &str) {
        if !self.0.is_empty() {
            self.0.push(' ');
        }
        self.0.push_str(name);
        self.0.push('=');
        self.0.push_str(number);
    }

    pub fn clear(&mut self) {
        self.0.clear();
    }

    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    pub fn get(&self, name: &str) -> Option<f64> {
        parse_number(&self.0[self.place(name)?])
    }

    pub fn text(&self, name: &str) -> Option<&str> {
        Some(&self.0[self.place(name)?])
    }

    /// Sets the moves up to the first one that is none, if any.
    pub(in crate::bot) fn set_line(&mut self, moves: &[&str]) {
        let good = moves.iter().take_while(|it| is_line(it.as_bytes()));
        let line = moves[..good.count()].join(",");
        if !line.is_empty() && self.place(Self::PV).is_none() {
            self.add(Self::PV, &line);
        }
    }

    fn place(&self, name: &str) -> Option<Range<usize>> {
        let mut at = 0;
        words(&self.0).find_map(|word| {
            let begin = at + name.len() + 1;
            let end = at + word.len();
            at = end + 1;
            let is_this = word.get(name.len()) == Some(&b'=') && word.starts_with(name.as_bytes());
            is_this.then_some(begin..end)
        })
    }

    /// All values, in the order of their first lines.
    pub fn iter(&self) -> impl Iterator<Item = (&str, f64)> {
        let words = self.0.split(' ');
        words.filter_map(|word| {
            let (name, number) = word.split_once('=')?;
            Some((name, parse_number(number)?))
        })
    }

    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// Parses values as they are displayed; `None` for any other text.
    pub fn parse(text: &str) -> Option<Self> {
        let mut names: [&[u8]; Self::MOST] = [&[]; Self::MOST];
        for (count, word) in words(text).enumerate() {
            let end = word.iter().position(|byte| *byte == b'=')?;
            let (name, number) = (&word[..end], &word[end + 1..]);
            let is_new = !names.get(..count)?.contains(&name);
            let is_value = is_number(number) || name == Self::PV.as_bytes() && is_line(number);
            if !is_new || !is_name(name) || !is_value {
                return None;
            }
            *names.get_mut(count)? = name;
        }
        Some(Self(text.to_owned()))
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

    /// The number of a value as an integer, which is written in a fraction of the time, if it is one.
    pub fn whole(number: f64) -> Option<i64> {
        let whole = number as i64;
        (whole as f64 == number).then_some(whole)
    }

    pub fn write_number(number: f64, out: &mut impl fmt::Write) -> fmt::Result {
        match Self::whole(number) {
            Some(whole) => out.write_str(itoa::Buffer::new().format(whole)),
            None => write!(out, "{number}"),
        }
    }
}

impl Display for Values {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

fn words(text: &str) -> impl Iterator<Item = &[u8]> {
    let words = text.as_bytes().split(|byte| *byte == b' ');
    words.filter(|_| !text.is_empty())
}

fn is_name(text: &[u8]) -> bool {
    let good =
        |byte: &u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || b"-_".contains(byte);
    (1..=Values::LONGEST_NAME).contains(&text.len()) && text.iter().all(good)
}

/// Whether a text can be moves of chess or shogi, with commas between them.
fn is_line(text: &[u8]) -> bool {
    let good = |byte: &u8| byte.is_ascii_alphanumeric() || b"+*,".contains(byte);
    !text.is_empty() && text.iter().all(good)
}

fn is_number(text: &[u8]) -> bool {
    let digits = text.strip_prefix(b"-").unwrap_or(text);
    match digits {
        // Nearly all are integers, and below the largest number.
        [b'1'..=b'9', rest @ ..] if rest.len() < 15 && rest.iter().all(u8::is_ascii_digit) => true,
        b"0" if digits.len() == text.len() => true,
        _ => std::str::from_utf8(text).is_ok_and(|text| {
            let number = text.parse().ok().and_then(kept);
            number.is_some_and(|number| displayed(number) == text)
        }),
    }
}

/// A number as it is kept; `None` for one that cannot be kept.
fn kept(number: f64) -> Option<f64> {
    if number.is_nan() || number.abs() > Values::LARGEST {
        return None;
    }
    let number = match Values::whole(number) {
        Some(whole) => whole as f64,
        None => (number * Values::DECIMALS).round() / Values::DECIMALS,
    };
    // There is one zero.
    Some(if number == 0.0 { 0.0 } else { number })
}

fn displayed(number: f64) -> String {
    let mut text = String::new();
    let _ = Values::write_number(number, &mut text);
    text
}

/// The number that is displayed so. An integer is read in a fraction of the time.
fn parse_number(text: &str) -> Option<f64> {
    match text.parse::<i64>() {
        Ok(whole) => Some(whole as f64),
        Err(_) => text.parse().ok(),
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
    fn one_value_is_a_line_of_moves() {
        let mut values = Values::default();
        values.set("depth", 3.0);
        values.set_line(&["e2e4", "a7a8q", "}", "e7e5"]);
        values.set_line(&["d2d4"]);
        assert_eq!(values.as_str(), "depth=3 pv=e2e4,a7a8q");
        assert_eq!(Values::parse(values.as_str()), Some(values.clone()));
        assert_eq!(values.iter().collect::<Vec<_>>(), [("depth", 3.0)]);
        assert_eq!(values.text("pv"), Some("e2e4,a7a8q"));
    }

    #[test]
    fn text_that_is_displayed_otherwise_is_refused() {
        for text in [
            "a", "a=", "a=x", "pv=", "pv=a}", "a=1  b=2", " a=1", "a=01", "a=1 a=2", "A=1",
        ] {
            assert_eq!(Values::parse(text), None, "{text}");
        }
        assert_eq!(Values::parse(""), Some(Values::default()));
    }
}
