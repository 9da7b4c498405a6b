//! The tables in the folder of a run.

use std::io::{self, Write};

use super::conclusions::{places, verdicts};
use super::matches::matches;
use super::pairings::{crosstable, pairings, superiority};
use super::ratings::{ratings, standings};
use crate::report::history::{DEFAULT_K, History};
use crate::report::players::players;
use crate::report::table::{CsvWriter, ReportTable};
use crate::results::{Rated, ResultRow};
use crate::runs::{Run, RunFileError, remove_if_there, write_whole};
use crate::schedule::Conclusion;

/// The tables that not every run has.
const SOMETIMES: [&str; 3] = ["match", "places", "verdict"];

/// Writes a table as CSV.
pub type WriteTable<'a> = dyn FnMut(&mut dyn Write) -> io::Result<()> + 'a;

/// Ends a run: writes its tables, then the digests of its files.
///
/// # Errors
/// A file cannot be read or written.
pub fn finish_run(
    run: &Run,
    rated: &[Rated<'_>],
    conclusions: &[(usize, Conclusion)],
) -> Result<(), RunFileError> {
    write_tables(run, rated, conclusions)?;
    run.write_digests()
}

/// Writes all tables of a run into its folder. `conclusions` have the index of their game.
///
/// # Errors
/// A file cannot be read or written.
pub fn write_tables(
    run: &Run,
    rated: &[Rated<'_>],
    conclusions: &[(usize, Conclusion)],
) -> Result<(), RunFileError> {
    let path = |name: &str| run.path().join(format!("{name}.csv"));
    // A run that goes on, of fewer games than before, may no longer have them.
    for name in SOMETIMES {
        remove_if_there(&path(name))?;
    }
    each_table(run, rated, conclusions, &mut |name, write| {
        write_whole(&path(name), write)
    })
}

/// Calls `each` with the name of each table of a run and a function that writes it. Of tables that grow with
/// the games, or with the square of the players, only one row at a time is in memory.
///
/// # Errors
/// The journal cannot be read; or the first error of `each`.
pub fn each_table<E: From<RunFileError>>(
    run: &Run,
    rated: &[Rated<'_>],
    conclusions: &[(usize, Conclusion)],
    each: &mut dyn FnMut(&str, &mut WriteTable<'_>) -> Result<(), E>,
) -> Result<(), E> {
    for table in [ratings(rated), standings(rated)] {
        each_rows(&table, each)?;
    }
    each("crosstable", &mut |out| crosstable(rated).write_csv(out))?;
    each("superiority", &mut |out| superiority(rated).write_csv(out))?;
    each("history", &mut |out| history(run, out))?;
    each_unless_empty(&matches(rated), each)?;
    each("pairings", &mut |out| pairings(rated).write_csv(out))?;
    each_rows(&players(run.manifest()), each)?;
    each_unless_empty(&places(run, conclusions, rated), each)?;
    each_unless_empty(&verdicts(run, conclusions, rated), each)
}

fn each_unless_empty<E>(
    table: &ReportTable,
    each: &mut dyn FnMut(&str, &mut WriteTable<'_>) -> Result<(), E>,
) -> Result<(), E> {
    if table.rows.is_empty() {
        return Ok(());
    }
    each_rows(table, each)
}

fn each_rows<E>(
    table: &ReportTable,
    each: &mut dyn FnMut(&str, &mut WriteTable<'_>) -> Result<(), E>,
) -> Result<(), E> {
    each(table.name, &mut |out| out.write_all(&table.csv()))
}

/// Rates the games in the order of their numbers, which does not depend on which game ended first.
fn history(run: &Run, out: &mut dyn Write) -> io::Result<()> {
    let mut history = History::new(DEFAULT_K);
    let mut csv = CsvWriter::new(out, &History::columns())?;
    let mut written = Ok(());
    run.rows_in_order(&mut |game| {
        if let (true, Some(row)) = (written.is_ok(), history.add(&ResultRow::from(game))) {
            written = csv.row(&row);
        }
    })
    .map_err(io::Error::other)?;
    written?;
    csv.end()
}
