//! Median-unbiased estimates of a Brownian motion's drift after a sequential test, whose results decided when it ended.
//!
//! The ends of a motion between two bounds have an order: the high bound first, an earlier end before a later one; then
//! motions that are still between the bounds, by their place; then the low bound, a later end before an earlier one
//! (D. Siegmund, "Estimation following sequential tests", Biometrika 65, 1978). The greater the drift, the likelier is
//! an end further up. The median-unbiased estimate is the drift that makes an end further up as likely as one further
//! down. At the ends of the 95 % interval, one of the two has a probability of 2.5 %.

use std::f64::consts::PI;

use crate::rating::{Interval, math};

/// A time below which a path to one bound has not been at the other. In one unit of time, the motion's deviation grows
/// to the distance of the bounds.
const EARLY: f64 = 0.05;

/// After this time the series of waves needs fewer terms than the series of images.
const LATE: f64 = 0.5;

/// Waves that have faded by `e^-MOST_FADED` are left out.
const MOST_FADED: f64 = 45.0;

/// Range of the search for the drift, in standard errors on either side of the observed one.
const REACH: f64 = 9.0;

#[derive(Debug, Clone, Copy, PartialEq)]
pub enum End {
    Low,
    High,
    Between(f64),
}

/// A motion from 0 that ended. Places are in units of its deviation at that time, so that the time is 1.
#[derive(Debug, Clone, Copy)]
pub struct StoppedMotion {
    low: f64,
    high: f64,
    end: End,
    per_time: f64,
}

impl StoppedMotion {
    /// A motion between these bounds, the first below 0 and the second above it. It has the deviation `step` after a
    /// unit of time, and ended at `time`.
    pub fn new(bounds: [f64; 2], step: f64, time: f64, end: End) -> Self {
        let deviation = step * time.sqrt();
        let [low, high] = bounds.map(|bound| bound / deviation);
        Self {
            low,
            high,
            end: match end {
                End::Between(at) => End::Between(at / deviation),
                bound => bound,
            },
            per_time: deviation / time,
        }
    }

    /// The drift per unit of time: the median-unbiased estimate in its 95 % interval.
    pub fn drifts(&self) -> Interval {
        [0.025, 0.5, 0.975].map(|goal| self.drift(goal))
    }

    /// The drift per unit of time for which an end further up has this probability; the median-unbiased estimate
    /// at one half.
    pub fn drift(&self, goal: f64) -> f64 {
        let seen = match self.end {
            End::Low => self.low,
            End::High => self.high,
            End::Between(at) => at,
        };
        let (mut less, mut more) = (seen - REACH, seen + REACH);
        for _ in 0..40 {
            let drift = f64::midpoint(less, more);
            if self.further_up(drift) < goal {
                less = drift;
            } else {
                more = drift;
            }
        }
        f64::midpoint(less, more) * self.per_time
    }

    /// The probability of an end further up, given the drift.
    fn further_up(&self, drift: f64) -> f64 {
        let up = || reached(self.high, -self.low, drift);
        match self.end {
            End::High => up(),
            End::Low => 1.0 - reached(-self.low, self.high, -drift),
            End::Between(at) => up() + self.between(at, drift),
        }
    }

    /// The probability to have reached neither bound and to be above `at`.
    fn between(&self, at: f64, drift: f64) -> f64 {
        // Simpson's rule over the range with a density above 0.
        const PARTS: usize = 64;
        let most = self.high.min(at.max(drift) + REACH);
        let width = (most - at) / PARTS as f64;
        let sum: f64 = (0..=PARTS)
            .map(|part| {
                let weight = match part {
                    0 | PARTS => 1.0,
                    odd if odd % 2 == 1 => 4.0,
                    _ => 2.0,
                };
                weight * self.density(at + width * part as f64, drift)
            })
            .sum();
        sum * width / 3.0
    }

    /// The density at `at` of motions that have reached neither bound.
    fn density(&self, at: f64, drift: f64) -> f64 {
        let span = self.high - self.low;
        let tilt = drift * at - drift * drift / 2.0;
        if 1.0 / (span * span) < LATE {
            let image = |from: f64| (tilt - (at - from).powi(2) / 2.0).exp();
            let sum: f64 = (-2..=2)
                .map(|turn| 2.0 * f64::from(turn) * span)
                .map(|shift| image(shift) - image(2.0 * self.high + shift))
                .sum();
            return sum / (2.0 * PI).sqrt();
        }
        let wave = |k: f64| {
            let phase = |place: f64| (k * PI * (place - self.low) / span).sin();
            phase(0.0) * phase(at)
        };
        2.0 / span * tilt.exp() * waves(span, |k, fading| wave(k) * (-fading).exp())
    }
}

/// The probability that a motion reaches a bound at this distance by time 1, and before the other bound at the distance
/// `other` on the other side. The drift is towards the first (D. Darling, A. Siegert, Annals of Mathematical Statistics
/// 24, 1953).
fn reached(distance: f64, other: f64, drift: f64) -> f64 {
    let span = distance + other;
    if 1.0 / (span * span) < EARLY {
        // By reflection, without the other bound.
        let back = 2.0 * drift * distance;
        let there = math::cdf(drift - distance);
        let reflected = math::cdf(-drift - distance);
        return if reflected > 0.0 {
            (there + (back + reflected.ln()).exp()).min(1.0)
        } else {
            there
        };
    }
    let ever = if drift.abs() < 1e-9 {
        other / span
    } else if drift > 0.0 {
        (-2.0 * drift * other).exp_m1() / (-2.0 * drift * span).exp_m1()
    } else {
        let (all, part) = (2.0 * drift * span, 2.0 * drift * other);
        // Both exponents are below 0.
        (all - part).exp() * part.exp_m1() / all.exp_m1()
    };
    let tilt = (drift * distance - drift * drift / 2.0).exp();
    let later = waves(span, |k, fading| {
        k * (k * PI * distance / span).sin() * (-fading).exp() / (drift * drift / 2.0 + fading)
    });
    (ever - PI / (span * span) * tilt * later).clamp(0.0, 1.0)
}

/// The sum over all standing waves between two bounds, given the number of each and the exponent of its decay.
fn waves(span: f64, wave: impl Fn(f64, f64) -> f64) -> f64 {
    (1..)
        .map(|k| {
            let k = f64::from(k);
            (k, (k * PI / span).powi(2) / 2.0)
        })
        .take_while(|(_, fading)| *fading < MOST_FADED)
        .map(|(k, fading)| wave(k, fading))
        .sum()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::Stream;

    /// A motion with this drift and a deviation of 1 at time 1, in 200 steps to a bound or to time 1. The bounds are
    /// moved in by the mean overshoot of a step.
    fn walk(bounds: [f64; 2], drift: f64, chance: &mut Stream) -> (End, f64) {
        const STEPS: u32 = 200;
        let step = 1.0 / f64::from(STEPS).sqrt();
        let mut at = 0.0;
        for number in 1..=STEPS {
            // A sum of twelve uniform variables is nearly normal.
            let uniform = |_| chance.uniform();
            let normal = (0..12).map(uniform).sum::<f64>() - 6.0;
            at += normal * step + drift / f64::from(STEPS);
            let time = f64::from(number) / f64::from(STEPS);
            if at <= bounds[0] + 0.583 * step {
                return (End::Low, time);
            }
            if at >= bounds[1] - 0.583 * step {
                return (End::High, time);
            }
        }
        (End::Between(at), 1.0)
    }

    #[test]
    fn the_estimate_is_as_often_too_high_as_too_low_and_the_interval_holds_the_drift() {
        const WALKS: u32 = 1000;
        for (bounds, drift) in [([-0.5, 0.5], 0.0), ([-0.7, 0.4], 1.5), ([-1.2, 1.2], -1.0)] {
            let mut chance = Stream::new(2026, 0);
            let (mut above, mut held) = (0, 0);
            for _ in 0..WALKS {
                let (end, time) = walk(bounds, drift, &mut chance);
                let [low, middle, high] = StoppedMotion::new(bounds, 1.0, time, end).drifts();
                assert!(low < middle && middle < high, "{end:?} {time}");
                above += u32::from(middle > drift);
                held += u32::from(low < drift && drift < high);
            }
            // Both within three standard errors.
            let [above, held] = [above, held].map(|count| f64::from(count) / f64::from(WALKS));
            assert!((above - 0.5).abs() < 0.048, "{bounds:?} {drift}: {above}");
            assert!((held - 0.95).abs() < 0.021, "{bounds:?} {drift}: {held}");
        }
    }

    #[test]
    fn both_series_agree_where_one_hands_over_to_the_other() {
        for drift in [-3.0, 0.0, 0.4, 3.0] {
            // An end at 1 of a motion whose bounds are so far apart.
            let near = |of: f64, span: f64| of.sqrt().recip() * span;
            let [one, two] = [1.0001, 0.9999].map(|part| {
                let span = near(LATE, part);
                let stopped =
                    StoppedMotion::new([-span / 3.0, span * 2.0 / 3.0], 1.0, 1.0, End::Low);
                stopped.between(-span / 5.0, drift)
            });
            assert!((one - two).abs() < 1e-3, "{drift}: {one} {two}");
            let [one, two] = [1.0001, 0.9999].map(|part| {
                let span = near(EARLY, part);
                reached(span / 3.0, span * 2.0 / 3.0, drift)
            });
            assert!((one - two).abs() < 1e-3, "{drift}: {one} {two}");
        }
    }
}
