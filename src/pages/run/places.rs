//! Results at tables of more than two seats, as pages show them.

use crate::game::{Game, GameResult, Seat};
use crate::rating::ByPlace;
use crate::report::PLACES;
use crate::results::RatedTables;
use crate::runs::{GameRow, Run};

/// The results of the games of one kind, with the game.
#[derive(Debug, Clone, Copy)]
pub struct TableResults<'a> {
    pub game: Game,
    pub rated: &'a RatedTables<'a>,
}

impl<'a> TableResults<'a> {
    /// The results of each game of a run.
    pub fn of_run(run: &Run, rated: &'a [RatedTables<'a>]) -> Vec<Self> {
        let results = rated.iter().filter_map(|rated| {
            let mut games = run.games().iter().map(|planned| planned.game());
            let game = games.find(|game| game.label() == rated.game)?;
            Some(Self { game, rated })
        });
        results.collect()
    }

    /// The name of a player.
    pub fn name(&self, player: usize) -> &'a str {
        &self.rated.games.players()[player].name
    }

    /// The mean share of its opponents that a player has beaten.
    pub fn share(&self, player: usize) -> f64 {
        self.rated.games.players()[player].share()
    }
}

/// Number of games with these places.
pub fn count(places: &ByPlace) -> u64 {
    places.iter().sum()
}

/// The place of a seat in words; `None` in a game of two.
pub fn place_words(row: &GameRow, seat: Seat) -> Option<String> {
    let seats = row.players.count();
    let place = PLACES[usize::from(row.end.result.places(seats)[seat]) - 1];
    let words = match row.end.result {
        GameResult::Drawn => "level".to_owned(),
        _ => format!("{place} of {seats}"),
    };
    (seats > 2).then_some(words)
}
