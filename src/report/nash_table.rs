//! Players against the mix of players that nobody beats. `docs/ratings.md` explains all columns.

use super::results::Rated;
use super::table::{Cell, Column, ReportTable};
use crate::rating::Nash;

/// The table `nash`: a row per game and player, the best against the mix first. A game of more players than can
/// be solved has no rows.
pub fn nash(rated: &[Rated<'_>]) -> ReportTable {
    let mut rows = Vec::new();
    for one in rated {
        let Some(nash) = Nash::new(one.standings, &one.ratings) else {
            continue;
        };
        let mut order = one.order.clone();
        // Players of the mix all have a skill of 0 but for rounding.
        let tenths = |player: usize| (10.0 * nash.skills[player]).round();
        order.sort_by(|a, b| {
            let by_skill = tenths(*b).total_cmp(&tenths(*a));
            by_skill.then_with(|| nash.weights[*b].total_cmp(&nash.weights[*a]))
        });
        rows.extend(order.into_iter().map(|player| {
            vec![
                Cell::text(one.game),
                Cell::text(one.name(player)),
                Cell::Share(nash.weights[player]),
                Cell::Elo(nash.skills[player]),
                Cell::Elo(one.elo[player]),
                Cell::Count(nash.not_met),
            ]
        }));
    }
    let columns = vec![
        Column::text("game", "game"),
        Column::text("player", "player"),
        Column::number("weight", "weight")
            .explained("the player's share in the mix of players that nobody beats"),
        Column::number("skill", "against the mix").explained(
            "Elo of the score against the mix; 0 for its players, and above 0 for nobody. It has no interval",
        ),
        Column::number("elo", "Elo").rank(1),
        Column::number("not_met", "not met")
            .rank(2)
            .explained("pairings without a game, in which the ratings stand for the score"),
    ];
    ReportTable {
        name: "nash",
        columns,
        rows,
    }
}
