//! What the openings of rated games are worth. `docs/ratings.md` explains all columns.

use super::results::Rated;
use super::table::{Cell, Column, ReportTable};

/// The table `openings`: a row per game and opening, the best for the first seat first.
pub fn openings(rated: &[Rated<'_>]) -> ReportTable {
    let mut rows = Vec::new();
    for one in rated {
        let mut openings = one.ratings.openings(one.standings);
        openings.sort_by(|(a, a_worth), (b, b_worth)| {
            let by_worth = b_worth.elo.total_cmp(&a_worth.elo);
            by_worth.then_with(|| a.opening.cmp(&b.opening))
        });
        rows.extend(openings.into_iter().map(|(opening, worth)| {
            let share = |points: f64| match opening.games {
                0 => Cell::Missing,
                games => Cell::Share(points / games as f64),
            };
            vec![
                Cell::text(one.game),
                Cell::text(&opening.opening),
                Cell::Count(opening.games),
                share(opening.points),
                share(opening.expected),
                Cell::Elo(worth.elo),
                Cell::Elo(worth.low()),
                Cell::Elo(worth.high()),
                Cell::Margin(worth.margin()),
            ]
        }));
    }
    let columns = vec![
        Column::text("game", "game"),
        Column::text("opening", "opening"),
        Column::number("games", "games"),
        Column::number("first_score", "first seat")
            .explained("the score of the first seat in the games from this opening"),
        Column::number("expected_score", "expected")
            .rank(1)
            .explained("the score that the ratings predict for it, if all openings were alike"),
        Column::number("effect", "worth to first")
            .explained("what the first seat is worth in Elo by the games from this opening alone"),
        Column::number("effect_low", "low").rank(2).explained(
            "low and high are the ends of the 95 % interval, with the ratings taken as exact",
        ),
        Column::number("effect_high", "high").rank(2),
        Column::number("margin", "±").explained("half the width of that interval"),
    ];
    ReportTable {
        name: "openings",
        columns,
        rows,
    }
}
