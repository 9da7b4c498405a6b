//! Charts and tables of pages as files for papers and spreadsheets: SVG, CSV and Markdown.

mod picture;
mod styles;

use std::collections::BTreeSet;
use std::sync::{Mutex, PoisonError};

use self::picture::picture;
use super::parts::svg::Chart;
use crate::pages::article::table_markdown;
use crate::pages::parts::table::{CellView, TableView};
use crate::report::{Cell, Column, ReportTable, sheet_text};

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

/// Maximum length of a name.
const LONGEST: usize = 80;

/// The name for words that have no letter or digit of ASCII.
const NAMELESS: &str = "figure";

/// Words as a name of a file: letters and digits of ASCII in lower case, with `-` between them.
pub fn slug(words: &str) -> String {
    let lower = words.to_ascii_lowercase();
    let parts = lower.split(|c: char| !c.is_ascii_alphanumeric());
    let parts: Vec<&str> = parts.filter(|part| !part.is_empty()).collect();
    let mut name = parts.join("-");
    name.truncate(LONGEST);
    let name = name.trim_end_matches('-');
    match name {
        "" => NAMELESS.to_owned(),
        name => name.to_owned(),
    }
}

/// Names that are used already.
#[derive(Debug, Default)]
pub struct Names(BTreeSet<String>);

impl Names {
    /// The name, or with the lowest number from 2 that is not used.
    pub fn unused(&mut self, name: &str) -> String {
        let numbered = (2..).map(|number: u32| format!("{name}-{number}"));
        let mut candidates = std::iter::once(name.to_owned()).chain(numbered);
        let unused = candidates.find(|name| !self.0.contains(name));
        // The numbers do not end before memory does.
        let unused = unused.unwrap_or_default();
        self.0.insert(unused.clone());
        unused
    }
}

/// A table as CSV. Text that a spreadsheet would compute has an apostrophe before it; numbers stay as they are.
pub fn csv(table: &TableView) -> String {
    let table = without_charts(table);
    let columns = table.columns.iter();
    let columns = columns.map(|column| Column::text(&sheet_text(&column.title), &column.title));
    let cell = |cell: &CellView| Cell::Text(safe(&cell.text));
    let table = ReportTable {
        name: "figures",
        columns: columns.collect(),
        rows: table
            .rows
            .iter()
            .map(|row| row.iter().map(cell).collect())
            .collect(),
    };
    // Cells are text, so the bytes are too.
    String::from_utf8_lossy(&table.csv()).into_owned()
}

fn safe(text: &str) -> String {
    match text.parse::<f64>() {
        Ok(number) if number.is_finite() => text.to_owned(),
        _ => sheet_text(text),
    }
}

/// The table without its columns of charts.
fn without_charts(table: &TableView) -> TableView {
    let is_kept: Vec<bool> = table.columns.iter().map(|it| !it.is_charts()).collect();
    fn kept<T: Clone>(row: &[T], is_kept: &[bool]) -> Vec<T> {
        let some = row.iter().zip(is_kept).filter(|(_, is_kept)| **is_kept);
        some.map(|(one, _)| one.clone()).collect()
    }
    let rows = table.rows.iter().map(|row| kept(row, &is_kept));
    TableView::new(
        table.caption.clone(),
        kept(&table.columns, &is_kept),
        rows.collect(),
    )
}

/// A table as Markdown.
pub fn markdown(table: &TableView) -> String {
    let mut table = without_charts(table);
    let cells = table.rows.iter_mut().flatten();
    cells.for_each(|cell| cell.link = None);
    table_markdown(&table)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pages::parts::table::ColumnView;

    #[test]
    fn words_are_safe_names() {
        for (words, name) in [
            ("cachex ratings", "cachex-ratings"),
            (
                "Cachex: ratings with 95 % intervals",
                "cachex-ratings-with-95-intervals",
            ),
            ("../../etc/passwd", "etc-passwd"),
            ("王 -- ", "figure"),
            ("", "figure"),
        ] {
            assert_eq!(slug(words), name);
        }
        assert_eq!(slug(&"abc ".repeat(100)).len(), 80 - 1);
        let mut names = Names::default();
        let found = ["a", "b", "a", "a"].map(|name| names.unused(name));
        assert_eq!(found, ["a", "b", "a-2", "a-3"]);
    }

    #[test]
    fn names_from_others_are_text_in_every_form() {
        let table = TableView::new(
            "t".to_owned(),
            vec![ColumnView::name("player"), ColumnView::number("Elo")],
            vec![
                vec![CellView::text("=1+1|<b>"), CellView::text("-12.5")],
                vec![CellView::text("a,b\"c"), CellView::text("+3 ± 4")],
                vec![CellView::text("-inf"), CellView::command("x | y")],
            ],
        );
        assert_eq!(
            csv(&table),
            "player,Elo\n'=1+1|<b>,-12.5\n\"a,b\"\"c\",'+3 ± 4\n'-inf,x | y\n"
        );
        let expected = "| player | Elo |\n| --- | --: |\n| =1+1\\|\\<b\\> | -12.5 |\n| a,b\"c | +3 ± 4 |\n| -inf | `x ¦ y` |\n";
        assert_eq!(markdown(&table), expected);
    }
}
