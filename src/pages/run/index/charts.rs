//! Charts of a game: results of the players, and lengths.

use std::collections::BTreeMap;

use crate::pages::parts::svg::{BarPart, Chart};
use crate::pages::parts::table::{CellView, ColumnView, TableView};
use crate::pages::parts::{class_width, columns_chart};
use crate::pages::run::place_parts;
use crate::results::Rated;
use crate::text::counted;

/// Upper bound on the classes of game lengths.
const LENGTHS: u32 = 40;

/// The results of a player's games as parts of a bar: in games of two, the endings, where forfeits count apart from other
/// wins and losses; in games of more, the places.
pub fn results(one: &Rated<'_>, player: usize) -> Vec<BarPart> {
    let standing = &one.standings.players()[player];
    let seats = one.most_seats();
    if seats > 2 {
        return place_parts(standing.places(), seats);
    }
    let tally = standing.tally;
    let (given, taken) = (standing.forfeits, standing.forfeit_wins);
    vec![
        ("won", "won", tally.wins.saturating_sub(taken)),
        ("won-forfeit", "won, the opponent forfeited", taken),
        ("drawn", "drawn", tally.draws),
        ("lost", "lost", tally.losses.saturating_sub(given)),
        ("forfeited", "forfeited", given),
    ]
}

/// Histogram of game lengths: (fewest plies, most plies, number of games) for each class.
pub fn lengths(games: &BTreeMap<u32, u64>) -> Vec<(u32, u32, u64)> {
    let (Some((shortest, _)), Some((longest, _))) =
        (games.first_key_value(), games.last_key_value())
    else {
        return Vec::new();
    };
    let width = class_width(longest - shortest, LENGTHS);
    let first = shortest - shortest % width;
    let classes = (first..=*longest).step_by(width as usize).map(|from| {
        let to = from.saturating_add(width - 1);
        let count = games.range(from..=to).map(|(_, count)| count).sum();
        (from, to, count)
    });
    classes.collect()
}

/// A class of game lengths as text: `7`, or `10 to 19`.
fn plies_text(from: u32, to: u32) -> String {
    if from == to {
        from.to_string()
    } else {
        format!("{from} to {to}")
    }
}

/// The lengths of the games as columns.
pub fn length_columns(game: &str, classes: &[(u32, u32, u64)]) -> Chart {
    let columns = classes.iter().map(|(from, to, count)| {
        let plies = plies_text(*from, *to);
        let tooltip = format!("{plies} plies: {}", counted(*count, "game", "games"));
        (*count, tooltip)
    });
    let first = classes.first().map_or(0, |class| class.0);
    let end = classes.last().map_or(0, |class| class.1 + 1);
    let mut chart = columns_chart(
        &columns.collect::<Vec<_>>(),
        [first.to_string(), end.to_string()],
        ["game", "games"],
    );
    chart.name = format!("{game} lengths");
    chart.title = format!("{game}: lengths of the games");
    chart.description = "How many games had how many plies.".to_owned();
    chart
}

/// The numbers of [`length_columns`].
pub fn length_table(game: &str, lengths: &[(u32, u32, u64)]) -> TableView {
    let rows = lengths.iter().filter(|(_, _, count)| *count > 0);
    let rows = rows.map(|(from, to, count)| {
        let plies = plies_text(*from, *to);
        vec![CellView::text(&plies).heading(), CellView::count(*count)]
    });
    TableView::new(
        format!("{game}: lengths of the games"),
        ["plies", "games"].map(ColumnView::number).into(),
        rows.collect(),
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lengths_fall_into_classes_of_round_width() {
        let games = |plies: &[u32]| plies.iter().map(|plies| (*plies, 1)).collect();
        assert_eq!(lengths(&games(&[])), []);
        assert_eq!(lengths(&games(&[7])), [(7, 7, 1)]);
        assert_eq!(lengths(&games(&[3, 5])), [(3, 3, 1), (4, 4, 0), (5, 5, 1)]);
        let many = lengths(&games(&[12, 14, 600]));
        assert_eq!(many.len(), 31);
        assert_eq!((many[0], many[30]), ((0, 19, 2), (600, 619, 1)));
    }
}
