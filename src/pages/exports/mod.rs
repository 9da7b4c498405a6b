//! Charts and tables of pages as files for papers and spreadsheets: SVG, CSV and Markdown.

mod names;
mod picture;
mod styles;
mod tables;

use std::sync::{Mutex, PoisonError};

use self::names::{Names, slug};
use self::picture::picture;
use self::tables::{csv, markdown};
use super::parts::svg::Chart;
use super::parts::table::TableView;

/// Collects the charts and tables of one page as files.
#[derive(Debug, Default)]
pub struct Exports {
    /// Beginning of the files' names; `None` if no files are wanted.
    prefix: Option<String>,
    collected: Mutex<Collected>,
}

#[derive(Debug, Default)]
struct Collected {
    names: Names,
    files: Vec<ExportedFile>,
}

/// A file of a figure or a table.
#[derive(Debug, PartialEq, Eq)]
pub struct ExportedFile {
    pub name: String,
    pub text: String,
}

impl Exports {
    /// The files of a page whose names begin with `prefix`.
    pub fn of_page(prefix: &str) -> Self {
        Self {
            prefix: Some(prefix.to_owned()),
            collected: Mutex::default(),
        }
    }

    /// The files of another page; none if none are wanted of this.
    pub fn of_other_page(&self, prefix: &str) -> Self {
        match self.prefix {
            Some(_) => Self::of_page(prefix),
            None => Self::default(),
        }
    }

    /// Adds a chart and its numbers. The chart's name, or else its title, becomes the name of the files.
    pub fn chart(&self, chart: &Chart, numbers: &TableView) {
        let words = match chart.name.as_str() {
            "" => &chart.title,
            name => name,
        };
        self.add(words, || {
            let mut files = tables(numbers);
            files.push(("svg", picture(chart)));
            files
        });
    }

    /// Adds a table. These words become the name of the files.
    pub fn table(&self, words: &str, table: &TableView) {
        self.add(words, || tables(table));
    }

    fn add(&self, words: &str, files: impl FnOnce() -> Vec<(&'static str, String)>) {
        let Some(prefix) = &self.prefix else {
            return;
        };
        let files = files();
        // Nothing panics under this lock.
        let mut collected = self
            .collected
            .lock()
            .unwrap_or_else(PoisonError::into_inner);
        let name = collected.names.unused(&format!("{prefix}{}", slug(words)));
        let files = files.into_iter().map(|(ending, text)| ExportedFile {
            name: format!("{name}.{ending}"),
            text,
        });
        collected.files.extend(files);
    }

    /// The files so far.
    pub fn into_files(self) -> Vec<ExportedFile> {
        let collected = self.collected.into_inner();
        collected.unwrap_or_else(PoisonError::into_inner).files
    }
}

fn tables(table: &TableView) -> Vec<(&'static str, String)> {
    match table.columns.is_empty() {
        true => Vec::new(),
        false => vec![("csv", csv(table)), ("md", markdown(table))],
    }
}
