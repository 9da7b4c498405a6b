//! The normal distribution.

use std::f64::consts::{PI, SQRT_2};

/// The probability that a normal variable is at most `x`.
///
/// Uses the series of the error function near zero and its continued fraction further out (Abramowitz
/// and Stegun 7.1.6 and 7.1.14). Correct to about 14 digits.
pub(super) fn cdf(x: f64) -> f64 {
    let z = x.abs() / SQRT_2;
    if z.is_nan() {
        return f64::NAN;
    }
    let tail = if z < 2.5 {
        let (mut term, mut sum) = (z, z);
        for n in 1..200 {
            term *= 2.0 * z * z / f64::from(2 * n + 1);
            sum += term;
            if term < 1e-17 * sum {
                break;
            }
        }
        0.5 - (-z * z).exp() / PI.sqrt() * sum
    } else {
        let fraction = (1..=80)
            .rev()
            .fold(0.0, |rest, n| f64::from(n) / 2.0 / (z + rest));
        0.5 * (-z * z).exp() / PI.sqrt() / (z + fraction)
    };
    if x < 0.0 { tail } else { 1.0 - tail }
}

/// The probability that a normal variable is as far from its mean as this many standard deviations, or further.
pub fn normal_tails(deviations: f64) -> f64 {
    2.0 * cdf(-deviations.abs())
}

/// The value that a normal variable exceeds with probability `tail`, which is between 0 and ½.
pub(super) fn upper_quantile(tail: f64) -> f64 {
    let (mut low, mut high) = (0.0, 40.0);
    for _ in 0..80 {
        let middle = f64::midpoint(low, high);
        if cdf(-middle) > tail {
            low = middle;
        } else {
            high = middle;
        }
    }
    low
}

/// The value that the absolute value of Student's variable exceeds with probability 5 %. There is at least one
/// degree of freedom, not always a whole number of them.
///
/// With `t = √n tan φ`, the density of `φ` is proportional to `cos φ` to the power `n - 1`; its integral is
/// taken by Simpson's rule.
pub(super) fn student_quantile(degrees: f64) -> f64 {
    const STEPS: u32 = 400;
    if degrees > 1e6 || degrees.is_nan() {
        return super::Z95;
    }
    let degrees = degrees.max(1.0);
    // Beyond this angle lies almost nothing.
    let most = (40.0 / degrees.sqrt()).atan();
    let integral = |end: f64| {
        let step = end / f64::from(STEPS);
        let sum: f64 = (0..=STEPS)
            .map(|at| {
                let factor = match at {
                    0 | STEPS => 1.0,
                    odd if odd % 2 == 1 => 4.0,
                    _ => 2.0,
                };
                // Rounding can make the cosine of a right angle negative.
                factor * (f64::from(at) * step).cos().max(0.0).powf(degrees - 1.0)
            })
            .sum();
        sum * step / 3.0
    };
    let all = integral(if degrees < 30.0 { PI / 2.0 } else { most });
    let (mut low, mut high) = (0.0, most);
    for _ in 0..60 {
        let middle = f64::midpoint(low, high);
        if integral(middle) < 0.95 * all {
            low = middle;
        } else {
            high = middle;
        }
    }
    degrees.sqrt() * low.tan()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_from_tables() {
        for (x, p) in [
            (0.0, 0.5),
            (1.0, 0.841_344_746_068_542_9),
            (-1.959_963_984_540_054, 0.025),
            (3.6, 0.999_840_891_409_842_4),
            (-6.0, 9.865_876_450_376_98e-10),
        ] {
            assert!((cdf(x) / p - 1.0).abs() < 1e-12, "{x}: {}", cdf(x));
        }
        assert!((upper_quantile(0.025) - 1.959_963_984_540_054).abs() < 1e-9);
    }

    #[test]
    fn students_quantiles_are_those_of_tables() {
        // Fisher and Yates, table III.
        for (degrees, quantile) in [
            (1.0, 12.7062),
            (2.0, 4.3027),
            (3.0, 3.1824),
            (15.0, 2.1314),
            (14.97, 2.1317),
            (99.0, 1.9842),
            (1e5, 1.9600),
        ] {
            let found = student_quantile(degrees);
            assert!((found - quantile).abs() < 1e-3, "{degrees} {found}");
        }
    }
}
