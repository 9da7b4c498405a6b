//! The page that lists the games.

use minijinja::Error;

use super::statistics::{MOST_LISTED, RunStatistics};
use crate::game::{GameResult, Seat};
use crate::pages::context::RunContext;
use crate::pages::parts::navigation::RunPart;
use crate::pages::parts::table::{CellView, ColumnView, TableView};
use crate::pages::seats::{places_cell, places_column};
use crate::text::counted;

/// The page: the games with the lowest numbers, each with a link to its board.
pub fn games_page(pages: &RunContext<'_>, statistics: &RunStatistics) -> Result<String, Error> {
    let kept = &statistics.listed;
    let rows = kept.games.iter().map(|(id, game)| {
        let shown = |seat: Seat| pages.names.shown(&game.players[seat]);
        let winner = match game.result {
            GameResult::Drawn => "drawn".to_owned(),
            result if result.winners().is_empty() => "nobody".to_owned(),
            result => {
                let winners: Vec<String> = result.winners().iter().map(shown).collect();
                winners.join(", ")
            }
        };
        let mut cells = vec![
            pages.game(*id, None, game.logged).heading(),
            CellView::text(game.game),
        ];
        let players = pages.seat_cells(&game.players).into_iter();
        cells.extend(players.map(|cell| CellView {
            heading: false,
            ..cell
        }));
        cells.push(CellView::text(&winner));
        cells.extend(places_cell(game.result, game.players.count()));
        cells.extend([
            CellView::text(game.termination),
            CellView::count(game.plies.into()),
        ]);
        cells
    });
    let mut columns = vec![ColumnView::number("game"), ColumnView::text("kind")];
    columns.extend(pages.seat_columns());
    columns.push(ColumnView::name("winner"));
    columns.extend(places_column(pages.seats()));
    columns.extend([ColumnView::text("ended by"), ColumnView::number("plies")]);
    let table = TableView {
        caption: "games by number".to_owned(),
        columns,
        rows: rows.collect(),
        ..TableView::default()
    };
    let count = counted(kept.count, "game", "games");
    let words = if kept.count > MOST_LISTED as u64 {
        format!("The first {MOST_LISTED} of {count}. A number leads to the board of the game.")
    } else {
        format!("{count}. A number leads to the board of the game.")
    };
    let folder = pages.visible_folder();
    pages.table_page(
        RunPart::Games,
        ["games", &words],
        &pages.named_table("games", &table.sortable())?,
        &[
            ["All of them:".to_owned(), format!("referee games {folder}")],
            [
                "A game in the terminal:".to_owned(),
                format!("referee replay {folder} ID"),
            ],
        ],
    )
}
