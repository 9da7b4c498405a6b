//! The tables in the folder of a run.

use std::io::{self, Write};

use super::{
    CsvWriter, DEFAULT_K, History, Rated, crosstable, matches, ratings, standings, superiority,
};
use crate::record::{RecordError, Run, write_whole};

/// Writes a table as CSV.
pub type WriteTable<'a> = dyn FnMut(&mut dyn Write) -> io::Result<()> + 'a;

/// Writes all tables of a run into its folder, from its journal and the ratings of its results.
///
/// # Errors
/// A table cannot be written.
pub fn write_tables(run: &Run, rated: &[Rated<'_>]) -> Result<(), RecordError> {
    each_table(run, rated, &mut |name, write| {
        write_whole(&run.path().join(format!("{name}.csv")), write)
    })
}

/// Calls `each` with the name of each table of a run and a function that writes it. Of tables that grow with
/// the games, or with the square of the players, only one row at a time is in memory.
///
/// # Errors
/// The first error of `each`.
pub fn each_table<E>(
    run: &Run,
    rated: &[Rated<'_>],
    each: &mut dyn FnMut(&str, &mut WriteTable<'_>) -> Result<(), E>,
) -> Result<(), E> {
    for table in [ratings(rated), standings(rated)] {
        each(table.name, &mut |out| out.write_all(&table.csv()))?;
    }
    each("crosstable", &mut |out| crosstable(rated).write_csv(out))?;
    each("superiority", &mut |out| superiority(rated).write_csv(out))?;
    each("history", &mut |out| history(run, out))?;
    let matches = matches(rated);
    match matches.rows.is_empty() {
        true => Ok(()),
        false => each(matches.name, &mut |out| out.write_all(&matches.csv())),
    }
}

/// Rates the games in the order of their numbers, which does not depend on which game ended first.
fn history(run: &Run, out: &mut dyn Write) -> io::Result<()> {
    let mut history = History::new(DEFAULT_K);
    let mut csv = CsvWriter::new(out, &History::columns())?;
    let mut written = Ok(());
    run.rows_in_order(&mut |game| {
        if let (true, Some(row)) = (written.is_ok(), history.add(&game.result(0))) {
            written = csv.row(&row);
        }
    })
    .map_err(io::Error::other)?;
    written?;
    csv.end()
}
