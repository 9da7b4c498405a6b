//! The classical Elo curve.

use super::ELO;

/// The difference in Elo at which the classical curve expects this score; infinite at 0 and 1.
pub fn elo_of_score(score: f64) -> f64 {
    400.0 * (score / (1.0 - score)).log10()
}

/// The rating for which the classical Elo curve expects exactly `points`. `opponents` are their ratings,
/// each with its number of games. Infinite if all games or none were won; `None` without games.
pub fn performance(opponents: &[(f64, u64)], points: f64) -> Option<f64> {
    let games: u64 = opponents.iter().map(|(_, games)| games).sum();
    if games == 0 {
        return None;
    }
    if points <= 0.0 {
        return Some(f64::NEG_INFINITY);
    }
    if points >= games as f64 {
        return Some(f64::INFINITY);
    }
    // The expected points of a rating, and their slope.
    let expected = |rating: f64| {
        opponents
            .iter()
            .fold((0.0, 0.0), |(sum, slope), (other, games)| {
                let score = 1.0 / (1.0 + ((other - rating) / ELO).exp());
                let games = *games as f64;
                (
                    sum + games * score,
                    slope + games * score * (1.0 - score) / ELO,
                )
            })
    };
    // Against one opponent alone, the rating would be this far above the opponent's.
    let reach = elo_of_score(points / games as f64);
    let ratings = opponents.iter().map(|(rating, _)| rating + reach);
    let (mut low, mut high) = ratings.fold((f64::INFINITY, f64::NEG_INFINITY), |ends, rating| {
        (rating.min(ends.0), rating.max(ends.1))
    });
    let mut rating = f64::midpoint(low, high);
    for _ in 0..60 {
        let (sum, slope) = expected(rating);
        if sum < points {
            low = rating;
        } else {
            high = rating;
        }
        // Newton's method, with bisection where a step leaves the bracket.
        let step = rating + (points - sum) / slope;
        let next = if low < step && step < high {
            step
        } else {
            f64::midpoint(low, high)
        };
        let moved = (next - rating).abs();
        rating = next;
        if moved < 1e-9 {
            break;
        }
    }
    Some(rating)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn against_one_opponent_it_is_the_curve() {
        let rating = performance(&[(100.0, 4)], 3.0).expect("games");
        assert!((rating - (100.0 + 400.0 * 3.0_f64.log10())).abs() < 1e-6);
        assert_eq!(
            performance(&[(0.0, 2), (50.0, 1)], 3.0),
            Some(f64::INFINITY)
        );
        assert_eq!(performance(&[(0.0, 2)], 0.0), Some(f64::NEG_INFINITY));
        assert_eq!(performance(&[], 0.0), None);
    }

    #[test]
    fn even_against_a_spread_field_it_is_the_middle() {
        let rating = performance(&[(-200.0, 3), (200.0, 3)], 3.0).expect("games");
        assert!(rating.abs() < 1e-6, "{rating}");
    }
}
