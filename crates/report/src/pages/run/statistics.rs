//! Statistics of the games, in one pass over the journal. Memory grows with the players and
//! pairings, not with the games.

use std::collections::{BTreeMap, HashMap};

use super::place_words;
use super::usage::PlayerUsage;
use crate::game::{GameResult, Seat};
use crate::report::{CpuShares, Forfeits};
use crate::results::{ResultRow, Results};
use crate::runs::{GameRow, Run, RunFileError};
use crate::text::excerpt;

/// Upper bound on the games kept for a player and a result. The lowest game numbers are kept.
pub const MOST_KEPT: usize = 100;

pub const MOST_LISTED: usize = 1000;

/// Maximum length of the reason why a game ended, in characters.
const EXCERPT: usize = 300;

#[derive(Debug, Default)]
pub struct RunStatistics {
    pub results: Results,
    pub forfeits: Forfeits,
    pub shares: CpuShares,
    pub games: u64,
    pub last_date: String,
    pub listed: FirstGames<GameRow, MOST_LISTED>,
    pub players: Vec<PlayerGames>,
}

#[derive(Debug, Default)]
pub struct PlayerGames {
    pub forfeited: FirstGames<PlayerGame, MOST_KEPT>,
    pub lost: FirstGames<PlayerGame, MOST_KEPT>,
    pub drawn: FirstGames<PlayerGame, MOST_KEPT>,
    pub won: FirstGames<PlayerGame, MOST_KEPT>,
    pub usage: PlayerUsage,
}

/// The games with the lowest numbers, at most `MOST`, and the number of all.
#[derive(Debug)]
pub struct FirstGames<T, const MOST: usize> {
    pub games: BTreeMap<u64, T>,
    pub count: u64,
}

#[derive(Debug)]
pub struct PlayerGame {
    pub game: &'static str,
    pub seat: &'static str,
    /// Its place in words, of more than two seats.
    pub place: Option<String>,
    pub opponents: Vec<String>,
    pub plies: u32,
    pub termination: &'static str,
    /// Why it ended, or the player's fault.
    pub why: String,
    /// Whether its log is kept, so that it can be replayed.
    pub logged: bool,
}

impl<T, const MOST: usize> Default for FirstGames<T, MOST> {
    fn default() -> Self {
        Self {
            games: BTreeMap::new(),
            count: 0,
        }
    }
}

impl<T, const MOST: usize> FirstGames<T, MOST> {
    pub fn add(&mut self, id: u64, game: impl FnOnce() -> T) {
        self.count += 1;
        let is_early = |last: &u64| id < *last;
        if self.games.len() < MOST || self.games.keys().next_back().is_some_and(is_early) {
            self.games.insert(id, game());
        }
        if self.games.len() > MOST {
            self.games.pop_last();
        }
    }
}

impl RunStatistics {
    pub fn read(run: &Run) -> Result<Self, RunFileError> {
        let names = run.player_names();
        let index: HashMap<&str, usize> = names.iter().copied().zip(0..).collect();
        let mut all = Self::default();
        all.players.resize_with(names.len(), PlayerGames::default);
        for row in run.rows()? {
            let row = row?;
            all.games += 1;
            all.results.add(&ResultRow::from(&row));
            all.forfeits.add(&row);
            all.shares.add(&row);
            if row.date > all.last_date {
                all.last_date.clone_from(&row.date);
            }
            all.listed.add(row.id, || row.clone());
            for seat in row.game.seats() {
                let name = row.players[seat].as_str();
                if let Some(player) = index.get(name) {
                    all.players[*player].add(run, &row, seat);
                }
            }
        }
        Ok(all)
    }
}

fn others(row: &GameRow, seat: Seat) -> Vec<String> {
    let others = row.players.iter().filter(|(other, _)| *other != seat);
    others.map(|(_, player)| player.clone()).collect()
}

impl PlayerGames {
    pub fn games(&self) -> u64 {
        self.forfeited.count + self.lost.count + self.drawn.count + self.won.count
    }

    fn add(&mut self, run: &Run, row: &GameRow, seat: Seat) {
        let forfeited = row.end.forfeited_by().includes(seat);
        let games = match row.end.result {
            _ if forfeited => &mut self.forfeited,
            GameResult::Drawn => &mut self.drawn,
            result => {
                let places = result.places(row.players.count());
                let last = places.values().copied().max();
                match places[seat] {
                    place if Some(place) == last => &mut self.lost,
                    1 => &mut self.won,
                    _ => &mut self.drawn,
                }
            }
        };
        let logged = run.keeps_log(row);
        games.add(row.id, || PlayerGame {
            game: row.game.label(),
            seat: row.game.seat_name(seat),
            place: place_words(row, seat),
            opponents: others(row, seat),
            plies: row.end.plies,
            termination: row.end.counted_termination(seat).name(),
            why: match row.end.fault(seat) {
                Some(fault) => excerpt(&fault.to_string(), EXCERPT),
                None => excerpt(&row.end.why(row.game), EXCERPT),
            },
            logged,
        });
        self.usage.add(run, row, seat);
    }
}
