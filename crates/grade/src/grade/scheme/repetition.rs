//! Simulated repetitions: a student's marks after games with fresh chance.

use super::reach::SequentialTest;
use super::urn::Urn;
use super::{Count, MarkRule, SchemeTest, TestGames, curve, fraction, reached, within};
use crate::game::Chance;

/// Number of simulated repetitions, unless there is a reason for another one.
pub const SIMULATIONS: usize = 2000;

/// Marks closer than this are equal; the rest is rounding of the arithmetic.
const EQUAL: f64 = 1e-9;

/// How the games of all tests become one mark.
#[derive(Debug, Clone, PartialEq)]
pub struct Scheme {
    pub tests: Vec<SchemeTest>,
    /// Marks for playing without forfeits, if there are any.
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
    /// 2.5 % of repetitions have a lower total.
    pub low: f64,
    /// 2.5 % of repetitions have a higher total.
    pub high: f64,
    /// Each test's part of the variance of the total before it is rounded: where more games help most. The
    /// rest is reliability's. All are 0 if no total varies.
    pub by_test: Vec<f64>,
}

impl Scheme {
    /// The total of a student: the marks of all tests and of reliability, and `other` marks: given by hand, less
    /// deductions. `games` has the games of each test, in the scheme's order.
    pub fn total(&self, games: &[TestGames], other: f64) -> f64 {
        let mut marks = Vec::new();
        let mut all = Count::default();
        for (test, games) in self.tests.iter().zip(games) {
            marks.push(test.marks * fraction(test, games).value);
            games
                .opponents
                .iter()
                .flatten()
                .for_each(|block| all.add(block));
        }
        self.rounded(marks.iter().sum::<f64>() + self.reliability(all) + other)
    }

    /// The marks for reliability. Without games there are none.
    fn reliability(&self, all: Count) -> f64 {
        match &self.reliability {
            Some(given) if all.games > 0.0 => {
                given.marks * curve(&given.curve, all.forfeits / all.games)
            }
            _ => 0.0,
        }
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
    /// predictive distribution, and marks them; a sequential test runs anew up to its cap. `docs/marks.md` has
    /// the distribution, and how near the observed frequency the probability is.
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
        let mut spreads = vec![Spread::default(); self.tests.len() + 1];
        let mut once = || self.once(&mut urns, other, &mut spreads, chance);
        let mut totals: Vec<f64> = (0..simulations).map(|_| once()).collect();
        let changed = totals.iter().filter(|it| (**it - total).abs() > EQUAL);
        let changed = changed.count() as f64;
        let variances: Vec<f64> = spreads.iter().map(Spread::variance).collect();
        let whole: f64 = variances.iter().sum();
        let part = |variance: &f64| {
            if whole > 0.0 { variance / whole } else { 0.0 }
        };
        totals.sort_by(f64::total_cmp);
        let outside = simulations / 40;
        Change {
            probability: changed / simulations.max(1) as f64,
            low: totals.get(outside).copied().unwrap_or(total),
            high: totals.iter().rev().nth(outside).copied().unwrap_or(total),
            by_test: variances[..self.tests.len()].iter().map(part).collect(),
        }
    }

    /// Total of one repetition. Adds the marks of each test, then of reliability, to `spreads`.
    fn once(
        &self,
        urns: &mut [Vec<Urn>],
        other: f64,
        spreads: &mut [Spread],
        chance: &mut dyn Chance,
    ) -> f64 {
        let mut all = Count::default();
        let mut sum = other;
        for ((test, urns), spread) in self.tests.iter().zip(urns).zip(&mut *spreads) {
            let (value, count) = repeated(test, urns, chance);
            spread.add(test.marks * value);
            sum += test.marks * value;
            all = all.plus(count);
        }
        let reliability = self.reliability(all);
        if let Some(spread) = spreads.last_mut() {
            spread.add(reliability);
        }
        self.rounded(sum + reliability)
    }
}

/// One repetition of a test: its share of the marks, and its games.
fn repeated(test: &SchemeTest, urns: &mut [Urn], chance: &mut dyn Chance) -> (f64, Count) {
    let mut count = Count::default();
    urns.iter_mut().for_each(Urn::refill);
    match &test.rule {
        MarkRule::Reach {
            share,
            margin,
            error,
            doubt,
        } => {
            let mut sequential = SequentialTest::new(*share, *margin, *error);
            let seatings = urns.len() as f64;
            let played = urns.iter().map(Urn::played).min().unwrap_or(0);
            let mut round = 0;
            while seatings > 0.0 && (round < played || count.games < f64::from(test.cap)) {
                let mut shares = 0.0;
                for urn in &mut *urns {
                    let block = urn.draw(chance);
                    shares += block.share();
                    count.add(&block);
                }
                if let Some(verdict) = sequential.add(shares / seatings) {
                    return (reached(verdict), count);
                }
                round += 1;
            }
            (doubt.fraction(), count)
        }
        rule => {
            for urn in urns {
                for _ in 0..urn.played() {
                    count.add(&urn.draw(chance));
                }
            }
            let share = count.share();
            let value = match rule {
                MarkRule::Curve(points) if count.games > 0.0 => curve(points, share),
                _ => share,
            };
            (value, count)
        }
    }
}

/// The variance of numbers that come one by one (B. Welford, Technometrics 4, 1962).
#[derive(Debug, Clone, Default)]
struct Spread {
    count: f64,
    mean: f64,
    squares: f64,
}

impl Spread {
    fn add(&mut self, value: f64) {
        self.count += 1.0;
        let distance = value - self.mean;
        self.mean += distance / self.count;
        self.squares += distance * (value - self.mean);
    }

    fn variance(&self) -> f64 {
        self.squares / self.count.max(1.0)
    }
}
