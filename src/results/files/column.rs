//! A column of a table of results.

use super::problem::{CellProblem, ResultProblem};
use super::table_rows::Row;

/// A column of a table of results, and its index in this file.
#[derive(Debug, Clone, Copy)]
pub(super) struct Column {
    /// The names that it may have.
    pub names: &'static [&'static str],
    pub place: Option<usize>,
}

impl Column {
    /// The first column with one of these names.
    pub fn find(header: &[String], names: &'static [&'static str]) -> Self {
        let mut header = header.iter();
        Self {
            names,
            place: header.position(|name| names.contains(&name.as_str())),
        }
    }

    /// A problem with this column.
    pub fn bad(&self, problem: CellProblem) -> ResultProblem {
        ResultProblem::Cell {
            number: self.place.unwrap_or_default() + 1,
            names: self.names.join("` or `"),
            problem,
        }
    }

    /// The text of a row in this column; empty if the file has no such column.
    pub fn text<'a>(&self, row: &Row<'a>) -> Result<&'a str, ResultProblem> {
        match self.place {
            None => Ok(""),
            Some(place) => row
                .text(place)
                .ok_or_else(|| self.bad(CellProblem::NotText)),
        }
    }
}
