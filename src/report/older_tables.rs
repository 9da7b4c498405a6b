//! The tables as older versions wrote them, so that their runs can be verified. These versions did not write
//! the start of a game into the journal.

use std::collections::HashMap;

use super::results::Rated;
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

/// The table `ratings` without rank intervals.
pub(super) fn without_rank_intervals(table: &mut ReportTable) {
    let Some(at) = table.columns.iter().position(|it| it.name == "rank_low") else {
        return;
    };
    table.columns.truncate(at);
    table.rows.iter_mut().for_each(|row| row.truncate(at));
}

/// The table `match` without corrected Elo, and with intervals of the results alone.
pub(super) fn plain_match(table: &mut ReportTable, rated: &[Rated<'_>]) {
    let place = |name: &str| table.columns.iter().position(|it| it.name == name);
    let (Some(low), Some(corrected)) = (place("elo_low"), place("corrected_elo_low")) else {
        return;
    };
    table.columns.truncate(corrected);
    let matches = rated.iter().filter_map(Rated::match_of_two);
    for (row, (_, games)) in table.rows.iter_mut().zip(matches) {
        row.truncate(corrected);
        for (at, elo) in (low..).zip(games.elo_of_spread_alone().into_iter().flatten()) {
            row[at] = Cell::Elo(elo);
        }
    }
}

/// The table `superiority` in which the likelihood of superiority has that name.
pub(super) fn los_alone(mut table: StreamedTable<'_>) -> StreamedTable<'_> {
    let place = table.columns.iter().position(|it| it.name == table.name);
    table.columns.pop();
    StreamedTable {
        rows: Box::new(table.rows.map(move |mut row| {
            if let (Some(place), Some(los)) = (place, row.pop()) {
                row[place] = los;
            }
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

#[cfg(test)]
mod tests {
    use super::super::results::{Results, Settings};
    use super::super::{matches, ratings};
    use super::*;
    use crate::game::{Blame, GameResult, Seat};
    use crate::record::ResultRow;

    #[test]
    fn an_older_match_has_no_correction_and_the_interval_of_its_results() {
        let mut results = Results::default();
        for pair in 0..3 {
            for names in [["a", "b"], ["b", "a"]] {
                results.add(&ResultRow {
                    source: 0,
                    id: None,
                    game: "cachex",
                    options: "",
                    pair: Some(pair),
                    opening: "",
                    names,
                    result: GameResult::Won(Seat::First),
                    blame: Blame::Nobody,
                    termination: "",
                    digest: "",
                    date: "",
                });
            }
        }
        let settings = Settings::default();
        let rated = results.rate(&settings);
        let mut table = matches(&rated);
        plain_match(&mut table, &rated);
        let csv = String::from_utf8(table.csv()).expect("text");
        let end = ",0,0,3,0,0,0,0.0,0.0,0.0,,,,\n";
        assert!(
            csv.contains(",normalized_elo_high,llr\n") && csv.ends_with(end),
            "{csv}"
        );
        // Of another table nothing is changed.
        let mut other = ratings(&rated);
        let before = other.csv();
        plain_match(&mut other, &rated);
        assert_eq!(other.csv(), before);
    }
}
