//! Elo ratings of all players jointly, by maximum likelihood.
//!
//! The model is that of Bradley and Terry (Biometrika 39, 1952): a player rated `d` Elo above
//! another scores `1 / (1 + 10^(-d/400))` on average. A draw counts as half a win and half a loss.
//! All ratings are fitted at once, so that what a player scored is weighed by whom it met.
//!
//! A weak prior holds every rating: normal around the mean with a deviation of
//! [`PRIOR_DEVIATION`] Elo. It keeps estimates finite for players who won or lost all their games,
//! and holds groups together that never met.

use super::matrix::Cholesky;
use super::standings::Standings;

/// The deviation of the prior, in Elo.
pub const PRIOR_DEVIATION: f64 = 1000.0;

/// Elo per unit of the natural logarithm of the odds.
const ELO: f64 = 400.0 / std::f64::consts::LN_10;

/// The 97.5 % quantile of the normal distribution: 95 % lie within so many deviations.
const Z95: f64 = 1.959_963_984_540_054;

/// How many Newton steps are tried; convergence takes about ten.
const STEPS: usize = 100;

/// The rating of one player.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Estimate {
    /// In Elo, relative to the mean of all players.
    pub elo: f64,
    /// Half the width of the 95 % interval, in Elo.
    pub margin: f64,
}

impl Estimate {
    /// The lower end of the 95 % interval.
    pub fn low(&self) -> f64 {
        self.elo - self.margin
    }

    /// The upper end of the 95 % interval.
    pub fn high(&self) -> f64 {
        self.elo + self.margin
    }
}

/// Games between two players: indices, points of the first, number of games.
struct Pairing {
    players: (usize, usize),
    points: f64,
    games: f64,
}

/// Fits the ratings of all players of `standings`, in their order. Intervals come from the full
/// covariance of the fit, of each rating's distance to the mean.
///
/// Games that both players forfeited say nothing about who is stronger and are left out.
pub fn fit(standings: &Standings) -> Vec<Estimate> {
    let count = standings.lines().len();
    // Sums of floating-point numbers depend on their order, so it must not be that of the games.
    let mut by_name: Vec<usize> = (0..count).collect();
    by_name.sort_by(|a, b| standings.lines()[*a].name.cmp(&standings.lines()[*b].name));
    let mut place = vec![0; count];
    for (index, player) in by_name.iter().enumerate() {
        place[*player] = index;
    }
    let mut pairings: Vec<Pairing> = standings
        .pairings()
        .map(|((a, b), tally)| {
            if place[a] < place[b] {
                (a, b, tally)
            } else {
                (b, a, standings.against(b, a))
            }
        })
        .map(|(a, b, tally)| {
            // A loss of `a` that `b` did not win was forfeited by both.
            let both = tally.losses - standings.against(b, a).wins;
            Pairing {
                players: (place[a], place[b]),
                points: tally.points(),
                games: (tally.games() - both) as f64,
            }
        })
        .collect();
    pairings.sort_by_key(|pairing| pairing.players);
    let mut strengths = vec![0.0; count];
    let mut factor = None;
    let mut height = log_posterior(&strengths, &pairings);
    for _ in 0..STEPS {
        let (gradient, hessian) = derivatives(&strengths, &pairings);
        // The prior alone makes the matrix positive definite.
        let Some(next) = Cholesky::new(hessian) else {
            break;
        };
        let step = next.solve(gradient);
        factor = Some(next);
        let size = step.iter().fold(0.0_f64, |most, part| most.max(part.abs()));
        // Newton's method overshoots where results are one-sided: halve until it climbs.
        let mut scale = 1.0;
        loop {
            let tried: Vec<f64> = strengths
                .iter()
                .zip(&step)
                .map(|(strength, part)| strength + scale * part)
                .collect();
            let reached = log_posterior(&tried, &pairings);
            if reached >= height || scale < 1e-9 {
                strengths = tried;
                height = reached;
                break;
            }
            scale /= 2.0;
        }
        if size < 1e-10 {
            break;
        }
    }
    let mean = strengths.iter().sum::<f64>() / count.max(1) as f64;
    let variances = factor.map_or_else(Vec::new, |factor| centred_variances(&factor.inverse()));
    let estimates: Vec<Estimate> = strengths
        .iter()
        .zip(variances)
        .map(|(strength, variance)| Estimate {
            elo: ELO * (strength - mean),
            margin: Z95 * ELO * variance.max(0.0).sqrt(),
        })
        .collect();
    place.iter().map(|place| estimates[*place]).collect()
}

/// The average score of a player stronger by `difference`, in natural units.
fn expected(difference: f64) -> f64 {
    1.0 / (1.0 + (-difference).exp())
}

/// Minus the second derivative of the prior's logarithm.
fn prior_precision() -> f64 {
    (ELO / PRIOR_DEVIATION).powi(2)
}

fn log_posterior(strengths: &[f64], pairings: &[Pairing]) -> f64 {
    let prior: f64 = strengths
        .iter()
        .map(|strength| -0.5 * prior_precision() * strength * strength)
        .sum();
    let likelihood: f64 = pairings
        .iter()
        .map(|pairing| {
            let (a, b) = pairing.players;
            let difference = strengths[a] - strengths[b];
            // log(1 + e^x) without overflow.
            let softplus = |x: f64| x.max(0.0) + (-x.abs()).exp().ln_1p();
            -pairing.points * softplus(-difference)
                - (pairing.games - pairing.points) * softplus(difference)
        })
        .sum();
    prior + likelihood
}

/// The gradient of the log posterior, and minus its second derivatives.
fn derivatives(strengths: &[f64], pairings: &[Pairing]) -> (Vec<f64>, Vec<Vec<f64>>) {
    let count = strengths.len();
    let mut gradient: Vec<f64> = strengths
        .iter()
        .map(|strength| -prior_precision() * strength)
        .collect();
    let mut hessian = vec![vec![0.0; count]; count];
    for (index, row) in hessian.iter_mut().enumerate() {
        row[index] = prior_precision();
    }
    for pairing in pairings {
        let (a, b) = pairing.players;
        let score = expected(strengths[a] - strengths[b]);
        let surprise = pairing.points - pairing.games * score;
        gradient[a] += surprise;
        gradient[b] -= surprise;
        let weight = pairing.games * score * (1.0 - score);
        hessian[a][a] += weight;
        hessian[b][b] += weight;
        hessian[a][b] -= weight;
        hessian[b][a] -= weight;
    }
    (gradient, hessian)
}

/// The variance of each value's distance to the mean of all, given their covariance.
fn centred_variances(covariance: &[Vec<f64>]) -> Vec<f64> {
    let count = covariance.len() as f64;
    let row_means: Vec<f64> = covariance
        .iter()
        .map(|row| row.iter().sum::<f64>() / count)
        .collect();
    let mean = row_means.iter().sum::<f64>() / count;
    covariance
        .iter()
        .enumerate()
        .map(|(index, row)| row[index] - 2.0 * row_means[index] + mean)
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn standings(games: &[(&str, &str, f64, u32)]) -> Standings {
        let mut standings = Standings::default();
        for (a, b, points, count) in games {
            for _ in 0..*count {
                standings.add([a, b], [*points, 1.0 - points], [false, false]);
            }
        }
        standings
    }

    #[test]
    fn two_players_match_the_closed_form() {
        // 75 % is 400 log10(3) Elo; a weak prior pulls a little towards zero.
        let fitted = fit(&standings(&[("a", "b", 1.0, 750), ("a", "b", 0.0, 250)]));
        let difference = fitted[0].elo - fitted[1].elo;
        let exact = 400.0 * 3.0_f64.log10();
        assert!((difference - exact).abs() < 0.1, "{difference} and {exact}");
        // Each is half the difference from the mean, so has half its error:
        // the error of a difference is (400 / ln 10) / sqrt(n p q).
        let exact = Z95 * ELO / (1000.0_f64 * 0.75 * 0.25).sqrt() / 2.0;
        assert!((fitted[0].margin / exact - 1.0).abs() < 0.01);
    }

    #[test]
    fn a_clean_sweep_stays_finite() {
        let fitted = fit(&standings(&[("a", "b", 1.0, 1000), ("b", "c", 1.0, 3)]));
        assert!(
            fitted
                .iter()
                .all(|one| one.elo.is_finite() && one.margin.is_finite())
        );
        assert!(fitted[0].elo > fitted[1].elo && fitted[1].elo > fitted[2].elo);
    }

    #[test]
    fn the_order_of_games_does_not_matter() {
        let games = [
            ("a", "b", 1.0, 3),
            ("b", "c", 0.5, 4),
            ("c", "a", 0.0, 2),
            ("c", "b", 1.0, 1),
        ];
        let mut reversed = games;
        reversed.reverse();
        let (one, two) = (standings(&games), standings(&reversed));
        let by_name = |standings: &Standings, fitted: Vec<Estimate>| {
            let mut named: Vec<(String, f64)> = standings
                .lines()
                .iter()
                .zip(fitted)
                .map(|(line, estimate)| (line.name.clone(), estimate.elo))
                .collect();
            named.sort_by(|a, b| a.0.cmp(&b.0));
            named
        };
        for (a, b) in by_name(&one, fit(&one))
            .iter()
            .zip(by_name(&two, fit(&two)))
        {
            assert_eq!(a.0, b.0);
            assert_eq!(a.1.to_bits(), b.1.to_bits());
        }
    }

    #[test]
    fn games_that_both_forfeited_say_nothing() {
        let mut standings = standings(&[("a", "b", 1.0, 2), ("a", "b", 0.0, 1)]);
        let before = fit(&standings);
        standings.add(["a", "b"], [0.0, 0.0], [true, true]);
        let after = fit(&standings);
        assert!((before[0].elo - after[0].elo).abs() < 1e-9);
    }

    #[test]
    fn nobody_has_no_ratings() {
        assert!(fit(&Standings::default()).is_empty());
    }
}
