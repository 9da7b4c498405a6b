//! Tables of a page.

use serde::Serialize;

use super::cell_chart::{CellChart, Label, Scale};
use super::svg::range;
use crate::rating::Interval;
use crate::report::{Cell, Column, ReportTable};
use crate::text::visible;

/// The script that sorts and filters the tables of the class `sortable`. Without it they show everything.
pub const SORTING: &str = include_str!("../assets/tables.js");

/// A table. It scrolls in its own box on a narrow screen.
#[derive(Debug, Clone, Default, Serialize)]
pub struct TableView {
    pub caption: String,
    pub columns: Vec<ColumnView>,
    pub rows: Vec<Vec<CellView>>,
    /// Entries of the legend: CSS class and words.
    pub legend: Vec<(&'static str, String)>,
    pub sortable: bool,
}

#[derive(Debug, Clone, Serialize)]
pub struct ColumnView {
    pub title: String,
    /// How its cells are set: `right`, `short`, `name`, `wide` or `strip`.
    pub class: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub explanation: Option<&'static str>,
    pub labels: Vec<Label>,
}

#[derive(Debug, Clone, Default, Serialize)]
pub struct CellView {
    pub text: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub link: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub chart: Option<CellChart>,
    /// Step of the colour scale from 0, all lost, to 10, all won.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub heat: Option<u8>,
    pub heading: bool,
    pub code: bool,
}

impl ColumnView {
    fn new(title: &str, class: &'static str) -> Self {
        Self {
            title: visible(title),
            class,
            explanation: None,
            labels: Vec::new(),
        }
    }

    /// A column of words that stay on one line.
    pub fn text(title: &str) -> Self {
        Self::new(title, "short")
    }

    pub fn name(title: &str) -> Self {
        Self::new(title, "name")
    }

    pub fn sentence(title: &str) -> Self {
        Self::new(title, "wide")
    }

    pub fn number(title: &str) -> Self {
        Self::new(title, "right")
    }

    pub fn charts(title: &str, labels: Vec<Label>) -> Self {
        Self {
            labels,
            ..Self::new(title, "strip")
        }
    }

    pub fn explained(self, explanation: &'static str) -> Self {
        Self {
            explanation: Some(explanation),
            ..self
        }
    }
}

impl From<&Column> for ColumnView {
    fn from(column: &Column) -> Self {
        Self {
            title: column.title.clone(),
            class: if column.right { "right" } else { "name" },
            explanation: column.explanation,
            labels: Vec::new(),
        }
    }
}

impl CellView {
    /// Untrusted text, with hidden characters made visible.
    pub fn text(text: &str) -> Self {
        Self {
            text: visible(text),
            ..Self::default()
        }
    }

    pub fn count(count: u64) -> Self {
        Self::text(&count.to_string())
    }

    /// A part of 1, in percent.
    pub fn share(share: f64) -> Self {
        Self::text(&Cell::Share(share).shown())
    }

    pub fn chart(chart: CellChart) -> Self {
        Self {
            chart: Some(chart),
            ..Self::default()
        }
    }

    pub fn command(command: &str) -> Self {
        Self {
            code: true,
            ..Self::text(command)
        }
    }

    pub fn heading(self) -> Self {
        Self {
            heading: true,
            ..self
        }
    }

    pub fn link(self, link: Option<String>) -> Self {
        Self { link, ..self }
    }

    pub fn heat(self, score: f64) -> Self {
        // Clamped to 0 to 10, so the cast is exact.
        let heat = (10.0 * score.clamp(0.0, 1.0)).round() as u8;
        Self {
            heat: Some(heat),
            ..self
        }
    }
}

impl TableView {
    /// A table without legend, which cannot be sorted.
    pub fn new(
        caption: impl Into<String>,
        columns: Vec<ColumnView>,
        rows: impl IntoIterator<Item = Vec<CellView>>,
    ) -> Self {
        Self {
            caption: caption.into(),
            columns,
            rows: rows.into_iter().collect(),
            ..Self::default()
        }
    }

    /// A table of the report with the named columns. `change` maps each cell, given its column's name and its
    /// value in the file.
    pub fn from_report(
        caption: &str,
        table: &ReportTable,
        columns: &[&str],
        change: &dyn Fn(&str, &Cell, CellView) -> CellView,
    ) -> Self {
        let place = |name: &&str| table.place(name);
        let places: Vec<usize> = columns.iter().filter_map(place).collect();
        let rows = table.rows.iter().map(|row| {
            let cells = places.iter().map(|at| {
                let cell = CellView::text(&row[*at].shown());
                change(&table.columns[*at].name, &row[*at], cell)
            });
            cells.collect()
        });
        Self {
            caption: caption.to_owned(),
            columns: places
                .iter()
                .map(|at| (&table.columns[*at]).into())
                .collect(),
            rows: rows.collect(),
            ..Self::default()
        }
    }

    /// The table with rows that a reader can sort and filter.
    pub fn sortable(self) -> Self {
        Self {
            sortable: true,
            ..self
        }
    }

    /// Inserts a column before the one at this place. `cell` makes the cell of each row.
    pub fn insert(&mut self, at: usize, column: ColumnView, cell: impl Fn(usize) -> CellView) {
        self.columns.insert(at, column);
        for (row, cells) in self.rows.iter_mut().enumerate() {
            cells.insert(at, cell(row));
        }
    }

    /// Inserts a column of ratings with their intervals, on a common scale.
    pub fn insert_intervals(&mut self, at: usize, rating: impl Fn(usize) -> Option<Interval>) {
        let all = (0..self.rows.len()).filter_map(&rating).flatten();
        let [low, high] = range(all);
        let scale = Scale::new(low, high);
        let shown = |elo: f64| Cell::Elo(elo).shown();
        let column = ColumnView::charts("95 % interval", scale.labels(0.0, shown));
        self.insert(at, column, |row| {
            rating(row).map_or_else(CellView::default, |ends| {
                let [low, elo, high] = ends.map(shown);
                let label = format!("{elo} Elo, 95 % interval {low} to {high}");
                CellView::chart(scale.interval(ends, 0.0, label))
            })
        });
    }
}
