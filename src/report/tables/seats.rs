//! The tables `ratings` and `standings` of games with more than two seats, and both together with the games of two.
//! `docs/ratings.md` explains all columns.

use super::ratings::{LOW, MARGIN, forfeits, ratings, standings};
use crate::game::MOST_SEATS;
use crate::rating::BlockMean;
use crate::report::table::{Cell, Column, ReportTable};
use crate::results::{AllRated, RatedTables, shared_ranks};

/// The words for the places.
pub const PLACES: [&str; MOST_SEATS] = ["1st", "2nd", "3rd", "4th", "5th", "6th", "7th", "8th"];

/// The table `ratings` of all games: a row per game and player, best first.
pub fn all_ratings(rated: &AllRated<'_>) -> ReportTable {
    joined(ratings(&rated.of_two), table_ratings(&rated.tables))
}

/// The table `standings` of all games: a row per game and player, by points per game.
pub fn all_standings(rated: &AllRated<'_>) -> ReportTable {
    joined(standings(&rated.of_two), table_standings(&rated.tables))
}

/// The table `ratings` of games with more than two seats.
pub fn table_ratings(rated: &[RatedTables<'_>]) -> ReportTable {
    let seats = most_seats(rated);
    let mut columns = vec![
        Column::text("game", "game"),
        Column::number("rank", "#"),
        Column::text("player", "player"),
        Column::number("elo", "Elo").explained(
            "the ratings of all players, fitted to the places of all games at once, with seats and ties",
        ),
        Column::number("elo_low", "low").rank(4).explained(LOW),
        Column::number("elo_high", "high").rank(4),
        Column::number("games", "games").rank(1),
        Column::number("points", "points").rank(3),
    ];
    columns.extend(place_columns(seats));
    columns.extend([
        forfeits(),
        Column::number("score", "beaten")
            .rank(1)
            .explained("the mean share of its opponents in a game that the player has beaten; a tie counts half"),
        Column::number("margin", "±").explained(MARGIN),
        Column::number("score_margin", "± beaten")
            .rank(3)
            .explained("half the width of the 95 % interval of the share beaten, by how unlike the blocks are"),
        Column::number("blocks", "blocks")
            .rank(3)
            .explained("sets of games with the same players and start in changed seats: the unit of all errors"),
        Column::number("rules_points", "by rules")
            .rank(2)
            .explained("the mean points by the rules, of the games that have some"),
        Column::number("rules_points_margin", "± by rules").rank(3),
    ]);
    let mut rows = Vec::new();
    for one in rated {
        for (rank, player) in one.ranks().into_iter().zip(&one.order) {
            let own = &one.games.players()[*player];
            let rating = one.rating(*player);
            let elo = |value: Option<f64>| value.map_or(Cell::Missing, Cell::Elo);
            let beaten = one.beaten[*player];
            let points = one.points[*player];
            let mut row = vec![
                Cell::text(one.game),
                Cell::Count(rank),
                Cell::text(&own.name),
                elo(rating.map(|it| it.elo)),
                elo(rating.map(|it| it.low())),
                elo(rating.map(|it| it.high())),
                Cell::Count(own.games),
                Cell::Real(rounded(own.points), None),
            ];
            row.extend(places(one, *player, seats));
            row.extend([
                Cell::Count(own.forfeits),
                Cell::Share(own.share()),
                finite(rating.map(|it| it.margin()), Cell::Margin),
                finite(beaten.map(margin), Cell::Share),
                beaten.map_or(Cell::Missing, |it| Cell::Count(it.blocks)),
                finite(points.map(|it| it.mean), mean_points),
                finite(points.map(margin), mean_points),
            ]);
            rows.push(row);
        }
    }
    ReportTable {
        name: "ratings",
        columns,
        rows,
    }
}

/// The table `standings` of games with more than two seats.
pub fn table_standings(rated: &[RatedTables<'_>]) -> ReportTable {
    let seats = most_seats(rated);
    let mut columns = vec![
        Column::text("game", "game"),
        Column::number("rank", "#"),
        Column::text("player", "player"),
        Column::number("points", "points"),
        Column::number("games", "games"),
    ];
    columns.extend(place_columns(seats));
    columns.push(forfeits());
    let mut rows = Vec::new();
    for one in rated {
        let order = one.games.order();
        let points = |player: usize| {
            let own = &one.games.players()[player];
            [own.share(), own.points].map(rounded)
        };
        let ranks = shared_ranks(&order, points);
        for (rank, player) in ranks.into_iter().zip(order) {
            let own = &one.games.players()[player];
            let mut row = vec![
                Cell::text(one.game),
                Cell::Count(rank),
                Cell::text(&own.name),
                Cell::Real(rounded(own.points), None),
                Cell::Count(own.games),
            ];
            row.extend(places(one, player, seats));
            row.push(Cell::Count(own.forfeits));
            rows.push(row);
        }
    }
    ReportTable {
        name: "standings",
        columns,
        rows,
    }
}

fn most_seats(rated: &[RatedTables<'_>]) -> usize {
    let seats = rated.iter().flat_map(|one| &one.seats);
    seats.max().copied().unwrap_or_default()
}

fn place_columns(seats: usize) -> impl Iterator<Item = Column> {
    let places = (1..).zip(&PLACES[..seats]);
    places.map(|(place, title)| Column::number(&format!("place_{place}"), title).rank(2))
}

fn places(one: &RatedTables<'_>, player: usize, seats: usize) -> impl Iterator<Item = Cell> {
    let places = one.counts.of_player(player);
    places.into_iter().take(seats).map(Cell::Count)
}

/// A sum of thirds, without the last bits of its rounding errors.
fn rounded(points: f64) -> f64 {
    (points * 1e4).round() / 1e4
}

fn margin(mean: BlockMean) -> f64 {
    let [low, _, high] = mean.interval();
    (high - low) / 2.0
}

fn mean_points(value: f64) -> Cell {
    Cell::Real(value, Some(3))
}

fn finite(value: Option<f64>, cell: impl FnOnce(f64) -> Cell) -> Cell {
    value
        .filter(|it| it.is_finite())
        .map_or(Cell::Missing, cell)
}

/// One table of two: the columns of the first, then the ones that only the second has.
fn joined(first: ReportTable, second: ReportTable) -> ReportTable {
    if second.rows.is_empty() {
        return first;
    }
    if first.rows.is_empty() {
        return second;
    }
    let place_in = |columns: &[Column], name: &str| columns.iter().position(|it| it.name == name);
    let mut columns = first.columns.clone();
    let others = second.columns.iter();
    columns.extend(
        others
            .filter(|column| place_in(&first.columns, &column.name).is_none())
            .cloned(),
    );
    let widened = |table: &ReportTable| -> Vec<Vec<Cell>> {
        let sources: Vec<Option<usize>> = columns
            .iter()
            .map(|column| place_in(&table.columns, &column.name))
            .collect();
        let cell = |row: &Vec<Cell>, source: &Option<usize>| {
            source.map_or(Cell::Missing, |at| row[at].clone())
        };
        let rows = table.rows.iter();
        rows.map(|row| sources.iter().map(|source| cell(row, source)).collect())
            .collect()
    };
    let mut rows = widened(&first);
    rows.extend(widened(&second));
    ReportTable {
        name: first.name,
        columns,
        rows,
    }
}
