//! Tables of an article.

use super::words::{Words, markdown};
use crate::pages::parts::table::{CellView, TableView};

/// A table. The first cell of a row is its heading.
#[derive(Debug, Clone, Default)]
pub struct Table {
    /// Its caption.
    pub caption: String,
    /// The titles of the columns.
    pub columns: Vec<String>,
    /// The rows. Each has one cell per column.
    pub rows: Vec<Vec<Words>>,
}

impl Table {
    /// The table as Markdown.
    pub fn markdown(&self) -> String {
        let row = |cells: Vec<String>| format!("| {} |\n", cells.join(" | "));
        let titles = self.columns.iter().map(|title| markdown(title));
        let mut text = row(titles.collect());
        let rule = (0..self.columns.len()).map(|at| match at {
            0 => "---".to_owned(),
            _ => "--:".to_owned(),
        });
        text.push_str(&row(rule.collect()));
        for cells in &self.rows {
            text.push_str(&row(cells.iter().map(Words::markdown).collect()));
        }
        text
    }
}

impl From<&TableView> for Table {
    fn from(view: &TableView) -> Self {
        let words = |cell: &CellView| match (&cell.link, cell.code) {
            (Some(link), _) => Words::Link(cell.text.clone(), link.clone()),
            (None, true) => Words::Code(cell.text.clone()),
            (None, false) => Words::Plain(cell.text.clone()),
        };
        let rows = view.rows.iter();
        Self {
            caption: view.caption.clone(),
            columns: view.columns.iter().map(|it| it.title.clone()).collect(),
            rows: rows.map(|row| row.iter().map(words).collect()).collect(),
        }
    }
}
