//! Conclusion of a format about the games of one kind: a sequential test, or the final order.

use minijinja::Error;
use serde::Serialize;

use crate::pages::context::RunContext;
use crate::pages::parts::table::{CellView, ColumnView, TableView};
use crate::pages::run::RunFigures;
use crate::report::{self, Cell, ReportTable};
use crate::results::{ByResults, Rated};
use crate::schedule::Conclusion;

#[derive(Serialize)]
pub struct ConclusionView {
    title: &'static str,
    text: String,
    tables: Vec<String>,
}

/// The lines of the box of a test, with their columns of verdict.csv.
const OF_TEST: [(&str, &[&str]); 8] = [
    ("player", &["player"]),
    ("verdict", &["verdict", "ended_by"]),
    ("LLR, and its limits", &["llr", "llr_low", "llr_high"]),
    ("model, and its two values", &["model", "elo0", "elo1"]),
    ("alpha and beta", &["alpha", "beta"]),
    (
        "game pairs with 0, ½, 1, 1½ and 2 points",
        &[
            "pairs_0",
            "pairs_half",
            "pairs_1",
            "pairs_1_half",
            "pairs_2",
        ],
    ),
    (
        "Elo, corrected for when the test ended, with its 95 % interval",
        &["elo", "elo_low", "elo_high"],
    ),
    (
        "normalized Elo, likewise",
        &[
            "normalized_elo",
            "normalized_elo_low",
            "normalized_elo_high",
        ],
    ),
];

/// A test as one box: a line for each thing that a reader looks for.
fn box_of_test(
    pages: &RunContext<'_>,
    game: &str,
    verdicts: &ReportTable,
    row: &[Cell],
) -> TableView {
    let cell = |column: &&str| {
        let at = verdicts.place(column)?;
        Some(&row[at]).filter(|cell| **cell != Cell::Missing)
    };
    let lines = OF_TEST.iter().filter_map(|(words, columns)| {
        // Unrounded as in the file, unlike on a screen.
        let values: Vec<String> = columns.iter().filter_map(cell).map(Cell::plain).collect();
        let value = match &values[..] {
            [] => return None,
            [player] if *words == "player" => pages.player(player),
            values => CellView::text(&values.join(" · ")),
        };
        Some(vec![CellView::text(words).heading(), value])
    });
    let columns = vec![
        ColumnView::sentence("of the test"),
        ColumnView::text("value"),
    ];
    TableView::new(format!("{game}: the test"), columns, lines)
}

/// Conclusion of a run's format about the games of `one`, if there is one yet.
pub fn concluded<'a>(
    pages: &RunContext<'_>,
    figures: &'a RunFigures<'_>,
    game: &str,
) -> Option<&'a (usize, Conclusion)> {
    let of_this = |at: usize| pages.run.games()[at].game().label() == game;
    let mut conclusions = figures.checked?.conclusions.iter();
    conclusions.find(|(game, _)| of_this(*game))
}

/// The conclusion in words and tables; `None` if the format decides nothing, or has not decided yet and cannot end
/// early by results.
pub fn conclusion(
    pages: &RunContext<'_>,
    figures: &RunFigures<'_>,
    one: &Rated<'_>,
) -> Result<Option<ConclusionView>, Error> {
    let by_results = ByResults::of(pages.run.format());
    let title = match by_results {
        ByResults::Values => "The tuning",
        ByResults::Test => "The test",
        ByResults::Nothing | ByResults::Pairings | ByResults::Ranking => "Final order",
    };
    let Some(concluded) = concluded(pages, figures, &one.game) else {
        let why = match figures.checked {
            None => {
                "What the format concludes cannot be worked out from the records: `referee verify` says why."
            }
            Some(_) => "Not decided: the tournament is not over.",
        };
        let can_end = matches!(by_results, ByResults::Test | ByResults::Ranking);
        return Ok(can_end.then(|| ConclusionView {
            title,
            text: why.to_owned(),
            tables: Vec::new(),
        }));
    };
    let players = pages.run.player_names();
    let words = report::conclusion_words(&concluded.1, &players, pages.names);
    let tables = tables(pages, concluded, one);
    let tables = tables.iter().map(|table| pages.table(table));
    Ok(Some(ConclusionView {
        title,
        text: format!("{words}."),
        tables: tables.collect::<Result<_, _>>()?,
    }))
}

fn tables(
    pages: &RunContext<'_>,
    concluded: &(usize, Conclusion),
    one: &Rated<'_>,
) -> Vec<TableView> {
    let alone = std::slice::from_ref(concluded);
    let view = |caption: &str, table: &ReportTable, columns: &[&str]| {
        let caption = format!("{}: {caption}", one.game);
        TableView::from_report(&caption, table, columns, &|column, cell, view| {
            match (column, cell) {
                ("player", _) => pages.player(&cell.plain()),
                // Unrounded as in the file, unlike on a screen.
                (_, Cell::Elo(_)) => CellView::text(&cell.plain()),
                _ => view,
            }
        })
    };
    if let Conclusion::Test(_) = concluded.1 {
        let verdicts = report::verdicts(pages.run, alone, std::slice::from_ref(one));
        let rows = verdicts.rows.iter();
        return rows
            .map(|row| box_of_test(pages, &one.game, &verdicts, row))
            .collect();
    }
    if let Conclusion::Tuned(_) = concluded.1 {
        let parameters = report::parameters(pages.run, alone);
        let columns = parameters.columns.iter().map(|column| column.name.as_str());
        let columns: Vec<&str> = columns.filter(|column| *column != "game").collect();
        return vec![view("parameters", &parameters, &columns)];
    }
    let places = report::places(pages.run, alone, std::slice::from_ref(one));
    let columns = places.columns.iter().map(|column| column.name.as_str());
    // The caption names the game.
    let columns = columns.filter(|column| *column != "game" && places.has_values(column));
    vec![view("final order", &places, &columns.collect::<Vec<_>>()).sortable()]
}
