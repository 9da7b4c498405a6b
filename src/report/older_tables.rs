//! The tables as older versions wrote them, so that their runs can be verified. These versions did not write
//! the start of a game into the journal.

use std::collections::HashMap;

use super::table::{Cell, Column, ReportTable, StreamedTable};

/// Gives every player of a game a rank of its own.
pub(super) fn number_ranks(table: &mut ReportTable) {
    let Some(at) = table.columns.iter().position(|it| it.name == "rank") else {
        return;
    };
    let mut rank = 0;
    let mut game = None;
    for row in &mut table.rows {
        rank = match game.as_ref() == row.first() {
            true => rank + 1,
            false => 1,
        };
        game = row.first().cloned();
        row[at] = Cell::Count(rank);
    }
}

/// Leaves out the last columns, from the one of this name on.
pub(super) fn truncate_at(table: &mut ReportTable, name: &str) {
    let Some(at) = table.columns.iter().position(|it| it.name == name) else {
        return;
    };
    table.columns.truncate(at);
    table.rows.iter_mut().for_each(|row| row.truncate(at));
}

/// The table `superiority`, in which the likelihood of superiority had that name, without its last column.
pub(super) fn without_los(mut table: StreamedTable<'_>) -> StreamedTable<'_> {
    table.columns.pop();
    StreamedTable {
        rows: Box::new(table.rows.map(|mut row| {
            row.pop();
            row
        })),
        ..table
    }
}

/// The table `history` without `id`, in which only rated games have numbers.
#[derive(Debug, Default)]
pub(super) struct OlderHistory {
    counts: HashMap<String, u64>,
}

impl OlderHistory {
    pub fn columns(mut columns: Vec<Column>) -> Vec<Column> {
        columns.retain(|column| column.name != "id");
        columns
    }

    /// A row without its last cell, which is the id.
    pub fn row(&mut self, mut row: Vec<Cell>) -> Vec<Cell> {
        row.pop();
        let count = self.counts.entry(row[0].plain()).or_default();
        *count += 1;
        row[1] = Cell::Count(*count);
        row
    }
}
