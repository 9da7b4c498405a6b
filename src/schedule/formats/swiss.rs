//! A Swiss tournament: players with similar scores meet.

use std::num::NonZeroU32;

use crate::schedule::pairings::{Mates, match_all};
use crate::schedule::pairings::{Pairing, WavePlanner};
use crate::schedule::{Conclusion, GameCount, Place, PlacedBy};

/// A Swiss tournament, paired similarly to the Dutch system: within a group of equal scores the upper half
/// meets the lower half in order. A player without an opponent in the group floats down to the next one. Two
/// players do not meet again while the round can be paired otherwise. All games are in game pairs, so seats are
/// balanced in every pairing.
///
/// With an odd number of players, one has a bye in each round: the lowest one without a bye before. A bye is
/// not a game, but counts as won when the next round is paired.
#[derive(Debug, Clone)]
pub struct Swiss {
    players: usize,
    rounds: u32,
    pairs: u64,
    round: u32,
    /// Points by player. The bye is an extra player after the last.
    points: Vec<f64>,
    /// Number of meetings of each two players.
    met: Vec<Vec<u32>>,
}

impl Swiss {
    /// A Swiss tournament of `players`, at least two.
    pub fn new(players: usize, rounds: u32, pairs: NonZeroU32) -> Self {
        let seats = players + players % 2;
        Self {
            players,
            rounds,
            pairs: u64::from(pairs.get()),
            round: 0,
            points: vec![0.0; seats],
            met: vec![vec![0; seats]; seats],
        }
    }

    fn points_of_a_bye(&self) -> f64 {
        2.0 * self.pairs as f64
    }

    /// Buchholz score: sum of the opponents' points, each weighted by the number of meetings. A bye counts as
    /// an opponent with the player's own points (FIDE Handbook C.07, articles 8.1 and 16.4).
    fn buchholz(&self, player: usize) -> f64 {
        let opponents = self.met[player].iter().enumerate();
        let points = opponents.map(|(other, times)| {
            let opponent = if other == self.players { player } else { other };
            f64::from(*times) * self.points[opponent]
        });
        points.sum()
    }

    /// All players, best first. The bye comes before them, so that it is paired first.
    fn ranking(&self) -> Vec<usize> {
        let mut ranking: Vec<usize> = (0..self.points.len()).collect();
        ranking.sort_by(|a, b| {
            let bye = |player: &usize| *player == self.players;
            bye(b)
                .cmp(&bye(a))
                .then(self.points[*b].total_cmp(&self.points[*a]))
                .then(a.cmp(b))
        });
        ranking
    }

    /// Opponents for the first of `left`, in order of preference. `left` is in ranking order.
    fn preferred_opponents(&self, left: &[usize]) -> Vec<usize> {
        let (first, rest) = (left[0], &left[1..]);
        let mut opponents: Vec<usize> = if first == self.players {
            // The bye goes to the last player.
            rest.iter().rev().copied().collect()
        } else {
            let equal = |other: &&usize| self.points[**other] == self.points[first];
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
        opponents.sort_by_key(|other| self.met[first][*other]);
        opponents
    }

    /// The pairings of one round.
    fn pair_round(&self) -> Vec<[usize; 2]> {
        let mut left = self.ranking();
        // Bound on earlier meetings of any pairing in this round: the smallest that allows a perfect matching.
        let mut most = 0;
        let mut mates: Mates = vec![None; left.len()];
        while !match_all(&left, &|a, b| self.met[a][b] <= most, &mut mates) {
            most += 1;
        }
        // Greedy by rank: each player gets the best opponent that leaves the rest a perfect matching.
        let mut round = Vec::new();
        while left.len() > 1 {
            let first = left[0];
            for other in self.preferred_opponents(&left) {
                if self.met[first][other] > most {
                    continue;
                }
                let rest: Vec<usize> = left
                    .iter()
                    .copied()
                    .filter(|player| *player != first && *player != other)
                    .collect();
                // The rest stays matched as before, except for the former partners of these two.
                let mut trial = mates.clone();
                for player in [first, other] {
                    if let Some(mate) = trial[player].take() {
                        trial[mate] = None;
                    }
                }
                if match_all(&rest, &|a, b| self.met[a][b] <= most, &mut trial) {
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
    fn next_wave(&mut self, played: &[Pairing]) -> Vec<Pairing> {
        for pairing in played {
            for seat in [0, 1] {
                self.points[pairing.players[seat]] += pairing.points[seat];
            }
        }
        if self.round == self.rounds {
            return Vec::new();
        }
        self.round += 1;
        let round = self.pair_round();
        let mut pairings = Vec::new();
        for [a, b] in round {
            self.met[a][b] += 1;
            self.met[b][a] += 1;
            if a == self.players {
                self.points[b] += self.points_of_a_bye();
            } else {
                pairings.push(Pairing::new([a, b], self.pairs));
            }
        }
        pairings
    }

    fn count(&self) -> GameCount {
        GameCount::Exactly(u64::from(self.rounds) * (self.players / 2) as u64 * self.pairs * 2)
    }

    /// Equal points are ordered by Buchholz; if these are equal too, players share a place.
    fn conclusion(&self) -> Option<Conclusion> {
        let by = |player: usize| {
            let byes = self.met[player].get(self.players).copied();
            PlacedBy::Points {
                all: self.points[player],
                byes: f64::from(byes.unwrap_or(0)) * self.points_of_a_bye(),
                buchholz: self.buchholz(player),
            }
        };
        let key = |player: usize| [self.points[player], self.buchholz(player)];
        let mut order: Vec<(usize, [f64; 2])> = (0..self.players).map(|it| (it, key(it))).collect();
        order.sort_by(|(_, a), (_, b)| b[0].total_cmp(&a[0]).then(b[1].total_cmp(&a[1])));
        let place = |(player, key): &(usize, [f64; 2])| {
            let better = |(_, other): &&(usize, [f64; 2])| other != key;
            Place {
                player: *player,
                place: 1 + order.iter().take_while(better).count(),
                by: by(*player),
            }
        };
        let places = order.iter().map(place).collect();
        Some(Conclusion::FinalOrder(places))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::schedule::Format;
    use crate::schedule::pairings::possible;
    use crate::schedule::testing::{
        assert_game_pairs, balance, conclude, pairings, play, random, stronger_wins,
    };

    fn swiss(rounds: u32, pairs: u32) -> Format {
        Format::Swiss {
            rounds,
            pairs: NonZeroU32::new(pairs).expect("not zero"),
        }
    }

    /// The pairings of each round. The bye is the player after the last.
    fn rounds(players: usize, rounds: u32, seed: u64) -> Vec<Vec<[usize; 2]>> {
        let games = play(&swiss(rounds, 1), players, 3, random(seed));
        assert_eq!(balance(players, &games), 0);
        assert_game_pairs(&games);
        games
            .chunks(players / 2 * 2)
            .map(|round| {
                let mut met = pairings(round);
                let free = (0..players).find(|player| !met.iter().flatten().any(|p| p == player));
                met.extend(free.map(|player| [player, players]));
                met
            })
            .collect()
    }

    #[test]
    fn everyone_plays_in_every_round_and_nobody_twice() {
        for players in 2..=9 {
            for round in rounds(players, 12, 5) {
                let mut seen: Vec<usize> = round.into_iter().flatten().collect();
                seen.sort_unstable();
                assert_eq!(seen, (0..players + players % 2).collect::<Vec<_>>());
            }
        }
    }

    #[test]
    fn nobody_meets_again_or_has_a_second_bye_if_another_pairing_exists() {
        let mut repeated = 0;
        for players in 2..=8_usize {
            let seats = players + players % 2;
            let all: Vec<usize> = (0..seats).collect();
            for seed in 0..40 {
                let mut met = vec![vec![false; seats]; seats];
                for round in rounds(players, seats as u32, seed) {
                    if round.iter().any(|[a, b]| met[*a][*b]) {
                        assert!(!possible(&all, &|a, b| !met[a][b]), "{players}: {round:?}");
                        repeated += 1;
                    }
                    for [a, b] in round {
                        (met[a][b], met[b][a]) = (true, true);
                    }
                }
            }
        }
        assert!(
            repeated > 0,
            "some rounds can only be paired with repetitions"
        );
    }

    #[test]
    fn within_equal_scores_the_upper_half_meets_the_lower_half() {
        let games = play(&swiss(2, 1), 8, 1, stronger_wins);
        let met = pairings(&games);
        assert_eq!(met[..4], [[0, 4], [1, 5], [2, 6], [3, 7]]);
        assert_eq!(met[4..], [[0, 2], [1, 3], [4, 6], [5, 7]]);
    }

    #[test]
    fn the_strongest_comes_first_and_the_number_of_jobs_changes_nothing() {
        let (_, end) = conclude(&swiss(4, 1), 13, 1, stronger_wins);
        let Some(Conclusion::FinalOrder(places)) = end else {
            panic!("{end:?}");
        };
        assert_eq!((places[0].player, places.len()), (0, 13));
        for seed in 0..10 {
            let one = conclude(&swiss(6, 2), 11, 1, random(seed));
            assert_eq!(one, conclude(&swiss(6, 2), 11, 8, random(seed)));
        }
    }

    #[test]
    fn equal_points_are_ordered_by_the_points_of_the_opponents() {
        // Four players, two rounds, the lower index always wins: 0-2 and 1-3, then 0-1 and 2-3.
        let (_, end) = conclude(&swiss(2, 1), 4, 1, stronger_wins);
        let Some(Conclusion::FinalOrder(places)) = end else {
            panic!("{end:?}");
        };
        let found = places.iter().map(|it| match it.by {
            PlacedBy::Points {
                all,
                byes,
                buchholz,
            } => (it.player, it.place, all, byes, buchholz),
            ref other => panic!("{other:?}"),
        });
        let expected = [
            (0, 1, 4.0, 0.0, 4.0),
            (1, 2, 2.0, 0.0, 4.0),
            (2, 2, 2.0, 0.0, 4.0),
            (3, 4, 0.0, 0.0, 4.0),
        ];
        assert_eq!(found.collect::<Vec<_>>(), expected);
        // Three players, one round: a bye is an opponent with the player's own points.
        let mut three = Swiss::new(3, 1, NonZeroU32::MIN);
        let wave = three.next_wave(&[]);
        let mut played = wave.clone();
        played[0].points = [1.5, 0.5];
        assert!(three.next_wave(&played).is_empty());
        let Some(Conclusion::FinalOrder(places)) = three.conclusion() else {
            panic!("no order");
        };
        let of = |player: usize| {
            places
                .iter()
                .find(|it| it.player == player)
                .expect("placed")
                .by
        };
        let [winner, loser] = wave[0].players;
        let points = |all, byes, buchholz| PlacedBy::Points {
            all,
            byes,
            buchholz,
        };
        assert_eq!(of(winner), points(1.5, 0.0, 0.5));
        assert_eq!(of(loser), points(0.5, 0.0, 1.5));
        assert_eq!(of(3 - winner - loser), points(2.0, 2.0, 2.0));
    }

    #[test]
    fn two_hundred_players_are_paired() {
        for round in rounds(201, 11, 3) {
            assert_eq!(round.len(), 101);
        }
    }
}
