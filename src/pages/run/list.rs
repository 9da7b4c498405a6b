//! The list of several runs.

use minijinja::context;

use crate::pages::error::PageError;
use crate::pages::game::GamesRead;
use crate::pages::parts::page::{Page, Templates};
use crate::pages::parts::table::{CellView, ColumnView, TableView};
use crate::text::counted;

/// Summary of a run, for a list of runs.
#[derive(Debug)]
pub struct Overview {
    /// The name of the tournament.
    pub name: String,
    /// Number of players.
    pub players: u64,
    /// Number of games played.
    pub games: u64,
    /// Progress, in words.
    pub state: String,
    /// Counts of games drawn and damaged.
    pub read: GamesRead,
}

/// A page with links to the pages of each run, in the folders beside it.
///
/// # Errors
/// The template and its values do not fit.
pub fn runs_page(runs: &[(String, Overview)]) -> Result<String, PageError> {
    let rows = runs.iter().map(|(folder, run)| {
        vec![
            CellView::text(folder)
                .link(Some(format!("{folder}/index.html")))
                .heading(),
            CellView::text(&run.name),
            CellView::count(run.players),
            CellView::count(run.games),
            CellView::text(&run.state),
        ]
    });
    let table = TableView {
        caption: "in the order of the command".to_owned(),
        columns: vec![
            ColumnView::name("run"),
            ColumnView::name("tournament"),
            ColumnView::number("players"),
            ColumnView::number("games"),
            ColumnView::sentence("state"),
        ],
        rows: rows.collect(),
    };
    let templates = Templates::new()?;
    let title = counted(runs.len() as u64, "run", "runs");
    let runs = templates.table(&table)?;
    let body = templates.render("runs", context! { title => &title, runs })?;
    Ok(templates.page(&Page {
        title: &title,
        body: &body,
        data: "",
        script: "",
    })?)
}
