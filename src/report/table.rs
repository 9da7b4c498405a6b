//! Text tables for a terminal.

use std::fmt::Write;

/// On which side of its column a cell stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Align {
    Left,
    Right,
}

/// A table with a header; every row has as many cells as there are columns.
#[derive(Debug)]
pub(super) struct Table {
    columns: Vec<Align>,
    rows: Vec<Vec<String>>,
}

impl Table {
    pub fn new<S: Into<String>>(columns: impl IntoIterator<Item = (S, Align)>) -> Self {
        let (header, columns) = columns
            .into_iter()
            .map(|(title, align)| (title.into(), align))
            .unzip();
        Self {
            columns,
            rows: vec![header],
        }
    }

    pub fn row(&mut self, cells: Vec<String>) {
        self.rows.push(cells);
    }

    /// The table as lines, each with two spaces before it.
    pub fn render(&self) -> String {
        let widths: Vec<usize> = (0..self.columns.len())
            .map(|column| {
                let width =
                    |row: &Vec<String>| row.get(column).map_or(0, |cell| cell.chars().count());
                self.rows.iter().map(width).max().unwrap_or(0)
            })
            .collect();
        let mut text = String::new();
        for row in &self.rows {
            let mut line = String::new();
            for ((cell, width), align) in row.iter().zip(&widths).zip(&self.columns) {
                // Writing to a `String` cannot fail.
                let _ = match align {
                    Align::Left => write!(line, "  {cell:<width$}"),
                    Align::Right => write!(line, "  {cell:>width$}"),
                };
            }
            text.push_str(line.trim_end());
            text.push('\n');
        }
        text
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_line_up() {
        let mut table = Table::new([("name", Align::Left), ("elo", Align::Right)]);
        table.row(vec!["ägäis".into(), "+5".into()]);
        table.row(vec!["b".into(), "-1234".into()]);
        assert_eq!(
            table.render(),
            "  name     elo\n  ägäis     +5\n  b      -1234\n"
        );
    }
}
