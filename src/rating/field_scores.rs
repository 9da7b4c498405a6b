//! What each player is expected to score against the whole field.

use super::covariance::Ratings;
use super::fit::Expected;

/// The greatest number of players for whom the expected scores against all others are added up one by one.
const MAX_EXACT_SCORES: usize = 1000;

/// The distance of two strengths at which sums of expected scores are computed for more players.
const GRID: f64 = 0.05;

impl Ratings {
    /// The expected score of each player, averaged over all others and both seats.
    pub fn field_scores(&self, players: &[usize]) -> Vec<f64> {
        let strengths: Vec<f64> = players.iter().map(|it| self.at[self.place[*it]]).collect();
        let advantage = self.at[self.place.len()];
        let score = |difference: f64| {
            let score = |odds| Expected::new(odds, self.nu).points;
            f64::midpoint(score(difference + advantage), score(difference - advantage))
        };
        let others = (players.len() as f64 - 1.0).max(1.0);
        // A player's expected score against itself is a half.
        let against_all =
            |strength: f64| strengths.iter().map(|it| score(strength - it)).sum::<f64>();
        if players.len() <= MAX_EXACT_SCORES {
            return strengths
                .iter()
                .map(|it| (against_all(*it) - 0.5) / others)
                .collect();
        }
        let sums = interpolated(&strengths, against_all);
        sums.into_iter().map(|sum| (sum - 0.5) / others).collect()
    }
}

/// The values of a smooth function of a strength, by cubic polynomials between its values on a grid. The sum
/// of expected scores has a fourth derivative of at most an eighth per player, so the error is below 1e-7 of a score.
fn interpolated(strengths: &[f64], function: impl Fn(f64) -> f64) -> Vec<f64> {
    let low = strengths.iter().copied().fold(f64::INFINITY, f64::min);
    let places = strengths.iter().map(|strength| (strength - low) / GRID);
    let high = places.clone().fold(0.0, f64::max);
    let values: Vec<f64> = (0..high as usize + 4)
        .map(|at| function(low + GRID * (at as f64 - 1.0)))
        .collect();
    let value = |place: f64| {
        let (at, x) = (place as usize, place.fract());
        let [a, b, c, d] = [0, 1, 2, 3].map(|next| values[at + next]);
        // Lagrange's polynomial through -1, 0, 1 and 2.
        let outer = -a * x * (x - 1.0) * (x - 2.0) / 6.0 + d * x * (x - 1.0) * (x + 1.0) / 6.0;
        outer + b * (x + 1.0) * (x - 1.0) * (x - 2.0) / 2.0 - c * x * (x + 1.0) * (x - 2.0) / 2.0
    };
    places.map(value).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_between_those_of_the_grid_are_close() {
        let score = |strength: f64| 1.0 / (1.0 + (-strength).exp());
        let strengths: Vec<f64> = (0..500)
            .map(|at| f64::from(at * at % 499) / 50.0 - 5.0)
            .collect();
        for (strength, value) in strengths.iter().zip(interpolated(&strengths, score)) {
            assert!((value - score(*strength)).abs() < 1e-7, "{strength}");
        }
        assert_eq!(interpolated(&[], score), [0.0; 0]);
    }
}
