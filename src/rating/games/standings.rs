//! The results of all players, and of each two players against each other: all that a fit needs of the games.

use std::collections::{HashMap, HashSet};

use super::game_pairs::{GamePairs, PairChange};
use super::match_score::MatchScore;
use super::meetings::{Change, Meeting, Meetings};
use super::opening_games::{OpeningGames, OpeningIndex};
use super::score::{Score, Tally};
use crate::game::{Blame, GameResult, Seat};

/// The results of one player.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct PlayerStanding {
    /// The player's name.
    pub name: String,
    /// Its results against all opponents.
    pub tally: Tally,
    /// Games lost by its own forfeit.
    pub forfeits: u64,
    /// Games won by an opponent's forfeit.
    pub forfeit_wins: u64,
}

/// A finished game as ratings see it.
#[derive(Debug, Clone, Copy)]
pub struct RatedGame<'a> {
    /// The players, by seat.
    pub names: [&'a str; 2],
    /// Who won.
    pub result: GameResult,
    /// Who forfeited.
    pub blame: Blame,
    /// The number of the game pair, if the game belongs to one. Each pair has its own.
    pub pair: Option<u64>,
    /// A digest of the actions, if it is known: games with equal digests are duplicates.
    pub digest: Option<u64>,
}

/// Upper bound on the digests that are kept to recognise duplicates, so that memory does not grow with the games.
/// Where duplicates are left out, all digests are kept.
const MAX_DIGESTS: usize = 100_000;

/// The results of a set of games, by player and by meeting. Its size grows with the number of meetings, of incomplete
/// game pairs and of pairs without numbers; a digest takes eight bytes.
#[derive(Debug, Clone, Default)]
pub struct Standings {
    players: Vec<PlayerStanding>,
    index: HashMap<String, usize>,
    meetings: Meetings,
    pairs: GamePairs,
    openings: OpeningIndex,
    digests: HashSet<u64>,
    duplicates: u64,
    leave_duplicates_out: bool,
}

impl Standings {
    /// Standings that count games with equal digests once.
    pub fn without_duplicates() -> Self {
        Self {
            leave_duplicates_out: true,
            ..Self::default()
        }
    }

    /// Adds one game. Returns `false` if it was left out as a duplicate.
    pub fn add(&mut self, game: &RatedGame<'_>) -> bool {
        self.add_with_opening(game, "")
    }

    /// Adds a game by the score of the first player alone.
    #[cfg(test)]
    pub(in crate::rating) fn add_score(&mut self, names: [&str; 2], score: Score) {
        self.add(&RatedGame {
            names,
            result: score.as_result(),
            blame: Blame::Nobody,
            pair: None,
            digest: None,
        });
    }

    /// Adds one game that began from this opening; the empty text is an unknown one. Returns `false` if the game was
    /// left out as a duplicate.
    pub fn add_with_opening(&mut self, game: &RatedGame<'_>, opening: &str) -> bool {
        let counted = self.add_unsettled(game, opening, None);
        self.settle();
        counted
    }

    /// Adds one of many games in a row: faster, but nothing can be read before [`Self::settle`]. Games without the
    /// number of a pair may begin `alike`: two of them with swapped seats are a pair, more are none.
    pub(crate) fn add_unsettled(
        &mut self,
        game: &RatedGame<'_>,
        opening: &str,
        alike: Option<u64>,
    ) -> bool {
        if let Some(digest) = game.digest
            && self.is_duplicate(digest)
        {
            self.duplicates += 1;
            if self.leave_duplicates_out {
                return false;
            }
        }
        let seats = game.names.map(|name| self.add_player(name));
        let first_score = Score::of_first(game.result);
        let scores = match first_score {
            Some(score) => [score, score.reversed()],
            None => [Score::Loss, Score::Loss],
        };
        self.count_for_players(seats, scores, game.blame);
        // A player against itself does not show who is stronger.
        if seats[0] == seats[1] {
            return true;
        }
        let swapped = usize::from(seats[0] > seats[1]);
        let (low, high) = (seats[swapped], seats[1 - swapped]);
        let at = self.meetings.find_or_add(low, high);
        if first_score.is_none() {
            self.meetings.change(at, Change::ForfeitedByBoth);
            return true;
        }
        let (seat, score) = (swapped, scores[swapped]);
        self.meetings.change(at, Change::Game { seat, score });
        let pairs = &mut self.pairs;
        let of_pair = match (game.pair, alike) {
            (Some(pair), _) => pairs.add_numbered((pair, at as u64), (seat, score)),
            (None, Some(alike)) => pairs.add_alike((alike, at as u64), (seat, score)),
            (None, None) => PairChange::None,
        };
        if of_pair != PairChange::None {
            self.meetings.change(at, Change::Pair(of_pair));
        }
        if !opening.is_empty() {
            self.openings.add(opening, at, (seat, score), of_pair);
        }
        true
    }

    /// Ends a row of [`Self::add_unsettled`].
    pub(crate) fn settle(&mut self) {
        self.meetings.settle();
    }

    fn count_for_players(&mut self, seats: [usize; 2], scores: [Score; 2], blame: Blame) {
        let forfeited = Seat::BOTH.map(|seat| blame.includes(seat));
        for seat in [0, 1] {
            let player = &mut self.players[seats[seat]];
            player.tally.count(scores[seat]);
            player.forfeits += u64::from(forfeited[seat]);
            let forfeit_win = forfeited[1 - seat] && scores[seat] == Score::Win;
            player.forfeit_wins += u64::from(forfeit_win);
        }
    }

    /// Number of openings.
    pub(in crate::rating) fn openings(&self) -> usize {
        self.openings.index.len()
    }

    /// Games by opening and meeting, in the order of their first games.
    pub(in crate::rating) fn opening_games(&self) -> impl Iterator<Item = &OpeningGames> {
        self.openings.games.iter()
    }

    /// Whether a game with this digest was added before. Remembers the digest while there is room.
    fn is_duplicate(&mut self, digest: u64) -> bool {
        if self.leave_duplicates_out || self.digests.len() < MAX_DIGESTS {
            return !self.digests.insert(digest);
        }
        self.digests.contains(&digest)
    }

    /// The index of the player with this name, who is added if there is none.
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

    /// All players, in the order of [`Self::add_player`].
    pub fn players(&self) -> &[PlayerStanding] {
        &self.players
    }

    /// The indices of all players, ordered by name.
    pub(in crate::rating) fn by_name(&self) -> Vec<usize> {
        let mut players: Vec<usize> = (0..self.players.len()).collect();
        players.sort_by_key(|player| &self.players[*player].name);
        players
    }

    /// The index of the player with this name, if there is one.
    pub fn find(&self, name: &str) -> Option<usize> {
        self.index.get(name).copied()
    }

    /// All meetings, in the order of their first games.
    pub fn meetings(&self) -> &[Meeting] {
        self.meetings.all()
    }

    /// The results of `player` against `other`; an empty tally if they have not met. Games that both
    /// forfeited count as lost.
    pub fn against(&self, player: usize, other: usize) -> Tally {
        let Some(at) = self.meetings.find(player.min(other), player.max(other)) else {
            return Tally::default();
        };
        self.meetings()[at].tally_of(usize::from(player > other))
    }

    /// All games of a player, against all opponents; `None` if it met none.
    pub fn games_of(&self, player: usize) -> Option<MatchScore> {
        let meetings = self.meetings().iter();
        let own = meetings.filter(|meeting| meeting.players.contains(&player));
        let own = own.map(|meeting| {
            let games = MatchScore::new(meeting);
            match meeting.players[0] == player {
                true => games,
                false => games.reversed(),
            }
        });
        own.reduce(MatchScore::plus)
    }

    /// Number of games.
    pub fn games(&self) -> u64 {
        let seats: u64 = self.players.iter().map(|player| player.tally.games()).sum();
        seats / 2
    }

    /// Number of games that repeat an earlier one action by action. There can be more if
    /// [`Standings::may_miss_duplicates`].
    pub fn duplicates(&self) -> u64 {
        self.duplicates
    }

    /// Whether there were more different games than digests are kept.
    pub fn may_miss_duplicates(&self) -> bool {
        !self.leave_duplicates_out && self.digests.len() >= MAX_DIGESTS
    }

    /// Whether duplicates were left out.
    pub fn duplicates_left_out(&self) -> bool {
        self.leave_duplicates_out
    }

    /// Points per game, and points: the order of the players.
    pub fn points_of(&self, player: usize) -> [f64; 2] {
        let tally = &self.players[player].tally;
        match tally.games() {
            0 => [0.0; 2],
            games => [tally.points() / games as f64, tally.points()],
        }
    }

    /// The indices of all players, best first: by points per game, then by points, then by name.
    pub fn order(&self) -> Vec<usize> {
        let mut order: Vec<usize> = (0..self.players.len()).collect();
        order.sort_by(|a, b| {
            let ([a_score, a_points], [b_score, b_points]) =
                (self.points_of(*a), self.points_of(*b));
            let by_points = b_score.total_cmp(&a_score);
            by_points
                .then(b_points.total_cmp(&a_points))
                .then_with(|| self.players[*a].name.cmp(&self.players[*b].name))
        });
        order
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::Chance;
    use crate::random::Stream;

    #[test]
    fn many_games_at_once_are_the_same_as_one_by_one() {
        let mut chance = Stream::new(1, 0);
        let names = ["a", "b", "c", "d"];
        let (mut at_once, mut one_by_one) = (Standings::default(), Standings::default());
        for _ in 0..5000 {
            let mut below = |most: usize| chance.below(most as u32) as usize;
            let game = RatedGame {
                names: [names[below(4)], names[below(4)]],
                result: GameResult::OF_TWO[below(4)],
                blame: Blame::Nobody,
                pair: (below(2) == 0).then(|| below(50) as u64),
                digest: None,
            };
            at_once.add_unsettled(&game, "", None);
            one_by_one.add(&game);
        }
        at_once.settle();
        assert_eq!(at_once.players(), one_by_one.players());
        assert_eq!(at_once.meetings(), one_by_one.meetings());
        let pairs: u64 = at_once.meetings().iter().map(Meeting::complete_pairs).sum();
        assert!(pairs > 100, "{pairs}");
    }
}
