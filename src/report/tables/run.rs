//! The tables in the folder of a run.

use std::io::{self, Write};

use super::pairings::{crosstable, pairings, superiority};
use super::ratings::{ratings, standings};
use super::{matches, places, verdicts};
use crate::report::history::{DEFAULT_K, History};
use crate::report::players::players;
use crate::report::table::{CsvWriter, ReportTable};
use crate::results::{Rated, ResultRow};
use crate::runs::{Run, RunFileError, remove_if_there, write_whole};
use crate::schedule::Conclusion;

/// Writes a table as CSV.
type WriteTable<'a> = dyn FnMut(&mut dyn Write) -> io::Result<()> + 'a;

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

/// Writes all tables of a run into its folder. Of tables that grow with the games, or with the square of the players,
/// only one row at a time is in memory. `conclusions` have the index of their game.
///
/// # Errors
/// A file cannot be read or written.
pub fn write_tables(
    run: &Run,
    rated: &[Rated<'_>],
    conclusions: &[(usize, Conclusion)],
) -> Result<(), RunFileError> {
    let path = |name: &str| run.path().join(format!("{name}.csv"));
    let write = |name: &str, write: &mut WriteTable<'_>| write_whole(&path(name), write);
    let write_rows =
        |table: &ReportTable| write(table.name, &mut |out| out.write_all(&table.csv()));
    for table in [ratings(rated), standings(rated), players(run.manifest())] {
        write_rows(&table)?;
    }
    write("crosstable", &mut |out| crosstable(rated).write_csv(out))?;
    write("superiority", &mut |out| superiority(rated).write_csv(out))?;
    write("history", &mut |out| history(run, out))?;
    write("pairings", &mut |out| pairings(rated).write_csv(out))?;
    let not_of_every_run = [
        matches(rated),
        places(run, conclusions, rated),
        verdicts(run, conclusions, rated),
    ];
    for table in not_of_every_run {
        match table.rows.is_empty() {
            // A run that goes on, of fewer games than before, may no longer have it.
            true => remove_if_there(&path(table.name))?,
            false => write_rows(&table)?,
        }
    }
    Ok(())
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
