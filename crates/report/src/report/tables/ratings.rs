//! The tables `ratings` and `standings`. `docs/ratings.md` explains all columns.

use crate::game::MOST_SEATS;
use crate::rating::{BlockMean, PlayerStanding};
use crate::report::table::{Cell, Column, ReportTable};
use crate::results::{Rated, shared_ranks};

pub const PLACES: [&str; MOST_SEATS] = ["1st", "2nd", "3rd", "4th", "5th", "6th", "7th", "8th"];

pub const MARGIN: &str = "\
    half the width of the 95 % interval of Elo, relative to the reference. If all games were repeated \
    many times, 95 of 100 such intervals would contain the true value. One of two players can be \
    clearly stronger although their intervals overlap: see the table `superiority`.";

pub const LOW: &str = "low and high are the ends of the 95 % interval";

/// The table `ratings`: a row per game and player, best first.
pub fn ratings(rated: &[Rated<'_>]) -> ReportTable {
    let mut rows = Vec::new();
    for one in rated {
        for (rank, player) in one.ranks().into_iter().zip(&one.order) {
            let [low, elo, high] = one.interval(*player);
            let shrunk = one.shrunk(*player);
            let standing = &one.standings.players()[*player];
            let beaten = one.beaten[*player];
            let by_rules = one.standings.rules_points(*player);
            rows.push(vec![
                Cell::text(&one.game),
                Cell::Count(rank),
                Cell::text(&standing.name),
                Cell::Elo(elo),
                Cell::Elo(low),
                Cell::Elo(high),
                Cell::Count(standing.tally.games()),
                points(standing),
                Cell::Count(standing.tally.wins),
                Cell::Count(standing.tally.draws),
                Cell::Count(standing.tally.losses),
                places(one, standing),
                Cell::Count(standing.forfeits),
                match standing.tally.games() {
                    0 => Cell::Missing,
                    _ => Cell::Share(standing.score()),
                },
                finite(Some((high - low) / 2.0), Cell::Margin),
                finite(beaten.map(margin), Cell::Share),
                beaten.map_or(Cell::Missing, |it| Cell::Count(it.blocks)),
                finite(by_rules.map(|it| it.mean), mean_points),
                finite(by_rules.map(margin), mean_points),
                Cell::Count(standing.forfeit_wins),
                shrunk.map_or(Cell::Missing, |[_, elo, _]| Cell::Elo(elo)),
                shrunk.map_or(Cell::Missing, |[low, ..]| Cell::Elo(low)),
                shrunk.map_or(Cell::Missing, |[.., high]| Cell::Elo(high)),
            ]);
        }
    }
    ReportTable::new("ratings", rating_columns(), rows)
}

fn rating_columns() -> Vec<Column> {
    vec![
        Column::text("game", "game"),
        Column::number("rank", "#"),
        Column::text("player", "player"),
        Column::number("elo", "Elo").explained(
            "the ratings of all players, fitted to all games at once, with seats and ties",
        ),
        Column::number("elo_low", "low").rank(4).explained(LOW),
        Column::number("elo_high", "high").rank(4),
        Column::number("games", "games").rank(1),
        Column::number("points", "points").rank(2),
        Column::number("wins", "won").rank(2),
        Column::number("draws", "drawn").rank(2),
        Column::number("losses", "lost").rank(2),
        places_column(),
        forfeits(),
        Column::number("score", "score")
            .rank(1)
            .explained("points per game: the mean share of its opponents that the player has beaten, where a tie counts half"),
        Column::number("margin", "±").explained(MARGIN),
        Column::number("score_margin", "± score")
            .rank(3)
            .explained("half the width of the 95 % interval of the score, by how unlike the blocks are"),
        Column::number("blocks", "blocks")
            .rank(3)
            .explained("sets of games with the same players and start in changed seats"),
        Column::number("rules_points", "by rules")
            .rank(2)
            .explained("the mean points by the rules, of the games that have some"),
        Column::number("rules_points_margin", "± by rules").rank(3),
        Column::number("forfeit_points", "forfeit wins")
            .rank(5)
            .explained("games won because all opponents forfeited"),
        Column::number("shrunk_elo", "shrunk Elo").rank(5).explained(
            "nearer to the mean: few games put players too far apart, which this corrects by the spread of all players",
        ),
        Column::number("shrunk_elo_low", "low").rank(5),
        Column::number("shrunk_elo_high", "high").rank(5),
    ]
}

fn forfeits() -> Column {
    Column::number("forfeits", "forfeits")
        .rank(1)
        .explained("games lost by the player's own fault, such as a crash or an illegal action")
}

fn places_column() -> Column {
    Column::number("places", "places")
        .rank(2)
        .explained("the number of games with each place, the first place first")
}

fn places(one: &Rated<'_>, standing: &PlayerStanding) -> Cell {
    let places = standing.places().iter().take(one.most_seats());
    let places: Vec<String> = places.map(u64::to_string).collect();
    Cell::text(places.join("-"))
}

/// A sum of shares, without the last bits of its rounding errors.
fn points(standing: &PlayerStanding) -> Cell {
    Cell::Real((standing.points() * 1e4).round() / 1e4, None)
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

/// The table `standings`: a row per game and player, by points per game.
pub fn standings(rated: &[Rated<'_>]) -> ReportTable {
    let mut rows = Vec::new();
    for one in rated {
        let order = one.standings.order();
        let ranks = shared_ranks(&order, |player| one.standings.points_of(player));
        for (rank, player) in ranks.into_iter().zip(order) {
            let standing = &one.standings.players()[player];
            rows.push(vec![
                Cell::text(&one.game),
                Cell::Count(rank),
                Cell::text(&standing.name),
                points(standing),
                Cell::Count(standing.tally.games()),
                Cell::Count(standing.tally.wins),
                Cell::Count(standing.tally.draws),
                Cell::Count(standing.tally.losses),
                places(one, standing),
                Cell::Count(standing.forfeits),
            ]);
        }
    }
    let columns = vec![
        Column::text("game", "game"),
        Column::number("rank", "#"),
        Column::text("player", "player"),
        Column::number("points", "points"),
        Column::number("games", "games"),
        Column::number("wins", "won").rank(1),
        Column::number("draws", "drawn").rank(1),
        Column::number("losses", "lost").rank(1),
        places_column(),
        forfeits(),
    ];
    ReportTable::new("standings", columns, rows)
}
