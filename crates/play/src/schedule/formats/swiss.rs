//! A Swiss tournament: players with similar scores meet.

use crate::schedule::seating::{Match, Mates, Meetings, Round, WavePlanner, match_all, seat_round};
use crate::schedule::{Conclusion, GameCount, Place, PlacedBy};

/// A Swiss tournament. Players who are left over have a bye in a round, which is not a game, but counts when the next
/// round is seated. All games are in whole blocks, so seats are balanced at every meeting.
///
/// Two players are paired similarly to the Dutch system: within a group of equal scores the upper half meets the lower
/// half in order. A player without an opponent in the group floats down to the next one. Two players do not meet again
/// while the round can be paired otherwise. The bye goes to the lowest player without one before. With more seats,
/// players with near scores sit together: [`seat_round`].
#[derive(Debug, Clone)]
pub struct Swiss {
    seats: usize,
    rounds: u32,
    /// Number of blocks of each seating in a round.
    blocks: u64,
    round: u32,
    /// Opponents that each player has beaten, in halves.
    half_points: Vec<u64>,
    byes: Vec<u32>,
    meetings: Meetings,
}

impl Swiss {
    pub fn new(players: usize, seats: usize, rounds: u32, blocks: u64) -> Self {
        Self {
            seats,
            rounds,
            blocks,
            round: 0,
            half_points: vec![0; players],
            byes: vec![0; players],
            meetings: Meetings::new(players),
        }
    }

    /// Halves of the opponents of a player in a block of each round.
    fn halves(&self) -> u64 {
        let seats = self.seats as u64;
        2 * seats * (seats - 1) * self.blocks
    }

    /// A bye counts as won in a game of two. Up to seven players have one in each round of more seats: there it is worth
    /// half, else it would lift many.
    fn half_points_of_a_bye(&self) -> u64 {
        match self.seats {
            2 => self.halves(),
            _ => self.halves() / 2,
        }
    }

    /// Buchholz score in halves: sum of the opponents' points at each meeting. At a bye all opponents have the player's
    /// own points (FIDE Handbook C.07, articles 8.1 and 16.4).
    fn buchholz(&self, player: usize) -> u64 {
        let others = (0..self.half_points.len()).filter(|other| *other != player);
        let met = others
            .map(|other| u64::from(self.meetings.of(player, other)) * self.half_points[other]);
        let byes = u64::from(self.byes[player]) * (self.seats - 1) as u64;
        met.sum::<u64>() + byes * self.half_points[player]
    }

    fn seat_round(&self) -> Round {
        if self.seats > 2 {
            return seat_round(self.seats, &self.half_points, &self.byes, &self.meetings);
        }
        let mut round = Round::default();
        for [one, other] in self.pair_round() {
            match one == self.half_points.len() {
                true => round.byes.push(other),
                false => round.seatings.push(vec![one, other]),
            }
        }
        round
    }

    /// Earlier meetings of two players. One of them may be the bye: the player after the last.
    fn met(&self, one: usize, other: usize) -> u32 {
        let bye = self.half_points.len();
        match (one == bye, other == bye) {
            (true, _) => self.byes[other],
            (_, true) => self.byes[one],
            _ => self.meetings.of(one, other),
        }
    }

    /// All players, best first. If their number is odd, the bye comes before them, so that it is paired first.
    fn ranking(&self) -> Vec<usize> {
        let players = self.half_points.len();
        let mut ranking: Vec<usize> = (0..players).collect();
        ranking.sort_by_key(|player| std::cmp::Reverse(self.half_points[*player]));
        if !players.is_multiple_of(2) {
            ranking.insert(0, players);
        }
        ranking
    }

    /// Opponents for the first of `left`, in order of preference. `left` is in ranking order.
    fn preferred_opponents(&self, left: &[usize]) -> Vec<usize> {
        let (first, rest) = (left[0], &left[1..]);
        let mut opponents: Vec<usize> = if first == self.half_points.len() {
            // The bye goes to the last player.
            rest.iter().rev().copied().collect()
        } else {
            let equal = |other: &&usize| self.half_points[**other] == self.half_points[first];
            let group = rest.iter().take_while(equal).count();
            let half = group / 2;
            let (lower, upper) = (&rest[half..group], rest[..half].iter().rev());
            lower
                .iter()
                .chain(upper)
                .chain(&rest[group..])
                .copied()
                .collect()
        };
        // If players must meet again, prefer those with the fewest meetings.
        opponents.sort_by_key(|other| self.met(first, *other));
        opponents
    }

    /// The pairings of one round, of two players or a player and the bye.
    fn pair_round(&self) -> Vec<[usize; 2]> {
        let mut left = self.ranking();
        // Bound on earlier meetings of any pairing in this round: the smallest that allows a perfect matching.
        let mut most = 0;
        let mut mates: Mates = vec![None; left.len()];
        while !match_all(&left, &|a, b| self.met(a, b) <= most, &mut mates) {
            most += 1;
        }
        // Greedy by rank: each player gets the best opponent that leaves the rest a perfect matching.
        let mut round = Vec::new();
        while left.len() > 1 {
            let first = left[0];
            for other in self.preferred_opponents(&left) {
                if self.met(first, other) > most {
                    continue;
                }
                let rest = left.iter().copied();
                let rest = rest.filter(|player| *player != first && *player != other);
                let rest: Vec<usize> = rest.collect();
                // The rest stays matched as before, except for the former partners of these two.
                let mut trial = mates.clone();
                for player in [first, other] {
                    if let Some(mate) = trial[player].take() {
                        trial[mate] = None;
                    }
                }
                if match_all(&rest, &|a, b| self.met(a, b) <= most, &mut trial) {
                    mates = trial;
                    left = rest;
                    round.push([first, other]);
                    break;
                }
            }
            if left.first() == Some(&first) {
                debug_assert!(false, "a matching of all players includes the first");
                break;
            }
        }
        round
    }
}

impl WavePlanner for Swiss {
    fn next_wave(&mut self, played: &[Match]) -> Vec<Match> {
        for played in played {
            for (player, half_points) in played.players.iter().zip(&played.half_points) {
                self.half_points[*player] += half_points;
            }
        }
        if self.round == self.rounds {
            return Vec::new();
        }
        self.round += 1;
        let Round { seatings, byes } = self.seat_round();
        for player in byes {
            self.byes[player] += 1;
            self.half_points[player] += self.half_points_of_a_bye();
        }
        for players in &seatings {
            self.meetings.seat(players);
        }
        let seatings = seatings.into_iter();
        seatings
            .map(|players| Match::new(players, self.blocks))
            .collect()
    }

    fn count(&self) -> GameCount {
        let seats = self.seats as u64;
        let seatings = u64::from(self.rounds) * (self.half_points.len() as u64 / seats);
        GameCount::Exactly(seatings * self.blocks * seats)
    }

    /// Equal points are ordered by Buchholz; if these are equal too, players share a place.
    fn conclusion(&self) -> Option<Conclusion> {
        let others = (self.seats - 1) as f64;
        let players = 0..self.half_points.len();
        let mut order: Vec<(usize, [u64; 2])> = players
            .map(|player| (player, [self.half_points[player], self.buchholz(player)]))
            .collect();
        order.sort_by_key(|(_, key)| std::cmp::Reverse(*key));
        let place = |(player, key): &(usize, [u64; 2])| {
            let byes = u64::from(self.byes[*player]) * self.half_points_of_a_bye();
            // A game against opponents who are all beaten is a point.
            let points = |half_points: u64| half_points as f64 / (2.0 * others);
            Place {
                player: *player,
                place: 1 + order.iter().take_while(|(_, other)| other > key).count(),
                by: PlacedBy::Points {
                    all: points(key[0]),
                    byes: points(byes),
                    buchholz: points(key[1]) / others,
                },
            }
        };
        Some(Conclusion::FinalOrder(order.iter().map(place).collect()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::schedule::Format;
    use crate::schedule::testing::{
        balance, conclude, conclude_among, number, pairings, random, stronger_wins,
    };

    fn swiss(rounds: u32, pairs: u32) -> Format {
        Format::Swiss {
            rounds,
            games: number(2 * pairs),
        }
    }

    #[test]
    fn within_equal_scores_the_upper_half_meets_the_lower_half() {
        let (games, _) = conclude(&swiss(2, 1), 8, 1, stronger_wins);
        let met = pairings(&games);
        assert_eq!(met[..4], [[0, 4], [1, 5], [2, 6], [3, 7]]);
        assert_eq!(met[4..], [[0, 2], [1, 3], [4, 6], [5, 7]]);
    }

    #[test]
    fn two_hundred_players_are_paired() {
        let (games, _) = conclude(&swiss(11, 1), 201, 3, random(3));
        assert_eq!(games.len(), 11 * 200);
        assert_eq!(balance(201, games.iter().map(|it| &it.0)), 0);
    }

    fn places(end: Option<Conclusion>) -> Vec<Place> {
        end.map(|end| end.places()).unwrap_or_default()
    }

    #[test]
    fn with_more_seats_the_strongest_comes_first_and_byes_are_worth_half() {
        let format = Format::Swiss {
            rounds: 5,
            games: number(4),
        };
        let places = places(conclude_among(&format, 13, 4, 3, stronger_wins).1);
        assert_eq!((places[0].player, places[0].place), (0, 1));
        assert_eq!(places.len(), 13);
        // In each of five rounds one of 13 players has a bye worth two of four games.
        let byes = places.iter().map(|place| match place.by {
            PlacedBy::Points { byes, .. } => byes,
            ref other => panic!("{other:?}"),
        });
        assert_eq!(byes.sum::<f64>(), 10.0);
    }

    #[test]
    fn with_more_seats_equal_points_are_ordered_by_the_points_of_the_opponents() {
        // One round of three players: three games, won by the first.
        let format = Format::Swiss {
            rounds: 1,
            games: number(3),
        };
        let places = places(conclude_among(&format, 3, 3, 1, stronger_wins).1);
        let found = places.iter().map(|it| (it.player, it.place, it.by));
        let found: Vec<_> = found.collect();
        let points = |all, buchholz| PlacedBy::Points {
            all,
            byes: 0.0,
            buchholz,
        };
        let expected = [
            (0, 1, points(3.0, 0.75)),
            (1, 2, points(1.5, 1.5)),
            (2, 3, points(0.0, 2.25)),
        ];
        assert_eq!(found, expected);
    }
}
