//! The table `match`, of two players.

use super::ratings::LOW;
use crate::report::table::{Cell, Column, ReportTable};
use crate::results::Rated;

/// The columns of game pairs by the points that they brought: names and titles.
pub const PAIRS: [(&str, &str); 5] = [
    ("pairs_0", "0"),
    ("pairs_half", "½"),
    ("pairs_1", "1"),
    ("pairs_1_half", "1½"),
    ("pairs_2", "2"),
];

/// The table `match`: a row per kind of game with only two players, seen by the player that is tested, or
/// else by the one with the higher rating.
pub fn matches(rated: &[Rated<'_>]) -> ReportTable {
    let mut rows = Vec::new();
    for one in rated {
        let Some(([player, other], games)) = one.match_of_two() else {
            continue;
        };
        let mut row = vec![
            Cell::text(&one.game),
            Cell::text(one.name(player)),
            Cell::text(one.name(other)),
        ];
        row.extend(games.pairs.map(Cell::Count));
        row.push(Cell::Count(games.singles.games()));
        for interval in [games.elo(), games.normalized_elo()] {
            match interval {
                Some(values) => row.extend(values.map(Cell::Elo)),
                None => row.extend([Cell::Missing, Cell::Missing, Cell::Missing]),
            }
        }
        row.push(Cell::Share(one.ratings.los(player, other)));
        row.push(
            one.llr()
                .map_or(Cell::Missing, |llr| Cell::Real(llr, Some(2))),
        );
        match one.corrected() {
            Some(elo) => row.extend(elo.map(Cell::Elo)),
            None => row.extend([Cell::Missing, Cell::Missing, Cell::Missing]),
        }
        rows.push(row);
    }
    ReportTable {
        name: "match",
        columns: columns(),
        rows,
    }
}

fn columns() -> Vec<Column> {
    let mut columns = vec![
        Column::text("game", "game"),
        Column::text("player", "player"),
        Column::text("opponent", "opponent"),
    ];
    columns.extend(PAIRS.map(|(name, points)| Column::number(name, points)));
    columns.extend([
        Column::number("single_games", "single games")
            .rank(2)
            .explained("games that belong to no complete game pair"),
        Column::number("elo_low", "low").rank(1).explained(LOW),
        Column::number("elo", "match Elo")
            .explained("the difference in Elo that the score alone makes, by the Elo curve"),
        Column::number("elo_high", "high").rank(1),
        Column::number("normalized_elo_low", "low").rank(3),
        Column::number("normalized_elo", "normalized Elo")
            .rank(2)
            .explained("the difference relative to how much the results vary"),
        Column::number("normalized_elo_high", "high").rank(3),
        Column::number("los", "LOS").rank(2).explained(
            "likelihood of superiority: one minus the p-value of the player being no stronger",
        ),
        Column::number("llr", "LLR").explained(
            "the log-likelihood ratio of the test; above 0 it favours ELO1, below 0 ELO0",
        ),
        Column::number("corrected_elo_low", "low").rank(1),
        Column::number("corrected_elo", "corrected Elo").explained(
            "match Elo with its interval, corrected for a test that could end the match at any game pair",
        ),
        Column::number("corrected_elo_high", "high").rank(1),
    ]);
    columns
}
