//! The CSV files of a run.

use std::collections::BTreeMap;
use std::path::Path;

pub type Table = Vec<BTreeMap<String, String>>;

pub fn rows(path: &Path) -> Table {
    let mut reader = csv::Reader::from_path(path).expect("a file");
    let rows = reader.deserialize();
    rows.map(|row| row.expect("a row")).collect()
}

/// The table without the columns that hold times, dates, digests of files with times, and how much of a bot's standard
/// error had been read at a time.
pub fn without_clocks(table: Table) -> Table {
    let measured = ["_us", "_kib", "log_digest", "output_bytes"];
    let keep =
        |column: &String| !measured.iter().any(|end| column.ends_with(end)) && column != "date";
    table
        .into_iter()
        .map(|row| row.into_iter().filter(|(column, _)| keep(column)).collect())
        .collect()
}

pub fn column(table: &Table, name: &str) -> Vec<String> {
    table.iter().map(|row| row[name].clone()).collect()
}

pub fn number(text: &str) -> f64 {
    text.parse().expect(text)
}

/// The cells of a row of a test's own table.
pub fn columns<const N: usize>(row: &str) -> [&str; N] {
    let mut columns = row.split(" | ");
    std::array::from_fn(|_| columns.next().expect("a column"))
}
