//! Tables balanced by meetings.

use std::collections::{HashSet, VecDeque};

use super::differences::{Differences, is_own_translate};
use super::meetings::{Meetings, pairs};
use super::plane::affine_plane;

/// Number of all possible tables up to which they are played in cycles.
const FEW: usize = 2_000;

/// A table of a sequence.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Table {
    /// Number of the round, from 1.
    pub round: u64,
    /// Indices of the players.
    pub players: Vec<usize>,
}

/// An endless sequence of tables of `seats` players. Every beginning of it is balanced by games and meetings, as
/// well as the method can. In a round nobody plays twice.
///
/// If all possible tables are few, each cycle has all of them once. Else the tables are translates of base
/// tables ([`Differences`]), which need not be listed.
#[derive(Debug, Clone)]
pub struct Balanced {
    players: usize,
    seats: usize,
    source: Differences,
    /// Base tables whose translates come next.
    bases: VecDeque<Vec<usize>>,
    /// Tables from which the next one is chosen.
    pool: Vec<Vec<usize>>,
    /// Tables of this cycle, if all are few.
    cycle: Option<HashSet<Vec<usize>>>,
    meetings: Meetings,
    /// Number of tables of each player.
    played: Vec<u32>,
    round: u64,
    /// Whether a player plays in this round.
    busy: Vec<bool>,
}

impl Balanced {
    /// Tables of `seats` players, at least two, among at least as many.
    pub fn new(players: usize, seats: usize) -> Self {
        let mut tables = Self {
            players,
            seats,
            source: Differences::new(players, seats),
            bases: VecDeque::new(),
            pool: Vec::new(),
            cycle: (number_of_tables(players, seats) <= FEW).then(HashSet::new),
            meetings: Meetings::new(players),
            played: vec![0; players],
            round: 1,
            busy: vec![false; players],
        };
        tables.begin_cycle();
        tables
    }

    /// Meetings of the players so far.
    pub fn meetings(&self) -> &Meetings {
        &self.meetings
    }

    /// The next table.
    pub fn next(&mut self) -> Table {
        while self.pool.is_empty() {
            self.fill_pool();
        }
        let at = self.best().unwrap_or_else(|| {
            self.round += 1;
            self.busy.fill(false);
            self.best().unwrap_or(0)
        });
        let players = self.pool.swap_remove(at);
        for player in &players {
            self.played[*player] += 1;
            self.busy[*player] = true;
        }
        self.meetings.seat(&players);
        Table {
            round: self.round,
            players,
        }
    }

    /// The table of the pool without players of this round that is best for the balance of meetings and games.
    fn best(&self) -> Option<usize> {
        let is_free = |at: &usize| self.pool[*at].iter().all(|player| !self.busy[*player]);
        let key = |at: &usize| {
            let table = &self.pool[*at];
            let met = pairs(table).map(|[one, other]| self.meetings.of(one, other));
            let played = table.iter().map(|player| self.played[*player]);
            (met.map(|met| met * met).sum::<u32>(), played.sum::<u32>())
        };
        (0..self.pool.len()).filter(is_free).min_by_key(key)
    }

    fn begin_cycle(&mut self) {
        self.source = Differences::new(self.players, self.seats);
        self.bases.clear();
        if self.players == self.seats * self.seats
            && let Some(plane) = affine_plane(self.seats)
        {
            self.source.all_met_once();
            self.cycle
                .iter_mut()
                .for_each(|cycle| cycle.extend(plane.iter().cloned()));
            self.pool = plane;
        }
    }

    fn fill_pool(&mut self) {
        let all = number_of_tables(self.players, self.seats);
        if let Some(cycle) = &mut self.cycle
            && cycle.len() == all
        {
            cycle.clear();
            return self.begin_cycle();
        }
        if self.bases.is_empty() {
            self.bases.extend(self.source.next_layer());
        }
        let base = self.bases.pop_front().unwrap_or_default();
        let tables = translates(&base, self.players);
        let Some(cycle) = &mut self.cycle else {
            self.pool = tables;
            return;
        };
        if tables.iter().any(|table| cycle.contains(table)) {
            // Base tables come again: the rest of the cycle needs no search.
            let left = combinations(self.players, self.seats);
            self.pool = left
                .into_iter()
                .filter(|table| !cycle.contains(table))
                .collect();
            cycle.extend(self.pool.iter().cloned());
        } else {
            cycle.extend(tables.iter().cloned());
            self.pool = tables;
        }
    }
}

/// The tables of all players of `base`, moved around the circle of players.
fn translates(base: &[usize], players: usize) -> Vec<Vec<usize>> {
    let moved = |by: usize| {
        let mut table: Vec<usize> = base.iter().map(|player| (player + by) % players).collect();
        table.sort_unstable();
        table
    };
    let mut tables: Vec<Vec<usize>> = (0..players).map(moved).collect();
    if is_own_translate(base, players) {
        tables.sort_unstable();
        tables.dedup();
    }
    tables
}

/// Number of tables of `seats` among `players`; the greatest number if it is beyond.
fn number_of_tables(players: usize, seats: usize) -> usize {
    (0..seats).fold(1, |tables: usize, taken| {
        tables.saturating_mul(players - taken) / (taken + 1)
    })
}

/// Number of tables of `seats` among `players`, if all of them are played in turn.
pub fn tables_in_turn(players: usize, seats: usize) -> Option<usize> {
    Some(number_of_tables(players, seats)).filter(|tables| *tables <= FEW)
}

/// All tables of `seats` among `players`, in order.
fn combinations(players: usize, seats: usize) -> Vec<Vec<usize>> {
    let mut all = Vec::new();
    let mut table: Vec<usize> = (0..seats).collect();
    loop {
        all.push(table.clone());
        let Some(at) = (0..seats)
            .rev()
            .find(|at| table[*at] < players - seats + at)
        else {
            return all;
        };
        table[at] += 1;
        for next in at + 1..seats {
            table[next] = table[next - 1] + 1;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Plays tables, and returns the extremes of the meetings of two players after them.
    fn meetings(players: usize, seats: usize, tables: usize) -> [u32; 2] {
        let mut balanced = Balanced::new(players, seats);
        for _ in 0..tables {
            balanced.next();
        }
        balanced.meetings().extremes()
    }

    #[test]
    fn known_designs_are_reached_exactly() {
        // Triple systems of Steiner; affine and projective planes; other designs with one meeting.
        for (players, seats) in [
            (7, 3),
            (9, 3),
            (13, 3),
            (15, 3),
            (19, 3),
            (21, 3),
            (31, 3),
            (13, 4),
            (16, 4),
            (37, 4),
            (21, 5),
            (25, 5),
            (31, 6),
            (57, 8),
            (64, 8),
        ] {
            let tables = players * (players - 1) / (seats * (seats - 1));
            assert_eq!(
                meetings(players, seats, tables),
                [1, 1],
                "{players} {seats}"
            );
        }
    }

    #[test]
    fn few_tables_are_all_played_once_in_each_cycle() {
        for (players, seats) in [(3, 3), (5, 3), (9, 3), (8, 4), (7, 6), (10, 8)] {
            let all = combinations(players, seats);
            assert_eq!(all.len(), number_of_tables(players, seats));
            let mut balanced = Balanced::new(players, seats);
            for cycle in 1..=2 {
                let mut played: Vec<Vec<usize>> =
                    (0..all.len()).map(|_| balanced.next().players).collect();
                played.sort_unstable();
                assert_eq!(played, all, "cycle {cycle} of {players} players");
                let [least, most] = balanced.meetings().extremes();
                assert_eq!(least, most);
            }
        }
    }

    #[test]
    fn many_tables_are_balanced_by_meetings() {
        for (players, seats, tables) in [
            (40, 3, 1000),
            (40, 4, 400),
            (100, 3, 2000),
            (100, 4, 1500),
            (101, 4, 1500),
            (2000, 4, 1000),
        ] {
            let [least, most] = meetings(players, seats, tables);
            assert!(most - least <= 1, "{players} {seats}: {least} to {most}");
        }
    }

    #[test]
    fn every_beginning_is_nearly_balanced() {
        for (players, seats, most_apart) in [(9, 3, 2), (20, 3, 2), (23, 4, 2), (30, 4, 2)] {
            let mut balanced = Balanced::new(players, seats);
            for _ in 0..300 {
                balanced.next();
                let [least, most] = balanced.meetings().extremes();
                assert!(most - least <= most_apart, "{players} {seats}");
                let [fewest, greatest] =
                    [balanced.played.iter().min(), balanced.played.iter().max()];
                assert!(
                    greatest
                        .zip(fewest)
                        .is_some_and(|(most, least)| most - least <= 3)
                );
            }
        }
    }

    #[test]
    fn in_a_round_nobody_plays_twice_and_parallel_tables_are_full_rounds() {
        for (players, seats, full) in [(9, 3, 4), (16, 4, 5), (40, 4, 0), (14, 5, 0)] {
            let mut balanced = Balanced::new(players, seats);
            let tables: Vec<Table> = (0..120).map(|_| balanced.next()).collect();
            assert!(tables.is_sorted_by_key(|table| table.round));
            for round in tables.chunk_by(|one, next| one.round == next.round) {
                let mut seen: Vec<usize> = round
                    .iter()
                    .flat_map(|table| table.players.clone())
                    .collect();
                let all = seen.len();
                seen.sort_unstable();
                seen.dedup();
                assert_eq!(seen.len(), all);
                assert!(round[0].round > full || all == players);
            }
        }
    }
}
