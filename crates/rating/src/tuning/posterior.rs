//! The fit of all games: the utility's terms with their covariance.
//!
//! Each term has a normal prior. Their common deviation is learned from the games, as ratings learn the deviation of
//! strengths, or the best point would be the luckiest one, and its gain would flatter.

use statrs::distribution::{ChiSquared, ContinuousCDF as _};

use super::model::{Games, Prior, Terms};
use crate::rating::{ELO, PRIOR_DEVIATION, Symmetric, dot, log_deviations, product};

const STEPS: usize = 100;

/// Steps are small enough below this change of any parameter.
const SMALL: f64 = 1e-6;

/// Number of deviations of the prior on the grid.
const DEVIATIONS: usize = 24;

/// The median of the deviation before any game, in Elo.
const SCALE: f64 = 300.0;

/// Deviations are left out below this probability.
const LEAST: f64 = 1e-4;

/// The parameters of the model, nearly normal: the terms of the utility, the first seat's advantage, and `ln ν`.
pub struct Posterior {
    pub mean: Vec<f64>,
    pub covariance: Symmetric,
    pub nu: f64,
    /// The probability of residuals as large as these where the utility has no terms of the third and fourth order.
    pub misfit: f64,
}

impl Posterior {
    pub fn new(games: &Games, terms: Terms) -> Self {
        let weak = Prior::weak(terms, PRIOR_DEVIATION / ELO);
        let at = climb(games, terms, &weak);
        let likelihood = games.likelihood(terms, &at);
        let inverse = inverse(&likelihood.information, &weak);
        let (middle, variation) = games.middle(terms, &at, &inverse);
        // Pairs that vary less than independent games say more, and so do their derivatives.
        let mut known = likelihood.information;
        let mut middle_known = middle;
        let size = terms.size();
        known.scale(&vec![variation.sqrt().recip(); size]);
        middle_known.scale(&vec![variation.recip(); size]);
        let mut linear = product(&known, &at);
        for (linear, slope) in linear.iter_mut().zip(&likelihood.gradient) {
            *linear += slope / variation;
        }
        let fits: Vec<Fitted> = log_deviations(DEVIATIONS)
            .filter_map(|deviation| Fitted::new(terms, deviation.exp(), &known, &linear))
            .collect();
        let (mean, covariance) = average(fits, &middle_known, size);
        Self {
            nu: games.nu(&mean),
            misfit: misfit(games, terms, &at),
            mean,
            covariance,
        }
    }
}

fn climb(games: &Games, terms: Terms, prior: &Prior) -> Vec<f64> {
    let mut at = vec![0.0; terms.size()];
    let mut now = games.likelihood(terms, &at);
    for _ in 0..STEPS {
        let mut slopes = prior.gradient(&at);
        for (slope, of_games) in slopes.iter_mut().zip(&now.gradient) {
            *slope += of_games;
        }
        let mut step = product(&inverse(&now.information, prior), &slopes);
        let before = now.log + prior.log(&at);
        let longest = loop {
            let tried: Vec<f64> = at.iter().zip(&step).map(|(at, step)| at + step).collect();
            let reached = games.likelihood(terms, &tried);
            let longest = step.iter().fold(0.0_f64, |most, it| most.max(it.abs()));
            // A step can be too long where results are one-sided.
            if reached.log + prior.log(&tried) >= before || longest.is_nan() || longest < SMALL {
                (at, now) = (tried, reached);
                break longest;
            }
            step.iter_mut().for_each(|it| *it /= 2.0);
        };
        if longest.is_nan() || longest < SMALL {
            break;
        }
    }
    at
}

fn inverse(information: &Symmetric, prior: &Prior) -> Symmetric {
    let mut inverse = information.clone();
    prior.add_to(&mut inverse);
    // The prior makes it positive definite, so inversion can only fail with a NaN.
    match inverse.invert() {
        true => inverse,
        false => Symmetric::unknown(information.size()),
    }
}

struct Fitted {
    prior: Prior,
    mean: Vec<f64>,
    inverse: Symmetric,
    /// The logarithm of the probability of the games, up to a constant.
    evidence: f64,
}

impl Fitted {
    /// By the normal approximation of the likelihood, `linear · x - x' known x / 2`. `None` where numbers overflow.
    fn new(terms: Terms, deviation: f64, known: &Symmetric, linear: &[f64]) -> Option<Self> {
        let prior = Prior::new(terms, deviation);
        let mut information = known.clone();
        prior.add_to(&mut information);
        let root = information.root()?;
        let inverse = inverse(known, &prior);
        let weighted = prior.mean.iter().zip(&prior.precision);
        let of_prior: Vec<f64> = weighted.map(|(mean, precision)| mean * precision).collect();
        let right: Vec<f64> = linear.iter().zip(&of_prior).map(|(a, b)| a + b).collect();
        let mean = product(&inverse, &right);
        let sizes = prior.precision.iter().zip(root.diag());
        let shrunk: f64 = sizes
            .map(|(prior, root)| prior.ln() / 2.0 - root.ln())
            .sum();
        let likelihood = shrunk + (dot(&mean, &right) - dot(&prior.mean, &of_prior)) / 2.0;
        Some(Self {
            prior,
            mean,
            inverse,
            evidence: likelihood + log_prior(deviation),
        })
    }
}

/// The logarithm of the probability of a deviation: half of Cauchy's distribution (A. Gelman, Bayesian Analysis 1, 2006).
/// On the grid, deviations are equally far apart by ratio.
fn log_prior(deviation: f64) -> f64 {
    let far = deviation * ELO / SCALE;
    deviation.ln() - (1.0 + far * far).ln()
}

/// The mean and the covariance over all deviations of the prior, by their probability.
fn average(mut fits: Vec<Fitted>, middle: &Symmetric, size: usize) -> (Vec<f64>, Symmetric) {
    let most = fits.iter().map(|it| it.evidence).fold(f64::MIN, f64::max);
    fits.iter_mut()
        .for_each(|it| it.evidence = (it.evidence - most).exp());
    let sum: f64 = fits.iter().map(|it| it.evidence).sum();
    fits.retain(|it| it.evidence >= LEAST * sum);
    let sum: f64 = fits.iter().map(|it| it.evidence).sum();
    let mut mean = vec![0.0; size];
    for fit in &fits {
        for (mean, own) in mean.iter_mut().zip(&fit.mean) {
            *mean += fit.evidence / sum * own;
        }
    }
    let mut covariance = Symmetric::zero(size);
    for fit in &fits {
        let mut all = middle.clone();
        fit.prior.add_to(&mut all);
        let mut own = fit.inverse.sandwich(&all);
        for row in 0..size {
            for column in 0..=row {
                let apart = (fit.mean[row] - mean[row]) * (fit.mean[column] - mean[column]);
                own.add(row, column, apart);
            }
        }
        own.scale(&vec![(fit.evidence / sum).sqrt(); size]);
        covariance.add_all(&own);
    }
    (mean, covariance)
}

/// The test of terms of the third and fourth order: a Newton step from none of them, and its square by its covariance.
fn misfit(games: &Games, terms: Terms, at: &[f64]) -> f64 {
    let higher = terms.with_higher();
    let added = terms.count()..higher.count();
    let mut more = at.to_vec();
    more.splice(added.start..added.start, added.clone().map(|_| 0.0));
    let prior = Prior::weak(higher, PRIOR_DEVIATION / ELO);
    let likelihood = games.likelihood(higher, &more);
    let mut slopes = prior.gradient(&more);
    for (slope, of_games) in slopes.iter_mut().zip(&likelihood.gradient) {
        *slope += of_games;
    }
    let inverse = inverse(&likelihood.information, &prior);
    let step = product(&inverse, &slopes);
    let (mut middle, _) = games.middle(higher, &more, &inverse);
    prior.add_to(&mut middle);
    let mut precision = inverse
        .sandwich(&middle)
        .part(&added.clone().collect::<Vec<_>>());
    if !precision.invert() {
        return 1.0;
    }
    let step = &step[added];
    let square = dot(step, &product(&precision, step));
    ChiSquared::new(step.len() as f64).map_or(1.0, |all| all.sf(square))
}
