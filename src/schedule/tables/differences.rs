//! Base tables whose translates are balanced by meetings.
//!
//! Players are numbers modulo `n`. The `n` translates of a base table seat everybody equally often, and two
//! players meet at as many of them as the base table has pairs with the difference of these two. So a balance of the `n / 2`
//! differences is a balance of all meetings. (R. C. Bose, "On the construction of balanced incomplete block
//! designs", Annals of Eugenics 9, 1939.)

use crate::game::{Chance, shuffle};
use crate::random::Stream;

/// Number of searches for a layer, each with another order of candidates.
const SEARCHES: u64 = 16;

/// Number of candidates that a search tries.
const STEPS: u32 = 400_000;

/// Number of base tables that are built by chance, if a search fails. The best one is taken.
const TRIALS: u32 = 24;

/// The base tables so far, by the differences of their pairs.
#[derive(Debug, Clone)]
pub struct Differences {
    players: usize,
    seats: usize,
    /// For each difference from 1 to half the number of players, the number of meetings of two players with it,
    /// after all translates.
    met: Vec<u32>,
    layers: u64,
}

impl Differences {
    pub fn new(players: usize, seats: usize) -> Self {
        Self {
            players,
            seats,
            met: vec![0; players / 2 + 1],
            layers: 0,
        }
    }

    /// Counts one meeting of each two players, at tables from elsewhere.
    pub fn all_met_once(&mut self) {
        self.met.iter_mut().for_each(|met| *met += 1);
    }

    /// The next base tables. If they can be found, then no two players have more than one meeting more than
    /// any other two after their translates.
    pub fn next_layer(&mut self) -> Vec<Vec<usize>> {
        self.layers += 1;
        let number = (self.players as u64) << 32 | (self.seats as u64) << 24 | self.layers;
        for search in 0..SEARCHES {
            let mut order: Vec<usize> = (1..self.players).collect();
            if search > 0 {
                shuffle(&mut order, &mut Stream::new(number, search));
            }
            // A base table that is its own translate seats everybody once.
            let short = search % 2 == 0 && self.players.is_multiple_of(self.seats);
            let extra = search as usize * 3 / SEARCHES as usize;
            if let Some((tables, met)) = Search::new(self, order, short, extra).run() {
                self.met = met;
                return tables;
            }
        }
        vec![self.cheapest(&mut Stream::new(number, SEARCHES))]
    }

    /// A base table with differences that were seldom used.
    fn cheapest(&mut self, chance: &mut Stream) -> Vec<usize> {
        let mut best: Option<Trial> = None;
        for _ in 0..TRIALS {
            let mut met = self.met.clone();
            let mut table = vec![0];
            let mut cost = 0;
            while table.len() < self.seats {
                // A random candidate comes first, so that equal costs are chosen by chance.
                let first = chance.below(self.players as u32) as usize;
                let candidates = (0..self.players).map(|at| (first + at) % self.players);
                let free = candidates.filter(|candidate| !table.contains(candidate));
                let chosen = free
                    .map(|candidate| (self.cost(&mut met, &table, candidate), candidate))
                    .min_by_key(|(cost, _)| *cost);
                let Some((more, candidate)) = chosen else {
                    break;
                };
                cost += more;
                for member in &table {
                    let (class, raise) = self.raise(*member, candidate);
                    met[class] += raise;
                }
                table.push(candidate);
            }
            let trial = Trial {
                is_own_translate: is_own_translate(&table, self.players),
                cost,
                table,
                met,
            };
            if best.as_ref().is_none_or(|best| trial.key() < best.key()) {
                best = Some(trial);
            }
        }
        let Trial { table, met, .. } = best.unwrap_or_default();
        self.met = met;
        table
    }

    /// By how much a candidate raises the sum of the squares of all meetings, per player. Leaves `met` as it
    /// was.
    fn cost(&self, met: &mut [u32], table: &[usize], candidate: usize) -> u32 {
        let mut cost = 0;
        for member in table {
            let (class, raise) = self.raise(*member, candidate);
            cost += 2 * met[class] + raise;
            met[class] += raise;
        }
        for member in table {
            let (class, raise) = self.raise(*member, candidate);
            met[class] -= raise;
        }
        cost
    }

    /// The difference of two members, and how often two players with this difference meet at the translates:
    /// twice, if both are half the circle apart.
    fn raise(&self, one: usize, other: usize) -> (usize, u32) {
        let apart = one.abs_diff(other);
        let class = apart.min(self.players - apart);
        (class, if 2 * class == self.players { 2 } else { 1 })
    }
}

/// A base table that was built by chance.
#[derive(Default)]
struct Trial {
    is_own_translate: bool,
    cost: u32,
    table: Vec<usize>,
    /// The meetings with its translates.
    met: Vec<u32>,
}

impl Trial {
    /// The trial with the least key is the best.
    fn key(&self) -> (bool, u32) {
        (self.is_own_translate, self.cost)
    }
}

/// A search with steps back for the base tables that raise the meetings of all differences by one. The last
/// one may also raise others from the next number of meetings.
struct Search<'a> {
    of: &'a Differences,
    order: Vec<usize>,
    met: Vec<u32>,
    /// Number of meetings that all differences have at least, and some no more.
    level: u32,
    /// Number of differences with no more.
    low: usize,
    tables: Vec<Vec<usize>>,
    /// Number of base tables beyond the least that are needed. With more of them, more differences are raised
    /// twice, and the search is easier.
    extra: usize,
    /// Number of second raises that are left, once the last base tables are reached.
    spare: Option<usize>,
    steps: u32,
}

impl<'a> Search<'a> {
    fn new(of: &'a Differences, order: Vec<usize>, short: bool, extra: usize) -> Self {
        let met = of.met.clone();
        let level = met[1..].iter().min().copied().unwrap_or(0);
        let mut search = Self {
            of,
            order,
            met,
            level,
            low: 0,
            tables: Vec::new(),
            extra,
            spare: None,
            steps: STEPS,
        };
        if short {
            let step = of.players / of.seats;
            search
                .tables
                .push((0..of.seats).map(|at| at * step).collect());
            for class in (step..=of.players / 2).step_by(step) {
                search.met[class] += 1;
            }
        }
        search.low = search.met[1..].iter().filter(|met| **met == level).count();
        search
    }

    fn run(mut self) -> Option<(Vec<Vec<usize>>, Vec<u32>)> {
        let is_level = |met: &u32| (self.level..=self.level + 1).contains(met);
        let found = self.met[1..].iter().all(is_level) && self.next_table();
        found.then_some((self.tables, self.met))
    }

    fn next_table(&mut self) -> bool {
        let lowest = (1..self.met.len()).find(|class| self.met[*class] == self.level);
        let Some(lowest) = lowest else {
            return true;
        };
        let (low, spare) = (self.low, self.spare);
        let pairs = self.of.seats * (self.of.seats - 1) / 2;
        if spare.is_none() && low <= (1 + self.extra) * pairs {
            self.spare = Some((low.div_ceil(pairs) + self.extra) * pairs - low);
        }
        let mut table = vec![0];
        let found = self.add(&mut table, lowest) && self.extend(&mut table);
        if !found {
            // Members after the second were removed by the search.
            self.remove(&mut table);
            (self.low, self.spare) = (low, spare);
        }
        found
    }

    fn extend(&mut self, table: &mut Vec<usize>) -> bool {
        if table.len() == self.of.seats {
            if is_own_translate(table, self.of.players) {
                return false;
            }
            self.tables.push(table.clone());
            let found = self.next_table();
            if !found {
                self.tables.pop();
            }
            return found;
        }
        let before = (self.low, self.spare);
        for at in 0..self.order.len() {
            let candidate = self.order[at];
            if table.contains(&candidate) {
                continue;
            }
            if self.steps == 0 {
                return false;
            }
            self.steps -= 1;
            if self.add(table, candidate) {
                if self.extend(table) {
                    return true;
                }
                self.remove(table);
                (self.low, self.spare) = before;
            }
        }
        false
    }

    /// Adds a member to a table, if its differences keep the balance.
    fn add(&mut self, table: &mut Vec<usize>, member: usize) -> bool {
        let before = (self.low, self.spare);
        for at in 0..table.len() {
            let (class, raise) = self.of.raise(table[at], member);
            let met = self.met[class];
            let fits = if met == self.level {
                self.low -= 1;
                raise == 1 || self.spare.is_some()
            } else {
                let spare = self.spare.unwrap_or(0);
                self.spare = self.spare.map(|spare| spare.saturating_sub(1));
                spare > 0 && raise == 1 && met == self.level + 1
            };
            if !fits {
                (self.low, self.spare) = before;
                self.lower(&table[..at], member);
                return false;
            }
            self.met[class] += raise;
        }
        table.push(member);
        true
    }

    fn remove(&mut self, table: &mut Vec<usize>) {
        if let Some(member) = table.pop() {
            self.lower(table, member);
        }
    }

    fn lower(&mut self, others: &[usize], member: usize) {
        for other in others {
            let (class, raise) = self.of.raise(*other, member);
            self.met[class] -= raise;
        }
    }
}

/// Whether some translate of a table, but itself, has the same members.
pub fn is_own_translate(table: &[usize], players: usize) -> bool {
    let moved = |by: usize| {
        let mut members = table.iter().map(|member| (member + by) % players);
        members.all(|member| table.contains(&member))
    };
    // A table with 0 that is its own translate has the step as a member.
    table
        .iter()
        .any(|by| *by != table[0] && moved((by + players - table[0]) % players))
}
