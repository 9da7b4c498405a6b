//! Places of the seats of games of more than two, in words, as bars and in tables.

use crate::game::{GameResult, Seat};
use crate::pages::parts::cell_chart::{CellChart, legend};
use crate::pages::parts::svg::BarPart;
use crate::pages::parts::table::{CellView, ColumnView, TableView};
use crate::rating::ByPlace;
use crate::report::PLACES;
use crate::runs::GameRow;

/// The games with each place as parts of a bar.
pub fn place_parts(places: &ByPlace, seats: usize) -> Vec<BarPart> {
    let parts = PLACES.iter().zip(places).take(seats).enumerate();
    parts
        .map(|(at, (words, games))| (class(at, seats), *words, *games))
        .collect()
}

/// The colour of a place, on a scale from the last to the first.
fn class(at: usize, seats: usize) -> &'static str {
    const STEPS: [&str; 8] = [
        "step-0", "step-1", "step-2", "step-3", "step-4", "step-5", "step-6", "step-7",
    ];
    STEPS[(seats - 1 - at) * (STEPS.len() - 1) / (seats - 1)]
}

/// A table of the places in each seat of these names.
pub fn places_by_seat(game: &str, names: &[&str], places: impl Fn(usize) -> ByPlace) -> TableView {
    let seats = names.len();
    let rows = names.iter().enumerate().map(|(seat, name)| {
        let places = places(seat);
        let mut row = vec![
            CellView::text(name).heading(),
            CellView::count(places.iter().sum()),
            CellView::chart(CellChart::parts(&place_parts(&places, seats))),
        ];
        row.extend(places[..seats].iter().map(|games| CellView::count(*games)));
        row
    });
    let mut columns = vec![
        ColumnView::text("seat"),
        ColumnView::number("games"),
        ColumnView::charts("places", Vec::new()),
    ];
    columns.extend(
        PLACES[..seats]
            .iter()
            .map(|place| ColumnView::number(place)),
    );
    TableView {
        caption: format!("{game}: places by seat"),
        columns,
        rows: rows.collect(),
        legend: legend(place_parts(&ByPlace::default(), seats).iter()),
        ..TableView::default()
    }
}

/// The place of a seat in words; `None` in a game of two, which has winners.
pub fn place_words(row: &GameRow, seat: Seat) -> Option<String> {
    let seats = row.players.count();
    let place = PLACES[usize::from(row.end.result.places(seats)[seat]) - 1];
    let words = match row.end.result {
        GameResult::Drawn => "tied".to_owned(),
        _ => format!("{place} of {seats}"),
    };
    (seats > 2).then_some(words)
}
