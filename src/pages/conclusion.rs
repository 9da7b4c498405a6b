//! What a format says of the games of one kind: how its test stands, or the final order.

use minijinja::Error;
use serde::Serialize;

use super::run_pages::{Found, RunPages};
use super::tables::{CellView, TableView};
use crate::report::{self, Cell, EndedBy, Rated, ReportTable};
use crate::schedule::Conclusion;

/// The part of a page with that.
#[derive(Serialize)]
pub(super) struct ConclusionView {
    title: &'static str,
    words: String,
    /// Tables as HTML.
    tables: Vec<String>,
}

/// The columns of places.csv beside the place and the player. Each format has some of them.
const DECIDED_BY: [&str; 7] = [
    "points",
    "bye_points",
    "last_round",
    "next",
    "difference_low",
    "difference",
    "difference_high",
];

/// The columns of verdict.csv, a table each.
const OF_TESTS: [(&str, &[&str]); 3] = [
    (
        "the test",
        &[
            "player", "verdict", "ended_by", "llr", "llr_low", "llr_high", "model", "elo0", "elo1",
            "alpha", "beta",
        ],
    ),
    (
        "game pairs by the player's points in them",
        &[
            "player",
            "pairs_0",
            "pairs_half",
            "pairs_1",
            "pairs_1_half",
            "pairs_2",
        ],
    ),
    (
        "the difference that the test found, corrected for when it ended, with 95 % intervals",
        &[
            "player",
            "elo_low",
            "elo",
            "elo_high",
            "normalized_elo_low",
            "normalized_elo",
            "normalized_elo_high",
        ],
    ),
];

/// What the format of a run says of these games; `None` if it decides nothing, or nothing yet that a reader
/// would miss.
pub(super) fn conclusion(
    pages: &RunPages<'_>,
    found: &Found<'_>,
    one: &Rated<'_>,
) -> Result<Option<ConclusionView>, Error> {
    if !found.concludes {
        return Ok(None);
    }
    let decides = match EndedBy::of(pages.run.format()) {
        EndedBy::Count => None,
        EndedBy::Test => Some("The test"),
        EndedBy::Ranking => Some("Final order"),
    };
    let Some(checked) = found.checked else {
        return Ok(decides.map(|title| ConclusionView {
            title,
            words: "What the format concludes cannot be worked out from the records: `referee verify` says why."
                .to_owned(),
            tables: Vec::new(),
        }));
    };
    let of_this = checked
        .conclusions
        .iter()
        .find(|(game, _)| pages.run.games()[*game].game().name() == one.game);
    let Some(concluded) = of_this else {
        return Ok(decides.map(|title| ConclusionView {
            title,
            words: "Not decided: the tournament is not over.".to_owned(),
            tables: Vec::new(),
        }));
    };
    let players = pages.run.player_names();
    let tables = tables(pages, concluded, one);
    Ok(Some(ConclusionView {
        title: match concluded.1 {
            Conclusion::Test(_) => "The test",
            Conclusion::Winner(_) | Conclusion::FinalOrder(_) | Conclusion::Ranking { .. } => {
                "Final order"
            }
        },
        words: format!(
            "{}.",
            report::conclusion_words(&concluded.1, &players, pages.names, Some(one))
        ),
        tables: tables
            .iter()
            .map(|table| pages.table(table))
            .collect::<Result<_, _>>()?,
    }))
}

fn tables(
    pages: &RunPages<'_>,
    concluded: &(usize, Conclusion),
    one: &Rated<'_>,
) -> Vec<TableView> {
    let alone = std::slice::from_ref(concluded);
    let view = |caption: &str, table: &ReportTable, columns: &[&str]| {
        let caption = format!("{}: {caption}", one.game);
        TableView::of(&caption, table, columns, &|column, cell, view| {
            match (column, cell) {
                ("player", _) => pages.player(&cell.plain()),
                // With the decimals of the file: a screen has them rounded.
                (_, Cell::Elo(_)) => CellView::text(&cell.plain()),
                _ => view,
            }
        })
    };
    let places = report::places(pages.run, alone);
    let verdicts = report::verdicts(pages.run, alone, std::slice::from_ref(one));
    match concluded.1 {
        Conclusion::Test(_) => {
            let found = OF_TESTS
                .iter()
                .filter(|(_, columns)| has_values(&verdicts, columns[1]));
            found
                .map(|(caption, columns)| view(caption, &verdicts, columns))
                .collect()
        }
        Conclusion::Winner(_) | Conclusion::FinalOrder(_) | Conclusion::Ranking { .. } => {
            let by = DECIDED_BY
                .iter()
                .filter(|column| has_values(&places, column));
            let columns: Vec<&str> = ["place", "player"].iter().chain(by).copied().collect();
            vec![view("final order", &places, &columns)]
        }
    }
}

/// Whether any row of a table has something in this column.
fn has_values(table: &ReportTable, column: &str) -> bool {
    let at = table.columns.iter().position(|it| it.name == column);
    at.is_some_and(|at| table.rows.iter().any(|row| row[at] != Cell::Missing))
}
