//! The index of a run.

mod bands;
mod charts;
mod conclusion;
mod forfeits;
mod matrix;
mod ratings_figure;
mod seats;
mod section;
mod standings;

use forfeits::{all_forfeits, notable_forfeits};
use matrix::MATRIX_PLAYERS;
use minijinja::context;
use minijinja::value::Serde;
use section::{GameSection, section};

use crate::pages::context::RunContext;
use crate::pages::error::PageError;
use crate::pages::game::{DrawnGames, MOST_GAMES};
use crate::pages::parts::navigation::{NavigationPlace, RunPart};
use crate::pages::parts::table::{CellView, ColumnView, TableView};
use crate::pages::run::figures::RunFigures;
use crate::text::{counted, visible};

/// Upper bound on the games set aside in the table.
const LISTED: usize = 300;

/// The index of a run.
pub fn index_page(pages: &RunContext<'_>, figures: &RunFigures<'_>) -> Result<String, PageError> {
    let manifest = pages.run.manifest();
    let RunFigures {
        state, statistics, ..
    } = figures;
    let rated = figures.rated.iter().zip(&figures.places);
    let sections = rated.map(|(one, places)| section(pages, figures, one, places));
    let sections: Vec<GameSection> = sections.collect::<Result<_, _>>()?;
    let ends = statistics.results.terminations().iter();
    let ends: Vec<String> = ends
        .map(|(name, count)| format!("{count} {name}"))
        .collect();
    let values = context! {
        title => visible(&manifest.name),
        begun => visible(&manifest.created),
        ended => visible(&statistics.last_date),
        players => counted(manifest.players.len() as u64, "player", "players"),
        version => visible(&manifest.referee),
        state => &state.text,
        open => state.is_open,
        refreshes => pages.refreshes,
        games => Serde(&sections),
        ends => ends.join(", "),
        most_games => (*pages.drawn != DrawnGames::All).then_some(MOST_GAMES),
        most_players => MATRIX_PLAYERS,
        damaged => pages.read.warning(),
        notable => Serde(&notable_forfeits(pages, figures)),
        forfeits => all_forfeits(pages, &statistics.forfeits)?,
        set_aside => set_aside(pages)?,
        folder => pages.visible_folder(),
    };
    let body = pages.templates.render("index", values)?;
    let title = format!("{}: results", manifest.name);
    Ok(pages.page(&title, NavigationPlace::Page(RunPart::Run), &body)?)
}

/// The games that could not be played; empty without any.
fn set_aside(pages: &RunContext<'_>) -> Result<String, PageError> {
    let games = pages.run.set_aside()?;
    let rows = games.iter().take(LISTED).map(|game| {
        let before = [CellView::count(game.id), CellView::text(&game.game)];
        let cells = before.into_iter().chain(pages.seat_cells(&game.players));
        cells.chain([CellView::text(&game.cause)]).collect()
    });
    let seats = pages.seat_columns();
    let before = [ColumnView::number("id"), ColumnView::text("game")];
    let columns = before
        .into_iter()
        .chain(seats)
        .chain([ColumnView::sentence("why")]);
    let table = TableView {
        caption: format!("the first {} of {}", games.len().min(LISTED), games.len()),
        columns: columns.collect(),
        rows: rows.collect(),
        ..TableView::default()
    };
    if games.is_empty() {
        return Ok(String::new());
    }
    Ok(pages.named_table("games set aside", &table)?)
}
