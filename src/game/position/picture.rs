//! A board drawn over several lines, for people.

use std::fmt::{self, Display};

/// A drawn board. Its [`Display`] has marked squares in brackets.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Picture {
    parts: Vec<Part>,
}

/// A part of a picture, in reading order.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Part {
    /// Coordinates and other text, with the line ends.
    Text(String),
    /// A square.
    Square {
        /// Index into the board string.
        index: usize,
        /// Letter of its piece or of the empty square.
        letter: char,
        /// Whether the last action touched it.
        is_marked: bool,
    },
}

impl Picture {
    /// Appends text.
    pub fn text(&mut self, text: &str) {
        match self.parts.last_mut() {
            Some(Part::Text(before)) => before.push_str(text),
            _ => self.parts.push(Part::Text(text.to_owned())),
        }
    }

    /// Appends a square. Rendering puts a space or a bracket before it.
    pub fn square(&mut self, index: usize, letter: char) {
        self.parts.push(Part::Square {
            index,
            letter,
            is_marked: false,
        });
    }

    /// Marks the squares at these indices of the board string, and unmarks all others.
    pub fn mark(&mut self, squares: &[usize]) {
        for part in &mut self.parts {
            if let Part::Square {
                index, is_marked, ..
            } = part
            {
                *is_marked = squares.contains(index);
            }
        }
    }

    /// The letters of the squares, in reading order.
    pub(super) fn letters(&self) -> impl Iterator<Item = char> {
        self.parts.iter().filter_map(|part| match part {
            Part::Square { letter, .. } => Some(*letter),
            Part::Text(_) => None,
        })
    }

    /// Appends a newline unless the picture ends with one.
    pub(super) fn end_line(&mut self) {
        let ends = |part: &Part| matches!(part, Part::Text(text) if text.ends_with('\n'));
        if !self.parts.last().is_some_and(ends) {
            self.text("\n");
        }
    }

    /// Renders the picture as text. `paint` maps a square's letter and mark to its text.
    pub fn painted(&self, paint: &dyn Fn(char, bool) -> String) -> String {
        let mut text = String::new();
        let mut was_marked = false;
        for part in &self.parts {
            match part {
                Part::Text(words) => {
                    if was_marked {
                        text.push(']');
                    }
                    text.push_str(words);
                    was_marked = false;
                }
                Part::Square {
                    letter, is_marked, ..
                } => {
                    text.push(match (was_marked, is_marked) {
                        (_, true) => '[',
                        (true, false) => ']',
                        (false, false) => ' ',
                    });
                    text.push_str(&paint(*letter, *is_marked));
                    was_marked = *is_marked;
                }
            }
        }
        text
    }
}

impl Display for Picture {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.painted(&|letter, _| letter.to_string()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn marked_squares_are_in_brackets() {
        let mut picture = Picture::default();
        for (row, letters) in ["abc", "def"].into_iter().enumerate() {
            picture.text(&row.to_string());
            for (column, letter) in letters.chars().enumerate() {
                picture.square(row * 3 + column, letter);
            }
            picture.text(" |\n");
        }
        for (marked, text) in [
            (vec![], "0 a b c |\n1 d e f |\n"),
            (vec![0], "0[a]b c |\n1 d e f |\n"),
            (vec![1, 5], "0 a[b]c |\n1 d e[f] |\n"),
            (vec![3, 4], "0 a b c |\n1[d[e]f |\n"),
            (vec![9], "0 a b c |\n1 d e f |\n"),
        ] {
            picture.mark(&marked);
            assert_eq!(picture.to_string(), text);
        }
        let upper = |letter: char, _| letter.to_ascii_uppercase().to_string();
        assert!(picture.painted(&upper).starts_with("0 A B C |"));
    }
}
