//! A knockout: the loser of a match is out.

use crate::schedule::seating::{Match, WavePlanner};
use crate::schedule::{Conclusion, GameCount, Place, PlacedBy};

const TIE_BREAK_PAIRS: u64 = 3;

/// Halves of points that a player can win in a game pair.
const HALVES_OF_A_PAIR: u64 = 4;

/// A seeded knockout. Seeds follow the order of the plan: the first two can only meet in the final, the first
/// four not before the semi-finals. The first seeds have a bye if the number of players is not a power of two.
///
/// A match ends as soon as the remaining games cannot change the winner. After a tie, up to [`TIE_BREAK_PAIRS`]
/// game pairs are played until one of them has a winner; after that the better seed wins.
#[derive(Debug, Clone)]
pub struct Knockout {
    /// Matches of this round in bracket order. A bye is a match that is already decided.
    matches: Vec<BracketMatch>,
    pairs: u64,
    players: usize,
    round: u64,
    /// Places of the players who are out, last place first.
    out: Vec<Place>,
}

#[derive(Debug, Clone)]
struct BracketMatch {
    /// The better seed first.
    players: [usize; 2],
    half_points: [u64; 2],
    played: u64,
    winner: Option<usize>,
}

impl BracketMatch {
    fn new(a: usize, b: usize) -> Self {
        Self {
            players: [a.min(b), a.max(b)],
            half_points: [0; 2],
            played: 0,
            winner: None,
        }
    }

    fn add(&mut self, played: &Match, pairs: u64) {
        self.played += played.blocks;
        for (all, half_points) in self.half_points.iter_mut().zip(&played.half_points) {
            *all += half_points;
        }
        let [first, second] = self.half_points;
        let left = HALVES_OF_A_PAIR * pairs.saturating_sub(self.played);
        self.winner = if first.abs_diff(second) > left {
            Some(self.players[usize::from(first < second)])
        } else if self.played >= pairs + TIE_BREAK_PAIRS {
            Some(self.players[0])
        } else {
            None
        };
    }

    /// Minimum number of further game pairs that can decide the match.
    fn pairs(&self, pairs: u64) -> u64 {
        let left = pairs.saturating_sub(self.played);
        let lead = self.half_points[0].abs_diff(self.half_points[1]);
        (1..=left)
            .find(|more| lead + HALVES_OF_A_PAIR * more > HALVES_OF_A_PAIR * (left - more))
            .unwrap_or(1)
    }
}

impl Knockout {
    /// A knockout of `players` (at least two) with matches of `pairs` game pairs.
    pub fn new(players: usize, pairs: u64) -> Self {
        // Build the bracket from the final outwards: in a round of 2k, seed s meets seed 2k - 1 - s.
        let mut bracket = vec![0];
        while bracket.len() < players {
            let last = bracket.len() * 2 - 1;
            bracket = bracket
                .into_iter()
                .flat_map(|seed| [seed, last - seed])
                .collect();
        }
        let matches = bracket.chunks_exact(2).map(|two| {
            let mut first = BracketMatch::new(two[0], two[1]);
            if first.players[1] >= players {
                first.winner = Some(first.players[0]);
            }
            first
        });
        Self {
            matches: matches.collect(),
            pairs,
            players,
            round: 1,
            out: Vec::new(),
        }
    }

    fn place(&self, player: usize, place: usize) -> Place {
        Place {
            player,
            place,
            by: PlacedBy::LastRound(self.round),
        }
    }

    /// Places the losers of this round behind all who are left. They share a place.
    fn place_losers(&mut self, winners: &[usize]) {
        let mut losers: Vec<usize> = self.matches.iter().flat_map(|one| one.players).collect();
        losers.retain(|player| *player < self.players && !winners.contains(player));
        losers.sort_unstable();
        let places = losers.iter().rev();
        let places = places.map(|player| self.place(*player, winners.len() + 1));
        let places: Vec<Place> = places.collect();
        self.out.extend(places);
    }

    fn winners(&self) -> Vec<usize> {
        self.matches.iter().filter_map(|one| one.winner).collect()
    }
}

impl WavePlanner for Knockout {
    fn next_wave(&mut self, played: &[Match]) -> Vec<Match> {
        for played in played {
            let of = |one: &&mut BracketMatch| one.players[..] == played.players;
            if let Some(one) = self.matches.iter_mut().find(of) {
                one.add(played, self.pairs);
            }
        }
        let winners = self.winners();
        if winners.len() == self.matches.len() {
            self.place_losers(&winners);
            if winners.len() > 1 {
                self.round += 1;
                self.matches = winners
                    .chunks_exact(2)
                    .map(|two| BracketMatch::new(two[0], two[1]))
                    .collect();
            }
        }
        self.matches
            .iter()
            .filter(|one| one.winner.is_none())
            .map(|one| Match::new(one.players.to_vec(), one.pairs(self.pairs)))
            .collect()
    }

    fn count(&self) -> GameCount {
        GameCount::Unknown
    }

    fn round(&self) -> Option<u64> {
        Some(self.round)
    }

    fn conclusion(&self) -> Option<Conclusion> {
        let winner = self.winners().first().copied()?;
        let mut places = vec![self.place(winner, 1)];
        places.extend(self.out.iter().rev());
        Some(Conclusion::Winner(places))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::{GameResult, Seat};
    use crate::schedule::testing::{conclude, number, pairings, stronger_wins};
    use crate::schedule::{Format, Ticket};

    fn knockout(pairs: u32) -> Format {
        Format::Knockout {
            games: number(2 * pairs),
        }
    }

    fn places(end: Option<Conclusion>) -> Vec<Place> {
        end.map(|end| end.places()).unwrap_or_default()
    }

    #[test]
    fn the_best_seeds_meet_as_late_as_possible() {
        let (games, end) = conclude(&knockout(1), 8, 1, stronger_wins);
        let ranked = places(end).into_iter().map(|it| (it.player, it.place));
        let shared = [1, 2, 3, 3, 5, 5, 5, 5];
        assert!(
            ranked.eq((0..8).zip(shared)),
            "losers of a round share a place"
        );
        assert_eq!(
            pairings(&games),
            [[0, 7], [3, 4], [1, 6], [2, 5], [0, 3], [1, 2], [0, 1]]
        );
        // With six players the first two have a bye.
        let (games, end) = conclude(&knockout(1), 6, 1, stronger_wins);
        assert_eq!(pairings(&games)[..2], [[3, 4], [2, 5]]);
        let out: Vec<_> = places(end).iter().map(|it| (it.place, it.by)).collect();
        let last = PlacedBy::LastRound;
        assert_eq!(
            out,
            [
                (1, last(3)),
                (2, last(3)),
                (3, last(2)),
                (3, last(2)),
                (5, last(1)),
                (5, last(1))
            ]
        );
    }

    #[test]
    fn a_match_ends_when_it_is_decided() {
        // Three of five pairs are enough if both games of each are won.
        let (games, _) = conclude(&knockout(5), 2, 1, stronger_wins);
        assert_eq!(games.len(), 6);
    }

    #[test]
    fn a_tie_is_broken_by_more_pairs_and_then_by_the_seed() {
        let (games, end) = conclude(&knockout(2), 2, 1, |_| GameResult::Drawn);
        assert_eq!(games.len() as u64, 2 * (2 + TIE_BREAK_PAIRS));
        assert_eq!(places(end)[0].player, 0);
        // Both win one game of the first pair; the second player wins one of the next.
        let second_wins = |ticket: &Ticket| match ticket.id {
            0 | 1 => GameResult::Won(Seat::FIRST),
            2 => GameResult::Drawn,
            _ => GameResult::Won(Seat::FIRST),
        };
        let (games, end) = conclude(&knockout(1), 2, 1, second_wins);
        assert_eq!(games.len(), 4);
        assert_eq!(places(end)[0].player, 1);
    }
}
