//! The tables `ratings` and `standings`. `docs/ratings.md` explains all columns.

use crate::rating::Tally;
use crate::report::table::{Cell, Column, ReportTable};
use crate::results::{Rated, shared_ranks};

/// Explanation of ±.
pub const MARGIN: &str = "\
    half the width of the 95 % interval of Elo, relative to the reference. If all games were repeated \
    many times, 95 of 100 such intervals would contain the true value. One of two players can be \
    clearly stronger although their intervals overlap: see the table `superiority`.";

pub const LOW: &str = "low and high are the ends of the 95 % interval";

pub fn forfeits() -> Column {
    Column::number("forfeits", "forfeits")
        .rank(1)
        .explained("games lost by the player's own fault, such as a crash or an illegal action")
}

/// The table `ratings`: a row per game and player, best first.
pub fn ratings(rated: &[Rated<'_>]) -> ReportTable {
    let mut rows = Vec::new();
    for one in rated {
        for (rank, player) in one.ranks().into_iter().zip(&one.order) {
            let estimate = one.ratings.rating(*player, one.anchor);
            let standing = &one.standings.players()[*player];
            let tally = standing.tally;
            rows.push(vec![
                Cell::text(one.game),
                Cell::Count(rank),
                Cell::text(&standing.name),
                Cell::Elo(estimate.elo),
                Cell::Elo(estimate.low()),
                Cell::Elo(estimate.high()),
                Cell::Count(tally.games()),
                Cell::Real(tally.points(), None),
                Cell::Count(tally.wins),
                Cell::Count(tally.draws),
                Cell::Count(tally.losses),
                Cell::Count(standing.forfeits),
                score(tally),
                Cell::Margin(estimate.margin()),
                Cell::Count(standing.forfeit_wins),
            ]);
        }
    }
    ReportTable {
        name: "ratings",
        columns: rating_columns(),
        rows,
    }
}

fn rating_columns() -> Vec<Column> {
    vec![
        Column::text("game", "game"),
        Column::number("rank", "#"),
        Column::text("player", "player"),
        Column::number("elo", "Elo").explained(
            "the ratings of all players, fitted to all games at once, with seats and draws",
        ),
        Column::number("elo_low", "low").rank(3).explained(LOW),
        Column::number("elo_high", "high").rank(3),
        Column::number("games", "games").rank(1),
        Column::number("points", "points").rank(1),
        Column::number("wins", "won").rank(2),
        Column::number("draws", "drawn").rank(2),
        Column::number("losses", "lost").rank(2),
        forfeits(),
        Column::number("score", "score").rank(2),
        Column::number("margin", "±").explained(MARGIN),
        Column::number("forfeit_points", "forfeit wins")
            .rank(5)
            .explained("games won because the opponent forfeited"),
    ]
}

fn score(tally: Tally) -> Cell {
    match tally.games() {
        0 => Cell::Missing,
        games => Cell::Share(tally.points() / games as f64),
    }
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
                Cell::text(one.game),
                Cell::Count(rank),
                Cell::text(&standing.name),
                Cell::Real(standing.tally.points(), None),
                Cell::Count(standing.tally.games()),
                Cell::Count(standing.tally.wins),
                Cell::Count(standing.tally.draws),
                Cell::Count(standing.tally.losses),
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
        forfeits(),
    ];
    ReportTable {
        name: "standings",
        columns,
        rows,
    }
}
