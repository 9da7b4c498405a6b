//! Results at tables of more than two seats: places by player and by seat, and results head to head.

use std::collections::{BTreeMap, HashMap};

use crate::game::{Game, GameResult, Seat};
use crate::rating::{ByPlace, PlaceCounts, PlacedGame, PlacedSeat};
use crate::report::PLACES;
use crate::runs::GameRow;

/// The results of the games of one kind.
#[derive(Debug)]
pub struct TableResults {
    pub game: Game,
    /// Number of games.
    pub games: u64,
    /// Number of games that a player forfeited.
    pub forfeited: u64,
    /// Counts by the players' places in the plan.
    pub counts: PlaceCounts,
    /// The sum of the shares of its opponents that a player has beaten.
    shares: BTreeMap<usize, f64>,
    /// ByPlace by player and seat.
    in_seats: BTreeMap<(usize, usize), ByPlace>,
    /// The sum of the shares by seat.
    shares_by_seat: Vec<f64>,
}

impl TableResults {
    pub fn new(game: Game) -> Self {
        Self {
            game,
            games: 0,
            forfeited: 0,
            counts: PlaceCounts::default(),
            shares: BTreeMap::new(),
            in_seats: BTreeMap::new(),
            shares_by_seat: vec![0.0; game.seat_count()],
        }
    }

    /// Adds a game. `index` has the places of the players in the plan.
    pub fn add(&mut self, row: &GameRow, index: &HashMap<&str, usize>) {
        let places = row.end.result.places(row.players.count());
        let seats = row.players.iter().map(|(seat, name)| {
            Some(PlacedSeat {
                player: *index.get(name.as_str())?,
                place: places[seat],
                points: None,
                forfeited: row.end.fault(seat).is_some(),
            })
        });
        let Some(seats) = seats.collect::<Option<Vec<_>>>() else {
            return;
        };
        self.games += 1;
        self.forfeited += u64::from(row.is_forfeited());
        for (seat, placed) in row.game.seats().zip(&seats) {
            let share = row.end.result.share(seat);
            *self.shares.entry(placed.player).or_default() += share;
            self.shares_by_seat[seat.index()] += share;
            let in_seat = self.in_seats.entry((placed.player, seat.index()));
            in_seat.or_default()[usize::from(placed.place) - 1] += 1;
        }
        self.counts.add(&PlacedGame {
            stopped: !row.end.termination.is_by_rules()
                && PlacedGame::is_stopped(seats.iter().map(|seat| (seat.place, seat.forfeited))),
            seats,
            block: row.pair,
        });
    }

    /// The players with games, the best mean share first.
    pub fn order(&self) -> Vec<usize> {
        let mut players: Vec<usize> = self.shares.keys().copied().collect();
        // The sort is stable: equal players stay in the order of the plan.
        players.sort_by(|one, other| self.share(*other).total_cmp(&self.share(*one)));
        players
    }

    /// The mean share of its opponents that a player has beaten.
    pub fn share(&self, player: usize) -> f64 {
        let sum = self.shares.get(&player).copied().unwrap_or_default();
        sum / count(&self.counts.of_player(player)).max(1) as f64
    }

    /// The places of a player in one seat.
    pub fn in_seat(&self, player: usize, seat: usize) -> ByPlace {
        let places = self.in_seats.get(&(player, seat));
        places.copied().unwrap_or_default()
    }

    /// The mean share that the players in a seat have beaten.
    pub fn share_of_seat(&self, seat: usize) -> f64 {
        self.shares_by_seat[seat] / self.games.max(1) as f64
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
