//! Simulated tournaments with known strengths.

use referee::rating::{GameCounter, RatedGame, WinDrawLoss};

pub use crate::simulated_places::Chance;

/// The true parameters of a simulated round robin.
#[derive(Debug, Clone, Copy)]
pub struct World {
    pub name: &'static str,
    /// The standard deviation of strengths, in units of the log odds.
    pub spread: f64,
    /// The first seat's advantage, in units of the log odds.
    pub advantage: f64,
    pub draw_rate: f64,
    pub pairs: bool,
    /// The correlation of the normal variables behind a player's results in the games of a pair.
    pub correlation: f64,
}

/// How many intervals contained the true value, of how many.
#[derive(Debug, Clone, Copy, Default)]
pub struct Held {
    pub held: u64,
    pub of: u64,
}

impl Held {
    pub fn count(&mut self, low: f64, truth: f64, high: f64) {
        self.held += u64::from(low <= truth && truth <= high);
        self.of += 1;
    }

    pub fn percent(&self) -> f64 {
        100.0 * self.held as f64 / self.of as f64
    }
}

/// A round robin with `games` games per pairing, an even number, at these log odds of two players on equal
/// seats.
pub fn play(
    world: &World,
    names: &[String],
    odds: &dyn Fn(usize, usize) -> f64,
    games: usize,
    chance: &mut Chance,
) -> GameCounter {
    let mut counter = GameCounter::default();
    for name in names {
        counter.add_player(name);
    }
    let mut pair = 0;
    for a in 0..names.len() {
        for b in 0..a {
            for _ in 0..games / 2 {
                pair += 1;
                let shared = chance.normal();
                let rest = (1.0 - world.correlation * world.correlation).sqrt();
                let luck = [shared, world.correlation * shared + rest * chance.normal()];
                for (seat, luck) in luck.into_iter().enumerate() {
                    let side = [world.advantage, -world.advantage][seat];
                    let score = outcome(odds(a, b) + side, world.draw_rate, cdf(luck));
                    let (seats, score) = match seat {
                        0 => ([a, b], score),
                        _ => ([b, a], score.reversed()),
                    };
                    let names = seats.map(|player| names[player].as_str());
                    counter.add(&RatedGame {
                        block: world.pairs.then_some(pair),
                        ..RatedGame::new(names.into(), score.as_result())
                    });
                }
            }
        }
    }
    counter
}

/// The result at these log odds, for a player with this much luck: a uniform variable.
pub fn outcome(odds: f64, draw_rate: f64, rank: f64) -> WinDrawLoss {
    let nu = 2.0 * draw_rate / (1.0 - draw_rate);
    let (win, loss) = ((odds / 2.0).exp(), (-odds / 2.0).exp());
    let sum = win + nu + loss;
    if rank < loss / sum {
        WinDrawLoss::Loss
    } else if rank < (loss + nu) / sum {
        WinDrawLoss::Draw
    } else {
        WinDrawLoss::Win
    }
}

/// The normal distribution, to seven digits (Abramowitz and Stegun 26.2.17).
fn cdf(x: f64) -> f64 {
    let t = 1.0 / (1.0 + 0.231_641_9 * x.abs());
    let factors = [
        1.330_274_429,
        -1.821_255_978,
        1.781_477_937,
        -0.356_563_782,
        0.319_381_530,
    ];
    let series = factors.iter().fold(0.0, |sum, factor| (sum + factor) * t);
    let tail = series * (-x * x / 2.0).exp() / std::f64::consts::TAU.sqrt();
    if x > 0.0 { 1.0 - tail } else { tail }
}

/// How many players the studies have, and how many games each two of them play.
pub const SIZES: [(usize, usize); 3] = [(4, 40), (16, 10), (64, 2)];
