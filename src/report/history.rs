//! Ratings over time: `history.csv`.

use std::collections::HashMap;

use super::results::UNNAMED;
use super::sheet::{Cell, Column};
use crate::rating::{Elo, Glicko, Score};
use crate::record::ResultRow;

/// How far one game moves a rating at most, unless another K is asked for.
pub const K: f64 = 20.0;

/// Follows games in the order in which they are handed in, each game played with its own ratings.
#[derive(Debug, Default)]
pub struct History {
    k: Option<f64>,
    games: HashMap<String, Followed>,
}

#[derive(Debug)]
struct Followed {
    players: HashMap<String, usize>,
    elo: Elo,
    glicko: Glicko,
    count: u64,
}

impl History {
    /// An empty history with this K.
    pub fn new(k: f64) -> Self {
        Self {
            k: Some(k),
            ..Self::default()
        }
    }

    /// Takes in a game, and gives the row of it, with the ratings after it. One that both players
    /// forfeited moves nothing and has none.
    pub fn row(&mut self, row: &ResultRow<'_>) -> Option<Vec<Cell>> {
        let score = Score::of_first(row.result)?;
        let game = match row.game {
            "" => UNNAMED,
            game => game,
        };
        let k = self.k.unwrap_or(K);
        let followed = self
            .games
            .entry(game.to_owned())
            .or_insert_with(|| Followed {
                players: HashMap::new(),
                elo: Elo::new(k),
                glicko: Glicko::default(),
                count: 0,
            });
        let players = row.names.map(|name| {
            let next = followed.players.len();
            *followed.players.entry(name.to_owned()).or_insert(next)
        });
        followed.elo.game(players, score);
        followed.glicko.game(players, score);
        followed.count += 1;
        let mut cells = vec![
            Cell::text(game),
            Cell::Count(followed.count),
            Cell::text(row.date),
            Cell::text(row.names[0]),
            Cell::text(row.names[1]),
            Cell::Real(score.points(), None),
        ];
        cells.extend(players.map(|player| Cell::Real(followed.elo.rating(player), Some(1))));
        for player in players {
            let (rating, deviation) = followed.glicko.rating(player);
            cells.push(Cell::Real(rating, Some(1)));
            cells.push(Cell::Real(deviation, Some(1)));
        }
        Some(cells)
    }

    /// The columns of its rows.
    pub fn columns() -> Vec<Column> {
        vec![
            Column::text("game", "game"),
            Column::number("number", "#"),
            Column::text("date", "date"),
            Column::text("first", "first"),
            Column::text("second", "second"),
            Column::number("first_points", "points"),
            Column::number("first_elo", "Elo"),
            Column::number("second_elo", "Elo"),
            Column::number("first_glicko", "Glicko"),
            Column::number("first_deviation", "dev."),
            Column::number("second_glicko", "Glicko"),
            Column::number("second_deviation", "dev."),
        ]
    }
}
