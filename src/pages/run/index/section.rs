//! Section of the index about one kind of game.

use minijinja::Error;
use serde::Serialize;

use super::bands::Bands;
use super::charts;
use super::conclusion::{ConclusionView, conclusion};
use super::matrix::{MATRIX_PLAYERS, crosstable, superiority};
use crate::pages::context::{MANY, RunContext};
use crate::pages::parts::table::{CellView, ColumnView, TableView};
use crate::pages::run::curves::{CurveView, curves};
use crate::pages::run::figures::RunFigures;
use crate::pages::run::statistics::RunStatistics;
use crate::pages::run::usage::usage_tables;
use crate::report::{self, Cell, NotesOn};
use crate::results::Rated;
use crate::text::{counted, visible};

/// Section of the index about one kind of game.
#[derive(Serialize)]
pub struct GameSection {
    name: String,
    /// Whether tables and charts scroll in boxes, because there are many players.
    many: bool,
    count: String,
    /// `None` if the format decides nothing.
    conclusion: Option<ConclusionView>,
    ratings: String,
    standings: String,
    /// `None` if there are too many players.
    crosstable: Option<String>,
    /// `None` if there are too many players.
    superiority: Option<String>,
    ends: String,
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
    let order = one.standings.order();
    let empty = Default::default();
    let all_fit = one.order.len() <= MATRIX_PLAYERS;
    let lengths = charts::lengths(statistics.lengths.get(one.game).unwrap_or(&empty));
    Ok(GameSection {
        name: visible(one.game),
        many: one.order.len() > MANY,
        count: counted(one.standings.games(), "game", "games"),
        conclusion: conclusion(pages, figures, one)?,
        ratings: ratings(pages, one)?,
        standings: standings(pages, one)?,
        crosstable: all_fit
            .then(|| pages.table(&crosstable(pages, one)))
            .transpose()?,
        superiority: all_fit
            .then(|| pages.table(&superiority(pages, one)))
            .transpose()?,
        ends: pages.chart(&charts::all_ends(one, &order), &ends(pages, one, &order))?,
        lengths: pages.chart(
            &charts::length_columns(one.game, &lengths),
            &length_table(one.game, &lengths),
        )?,
        seats: pages.chart(
            &charts::seats(one),
            &seat_table(one.game, &charts::first_seat(one)),
        )?,
        openings: match statistics.openings.get(one.game) {
            Some(openings) => openings.chart(pages, one.game)?,
            None => String::new(),
        },
        usage: usage(pages, statistics, one)?,
        curves: curves(pages, figures.histories, one)?,
        facts: report::facts(one),
        warnings: report::warnings(one, NotesOn::Page),
    })
}

/// The ratings as a chart, with the numbers and the bands in a table.
fn ratings(pages: &RunContext<'_>, one: &Rated<'_>) -> Result<String, Error> {
    let columns = [
        "rank", "player", "elo", "margin", "elo_low", "elo_high", "games", "points", "score",
    ];
    // With the decimals of the file: the chart has them rounded.
    let exact = |column: &str, cell: &Cell, view: CellView| match (column, cell) {
        ("player", _) => pages.player(&cell.plain()),
        (_, Cell::Elo(_) | Cell::Margin(_)) => CellView::text(&cell.plain()),
        _ => view,
    };
    let caption = format!("{}: ratings, best first", one.game);
    let ratings = report::ratings(std::slice::from_ref(one));
    let mut table = TableView::from_report(&caption, &ratings, &columns, &exact);
    let bands = Bands::new(one);
    table.columns.push(ColumnView::number("band"));
    for (place, row) in table.rows.iter_mut().enumerate() {
        row.push(bands.cell(place));
    }
    pages.chart(&charts::ratings(one, &bands), &table)
}

fn standings(pages: &RunContext<'_>, one: &Rated<'_>) -> Result<String, Error> {
    let columns = [
        "rank", "player", "points", "games", "wins", "draws", "losses", "forfeits",
    ];
    let linked = |column: &str, cell: &Cell, view: CellView| match column {
        "player" => pages.player(&cell.plain()),
        _ => view,
    };
    let caption = format!("{}: standings by points per game", one.game);
    let standings = report::standings(std::slice::from_ref(one));
    pages.table(&TableView::from_report(
        &caption, &standings, &columns, &linked,
    ))
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

/// Table of how the games of each player ended.
fn ends(pages: &RunContext<'_>, one: &Rated<'_>, order: &[usize]) -> TableView {
    let mut columns = vec![ColumnView::name("player")];
    let rows = order.iter().map(|player| {
        let ends = charts::ends(one, *player);
        if columns.len() == 1 {
            columns.extend(ends.map(|(_, words, _)| ColumnView::number(words)));
        }
        let mut row = vec![pages.player(one.name(*player))];
        row.extend(ends.map(|(_, _, count)| CellView::count(count)));
        row
    });
    let rows = rows.collect();
    TableView {
        caption: format!("{}: how the games of each player ended", one.game),
        columns,
        rows,
    }
}

fn length_table(game: &str, lengths: &[(u32, u32, u64)]) -> TableView {
    let rows = lengths.iter().filter(|(_, _, count)| *count > 0);
    let rows = rows.map(|(from, to, count)| {
        let plies = charts::plies_text(*from, *to);
        vec![CellView::text(&plies).heading(), CellView::count(*count)]
    });
    TableView {
        caption: format!("{game}: lengths of the games"),
        columns: vec![ColumnView::number("plies"), ColumnView::number("games")],
        rows: rows.collect(),
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
    }
}
