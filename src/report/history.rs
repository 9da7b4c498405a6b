//! The table `history`: ratings after each game.

use std::collections::HashMap;

use super::table::{Cell, Column};
use crate::rating::{Elo, Score};
use crate::results::ResultRow;

/// The most that one game can change a rating, if no other K is given.
pub const DEFAULT_K: f64 = 20.0;

/// Rates the players after each game, in the order of their addition. Each kind of game
/// has ratings of its own.
#[derive(Debug)]
pub struct History {
    k: f64,
    games: HashMap<String, GameHistory>,
}

#[derive(Debug)]
struct GameHistory {
    players: HashMap<String, usize>,
    elo: Elo,
    count: u64,
}

impl History {
    /// An empty history with this K.
    pub fn new(k: f64) -> Self {
        Self {
            k,
            games: HashMap::new(),
        }
    }

    /// Adds a game, and returns its row with the ratings after it. A game that both players
    /// forfeited has a number, but no row, and changes no rating.
    pub fn add(&mut self, row: &ResultRow<'_>) -> Option<Vec<Cell>> {
        let game = row.game_name();
        let history = self
            .games
            .entry(game.to_owned())
            .or_insert_with(|| GameHistory {
                players: HashMap::new(),
                elo: Elo::new(self.k),
                count: 0,
            });
        history.count += 1;
        let score = Score::of_first(row.result)?;
        // The classic formula is for games of two.
        let names = row.names.clone().pair()?;
        let players = names.map(|name| {
            let next = history.players.len();
            *history.players.entry(name.to_owned()).or_insert(next)
        });
        history.elo.add_game(players, score);
        let mut cells = vec![
            Cell::text(game),
            Cell::Count(history.count),
            Cell::text(row.date),
            Cell::text(names[0]),
            Cell::text(names[1]),
            Cell::Real(score.points(), None),
        ];
        cells.extend(players.map(|player| Cell::Real(history.elo.rating(player), Some(1))));
        cells.push(row.id.map_or(Cell::Missing, Cell::Count));
        Some(cells)
    }

    /// The columns of the rows.
    pub fn columns() -> Vec<Column> {
        vec![
            Column::text("game", "game"),
            Column::number("number", "#"),
            Column::text("date", "date"),
            Column::text("first", "first"),
            Column::text("second", "second"),
            Column::number("first_points", "points").explained("the points of the first player"),
            Column::number("first_elo", "first Elo"),
            Column::number("second_elo", "second Elo"),
            Column::number("id", "id"),
        ]
    }
}
