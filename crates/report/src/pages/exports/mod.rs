//! Charts of pages as files for papers: SVG, and their numbers as CSV.

mod picture;

use std::collections::BTreeMap;
use std::sync::{Mutex, PoisonError};

use self::picture::picture;
use super::parts::svg::Chart;
use crate::pages::parts::table::{CellView, TableView};
use crate::report::{Cell, Column, ReportTable, sheet_text};

/// Collects the charts of a page as files, by their names; `None` if none are wanted.
#[derive(Debug, Default)]
pub struct Exports(Option<Mutex<BTreeMap<String, String>>>);

impl Exports {
    pub fn wanted() -> Self {
        Self(Some(Mutex::default()))
    }

    /// Adds a chart and its numbers. The chart's name, or else its title, becomes the name of the files.
    pub fn chart(&self, chart: &Chart, numbers: &TableView) {
        let Some(files) = &self.0 else { return };
        let words = match chart.name.as_str() {
            "" => &chart.title,
            name => name,
        };
        // Nothing panics under this lock.
        let mut files = files.lock().unwrap_or_else(PoisonError::into_inner);
        let name = unused(&slug(words), |name| {
            files.contains_key(&format!("{name}.svg"))
        });
        files.insert(format!("{name}.csv"), csv(numbers));
        files.insert(format!("{name}.svg"), picture(chart));
    }

    pub fn into_files(self) -> BTreeMap<String, String> {
        let files = self.0.map(Mutex::into_inner);
        files.map_or_else(BTreeMap::new, |it| {
            it.unwrap_or_else(PoisonError::into_inner)
        })
    }
}

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

/// The name, or with the lowest number from 2 that is not used.
fn unused(name: &str, is_used: impl Fn(&str) -> bool) -> String {
    let numbered = (2..).map(|number: u32| format!("{name}-{number}"));
    let mut candidates = std::iter::once(name.to_owned()).chain(numbered);
    // The numbers do not end before memory does.
    candidates.find(|name| !is_used(name)).unwrap_or_default()
}

/// A table as CSV. Text that a spreadsheet would compute has an apostrophe before it; numbers stay as they are.
pub fn csv(table: &TableView) -> String {
    let table = without_charts(table);
    let columns = table.columns.iter();
    let columns = columns.map(|column| Column::text(&sheet_text(&column.title), &column.title));
    let cell = |cell: &CellView| Cell::Text(safe(&cell.text));
    let table = ReportTable::new(
        "figures",
        columns.collect(),
        table.rows.iter().map(|row| row.iter().map(cell).collect()),
    );
    // Cells are text, so the bytes are too.
    String::from_utf8_lossy(&table.csv()).into_owned()
}

fn safe(text: &str) -> String {
    match text.parse::<f64>() {
        Ok(number) if number.is_finite() => text.to_owned(),
        _ => sheet_text(text),
    }
}

fn without_charts(table: &TableView) -> TableView {
    let is_kept: Vec<bool> = table.columns.iter().map(|it| it.class != "strip").collect();
    fn kept<T: Clone>(row: &[T], is_kept: &[bool]) -> Vec<T> {
        let some = row.iter().zip(is_kept).filter(|(_, is_kept)| **is_kept);
        some.map(|(one, _)| one.clone()).collect()
    }
    let rows = table.rows.iter().map(|row| kept(row, &is_kept));
    TableView::new(table.caption.clone(), kept(&table.columns, &is_kept), rows)
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
        let used = |name: &str| ["a", "a-2"].contains(&name);
        assert_eq!(["a", "b"].map(|name| unused(name, used)), ["a-3", "b"]);
    }

    #[test]
    fn names_from_others_are_text() {
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
    }
}
