//! Simulated sequential tests in blocks: a challenger in one seat against equal players in all others.

use referee::random::Stream;
use referee::rating::{BlockScores, Sprt, SprtVerdict};

/// How the results of a block vary, apart from the challenger's strength. All but ties are in units of the
/// logistic distribution: 1 is 174 Elo.
#[derive(Debug, Clone, Copy)]
pub struct World {
    pub name: &'static str,
    /// Two players within this distance are tied.
    pub ties: f64,
    /// By how much the first seat is better than the last. The others are between them, equally far apart.
    pub seats: f64,
    /// By how much a start favours the challenger, or the others, in all games of its block.
    pub start: f64,
}

pub const WORLDS: [World; 4] = [
    World {
        name: "decisive",
        ties: 0.0,
        seats: 0.0,
        start: 0.0,
    },
    World {
        name: "ties",
        ties: 1.5,
        seats: 0.0,
        start: 0.0,
    },
    World {
        name: "strong seats",
        ties: 0.0,
        seats: 4.0,
        start: 0.0,
    },
    World {
        name: "starts matter",
        ties: 0.3,
        seats: 1.0,
        start: 1.5,
    },
];

/// The outcome of many tests.
#[derive(Debug, Clone, Copy)]
pub struct Rates {
    /// How often elo1 was accepted though elo0 is true.
    pub false_alarms: f64,
    /// How often elo0 was accepted though elo1 is true.
    pub misses: f64,
    /// Mean number of blocks of a test.
    pub blocks: f64,
}

/// Plays this many tests at elo0, and as many at elo1.
pub fn rates(world: &World, seats: usize, test: Sprt, tests: u64) -> Rates {
    let mut blocks = 0;
    let [accepted0, accepted1] = [test.elo0, test.elo1].map(|elo| {
        let strength = world.strength(seats, 1.0 / (1.0 + 10_f64.powf(-elo / 400.0)));
        let accepted = (0..tests).filter(|number| {
            let mut chance = Chance(Stream::new(elo.to_bits() ^ seats as u64, *number));
            let mut scores = BlockScores::new(seats);
            loop {
                scores.add(world.block(seats, strength, &mut chance));
                match test.verdict(&scores) {
                    SprtVerdict::Undecided => {}
                    verdict => {
                        blocks += scores.blocks();
                        return verdict == SprtVerdict::AcceptElo1;
                    }
                }
            }
        });
        accepted.count() as f64 / tests as f64
    });
    Rates {
        false_alarms: accepted0,
        misses: 1.0 - accepted1,
        blocks: blocks as f64 / (2 * tests) as f64,
    }
}

impl World {
    fn seat(&self, seat: usize, seats: usize) -> f64 {
        self.seats * (0.5 - seat as f64 / (seats - 1) as f64)
    }

    /// The strength of a challenger with this mean score, by bisection.
    fn strength(&self, seats: usize, score: f64) -> f64 {
        let [mut low, mut high] = [-20.0, 20.0];
        for _ in 0..60 {
            let middle = f64::midpoint(low, high);
            if self.score(seats, middle) < score {
                low = middle;
            } else {
                high = middle;
            }
        }
        low
    }

    /// The mean share of opponents that a challenger of this strength beats: the mean over its seat, the seat of an
    /// opponent and the kind of start.
    fn score(&self, seats: usize, strength: f64) -> f64 {
        let beats = |lead: f64| 1.0 / (1.0 + (-lead).exp());
        let mut sum = 0.0;
        for own in 0..seats {
            for other in (0..seats).filter(|other| *other != own) {
                for start in [-self.start, self.start] {
                    let lead = strength + start + self.seat(own, seats) - self.seat(other, seats);
                    sum += f64::midpoint(beats(lead - self.ties), beats(lead + self.ties)) / 2.0;
                }
            }
        }
        sum / (seats * (seats - 1)) as f64
    }

    /// Plays a block, and returns how many opponents the challenger beat, in halves.
    fn block(&self, seats: usize, strength: f64, chance: &mut Chance) -> usize {
        let start = if chance.uniform() < 0.5 {
            -self.start
        } else {
            self.start
        };
        let mut half_points = 0;
        for own in 0..seats {
            let mut performance = |seat: usize| self.seat(seat, seats) + chance.gumbel();
            let challenger = strength + start + performance(own);
            for other in (0..seats).filter(|other| *other != own) {
                let lead = challenger - performance(other);
                half_points += usize::from(lead > self.ties) + usize::from(lead >= -self.ties);
            }
        }
        half_points
    }
}

struct Chance(Stream);

impl Chance {
    fn uniform(&mut self) -> f64 {
        ((self.0.next_u64() >> 11) as f64 + 0.5) / (1_u64 << 53) as f64
    }

    /// The order of such numbers, each plus a strength, has the distribution of Plackett and Luce.
    fn gumbel(&mut self) -> f64 {
        -(-self.uniform().ln()).ln()
    }
}

#[cfg(test)]
mod tests {
    use super::{WORLDS, rates};
    use referee::rating::{EloModel, Sprt};

    const TEST: Sprt = Sprt {
        elo0: 0.0,
        elo1: 40.0,
        alpha: 0.05,
        beta: 0.05,
        model: EloModel::Logistic,
    };

    const TESTS: u64 = 1_000;

    #[test]
    #[ignore = "slow"]
    fn errors_in_a_thousand_tests_are_as_rare_as_asked_for() {
        // As rare as asked for, within three standard errors.
        let most = 0.05 + 3.0 * (0.05_f64 * 0.95 / TESTS as f64).sqrt();
        for seats in [3, 4, 8] {
            for world in &WORLDS {
                let rates = rates(world, seats, TEST, TESTS);
                println!("{seats} seats, {}: {rates:?}", world.name);
                for errors in [rates.false_alarms, rates.misses] {
                    assert!(errors <= most, "{seats} seats, {}: {rates:?}", world.name);
                    // A test that makes no errors would play too many games. Tests of about thirty blocks do.
                    let is_long = rates.blocks > 60.0;
                    assert!(
                        !is_long || errors > 0.02,
                        "{seats} seats, {}: {rates:?}",
                        world.name
                    );
                }
            }
        }
    }
}
