//! The results of all players of one kind of game: all that ratings and tables need of the games.

use std::collections::{HashMap, HashSet};
use std::hash::{DefaultHasher, Hash, Hasher};

use super::Tally;
#[cfg(test)]
use super::WinDrawLoss;
use super::blocks::{Blocks, ByPlace, SHARE};
use super::counter::{BlockCounter, BlockKey};
use super::kind::GameKind;
use super::means::{BlockMean, MeanSums};
use crate::game::{ForfeitedBy, GameResult, MOST_SEATS, PerSeat, Seat};

/// The results of one player. A player with several seats of a game has a game for each.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct PlayerStanding {
    pub name: String,
    pub tally: Tally,
    /// Games lost by its own forfeit.
    pub forfeits: u64,
    /// Games won by the forfeits of all opponents.
    pub forfeit_wins: u64,
    /// Its points in 840ths.
    points: u64,
    by_place: ByPlace,
}

impl PlayerStanding {
    /// Its points: a game is worth the share of its opponents that the player has beaten, where a tie counts half.
    pub fn points(&self) -> f64 {
        self.points as f64 / SHARE as f64
    }

    /// Its points per game; 0 without games.
    pub fn score(&self) -> f64 {
        self.points() / self.tally.games().max(1) as f64
    }

    pub fn places(&self) -> &ByPlace {
        &self.by_place
    }
}

#[derive(Debug, Clone)]
pub struct RatedGame<'a> {
    pub names: PerSeat<&'a str>,
    pub result: GameResult,
    pub forfeited_by: ForfeitedBy,
    /// Whether it was played to its end by the rules, although players forfeited.
    pub is_by_rules: bool,
    pub rules_points: Option<PerSeat<f64>>,
    /// The number of its block, if it belongs to one. Each block has its own.
    pub block: Option<u64>,
    /// Games without the number of a block that began alike have an equal number here.
    pub alike: Option<u64>,
    /// The opening; empty if it is not known.
    pub opening: &'a str,
    /// A digest of players and actions, if they are known: games with equal digests and results are duplicates.
    pub digest: Option<u64>,
}

impl<'a> RatedGame<'a> {
    pub fn new(names: PerSeat<&'a str>, result: GameResult) -> Self {
        Self {
            names,
            result,
            forfeited_by: ForfeitedBy::Nobody,
            is_by_rules: true,
            rules_points: None,
            block: None,
            alike: None,
            opening: "",
            digest: None,
        }
    }
}

/// Upper bound on the digests that are kept to recognise duplicates, so that memory does not grow with the games.
/// Where duplicates are left out, all digests are kept.
const MAX_DIGESTS: usize = 100_000;

#[derive(Debug, Clone, Default)]
pub struct GameCounter {
    players: Vec<PlayerStanding>,
    index: HashMap<String, usize>,
    blocks: BlockCounter,
    rules_points: MeanSums,
    totals: Totals,
    digests: HashSet<u64>,
    leave_duplicates_out: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Totals {
    pub games: u64,
    /// Games that forfeits decided: one ended the game, or they left one player.
    pub forfeited: u64,
    pub forfeited_by_all: u64,
    /// Games that repeat an earlier one action by action. There can be more if `may_miss_duplicates`.
    pub duplicates: u64,
    /// Whether there were more different games than digests are kept.
    pub may_miss_duplicates: bool,
    pub duplicates_left_out: bool,
    /// Whether games by the rules had equal actions and different results: then no game is a duplicate.
    pub has_chance: bool,
}

impl GameCounter {
    /// A counter that counts games with equal digests once.
    pub fn without_duplicates() -> Self {
        Self {
            leave_duplicates_out: true,
            ..Self::default()
        }
    }

    /// Adds one game. Returns `false` if it was left out as a duplicate.
    pub fn add(&mut self, game: &RatedGame<'_>) -> bool {
        if self.is_duplicate(game) {
            self.totals.duplicates += 1;
            if self.leave_duplicates_out {
                return false;
            }
        }
        let seats = game.names.count();
        let players: PerSeat<usize> = game
            .names
            .values()
            .map(|name| self.add_player(name))
            .collect();
        self.count_for_players(game, &players);
        let all_forfeited = game.result == GameResult::Nobody;
        let forfeited = |seat: Seat| all_forfeited || game.forfeited_by.includes(seat);
        let played = players.seats().filter(|seat| !forfeited(*seat)).count();
        let was_played = played == seats || game.is_by_rules && played > 1;
        self.totals.games += 1;
        self.totals.forfeited += u64::from(!was_played);
        self.totals.forfeited_by_all += u64::from(all_forfeited);
        let mut members: Vec<u32> = players.values().map(|player| *player as u32).collect();
        members.sort_unstable();
        members.dedup();
        // A player against itself does not show who is stronger.
        if let [_] = members[..] {
            return true;
        }
        let places = game.result.places(seats);
        let end = |seat: Seat| {
            let member = members.binary_search(&(players[seat] as u32)).unwrap_or(0);
            (member as u8, places[seat], forfeited(seat))
        };
        let kind = GameKind::new(&PerSeat::of(seats, end), !game.is_by_rules);
        // Games with other numbers of seats are other blocks.
        let of_seats = |number: u64| number ^ (seats as u64) << 56;
        let block = match (game.block, game.alike) {
            (Some(number), _) => BlockKey::Numbered(of_seats(number)),
            (None, Some(number)) => BlockKey::Alike(of_seats(number)),
            (None, None) => BlockKey::Alone,
        };
        self.blocks.add(&members, kind, block, game.opening);
        if let Some(points) = &game.rules_points {
            let own = players.seats().filter(|seat| !forfeited(*seat));
            let own = own.map(|seat| (players[seat], points[seat]));
            self.rules_points.add(game.block, seats, own);
        }
        true
    }

    #[cfg(test)]
    pub(in crate::rating) fn add_score(&mut self, names: [&str; 2], score: WinDrawLoss) {
        self.add(&RatedGame::new(names.into(), score.as_result()));
    }

    fn count_for_players(&mut self, game: &RatedGame<'_>, players: &PerSeat<usize>) {
        let seats = players.count();
        let places = game.result.places(seats);
        let winners = game.result.winners();
        let all_won = game.result == GameResult::Drawn;
        for (seat, player) in players.iter() {
            let own = &mut self.players[*player];
            let is_first = all_won || winners.contains(seat);
            let is_alone = !all_won && winners.only() == Some(seat);
            own.tally.wins += u64::from(is_alone);
            own.tally.draws += u64::from(is_first && !is_alone);
            own.tally.losses += u64::from(!is_first);
            own.points += SHARE / 2 * game.result.half_points(seat, seats) / (seats as u64 - 1);
            own.forfeits += u64::from(game.forfeited_by.includes(seat));
            let others_forfeited = || {
                players
                    .seats()
                    .all(|other| other == seat || game.forfeited_by.includes(other))
            };
            own.forfeit_wins += u64::from(is_alone && others_forfeited());
            let place = usize::from(places[seat]).clamp(1, MOST_SEATS) - 1;
            own.by_place[place] += 1;
        }
    }

    /// Whether a game with the same actions and result was added before.
    fn is_duplicate(&mut self, game: &RatedGame<'_>) -> bool {
        let Some(actions) = game.digest else {
            return false;
        };
        let mut hasher = DefaultHasher::new();
        (actions, game.result).hash(&mut hasher);
        let is_known = self.is_known(hasher.finish());
        if !is_known && game.is_by_rules && self.is_known(actions) {
            self.totals.has_chance = true;
        }
        is_known
    }

    fn is_known(&mut self, digest: u64) -> bool {
        if self.leave_duplicates_out || self.digests.len() < MAX_DIGESTS {
            return !self.digests.insert(digest);
        }
        self.digests.contains(&digest)
    }

    pub fn add_player(&mut self, name: &str) -> usize {
        if let Some(index) = self.index.get(name) {
            return *index;
        }
        self.players.push(PlayerStanding {
            name: name.to_owned(),
            ..PlayerStanding::default()
        });
        self.index.insert(name.to_owned(), self.players.len() - 1);
        self.players.len() - 1
    }

    pub fn games(&self) -> u64 {
        self.totals.games
    }

    pub fn players(&self) -> &[PlayerStanding] {
        &self.players
    }

    pub fn has_player(&self, name: &str) -> bool {
        self.index.contains_key(name)
    }

    /// The results. They do not depend on the order of the games.
    pub fn standings(mut self) -> Standings {
        let mut order: Vec<usize> = (0..self.players.len()).collect();
        order.sort_by_key(|player| &self.players[*player].name);
        let mut place = vec![0; order.len()];
        for (at, player) in order.iter().enumerate() {
            place[*player] = at as u32;
        }
        Standings {
            blocks: Blocks::new(self.blocks, &place),
            rules_points: order
                .iter()
                .map(|player| self.rules_points.mean(*player))
                .collect(),
            players: order
                .iter()
                .map(|player| std::mem::take(&mut self.players[*player]))
                .collect(),
            totals: Totals {
                duplicates: match self.totals.has_chance {
                    true => 0,
                    false => self.totals.duplicates,
                },
                may_miss_duplicates: !self.leave_duplicates_out
                    && self.digests.len() >= MAX_DIGESTS,
                duplicates_left_out: self.leave_duplicates_out,
                ..self.totals
            },
        }
    }
}

/// The results of a set of games, by player and by block. Players have the order of their names.
#[derive(Debug, Clone, Default)]
pub struct Standings {
    players: Vec<PlayerStanding>,
    rules_points: Vec<Option<BlockMean>>,
    blocks: Blocks,
    totals: Totals,
}

impl Standings {
    pub fn players(&self) -> &[PlayerStanding] {
        &self.players
    }

    pub fn find(&self, name: &str) -> Option<usize> {
        self.players
            .binary_search_by(|player| player.name.as_str().cmp(name))
            .ok()
    }

    pub fn blocks(&self) -> &Blocks {
        &self.blocks
    }

    pub fn totals(&self) -> Totals {
        self.totals
    }

    pub fn games(&self) -> u64 {
        self.totals.games
    }

    /// Whether every game was forfeited. Such games tell nothing about the seats.
    pub fn all_forfeited(&self) -> bool {
        self.totals.forfeited >= self.totals.games
    }

    pub fn rules_points(&self, player: usize) -> Option<BlockMean> {
        self.rules_points[player]
    }

    pub fn points_of(&self, player: usize) -> [f64; 2] {
        let player = &self.players[player];
        [player.score(), player.points()]
    }

    /// The indices of all players, best first: by points per game, then by points, then by name.
    pub fn order(&self) -> Vec<usize> {
        let mut order: Vec<usize> = (0..self.players.len()).collect();
        order.sort_by(|a, b| {
            let ([a_score, a_points], [b_score, b_points]) =
                (self.points_of(*a), self.points_of(*b));
            let by_points = b_score.total_cmp(&a_score);
            by_points.then(b_points.total_cmp(&a_points)).then(a.cmp(b))
        });
        order
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_game_of_chance_repeats_none() {
        let game = |result| RatedGame {
            digest: Some(7),
            ..RatedGame::new(["a", "b"].into(), result)
        };
        let won = GameResult::Won(Seat::FIRST);
        let repeats = |results: &[RatedGame<'_>]| {
            let mut games = GameCounter::default();
            for game in results {
                games.add(game);
            }
            let totals = games.standings().totals();
            (totals.duplicates, totals.has_chance)
        };
        assert_eq!(repeats(&[game(won), game(won)]), (1, false));
        let drawn = game(GameResult::Drawn);
        assert_eq!(repeats(&[game(won), game(won), drawn.clone()]), (0, true));
        // A clock, and not the rules, made one end otherwise.
        let late = RatedGame {
            is_by_rules: false,
            ..drawn
        };
        assert_eq!(repeats(&[game(won), game(won), late]), (1, false));
    }
}
