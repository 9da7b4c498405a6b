//! The normal distribution, and Student's.

use std::f64::consts::FRAC_1_SQRT_2;

use libm::erfc;
use statrs::distribution::{ContinuousCDF as _, StudentsT};
use statrs::function::erf::erfc_inv;

/// The probability that a normal variable is at most `x`.
pub fn cdf(x: f64) -> f64 {
    0.5 * erfc(-x * FRAC_1_SQRT_2)
}

/// The probability that a normal variable is at least this many standard deviations from its mean.
pub fn normal_tails(deviations: f64) -> f64 {
    erfc(deviations.abs() * FRAC_1_SQRT_2)
}

/// The value that a normal variable exceeds with probability `tail`, which is between 0 and ½.
pub fn upper_quantile(tail: f64) -> f64 {
    erfc_inv(2.0 * tail) / FRAC_1_SQRT_2
}

/// The value that the absolute value of Student's variable exceeds with probability 5 %. There is at least one
/// degree of freedom, not always a whole number of them.
pub fn student_quantile(degrees: f64) -> f64 {
    // Above a million degrees it is the normal quantile to six digits. `new` refuses only degrees that are not positive.
    match StudentsT::new(0.0, 1.0, degrees.max(1.0)) {
        Ok(student) if degrees <= 1e6 => student.inverse_cdf(0.975),
        _ => crate::rating::Z95,
    }
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
