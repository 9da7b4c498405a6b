//! Results of finished games in little memory, and their place in a plan.

use std::collections::{BTreeMap, HashMap};

use super::GameRow;
use super::set_aside::SetAsideGame;
use crate::config::{Plan, PlannedGame};
use crate::game::{Game, GameResult, PerSeat};
use crate::runs::error::RowProblem;

/// Results per page of a map. Results are larger than bits, so pages have fewer.
const DONE_PAGE: u64 = 64;

/// The result of a finished game.
#[derive(Debug, Clone, PartialEq)]
pub struct Done {
    pub game: usize,
    pub block: u64,
    /// The number of the round, if the record has it.
    pub round: Option<u64>,
    /// Indices of the players in the plan, by seat.
    pub players: PerSeat<usize>,
    pub result: GameResult,
}

/// Results of games by number, sixteen bytes each in a game of two. A page is freed once all its results are taken.
#[derive(Debug, Clone, Default)]
pub struct DoneGames {
    /// Pages of (number of results, slots). A slot is 0 if empty; the lowest bit marks a result.
    pages: BTreeMap<u64, (usize, [u128; DONE_PAGE as usize])>,
    /// Results of games of more than two seats.
    of_many: BTreeMap<u64, Done>,
}

/// Widths of the fields of a slot in bits. Round 0 stands for none. With three bits for the result and the
/// mark, they fill 123 of 128.
const PLAYER: u32 = 22;
const GAME: u32 = 8;
const BLOCK: u32 = 36;
const ROUND: u32 = 32;

impl DoneGames {
    /// Adds the result of a game. Returns `false` and adds nothing if a number is too large for its field.
    pub fn insert(&mut self, id: u64, done: Done) -> bool {
        let players = done.players.clone().map(|player| player as u64);
        let Some([first, second]) = players.pair() else {
            self.of_many.insert(id, done);
            return true;
        };
        let parts = [
            (done.round.unwrap_or(0), ROUND),
            (done.block, BLOCK),
            (done.game as u64, GAME),
            (first, PLAYER),
            (second, PLAYER),
        ];
        let fit = parts.iter().all(|(part, bits)| part >> bits == 0);
        if !fit {
            return false;
        }
        let result = GameResult::OF_TWO
            .iter()
            .position(|result| *result == done.result);
        // `OF_TWO` has every result of a game of two.
        let result = result.unwrap_or_default() as u128;
        let packed = parts
            .iter()
            .fold(0, |packed, (part, bits)| packed << bits | u128::from(*part));
        let packed = packed << 3 | result << 1 | 1;
        let (count, page) = self
            .pages
            .entry(id / DONE_PAGE)
            .or_insert((0, [0; DONE_PAGE as usize]));
        let slot = &mut page[(id % DONE_PAGE) as usize];
        *count += usize::from(*slot == 0);
        *slot = packed;
        true
    }

    /// Removes and returns the result of a game, if there is one.
    pub fn take(&mut self, id: u64) -> Option<Done> {
        if let Some(done) = self.of_many.remove(&id) {
            return Some(done);
        }
        let key = id / DONE_PAGE;
        let (count, page) = self.pages.get_mut(&key)?;
        let packed = std::mem::take(&mut page[(id % DONE_PAGE) as usize]);
        if packed == 0 {
            return None;
        }
        *count -= 1;
        if *count == 0 {
            self.pages.remove(&key);
        }
        let mut rest = packed >> 3;
        let mut part = |bits: u32| {
            let part = rest & ((1 << bits) - 1);
            rest >>= bits;
            part as u64
        };
        let [second, first] = [part(PLAYER), part(PLAYER)].map(|player| player as usize);
        Some(Done {
            game: part(GAME) as usize,
            block: part(BLOCK),
            round: Some(part(ROUND)).filter(|round| *round > 0),
            players: [first, second].into(),
            result: GameResult::OF_TWO[(packed >> 1 & 3) as usize],
        })
    }

    pub fn contains(&self, id: u64) -> bool {
        let page = self.pages.get(&(id / DONE_PAGE));
        page.is_some_and(|(_, page)| page[(id % DONE_PAGE) as usize] != 0)
            || self.of_many.contains_key(&id)
    }

    pub fn count(&self) -> u64 {
        let in_pages: u64 = self.pages.values().map(|(count, _)| *count as u64).sum();
        in_pages + self.of_many.len() as u64
    }

    pub fn first(&self) -> Option<u64> {
        let of_many = self.of_many.first_key_value().map(|(id, _)| *id);
        let in_pages = self.pages.first_key_value().and_then(|(key, (_, page))| {
            let at = page.iter().zip(0..).find(|(packed, _)| **packed != 0)?.1;
            Some(key * DONE_PAGE + at)
        });
        of_many.into_iter().chain(in_pages).min()
    }
}

/// Indices of games and players in a plan, by name.
pub struct PlanIndex<'a> {
    games: Vec<Game>,
    players: HashMap<&'a str, usize>,
}

/// Place of a game in a schedule, by names.
struct Place<'a> {
    game: &'a str,
    block: u64,
    round: Option<u64>,
    names: PerSeat<&'a str>,
}

impl<'a> PlanIndex<'a> {
    pub(in crate::runs) fn new(
        games: &[PlannedGame],
        players: impl Iterator<Item = &'a str>,
    ) -> Self {
        Self {
            games: games.iter().map(PlannedGame::game).collect(),
            players: players.enumerate().map(|(at, name)| (name, at)).collect(),
        }
    }

    /// Indices of the games and players of a plan.
    pub fn of_plan(plan: &'a Plan) -> Self {
        let players = plan.players.iter().map(|entry| entry.name.as_str());
        Self::new(&plan.games, players)
    }

    /// The result of a row of the journal.
    pub fn done(&self, row: &GameRow) -> Result<Done, RowProblem> {
        let done = Place {
            game: row.game.name(),
            block: row.block,
            round: row.start.round,
            names: row.names(),
        };
        self.place(done, row.end.result)
    }

    /// The draw that a game set aside counts as for later pairings.
    pub fn drawn(&self, game: &SetAsideGame) -> Result<Done, RowProblem> {
        let done = Place {
            game: &game.game,
            block: game.block,
            round: game.round,
            names: game.players.each_ref().map(String::as_str),
        };
        self.place(done, GameResult::Drawn)
    }

    fn place(&self, place: Place<'_>, result: GameResult) -> Result<Done, RowProblem> {
        let names = place.names;
        let players = PerSeat::try_of(names.count(), |seat| {
            let player = self.players.get(names[seat]).copied();
            player.ok_or(RowProblem::UnknownPlayer)
        })?;
        let mut games = self.games.iter();
        let game = games.position(|known| known.name() == place.game);
        Ok(Done {
            game: game.ok_or(RowProblem::UnknownGame)?,
            block: place.block,
            round: place.round,
            players,
            result,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn results_come_out_as_they_went_in() {
        let mut games = DoneGames::default();
        let done = |id: u64| Done {
            game: id as usize % 3,
            block: (1 << BLOCK) - 1 - id,
            round: Some((1 << ROUND) - 1).filter(|_| id.is_multiple_of(2)),
            players: [id as usize, (1 << PLAYER) - 1].into(),
            result: GameResult::OF_TWO[id as usize % 4],
        };
        for id in (0..1000).step_by(3) {
            assert!(games.insert(id, done(id)));
        }
        assert_eq!(games.first(), Some(0));
        for id in 0..1000 {
            assert_eq!(games.take(id), (id % 3 == 0).then(|| done(id)), "{id}");
            assert_eq!(games.take(id), None);
        }
        assert!(games.first().is_none() && games.pages.is_empty());
        let far = Done {
            players: [1 << PLAYER, 1].into(),
            ..done(0)
        };
        assert!(!games.insert(0, far));
    }
}
