//! Seatings for games of more than two seats: players meet about equally often.

use super::fixed_blocks::{Seating, Seatings};
use super::{Meetings, pairs};

/// Number of all seatings up to which each of them comes once before any comes again.
const FEW: usize = 2_000;

/// An endless sequence of seatings of `seats` players. In a round nobody plays twice.
///
/// Each seating begins with the player that has met the fewest others more often than the least, and goes on with the
/// players that have met the ones before least: by the sum of squares beyond the least number of meetings of any two.
/// Equal players come by their games, fewest first, and then by their index. If games came before meetings, some
/// players would meet much more often than others, as the last seats of a round leave no choice.
#[derive(Debug, Clone)]
pub struct Greedy {
    seats: usize,
    games: Vec<u32>,
    meetings: Meetings,
    least: u32,
    /// For each player, number of others that it has met more often.
    ahead: Vec<u32>,
    /// If all seatings are few: the ones that are left before any comes again, with a bit for each player.
    left: Vec<u64>,
    round: u64,
    busy: Vec<bool>,
}

impl Greedy {
    pub fn new(players: usize, seats: usize) -> Self {
        Self {
            seats,
            games: vec![0; players],
            meetings: Meetings::new(players),
            least: 0,
            ahead: vec![0; players],
            left: Vec::new(),
            round: 0,
            busy: vec![true; players],
        }
    }

    fn cost(&self, chosen: &[usize], player: usize) -> (u64, u32) {
        let beyond = |other: &usize| u64::from(self.meetings.of(player, *other) - self.least);
        let meetings = match chosen {
            [] => self.ahead[player].into(),
            _ => chosen.iter().map(|other| beyond(other).pow(2)).sum(),
        };
        (meetings, self.games[player])
    }

    fn choose(&mut self) -> Vec<usize> {
        let players = self.games.len();
        if self.left.is_empty() && number_of_seatings(players, self.seats) <= FEW {
            self.left = sets(players, self.seats);
            // All of them are whole rounds.
            self.busy.fill(true);
        }
        let mut left = self.left.clone();
        let mut chosen = Vec::with_capacity(self.seats);
        while chosen.len() < self.seats {
            let open = left.iter().fold(0, |all, set| all | set);
            let is_open = |player: usize| self.left.is_empty() || open >> player & 1 == 1;
            let candidates = (0..players).filter(|it| !chosen.contains(it) && is_open(*it));
            let Some(next) = candidates.min_by_key(|it| self.cost(&chosen, *it)) else {
                break;
            };
            left.retain(|set| set >> next & 1 == 1);
            chosen.push(next);
        }
        self.left.retain(|set| Some(set) != left.first());
        chosen.sort_unstable();
        chosen
    }

    fn seat(&mut self, players: &[usize]) {
        for [one, other] in pairs(players) {
            if self.meetings.of(one, other) == self.least {
                self.ahead[one] += 1;
                self.ahead[other] += 1;
            }
        }
        self.meetings.seat(players);
        let all = self.games.len();
        while self.ahead.iter().all(|ahead| *ahead as usize + 1 == all) {
            self.least += 1;
            for player in 0..all {
                let others = (0..all).filter(|other| *other != player);
                let ahead = others.filter(|other| self.meetings.of(player, *other) > self.least);
                self.ahead[player] = ahead.count() as u32;
            }
        }
    }
}

impl Seatings for Greedy {
    fn next(&mut self) -> Seating {
        let players = self.choose();
        self.seat(&players);
        if players.iter().any(|player| self.busy[*player]) {
            self.round += 1;
            self.busy.fill(false);
        }
        for player in &players {
            self.games[*player] += 1;
            self.busy[*player] = true;
        }
        Seating {
            round: self.round,
            players,
        }
    }
}

/// Number of different seatings; the greatest number if it is beyond.
fn number_of_seatings(players: usize, seats: usize) -> usize {
    (0..seats).fold(1, |seatings: usize, taken| {
        seatings.saturating_mul(players.saturating_sub(taken)) / (taken + 1)
    })
}

/// Number of different seatings, if each of them comes once before any comes again.
pub fn all_seatings(players: usize, seats: usize) -> Option<usize> {
    Some(number_of_seatings(players, seats)).filter(|seatings| *seatings <= FEW)
}

/// All sets of this many players, at least two, with a bit for each player. There are few, so 63 players at most.
fn sets(players: usize, seats: usize) -> Vec<u64> {
    // The next greater number with as many bits: the lowest run of bits moves up by one, but for all bits below.
    let next = |set: &u64| {
        let lowest = set & set.wrapping_neg();
        let moved = set + lowest;
        Some(moved | ((set ^ moved) / lowest) >> 2)
    };
    let all = std::iter::successors(Some((1 << seats) - 1), next);
    all.take_while(|set| *set < 1 << players).collect()
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;

    /// Seats this many blocks. Returns the greatest distance of the meetings of any two players from their mean: at any
    /// time, and at the end.
    fn apart(players: usize, seats: usize, blocks: usize) -> [f64; 2] {
        let mut seatings = Greedy::new(players, seats);
        let [mut at_most, mut at_end] = [0.0_f64; 2];
        let pairs = |of: usize| (of * (of - 1) / 2) as f64;
        for block in 1..=blocks {
            seatings.next();
            let mean = block as f64 * pairs(seats) / pairs(players);
            let extremes = seatings.meetings.extremes();
            at_end = extremes
                .map(|it| (f64::from(it) - mean).abs())
                .into_iter()
                .fold(0.0, f64::max);
            at_most = at_most.max(at_end);
        }
        [at_most, at_end]
    }

    #[test]
    fn all_players_meet_about_equally_often_at_any_time() {
        let mut ends = Vec::new();
        for players in 4..=25 {
            for seats in (3..=8).filter(|seats| *seats < players) {
                let [at_most, at_end] = apart(players, seats, 200);
                assert!(at_most < 3.0, "{players} players, {seats} seats: {at_most}");
                ends.push(at_end);
            }
        }
        let near = ends.iter().filter(|end| **end <= 2.0).count();
        assert!(near * 100 >= 95 * ends.len(), "{near} of {}", ends.len());
    }

    #[test]
    fn in_a_round_nobody_plays_twice_and_games_stay_level() {
        for (players, seats) in [(8, 2), (9, 2), (9, 3), (16, 4), (40, 4), (14, 5)] {
            let mut greedy = Greedy::new(players, seats);
            let seatings: Vec<Seating> = (0..120).map(|_| greedy.next()).collect();
            assert!(seatings.is_sorted_by_key(|seating| seating.round));
            for round in seatings.chunk_by(|one, next| one.round == next.round) {
                let seen: Vec<usize> = round.iter().flat_map(|it| it.players.clone()).collect();
                assert_eq!(seen.iter().collect::<HashSet<_>>().len(), seen.len());
            }
            let apart = greedy.games.iter().max().zip(greedy.games.iter().min());
            assert!(apart.is_some_and(|(most, least)| most - least <= 4));
        }
    }
}
