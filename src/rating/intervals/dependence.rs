//! From independent games to dependent ones: games of a pair begin alike, and so do games of an opening that comes again.

use super::covariance::Covariance;
use super::opening_effects::{AdvantageVariance, OpeningEffects};
use super::pair_correlation::Pairs;
use crate::rating::fit::{Anchors, Problem};
use crate::rating::games::Standings;
use crate::rating::math::Information;

/// The covariance of a fit with dependent games, and the estimates behind it.
pub struct Dependence {
    pub covariance: Covariance,
    /// Number of complete game pairs.
    pub pairs: u64,
    /// Correlation of a player's points in the two games of a pair.
    pub pair_correlation: f64,
    /// Variance of the advantage between openings, if it can be told.
    pub advantage_variance: Option<AdvantageVariance>,
    /// Variance of the effect of an opening on the log odds of the first seat.
    pub opening_variance: f64,
}

impl Dependence {
    /// Starts from the covariance `alone`, which takes all games as independent.
    pub fn new(
        standings: &Standings,
        problem: &Problem,
        (at, information): (&[f64], &Information),
        anchors: Option<&Anchors<'_>>,
        alone: Covariance,
    ) -> Self {
        let pairs = Pairs::new(standings, problem, at);
        let correlations = pairs.correlations(&alone, problem);
        let openings = OpeningEffects::new(standings, problem, at);
        let advantage_variance = openings.advantage(&alone);
        let opening_variances = openings.variances(&alone);
        let are_independent = pairs.is_empty() && opening_variances == [0.0; 2];
        let dependent = (!are_independent).then(|| {
            let correction = pairs.correction(&correlations, problem);
            information.clone().plus(&correction)
        });
        let covariance = match (alone, dependent) {
            (alone, None) => alone,
            (Covariance::Exact(exact), Some(dependent)) => {
                let mut middle = dependent.to_dense();
                if let Some(anchors) = anchors {
                    anchors.add_to(&mut middle, at);
                }
                openings.correct(opening_variances, &mut middle);
                Covariance::Exact(exact.with_middle(&middle))
            }
            // In such a field, nobody has many games of one opening.
            (Covariance::Sampled(sampled), Some(dependent)) => {
                Covariance::Sampled(sampled.with_pairs(information, dependent))
            }
        };
        Self {
            covariance,
            pairs: pairs.count(),
            pair_correlation: correlations.points,
            advantage_variance,
            opening_variance: opening_variances[0],
        }
    }
}
