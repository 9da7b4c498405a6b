//! Section of the index about one kind of game.

use minijinja::Error;
use serde::Serialize;

use super::charts;
use super::conclusion::{ConclusionView, concluded, conclusion};
use super::matrix::{MATRIX_PLAYERS, crosstable, superiority};
use super::standings::standings;
use crate::pages::context::{MANY, RunContext};
use crate::pages::parts::table::{CellView, ColumnView, TableView};
use crate::pages::run::curves::{CurveView, curves};
use crate::pages::run::figures::RunFigures;
use crate::pages::run::statistics::RunStatistics;
use crate::pages::run::usage::usage_tables;
use crate::report::{self, NotesOn};
use crate::results::Rated;
use crate::text::{counted, visible};

/// Section of the index about one kind of game.
#[derive(Serialize)]
pub struct GameSection {
    name: String,
    /// Whether tables and charts scroll in boxes, because there are many players.
    many: bool,
    count: String,
    /// The conclusion from the games, in a sentence.
    strength: String,
    /// `None` if the format decides nothing.
    conclusion: Option<ConclusionView>,
    standings: String,
    /// `None` if there are too many players.
    crosstable: Option<String>,
    /// `None` if there are too many players.
    superiority: Option<String>,
    lengths: String,
    seats: String,
    /// Empty without openings.
    openings: String,
    /// Tables of time and memory, as HTML.
    usage: Vec<String>,
    curves: Vec<CurveView>,
    facts: Vec<String>,
    warnings: Vec<String>,
}

/// The section of one kind of game.
pub fn section(
    pages: &RunContext<'_>,
    figures: &RunFigures<'_>,
    one: &Rated<'_>,
) -> Result<GameSection, Error> {
    let statistics = figures.statistics;
    let concluded = concluded(pages, figures, one.game).map(|(_, conclusion)| conclusion);
    let empty = Default::default();
    let all_fit = one.order.len() <= MATRIX_PLAYERS;
    let lengths = charts::lengths(statistics.lengths.get(one.game).unwrap_or(&empty));
    Ok(GameSection {
        name: visible(one.game),
        many: one.order.len() > MANY,
        count: counted(one.standings.games(), "game", "games"),
        strength: report::strength(one, concluded, &pages.run.player_names()),
        conclusion: conclusion(pages, figures, one)?,
        standings: standings(pages, one, concluded)?,
        crosstable: all_fit
            .then(|| {
                let caption = "won-drawn-lost against each other, best first";
                let scale = ["lost all", "half of the points", "won all"];
                pages.table(&crosstable(pages, one, caption, scale))
            })
            .transpose()?,
        superiority: all_fit
            .then(|| pages.table(&superiority(pages, one)))
            .transpose()?,
        lengths: pages.chart(
            &charts::length_columns(one.game, &lengths),
            &length_table(one.game, &lengths),
        )?,
        seats: pages.chart(
            &charts::seats(one),
            &seat_table(one.game, &charts::first_seat(one)),
        )?,
        openings: match statistics.openings.get(one.game) {
            Some(openings) => openings.table(pages, one.game, None)?,
            None => String::new(),
        },
        usage: usage(pages, statistics, one)?,
        curves: curves(pages, figures.histories, one)?,
        facts: report::facts(one),
        warnings: report::warnings(one, NotesOn::Page),
    })
}

/// Time and memory of all players, best first.
fn usage(
    pages: &RunContext<'_>,
    statistics: &RunStatistics,
    one: &Rated<'_>,
) -> Result<Vec<String>, Error> {
    let players = one.order.iter().filter_map(|player| {
        let name = one.name(*player);
        let player = statistics.players.get(pages.index_of(name)?)?;
        Some((name, player.usage.in_game(one.game)?))
    });
    usage_tables(pages, one.game, &players.collect::<Vec<_>>())
}

pub fn length_table(game: &str, lengths: &[(u32, u32, u64)]) -> TableView {
    let rows = lengths.iter().filter(|(_, _, count)| *count > 0);
    let rows = rows.map(|(from, to, count)| {
        let plies = charts::plies_text(*from, *to);
        vec![CellView::text(&plies).heading(), CellView::count(*count)]
    });
    TableView {
        caption: format!("{game}: lengths of the games"),
        columns: vec![ColumnView::number("plies"), ColumnView::number("games")],
        rows: rows.collect(),
        ..TableView::default()
    }
}

fn seat_table(game: &str, counts: &[(&'static str, &'static str, u64)]) -> TableView {
    let rows = counts
        .iter()
        .map(|(_, words, count)| vec![CellView::text(words).heading(), CellView::count(*count)]);
    TableView {
        caption: format!("{game}: results by seat"),
        columns: vec![ColumnView::text("result"), ColumnView::number("games")],
        rows: rows.collect(),
        ..TableView::default()
    }
}
