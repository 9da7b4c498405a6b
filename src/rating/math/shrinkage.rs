//! Shrinkage of group estimates towards their pool, if they are heterogeneous.

/// Groups are heterogeneous if Cochran's Q is this many standard deviations above its mean.
const UNLIKE: f64 = 3.0;

/// The estimate of one group, and its number of observations.
#[derive(Debug, Clone, Copy)]
pub struct Group {
    pub value: f64,
    pub weight: f64,
}

/// The weight from 0 to 1 of each group's own estimate against the pooled one. All are 0 unless the groups are
/// heterogeneous. `variance` is the variance of one observation. The variance between groups is DerSimonian and
/// Laird's (Controlled Clinical Trials 7, 1986).
pub fn own_weights(groups: &[Group], variance: f64) -> Vec<f64> {
    let sum = |of: &dyn Fn(&Group) -> f64| groups.iter().map(of).sum::<f64>();
    let all = sum(&|group| group.weight);
    let mean = sum(&|group| group.weight * group.value) / all;
    let distance = sum(&|group| group.weight * (group.value - mean).powi(2)) / variance;
    let measured = groups.iter().filter(|group| group.weight > 0.0).count();
    let degrees = measured.saturating_sub(1) as f64;
    let is_unlike = distance > degrees + UNLIKE * (2.0 * degrees).sqrt();
    if measured < 2 || !is_unlike || variance <= 0.0 {
        return vec![0.0; groups.len()];
    }
    let uneven = sum(&|group| group.weight * group.weight) / all;
    let between = variance * (distance - degrees) / (all - uneven);
    let own = |group: &Group| between * group.weight / (between * group.weight + variance);
    groups.iter().map(own).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parts(values: &[(f64, f64)]) -> Vec<f64> {
        let group = |(value, weight): &(f64, f64)| Group {
            value: *value,
            weight: *weight,
        };
        own_weights(&values.iter().map(group).collect::<Vec<_>>(), 1.0)
    }

    #[test]
    fn values_that_chance_makes_are_pooled() {
        for alike in [
            &[][..],
            &[(0.3, 5.0)],
            &[(0.2, 20.0), (-0.1, 30.0), (0.1, 10.0)],
            &[(0.0, 0.0), (1.0, 4.0)],
        ] {
            assert!(parts(alike).iter().all(|part| *part == 0.0), "{alike:?}");
        }
    }

    #[test]
    fn of_unlike_values_those_with_most_observations_are_most_their_own() {
        let own = parts(&[(-1.0, 80.0), (0.1, 10.0), (0.0, 10.0), (0.1, 0.0)]);
        assert!(own[0] > 0.9 && own[1] > 0.5 && own[1] < own[0], "{own:?}");
        assert_eq!(own[1], own[2]);
        assert_eq!(own[3], 0.0);
    }
}
