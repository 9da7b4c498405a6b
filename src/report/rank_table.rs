//! How likely each rank of each player is. `docs/ratings.md` explains the figures.

use super::results::Rated;
use super::table::{Cell, Column, ReportTable};

/// The greatest number of players whose ranks have a column each on a screen.
pub const MOST_RANK_COLUMNS: usize = 12;

/// How many ranks a player has on a screen where there are more players: the likeliest ones.
const LIKELIEST: usize = 3;

/// Ranks that are less likely than this are left out of files.
const LEAST: f64 = 0.0005;

/// The table `ranks` for files: a row per game, player and rank that is likely enough. A game of too many players has
/// no rows.
pub fn ranks(rated: &[Rated<'_>]) -> ReportTable {
    let mut rows = Vec::new();
    for (one, likely) in with_ranks(rated) {
        for player in &one.order {
            let shares = likely[*player].iter().zip(1..);
            rows.extend(
                shares
                    .filter(|(share, _)| **share >= LEAST)
                    .map(|(share, rank)| {
                        vec![
                            Cell::text(one.game),
                            Cell::text(one.name(*player)),
                            Cell::Count(rank),
                            Cell::Share(*share),
                        ]
                    }),
            );
        }
    }
    table(
        vec![
            Column::number("rank", "rank"),
            Column::number("probability", "probability"),
        ],
        rows,
    )
}

/// The same for a screen: a row per game and player, with a column per rank if there are few players, and otherwise
/// with the likeliest ranks.
pub fn ranks_on_screen(rated: &[Rated<'_>]) -> ReportTable {
    let most = rated.iter().map(|one| one.order.len()).max().unwrap_or(0);
    let columns: Vec<Column> = match most {
        0..=MOST_RANK_COLUMNS => (1..=most)
            .map(|rank| Column::number(&format!("rank_{rank}"), &format!("{rank}")))
            .collect(),
        _ => (1..=LIKELIEST)
            .flat_map(|at| {
                let titles = match at {
                    1 => ["likeliest", "probability"],
                    _ => ["next", "probability"],
                };
                [
                    Column::number(&format!("rank_{at}"), titles[0]),
                    Column::number(&format!("probability_{at}"), titles[1]),
                ]
            })
            .collect(),
    };
    let mut rows = Vec::new();
    for (one, likely) in with_ranks(rated) {
        rows.extend(one.order.iter().map(|player| {
            let mut row = vec![Cell::text(one.game), Cell::text(one.name(*player))];
            let shares = &likely[*player];
            if most <= MOST_RANK_COLUMNS {
                row.extend(shares.iter().map(|share| Cell::Share(*share)));
            } else {
                let mut order: Vec<usize> = (0..shares.len()).collect();
                order.sort_by(|a, b| shares[*b].total_cmp(&shares[*a]));
                for at in order.into_iter().take(LIKELIEST) {
                    row.extend([Cell::Count(at as u64 + 1), Cell::Share(shares[at])]);
                }
            }
            row.resize(columns.len() + 2, Cell::Missing);
            row
        }));
    }
    table(columns, rows)
}

fn with_ranks<'a>(rated: &'a [Rated<'a>]) -> impl Iterator<Item = (&'a Rated<'a>, Vec<Vec<f64>>)> {
    rated
        .iter()
        .filter_map(|one| Some((one, one.ratings.rank_probabilities()?)))
}

fn table(own: Vec<Column>, rows: Vec<Vec<Cell>>) -> ReportTable {
    let mut columns = vec![
        Column::text("game", "game"),
        Column::text("player", "player"),
    ];
    columns.extend(own);
    ReportTable {
        name: "ranks",
        columns,
        rows,
    }
}
