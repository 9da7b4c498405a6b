//! From a fit to ratings with intervals.
//!
//! The covariance covers all parameters together, including the advantage and the draws. Games of a pair begin
//! alike, and so do games of an opening that comes again, so they are not independent: the covariance allows for
//! both.

use super::covariance::{Covariance, ExactCovariance, MAX_EXACT_PLAYERS};
use super::dependence::Dependence;
use super::difference::{Difference, order_certainty};
use super::opening_effects::AdvantageVariance;
use super::sampled::SampledCovariance;
use super::strength_prior::StrengthPrior;
use crate::rating::Z95;
use crate::rating::fit::{Anchors, Estimate, Expected, Model, Problem, draw_rate, elo_scale};
use crate::rating::games::Standings;
use crate::rating::math::normal;

/// Reference of ratings.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Anchor {
    /// The mean of all players has this many Elo.
    Mean(f64),
    /// One player has exactly this many Elo.
    Player(usize, f64),
    /// The anchors of the fit have theirs. If it has none, the mean of all players has 0.
    Fitted,
}

impl Default for Anchor {
    fn default() -> Self {
        Self::Mean(0.0)
    }
}

/// The ratings of all players of a set of games.
#[derive(Debug, Clone)]
pub struct Ratings {
    /// Index of each player's strength among the parameters.
    pub(in crate::rating) parameter_of: Vec<usize>,
    /// The parameters: strengths, advantage, logarithm of ν.
    pub(in crate::rating) parameters: Vec<f64>,
    pub(super) nu: f64,
    model: Model,
    pub(super) covariance: Covariance,
    /// Variances of the strengths on the scale of the anchors; empty without anchors.
    anchored_variances: Vec<f64>,
    /// Mean of all strengths.
    pub(super) mean: f64,
    pub(super) prior: StrengthPrior,
    /// Per strength: factor, at least 1, by which its rank is more certain than its variance implies.
    certainty: Vec<f64>,
    pairs: u64,
    pair_correlation: f64,
    /// Variance of the advantage between openings, if it can be told.
    advantage_variance: Option<AdvantageVariance>,
    /// Variance of the effect of an opening on the log odds of the first seat.
    opening_variance: f64,
}

impl Ratings {
    /// Fits the ratings of all players of `standings`, in their order.
    ///
    /// Games that both players forfeited do not show who is stronger and are left out.
    pub fn new(standings: &Standings, model: Model) -> Self {
        Self::fit(standings, model, usize::MAX, &[])
    }

    /// Ratings with [estimated](Self::margin_error) margins where there are many players.
    pub fn of_any_number(standings: &Standings, model: Model) -> Self {
        Self::fit(standings, model, MAX_EXACT_PLAYERS, &[])
    }

    /// Ratings around players with a given Elo, each at most once: exact if its error is 0, otherwise with a normal
    /// prior of this standard error. [`Anchor::Fitted`] is their scale.
    ///
    /// All margins are exact, so the time grows with the cube of the number of players.
    pub fn anchored(standings: &Standings, model: Model, anchors: &[(usize, Estimate)]) -> Self {
        Self::fit(standings, model, usize::MAX, anchors)
    }

    /// Ratings with estimated margins above this number of players.
    pub(super) fn fit(
        standings: &Standings,
        model: Model,
        max_exact_players: usize,
        anchors: &[(usize, Estimate)],
    ) -> Self {
        let problem = Problem::new(standings, model);
        let (mut at, mut information) = problem.solve();
        let anchors = (!anchors.is_empty()).then(|| Anchors::new(&problem, anchors));
        if let Some(anchors) = &anchors {
            (at, information) = anchors.solve(at);
        }
        let players = problem.players;
        let alone = if let Some(anchors) = &anchors {
            let matrix = anchors.covariance(&at, &information);
            Covariance::Exact(ExactCovariance::of(matrix, players))
        } else if players <= max_exact_players {
            Covariance::Exact(ExactCovariance::new(&information, players))
        } else {
            Covariance::Sampled(SampledCovariance::new(&information, players))
        };
        let fitted = (at.as_slice(), &information);
        let dependence = Dependence::new(standings, &problem, fitted, anchors.as_ref(), alone);
        let anchored_variances = match (&anchors, &dependence.covariance) {
            (Some(_), Covariance::Exact(exact)) => {
                (0..players).map(|at| exact.variance(at)).collect()
            }
            _ => Vec::new(),
        };
        let mut ratings = Self {
            nu: problem.nu(&at),
            mean: at[..players].iter().sum::<f64>() / players.max(1) as f64,
            parameter_of: problem.parameter_of,
            parameters: at,
            model,
            covariance: dependence.covariance,
            anchored_variances,
            prior: StrengthPrior::new(&[]),
            certainty: vec![1.0; players],
            pairs: dependence.pairs,
            pair_correlation: dependence.pair_correlation,
            advantage_variance: dependence.advantage_variance,
            opening_variance: dependence.opening_variance,
        };
        if ratings.anchored_variances.is_empty() {
            let strengths = &ratings.parameters[..players];
            ratings.certainty = order_certainty(strengths, |two| ratings.parameters_apart(two));
        }
        ratings.prior = StrengthPrior::new(&ratings.certain_distances());
        ratings
    }

    /// For each strength, the distance from the mean of all, and the variance that counts for its rank.
    fn certain_distances(&self) -> Vec<(f64, f64)> {
        let certainties = self.certainty.iter().enumerate();
        certainties
            .map(|(at, certainty)| {
                let variance = self.covariance.distance(at).max(0.0);
                (
                    self.parameters[at] - self.mean,
                    variance / (certainty * certainty),
                )
            })
            .collect()
    }

    /// Relative error of margins, if they are estimated: two standard errors of the least known one.
    pub fn margin_error(&self) -> Option<f64> {
        match &self.covariance {
            Covariance::Exact(_) => None,
            Covariance::Sampled(sampled) => Some(sampled.error()),
        }
    }

    /// Elo per unit of strength.
    pub(in crate::rating) fn scale(&self) -> f64 {
        elo_scale(self.nu)
    }

    /// Converts a combination of strengths to Elo, given its value, its variance, and its covariance with
    /// the draws' parameter, on which the scale depends.
    fn in_elo(&self, value: f64, variance: f64, with_draws: f64) -> Estimate {
        let scale = self.scale();
        let (mut slope, mut spread) = (0.0, 0.0);
        if self.nu > 0.0 {
            slope = -scale * self.draw_rate() * value;
            [_, spread] = self.covariance.shared(self.parameter_of.len() + 1);
        }
        let variance =
            scale * scale * variance + 2.0 * scale * slope * with_draws + slope * slope * spread;
        Estimate {
            elo: scale * value,
            error: variance.max(0.0).sqrt(),
        }
    }

    /// How much stronger `a` is than `b`.
    pub fn difference(&self, a: usize, b: usize) -> Estimate {
        if a == b {
            return Estimate {
                elo: 0.0,
                error: 0.0,
            };
        }
        let [a, b] = [a, b].map(|player| self.parameter_of[player]);
        let [with_a, with_b] = [a, b].map(|at| self.covariance.shared(at)[1]);
        self.in_elo(
            self.parameters[a] - self.parameters[b],
            self.covariance.difference(a, b),
            with_a - with_b,
        )
    }

    /// The rating of a player.
    pub fn rating(&self, player: usize, anchor: Anchor) -> Estimate {
        let at = self.parameter_of[player];
        let [_, with_draws] = self.covariance.shared(at);
        let (estimate, elo) = match anchor {
            Anchor::Player(anchor, elo) => (self.difference(player, anchor), elo),
            Anchor::Fitted => {
                let Some(variance) = self.anchored_variances.get(at) else {
                    return self.rating(player, Anchor::Mean(0.0));
                };
                (self.in_elo(self.parameters[at], *variance, with_draws), 0.0)
            }
            Anchor::Mean(elo) => {
                let [_, mean_with_draws] = self.covariance.mean_shared();
                let estimate = self.in_elo(
                    self.parameters[at] - self.mean,
                    self.covariance.distance(at),
                    with_draws - mean_with_draws,
                );
                (estimate, elo)
            }
        };
        Estimate {
            elo: estimate.elo + elo,
            ..estimate
        }
    }

    /// The probability that `a` is stronger than `b`, given the games and the spread of all strengths. Neither
    /// depends on the number of pairs that are compared.
    pub fn superiority(&self, a: usize, b: usize) -> f64 {
        match self.order_evidence(a, b) {
            Some([deviations, variance]) => self.prior.positive(deviations, variance),
            None => 0.5,
        }
    }

    /// The likelihood of superiority in a match of two, as tests of engines use it: one minus the one-sided p-value of
    /// `a` being no stronger than `b`. It is the probability that `a` is stronger if all differences were equally likely
    /// before.
    pub fn los(&self, a: usize, b: usize) -> f64 {
        self.order_evidence(a, b)
            .map_or(0.5, |[deviations, _]| normal::cdf(deviations))
    }

    /// The difference of `a` and `b` in standard errors, and its variance, as they count for the order of the two.
    /// `None` if the difference is exact.
    fn order_evidence(&self, a: usize, b: usize) -> Option<[f64; 2]> {
        let [a, b] = [a, b].map(|player| self.parameter_of[player]);
        let variance = self.order_variance(a, b);
        let difference = self.parameters[a] - self.parameters[b];
        (variance > 0.0).then(|| [difference / variance.sqrt(), variance])
    }

    /// Variance of the difference of two strengths, with each distance from the mean scaled by its certainty.
    fn order_variance(&self, a: usize, b: usize) -> f64 {
        let variance = self.covariance.difference(a, b);
        let [certain_a, certain_b] = [a, b].map(|at| self.certainty[at]);
        let most = certain_a.max(certain_b);
        if most <= 1.0 {
            return variance;
        }
        let [of_a, of_b] = [a, b].map(|at| self.covariance.distance(at));
        let shared = of_a + of_b - variance;
        let scaled = of_a / (certain_a * certain_a) + of_b / (certain_b * certain_b)
            - shared / (certain_a * certain_b);
        scaled.max(variance / (most * most))
    }

    /// The advantage of the first seat, if it was fitted. Where all games have openings that come again, its
    /// 95 % interval is Student's for that number of openings, so `error` is more than a standard error; with one
    /// opening it is infinite.
    pub fn advantage(&self) -> Option<Estimate> {
        let at = self.parameter_of.len();
        let [variance, with_draws] = self.covariance.shared(at);
        self.model.first_mover.then(|| {
            let of_fit = self.in_elo(self.parameters[at], variance, with_draws);
            let Some(of_openings) = self.advantage_variance else {
                return of_fit;
            };
            let error = self
                .in_elo(self.parameters[at], of_openings.variance, with_draws)
                .error;
            let error = of_openings.quantile() / Z95 * error;
            Estimate {
                error: if of_openings.few_games {
                    error.max(of_fit.error)
                } else {
                    error
                },
                ..of_fit
            }
        })
    }

    /// Standard deviation between openings of the first seat's advantage, in Elo. It is 0 if the openings are
    /// unknown, do not come again, or differ no more than by chance.
    pub fn opening_deviation(&self) -> f64 {
        self.scale() * self.opening_variance.sqrt()
    }

    /// The probability of a draw between equals without an advantage.
    pub fn draw_rate(&self) -> f64 {
        draw_rate(self.nu)
    }

    /// The expected score of `a` against `b`, averaged over both seats.
    pub fn expected(&self, a: usize, b: usize) -> f64 {
        let [first, second] = self.expected_by_seat([a, b]);
        f64::midpoint(first.points, second.points)
    }

    /// The log odds of `a` against `b` on equal seats.
    pub(in crate::rating) fn odds(&self, a: usize, b: usize) -> f64 {
        self.parameters[self.parameter_of[a]] - self.parameters[self.parameter_of[b]]
    }

    /// Expectations for a game of two players: with the first of them in the first seat, and in the second.
    pub(in crate::rating) fn expected_by_seat(&self, [a, b]: [usize; 2]) -> [Expected; 2] {
        let advantage = self.parameters[self.parameter_of.len()];
        [advantage, -advantage].map(|side| Expected::new(self.odds(a, b) + side, self.nu))
    }

    /// The variance of the difference of two players' strengths, in squared units of the log odds.
    pub(in crate::rating) fn variance_apart(&self, a: usize, b: usize) -> f64 {
        let [a, b] = [a, b].map(|player| self.parameter_of[player]);
        self.covariance.difference(a, b)
    }

    /// The difference of two players' strengths.
    pub(in crate::rating) fn strengths_apart(&self, players: [usize; 2]) -> Difference {
        self.parameters_apart(players.map(|player| self.parameter_of[player]))
    }

    fn parameters_apart(&self, [a, b]: [usize; 2]) -> Difference {
        Difference::new(
            self.parameters[a] - self.parameters[b],
            self.covariance.difference(a, b),
            self.parameters[self.parameter_of.len()],
            self.nu,
        )
    }

    /// Number of complete game pairs.
    pub fn pairs(&self) -> u64 {
        self.pairs
    }

    /// The correlation of a player's results in the two games of a pair, beyond what the ratings explain.
    /// The intervals take it into account.
    pub fn pair_correlation(&self) -> f64 {
        self.pair_correlation
    }
}
