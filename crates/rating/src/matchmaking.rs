//! Who meets whom next: the block that is expected to tell most.
//!
//! Ratings have a covariance `C`. A block of `n` games between `i` and `j` adds the information `n w` about their
//! difference `d = e_i - e_j`, with `w` the expected variance of a game's score by Elo, so that afterwards
//!
//! ```text
//! C' = C - n w (C d)(C d)' / (1 + n w d'C d)
//! ```
//!
//! and the summed variance of all active players is less by
//!
//! ```text
//! gain = n w Σ (C d)_k² / (1 + n w d'C d)       k: active players
//! ```
//!
//! The next block is the one with the largest gain a game; then `C` becomes `C'`, and so on. This is a greedy design for
//! the least trace (A. Atkinson, A. Donev, R. Tobias, *Optimum Experimental Designs*, 2007, chapter 10).

use crate::random::Stream;
use crate::rating::ELO;

/// The most that is not known of a player's strength: the standard deviation of one without games.
const UNKNOWN: f64 = 350.0;

/// A player who has sat out so many batches plays in the next one.
const PATIENCE: u32 = 3;

/// The blocks that a player may have in its first batch, if twice its share is less: it may be far from what is guessed.
const NEW_BLOCKS: usize = 4;

/// For so many batches a player without games has been idle.
pub const NEVER: u32 = u32::MAX;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Role {
    Active,
    /// It may be an opponent, and its own uncertainty does not count.
    Anchor,
    Out,
}

/// Players, or points of a tuning, with what is known of their strengths.
#[derive(Debug, Clone)]
pub struct Field {
    pub roles: Vec<Role>,
    pub elo: Vec<f64>,
    /// The covariance of the ratings, in squared Elo: a row for each player.
    pub covariance: Vec<Vec<f64>>,
    pub draws: f64,
    /// Games of a block for each seat.
    pub rounds: f64,
    /// The number of batches since each player's last game; [`NEVER`] without one.
    pub idle: Vec<u32>,
}

/// The players of each block of the next batch, by index: `seats` of them, who differ. It is empty if too few play. Ties
/// are broken by the seed.
pub fn choose(field: &Field, seats: usize, blocks: usize, seed: u64) -> Vec<Vec<usize>> {
    let plays = |player: &usize| field.roles[*player] != Role::Out;
    let mut order: Vec<usize> = (0..field.roles.len()).filter(plays).collect();
    shuffle(&mut order, seed);
    let active = |player: &usize| field.roles[*player] == Role::Active;
    let actives: Vec<usize> = order.iter().copied().filter(active).collect();
    if order.len() < seats || actives.is_empty() {
        return Vec::new();
    }
    let mut design = Design::new(field, seats);
    let fair = (2 * seats * blocks).div_ceil(actives.len());
    let most = |player: usize| match field.idle[player] {
        NEVER => fair.max(NEW_BLOCKS),
        _ => fair.max(NEW_BLOCKS).max(blocks / 2),
    };
    let mut left: Vec<usize> = (0..field.roles.len()).map(most).collect();
    let mut waiting = actives.to_vec();
    waiting.retain(|player| field.idle[*player] >= PATIENCE);
    waiting.sort_by_key(|player| std::cmp::Reverse(field.idle[*player]));
    let mut chosen: Vec<Vec<usize>> = Vec::new();
    let mut waiting = waiting.into_iter();
    while chosen.len() < blocks {
        let due = waiting.find(|player| !chosen.iter().any(|block| block.contains(player)));
        let firsts = due.map_or_else(|| actives.clone(), |player| vec![player]);
        let Some(block) = design.best(&firsts, &order, &left) else {
            break;
        };
        for player in &block {
            left[*player] = left[*player].saturating_sub(1);
        }
        design.play(&block);
        chosen.push(block);
    }
    chosen
}

fn shuffle(order: &mut [usize], seed: u64) {
    let mut chance = Stream::new(seed, 0);
    for at in (1..order.len()).rev() {
        // The remainder is at most `at`.
        let other = (chance.next_u64() % (at as u64 + 1)) as usize;
        order.swap(at, other);
    }
}

fn largest(values: impl Iterator<Item = (f64, usize)>) -> Option<(f64, usize)> {
    values.reduce(|best, next| if next.0 > best.0 { next } else { best })
}

/// A covariance, and its product with itself over the active players: `G = Σ C_k C_k'`.
struct Design<'a> {
    field: &'a Field,
    covariance: Vec<Vec<f64>>,
    squares: Vec<Vec<f64>>,
    /// The largest gain of a block with each player, when it was last computed.
    most: Vec<f64>,
    seats: usize,
    /// Information of a game about a difference of 0, in Elo.
    unit: f64,
}

impl<'a> Design<'a> {
    fn new(field: &'a Field, seats: usize) -> Self {
        let players = field.roles.len();
        let most = UNKNOWN * UNKNOWN;
        let shrink: Vec<f64> = (0..players)
            .map(|it| (most / field.covariance[it][it].max(most)).sqrt())
            .collect();
        let cell = |row: usize, column: usize| {
            let cell = field.covariance[row][column] * shrink[row] * shrink[column];
            if cell.is_finite() { cell } else { 0.0 }
        };
        let covariance: Vec<Vec<f64>> = (0..players)
            .map(|row| (0..players).map(|column| cell(row, column)).collect())
            .collect();
        let mut squares = vec![vec![0.0; players]; players];
        for (player, row) in covariance.iter().enumerate() {
            if field.roles[player] != Role::Active {
                continue;
            }
            for (one, sums) in row.iter().zip(&mut squares) {
                for (other, sum) in row.iter().zip(sums) {
                    *sum += one * other;
                }
            }
        }
        Self {
            field,
            covariance,
            squares,
            most: vec![f64::INFINITY; players],
            seats,
            unit: 1.0 / (ELO * ELO * (1.0 - field.draws).max(0.05)),
        }
    }

    /// Expected information of a block about the difference of two players: less where they are far apart, unless that is
    /// not known.
    fn information(&self, one: usize, other: usize, variance: f64) -> f64 {
        let apart = (self.field.elo[one] - self.field.elo[other]) / ELO;
        let vague = std::f64::consts::PI / 8.0 * variance / (ELO * ELO);
        let share = 1.0 / (1.0 + (apart / (1.0 + vague).sqrt()).exp());
        self.field.rounds * self.seats as f64 * self.unit * share * (1.0 - share)
    }

    fn gain(&self, one: usize, other: usize) -> f64 {
        let of = |cells: &[Vec<f64>]| {
            cells[one][one] + cells[other][other] - cells[one][other] - cells[other][one]
        };
        let variance = of(&self.covariance).max(0.0);
        let information = self.information(one, other, variance);
        information * of(&self.squares).max(0.0) / (1.0 + information * variance)
    }

    /// The players of the block with the largest gain that has one of `firsts`; `None` if nobody may play on.
    ///
    /// Information taken in makes gains smaller, but for small parts of some. So the gains of a player are computed again
    /// only where the last ones would be the largest.
    fn best(&mut self, firsts: &[usize], order: &[usize], left: &[usize]) -> Option<Vec<usize>> {
        let mut is_new = vec![false; left.len()];
        let mut block = loop {
            let free = firsts.iter().filter(|it| left[**it] > 0);
            let (_, one) = largest(free.map(|it| (self.most[*it], *it)))?;
            let others = order.iter().filter(|it| left[**it] > 0 && **it != one);
            let gains = others.map(|other| (self.gain(one, *other), *other));
            let best = largest(gains);
            self.most[one] = best.map_or(f64::NEG_INFINITY, |it| it.0);
            match best {
                Some((_, other)) if is_new[one] => break vec![one, other],
                None if is_new[one] => return None,
                _ => is_new[one] = true,
            }
        };
        while block.len() < self.seats {
            let free = order.iter().filter(|it| !block.contains(it));
            let with_all = |it: &usize| block.iter().map(|other| self.gain(*it, *other)).sum();
            let gains = free.map(|it| (with_all(it), *it));
            block.push(largest(gains)?.1);
        }
        Some(block)
    }

    fn play(&mut self, block: &[usize]) {
        for (at, one) in block.iter().enumerate() {
            self.most[*one] = f64::INFINITY;
            for other in &block[..at] {
                self.meet(*one, *other);
            }
        }
    }

    fn meet(&mut self, one: usize, other: usize) {
        let column = |cells: &[Vec<f64>]| -> Vec<f64> {
            cells.iter().map(|row| row[one] - row[other]).collect()
        };
        let own = column(&self.covariance);
        let variance = (own[one] - own[other]).max(0.0);
        let information = self.information(one, other, variance);
        let factor = information / (1.0 + information * variance);
        let product = column(&self.squares);
        let square = product[one] - product[other];
        let rows = self.covariance.iter_mut().zip(&mut self.squares);
        for ((cells, sums), (of_row, product_of_row)) in rows.zip(own.iter().zip(&product)) {
            let less = factor * of_row;
            let more = factor * (factor * square * of_row - product_of_row);
            let columns = own.iter().zip(&product);
            for ((cell, sum), (own, product)) in cells.iter_mut().zip(sums).zip(columns) {
                *cell -= less * own;
                *sum += more * own - less * product;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn field(deviations: &[f64], elo: &[f64]) -> Field {
        let players = deviations.len();
        let mut covariance = vec![vec![0.0; players]; players];
        for (at, deviation) in deviations.iter().enumerate() {
            covariance[at][at] = deviation * deviation;
        }
        Field {
            roles: vec![Role::Active; players],
            elo: elo.to_vec(),
            covariance,
            draws: 0.0,
            rounds: 1.0,
            idle: vec![0; players],
        }
    }

    #[test]
    fn the_gain_is_what_a_block_takes_away_from_the_summed_variance() {
        let mut field = field(&[90.0, 40.0, 60.0, 25.0], &[0.0, 120.0, -50.0, 10.0]);
        field.covariance[0][1] = 900.0;
        field.covariance[1][0] = 900.0;
        field.roles[3] = Role::Anchor;
        let mut design = Design::new(&field, 2);
        for [one, other] in [[0, 1], [2, 0], [3, 1], [0, 1]] {
            let sum = |design: &Design<'_>| (0..3).map(|it| design.covariance[it][it]).sum::<f64>();
            let (before, gain) = (sum(&design), design.gain(one, other));
            design.meet(one, other);
            assert!((before - sum(&design) - gain).abs() < 1e-6 && gain > 0.0);
            // The squares follow the covariance.
            let square: f64 = (0..3).map(|it| design.covariance[it][2].powi(2)).sum();
            assert!((design.squares[2][2] - square).abs() < 1e-3);
        }
    }

    #[test]
    fn the_unknown_play_first_and_against_those_near_them() {
        let mut field = field(
            &[20.0, 20.0, 350.0, 20.0, 20.0],
            &[-400.0, 0.0, 30.0, 60.0, 900.0],
        );
        let chosen = choose(&field, 2, 3, 1);
        assert!(chosen.iter().all(|block| block.contains(&2)), "{chosen:?}");
        assert!(!chosen[0].contains(&4), "{chosen:?}");
        // Nobody starves, and who is out does not play.
        field.idle[4] = PATIENCE;
        field.roles[3] = Role::Out;
        let chosen = choose(&field, 2, 8, 1);
        assert!(chosen[0].contains(&4), "{chosen:?}");
        assert!(!chosen.concat().contains(&3), "{chosen:?}");
        assert_eq!(chosen, choose(&field, 2, 8, 1));
    }

    #[test]
    fn anchors_never_meet_each_other_and_blocks_have_as_many_players_as_seats() {
        let mut field = field(&[350.0; 6], &[0.0; 6]);
        field.roles[..3].fill(Role::Anchor);
        for seats in [2, 3, 4] {
            let chosen = choose(&field, seats, 5, 3);
            assert_eq!(chosen.len(), 5);
            for block in &chosen {
                let mut players = block.clone();
                players.sort_unstable();
                players.dedup();
                assert_eq!(players.len(), seats);
                assert!(block.iter().any(|it| *it >= 3), "{chosen:?}");
            }
        }
        field.roles.fill(Role::Anchor);
        assert!(choose(&field, 2, 5, 3).is_empty());
    }

    #[test]
    fn the_block_is_the_best_one_though_few_gains_are_computed() {
        let mut chance = Stream::new(3, 0);
        let mut below = |most: u64| (chance.next_u64() % most) as f64;
        let players = 16;
        let deviations: Vec<f64> = (0..players).map(|_| 15.0 + below(90)).collect();
        let elo: Vec<f64> = (0..players).map(|_| below(500)).collect();
        let field = field(&deviations, &elo);
        let mut design = Design::new(&field, 2);
        let order: Vec<usize> = (0..players).collect();
        let left = vec![usize::MAX; players];
        for _ in 0..200 {
            let block = design.best(&order, &order, &left).expect("a block");
            let gain = design.gain(block[0], block[1]);
            for one in 0..players {
                for other in 0..one {
                    assert!(design.gain(one, other) <= 1.001 * gain);
                }
            }
            design.play(&block);
        }
    }
}
