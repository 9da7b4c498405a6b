//! Section of the index about a game of more than two seats.

use minijinja::Error;
use serde::Serialize;

use super::charts;
use super::conclusion::concluded;
use super::matrix::{MATRIX_PLAYERS, crosstable, superiority};
use super::section::length_table;
use super::standings::{add_intervals, rendered};
use crate::game::Game;
use crate::pages::context::{MANY, RunContext};
use crate::pages::parts::cell_chart::CellChart;
use crate::pages::parts::table::{CellView, ColumnView, TableView};
use crate::pages::run::curves::{CurveView, table_curves};
use crate::pages::run::figures::RunFigures;
use crate::pages::run::places::{TableResults, count};
use crate::pages::run::usage::usage_tables;
use crate::rating::ByPlace;
use crate::report::{self, Cell, PLACES};
use crate::results::RatedTables;
use crate::text::{counted, visible};

/// Section of the index about one kind of game of more than two seats.
#[derive(Serialize)]
pub struct TableSection {
    name: String,
    /// Whether tables scroll in boxes, because there are many players.
    many: bool,
    count: String,
    /// The conclusion about strength, in a sentence.
    strength: String,
    ratings: String,
    /// The conclusion of the format; empty if it has none.
    conclusion: String,
    warnings: Vec<String>,
    facts: Vec<String>,
    places: String,
    seats: String,
    /// `None` if there are too many players.
    crosstable: Option<String>,
    /// `None` if there are too many players, or no ratings.
    superiority: Option<String>,
    lengths: String,
    /// Empty without openings.
    openings: String,
    curves: Vec<CurveView>,
    /// Tables of time and memory, as HTML.
    usage: Vec<String>,
}

/// The section of one kind of game.
pub fn table_section(
    pages: &RunContext<'_>,
    figures: &RunFigures<'_>,
    one: &TableResults<'_>,
) -> Result<TableSection, Error> {
    let (statistics, rated) = (figures.statistics, one.rated);
    let name = one.game.label();
    let concluded = concluded(pages, figures, name).map(|(_, conclusion)| conclusion);
    let all = pages.run.player_names();
    let words = concluded.map(|it| report::conclusion_words(it, &all, pages.names, None));
    let order = &rated.order;
    let empty = Default::default();
    let lengths = charts::lengths(statistics.lengths.get(name).unwrap_or(&empty));
    let usage = order.iter().filter_map(|player| {
        let player = one.name(*player);
        let games = statistics.players.get(pages.index_of(player)?)?;
        Some((player, games.usage.in_game(name)?))
    });
    let usage: Vec<_> = usage.collect();
    let all_fit = order.len() <= MATRIX_PLAYERS;
    let ahead = || {
        let caption = "ahead-level-behind at one table, best first";
        let scale = ["behind in all", "half of the games", "ahead in all"];
        crosstable(pages, rated, caption, scale)
    };
    Ok(TableSection {
        name: visible(name),
        many: order.len() > MANY,
        count: counted(rated.games.count(), "game", "games"),
        strength: report::strength(rated, concluded, &all),
        ratings: ratings(pages, rated)?,
        conclusion: words.map_or_else(String::new, |words| format!("{words}.")),
        warnings: report::table_warnings(rated),
        facts: report::table_facts(rated),
        places: pages.table(&places(pages, one))?,
        seats: pages.table(&seats(one))?,
        crosstable: all_fit.then(|| pages.table(&ahead())).transpose()?,
        superiority: (all_fit && rated.ratings.is_ok())
            .then(|| pages.table(&superiority(pages, rated)))
            .transpose()?,
        lengths: pages.chart(
            &charts::length_columns(name, &lengths),
            &length_table(name, &lengths),
        )?,
        openings: match statistics.openings.get(name) {
            Some(openings) => openings.table(pages, name, Some(one.game.seat_names()))?,
            None => String::new(),
        },
        curves: table_curves(pages, figures.histories, rated)?,
        usage: usage_tables(pages, name, &usage)?,
    })
}

/// The ratings by places.
fn ratings(pages: &RunContext<'_>, rated: &RatedTables<'_>) -> Result<String, Error> {
    let table = report::table_ratings(std::slice::from_ref(rated));
    let columns = [
        "rank",
        "player",
        "elo",
        "margin",
        "games",
        "blocks",
        "score",
        "score_margin",
        "rules_points",
        "rules_points_margin",
    ];
    let linked = |column: &str, cell: &Cell, view: CellView| match column {
        "player" => pages.player(&cell.plain()),
        _ => view,
    };
    let caption = format!("{}: ratings by places", rated.game);
    let mut table = TableView::from_report(&caption, &table, &columns, &linked).sortable();
    let estimates = add_intervals(&mut table, rated);
    rendered(pages, rated, &estimates, &table)
}

/// The places of each player.
fn places(pages: &RunContext<'_>, one: &TableResults<'_>) -> TableView {
    let counts = &one.rated.counts;
    let rows = one.rated.order.iter().map(|player| {
        let mut row = vec![pages.player(one.name(*player))];
        let share = Some(one.share(*player));
        row.extend(place_cells(one.game, &counts.of_player(*player), share));
        row.push(CellView::count(counts.forfeits(*player)));
        row
    });
    let mut columns = vec![ColumnView::name("player")];
    columns.extend(place_columns(one.game));
    columns.push(ColumnView::number("forfeits"));
    TableView {
        caption: format!("{}: places by player, best first", one.game.label()),
        columns,
        rows: rows.collect(),
        legend: legend(one.game),
        sortable: true,
    }
}

/// The places of the players in each seat.
fn seats(one: &TableResults<'_>) -> TableView {
    let all = one.game.seat_names();
    let shares = one.rated.beaten_by_seat(all.len());
    let rows = all.iter().zip(shares).enumerate();
    let rows = rows.map(|(seat, (name, share))| {
        let places = one.rated.counts.of_seat(all.len(), seat);
        let mut row = vec![CellView::text(name).heading()];
        row.extend(place_cells(one.game, &places, share.map(|it| it.mean)));
        row
    });
    let mut columns = vec![ColumnView::text("seat")];
    columns.extend(place_columns(one.game));
    TableView {
        caption: format!("{}: places by seat", one.game.label()),
        columns,
        rows: rows.collect(),
        legend: legend(one.game),
        sortable: false,
    }
}

fn place_columns(game: Game) -> Vec<ColumnView> {
    let places = &PLACES[..game.seat_count()];
    let beaten = ColumnView::number("beaten")
        .explained("the mean share of its opponents that were behind it; a level one counts half");
    let mut columns = vec![
        ColumnView::number("games"),
        ColumnView::charts("places", Vec::new()),
    ];
    columns.extend(places.iter().map(|place| ColumnView::number(place)));
    columns.push(beaten);
    columns
}

fn place_cells(game: Game, places: &ByPlace, share: Option<f64>) -> Vec<CellView> {
    let seats = game.seat_count();
    let parts: Vec<_> = (0..seats)
        .map(|at| (class(at, seats), PLACES[at], places[at]))
        .collect();
    let mut cells = vec![
        CellView::count(count(places)),
        CellView::chart(CellChart::parts(&parts)),
    ];
    cells.extend(places[..seats].iter().map(|games| CellView::count(*games)));
    cells.push(share.map_or_else(CellView::default, CellView::share));
    cells
}

fn legend(game: Game) -> Vec<(&'static str, String)> {
    let seats = game.seat_count();
    let places = PLACES[..seats].iter().enumerate();
    places
        .map(|(at, place)| (class(at, seats), (*place).to_owned()))
        .collect()
}

/// The colour of a place, on a scale from the last to the first.
fn class(at: usize, seats: usize) -> &'static str {
    const STEPS: [&str; 8] = [
        "step-0", "step-1", "step-2", "step-3", "step-4", "step-5", "step-6", "step-7",
    ];
    STEPS[(seats - 1 - at) * (STEPS.len() - 1) / (seats - 1)]
}
