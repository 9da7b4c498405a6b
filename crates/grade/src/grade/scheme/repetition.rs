//! Simulated repetitions: a student's marks after games with fresh chance.

use super::urn::Urn;
use super::{Count, SchemeTest, TestGames, curve, fraction, within};
use crate::game::Chance;

/// Number of simulated repetitions, unless there is a reason for another one.
pub const SIMULATIONS: usize = 2000;

/// Marks closer than this are equal; the rest is rounding of the arithmetic.
const EQUAL: f64 = 1e-9;

#[derive(Debug, Clone, PartialEq)]
pub struct Scheme {
    pub tests: Vec<SchemeTest>,
    pub reliability: Option<Reliability>,
    /// The total is given in steps of this size, halves upwards. 0: as it is.
    pub rounding: f64,
    /// The greatest total; the least is 0.
    pub most: f64,
}

/// Marks by the share of all games that the student's own agent forfeited.
#[derive(Debug, Clone, PartialEq)]
pub struct Reliability {
    pub marks: f64,
    /// From the share of forfeited games to the share of the marks: see [`curve`].
    pub curve: Vec<[f64; 2]>,
}

/// How a repetition, with fresh chance and as many games, would differ.
#[derive(Debug, Clone, PartialEq)]
pub struct Change {
    pub probability: f64,
    pub low: f64,
    pub high: f64,
}

impl Scheme {
    /// The total of a student: the marks of all tests and of reliability, and `other` marks, less than 0 for a
    /// penalty. `games` has the games of each test, in the scheme's order.
    pub fn total(&self, games: &[TestGames], other: f64) -> f64 {
        let tests = self.tests.iter().zip(games);
        let marks = tests.map(|(test, games)| test.marks * fraction(test, games)[1]);
        self.rounded(marks.sum::<f64>() + self.reliability(games).unwrap_or(0.0) + other)
    }

    /// The marks for reliability, where there are some. Without games there are none.
    pub fn reliability(&self, games: &[TestGames]) -> Option<f64> {
        let mut all = Count::default();
        games.iter().for_each(|games| all.add_all(games.count()));
        self.reliability_of(all)
    }

    fn reliability_of(&self, all: Count) -> Option<f64> {
        let given = self.reliability.as_ref().filter(|_| all.games > 0.0)?;
        Some(given.marks * curve(&given.curve, all.forfeits / all.games))
    }

    fn rounded(&self, total: f64) -> f64 {
        let rounded = if self.rounding > 0.0 {
            (total / self.rounding + 0.5 + EQUAL).floor() * self.rounding
        } else {
            total
        };
        within(rounded, 0.0, self.most.max(0.0))
    }

    /// Simulates repetitions. Each draws, for each seating of opponents, as many blocks as were played from their posterior
    /// predictive distribution, and marks them. `docs/marks.md` has the distribution, and how near the observed
    /// frequency the probability is.
    pub fn change(
        &self,
        games: &[TestGames],
        other: f64,
        simulations: usize,
        chance: &mut dyn Chance,
    ) -> Change {
        let total = self.total(games, other);
        let urns = self.tests.iter().zip(games);
        let urns = urns.map(|(test, own)| Urn::of(test, own, games.len()));
        let mut urns: Vec<Vec<Urn>> = urns.collect();
        let mut once = || self.once(&mut urns, other, chance);
        let mut totals: Vec<f64> = (0..simulations).map(|_| once()).collect();
        let changed = totals.iter().filter(|it| (**it - total).abs() > EQUAL);
        let changed = changed.count() as f64;
        totals.sort_by(f64::total_cmp);
        let outside = simulations / 40;
        Change {
            probability: changed / simulations.max(1) as f64,
            low: totals.get(outside).copied().unwrap_or(total),
            high: totals.iter().rev().nth(outside).copied().unwrap_or(total),
        }
    }

    fn once(&self, urns: &mut [Vec<Urn>], other: f64, chance: &mut dyn Chance) -> f64 {
        let mut all = Count::default();
        let mut sum = other;
        for (test, urns) in self.tests.iter().zip(urns) {
            let mut count = Count::default();
            for urn in urns {
                urn.refill();
                for _ in 0..urn.played() {
                    count.add(&urn.draw(chance));
                }
            }
            let share = count.share();
            let points = test.curve.as_ref().filter(|_| count.games > 0.0);
            sum += test.marks * points.map_or(share, |points| curve(points, share));
            all.add_all(count);
        }
        self.rounded(sum + self.reliability_of(all).unwrap_or(0.0))
    }
}
