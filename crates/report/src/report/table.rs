//! Tables: the same cells are rendered for people and for programs.

use std::io::{self, Write};

use serde_json::{Map, Value, json};

use super::text::signed;
use crate::text::{DisplayNames, visible};

#[derive(Debug, Clone, PartialEq)]
pub enum Cell {
    Text(String),
    Count(u64),
    /// A number with this many decimals, or as many as it needs.
    Real(f64, Option<usize>),
    /// A number with its sign. It has one decimal in files and none on a terminal.
    Elo(f64),
    /// Half the width of an interval in Elo. It has one decimal in files and none on a terminal.
    Margin(f64),
    /// A part of 1. It has four decimals in files, and is in percent with one decimal on a terminal.
    Share(f64),
    Missing,
}

impl Cell {
    pub fn text(text: impl Into<String>) -> Self {
        Cell::Text(text.into())
    }

    pub fn plain(&self) -> String {
        match self {
            Cell::Text(text) => text.clone(),
            Cell::Count(count) => count.to_string(),
            Cell::Real(value, _) | Cell::Elo(value) | Cell::Margin(value) | Cell::Share(value)
                if !value.is_finite() =>
            {
                String::new()
            }
            Cell::Real(value, None) => format!("{value}"),
            Cell::Real(value, Some(decimals)) => unsigned_zero(format!("{value:.decimals$}")),
            Cell::Elo(value) | Cell::Margin(value) => unsigned_zero(format!("{value:.1}")),
            Cell::Share(value) => unsigned_zero(format!("{value:.4}")),
            Cell::Missing => String::new(),
        }
    }

    pub fn shown(&self) -> String {
        match self {
            Cell::Missing => "-".to_owned(),
            Cell::Text(text) => visible(text),
            Cell::Real(value, _) | Cell::Elo(value) if value.is_infinite() => {
                if *value > 0.0 { "∞" } else { "-∞" }.to_owned()
            }
            Cell::Elo(value) => signed(*value),
            Cell::Margin(value) => format!("{value:.0}"),
            Cell::Share(value) => format!("{:.1} %", 100.0 * value),
            other => other.plain(),
        }
    }

    fn json(&self) -> Value {
        match self {
            Cell::Text(text) => json!(text),
            Cell::Count(count) => json!(count),
            Cell::Missing => Value::Null,
            // With as many decimals as in CSV. Values that are not finite become null.
            number => json!(number.plain().parse::<f64>().ok()),
        }
    }
}

fn unsigned_zero(text: String) -> String {
    match text.strip_prefix('-') {
        Some(rest) if rest.chars().all(|c| c == '0' || c == '.') => rest.to_owned(),
        _ => text,
    }
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Column {
    pub name: String,
    pub title: String,
    pub explanation: Option<&'static str>,
    pub right: bool,
    /// If a terminal is too narrow, the columns with the highest rank are left out first. Columns with rank
    /// 0 are always shown.
    pub rank: u8,
    /// Whether a terminal that is too narrow has its cells below their rows, instead of cutting them.
    pub goes_below: bool,
}

impl Column {
    pub fn text(name: &str, title: &str) -> Self {
        Self {
            name: name.to_owned(),
            title: visible(title),
            explanation: None,
            right: false,
            rank: 0,
            goes_below: false,
        }
    }

    pub fn number(name: &str, title: &str) -> Self {
        Self {
            right: true,
            ..Self::text(name, title)
        }
    }

    pub fn explained(self, explanation: &'static str) -> Self {
        Self {
            explanation: Some(explanation),
            ..self
        }
    }

    pub fn rank(self, rank: u8) -> Self {
        Self { rank, ..self }
    }

    pub fn below(self) -> Self {
        Self {
            goes_below: true,
            ..self
        }
    }
}

/// Name of the table with a column for each player, after the first two columns.
pub(super) const CROSSTABLE: &str = "crosstable";

const PLAYER_COLUMNS: [&str; 4] = ["player", "opponent", "first", "second"];

#[derive(Debug, Clone, PartialEq)]
pub struct ReportTable {
    pub name: &'static str,
    pub columns: Vec<Column>,
    pub rows: Vec<Vec<Cell>>,
}

impl ReportTable {
    pub fn new(
        name: &'static str,
        columns: Vec<Column>,
        rows: impl IntoIterator<Item = Vec<Cell>>,
    ) -> Self {
        Self {
            name,
            columns,
            rows: rows.into_iter().collect(),
        }
    }

    pub fn place(&self, column: &str) -> Option<usize> {
        self.columns.iter().position(|it| it.name == column)
    }

    pub fn has_values(&self, column: &str) -> bool {
        let at = self.place(column);
        at.is_some_and(|at| self.rows.iter().any(|row| row[at] != Cell::Missing))
    }

    /// The table for a screen, with display names of players instead of their names.
    pub fn with_display_names(mut self, names: &DisplayNames) -> Self {
        for (at, column) in self.columns.iter_mut().enumerate() {
            if self.name == CROSSTABLE && at >= 2 {
                column.title = names.shown(&column.name);
            }
            if !PLAYER_COLUMNS.contains(&column.name.as_str()) {
                continue;
            }
            for row in &mut self.rows {
                if let Cell::Text(name) = &mut row[at] {
                    *name = names.shown(name);
                }
            }
        }
        self
    }

    pub fn csv(&self) -> Vec<u8> {
        let mut bytes = Vec::new();
        // Writing to memory cannot fail.
        let _ = write_csv(&mut bytes, &self.columns, self.rows.iter());
        bytes
    }

    /// The table as a JSON array with an object for each row.
    pub fn json(&self) -> Value {
        let object = |row: &Vec<Cell>| -> Map<String, Value> {
            let names = self.columns.iter().map(|column| column.name.clone());
            names.zip(row.iter().map(Cell::json)).collect()
        };
        self.rows.iter().map(object).collect()
    }
}

/// A table with rows that are produced one by one, because there can be too many to keep in memory.
pub struct StreamedTable<'a> {
    name: &'static str,
    columns: Vec<Column>,
    rows: Box<dyn Iterator<Item = Vec<Cell>> + 'a>,
}

impl<'a> StreamedTable<'a> {
    pub fn new(
        name: &'static str,
        columns: Vec<Column>,
        rows: impl Iterator<Item = Vec<Cell>> + 'a,
    ) -> Self {
        Self {
            name,
            columns,
            rows: Box::new(rows),
        }
    }

    pub fn collect(self) -> ReportTable {
        ReportTable::new(self.name, self.columns, self.rows)
    }

    pub fn write_csv(self, out: &mut dyn Write) -> io::Result<()> {
        write_csv(out, &self.columns, self.rows)
    }
}

/// Writes a table as CSV row by row. A row has as many cells as there are columns.
fn write_csv(
    out: &mut dyn Write,
    columns: &[Column],
    rows: impl Iterator<Item = impl AsRef<[Cell]>>,
) -> io::Result<()> {
    let mut writer = csv::Writer::from_writer(out);
    writer.write_record(columns.iter().map(|column| &column.name))?;
    for row in rows {
        writer.write_record(row.as_ref().iter().map(Cell::plain))?;
    }
    writer.flush()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_have_what_names_and_numbers_are() {
        for (cell, csv, value) in [
            (
                Cell::text("c, d\u{1b}"),
                "\"c, d\u{1b}\"",
                json!("c, d\u{1b}"),
            ),
            (Cell::Elo(-0.04), "0.0", json!(0.0)),
            (Cell::Elo(12.34), "12.3", json!(12.3)),
            (Cell::Elo(f64::INFINITY), "\"\"", json!(null)),
            (Cell::Missing, "\"\"", json!(null)),
        ] {
            let table = ReportTable::new("test", vec![Column::text("x", "x")], [vec![cell]]);
            assert_eq!(String::from_utf8_lossy(&table.csv()), format!("x\n{csv}\n"));
            assert_eq!(table.json(), json!([{ "x": value }]));
        }
    }
}
