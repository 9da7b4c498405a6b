//! The tables that are kept with a run.

use std::io::{self, Write};
use std::path::Path;

use crate::record::{JOURNAL, RecordError, games_in_order, write_whole};
use crate::report::{self, Csv, History, K, Rated};

/// Writes a table as CSV.
pub(super) type Writing<'a> = dyn FnMut(&mut dyn Write) -> io::Result<()> + 'a;

/// Writes all tables of a run into its folder, from its journal and the ratings of its results.
pub fn write_tables(run: &Path, rated: &[Rated<'_>]) -> Result<(), RecordError> {
    each_table(run, rated, &mut |name, write| {
        write_whole(&run.join(format!("{name}.csv")), write)
    })
}

/// Hands each table of a run to `each`: its name, and what writes it. No more than a row of a table
/// whose size grows with the games, or with the square of the players, is held.
pub(super) fn each_table<E>(
    run: &Path,
    rated: &[Rated<'_>],
    each: &mut dyn FnMut(&str, &mut Writing<'_>) -> Result<(), E>,
) -> Result<(), E> {
    for sheet in [report::ratings(rated), report::standings(rated)] {
        each(sheet.name, &mut |out| out.write_all(&sheet.csv()))?;
    }
    each("crosstable", &mut |out| {
        report::crosstable(rated).write_csv(out)
    })?;
    each("superiority", &mut |out| {
        report::superiority(rated).write_csv(out)
    })?;
    each("history", &mut |out| history(run, out))?;
    let matches = report::matches(rated);
    match matches.rows.is_empty() {
        true => Ok(()),
        false => each(matches.name, &mut |out| out.write_all(&matches.csv())),
    }
}

/// The games in the order of their numbers, so that it does not depend on which finished first.
fn history(run: &Path, out: &mut dyn Write) -> io::Result<()> {
    let mut history = History::new(K);
    let mut csv = Csv::new(out, &History::columns())?;
    let mut written = Ok(());
    games_in_order(&run.join(JOURNAL), &mut |game| {
        if let (true, Some(row)) = (written.is_ok(), history.row(&game.result(0))) {
            written = csv.row(&row);
        }
    })
    .map_err(io::Error::other)?;
    written?;
    csv.end()
}
