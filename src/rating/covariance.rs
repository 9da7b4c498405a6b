//! From a fit to ratings with intervals.
//!
//! The covariance is that of all parameters together, including the advantage and the draws. The two
//! games of a pair have the same start, so they are not independent. The covariance takes this into
//! account with a correlation that is estimated from all pairs together. It also knows openings that come again.

use super::anchors::Anchors;
use super::field::Field;
use super::fit::{Expected, Model, Problem};
use super::openings::{AdvantageVariance, Openings};
use super::pairs::Pairs;
use super::sampled::Sampled;
use super::standings::Standings;
use super::uncertainty::{Exact, MAX_EXACT_PLAYERS, Uncertainty};
use super::{ELO, Z95, normal};

/// A value with its uncertainty, in Elo.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Estimate {
    /// The value.
    pub elo: f64,
    /// Its standard error.
    pub error: f64,
}

impl Estimate {
    /// An Elo with half the width of its 95 % interval.
    pub fn with_margin(elo: f64, margin: f64) -> Self {
        Self {
            elo,
            error: margin / Z95,
        }
    }

    /// Half the width of the 95 % interval.
    pub fn margin(&self) -> f64 {
        Z95 * self.error
    }

    /// The lower end of the 95 % interval.
    pub fn low(&self) -> f64 {
        self.elo - self.margin()
    }

    /// The upper end of the 95 % interval.
    pub fn high(&self) -> f64 {
        self.elo + self.margin()
    }
}

/// What ratings are relative to.
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
    pub(super) place: Vec<usize>,
    /// The parameters: strengths, advantage, logarithm of ν.
    pub(super) at: Vec<f64>,
    pub(super) nu: f64,
    model: Model,
    pub(super) covariance: Uncertainty,
    /// The variances of the strengths on the scale of the anchors; empty without anchors.
    variances: Vec<f64>,
    /// The mean of all strengths.
    pub(super) mean: f64,
    pub(super) field: Field,
    /// By how many times the order of each player and the others is surer than the variances say.
    pub(super) sureness: Vec<f64>,
    pairs: u64,
    correlation: f64,
    /// The variance of the advantage, where openings show it.
    advantage_variance: Option<AdvantageVariance>,
    opening_variance: f64,
}

impl Ratings {
    /// Fits the ratings of all players of `standings`, in their order.
    ///
    /// Games that both players forfeited do not show who is stronger and are left out.
    pub fn new(standings: &Standings, model: Model) -> Self {
        Self::fit(standings, model, usize::MAX, &[])
    }

    /// The same with [estimated](Self::margin_error) margins, where there are many players.
    pub fn of_any_number(standings: &Standings, model: Model) -> Self {
        Self::fit(standings, model, MAX_EXACT_PLAYERS, &[])
    }

    /// The same where the Elo of some players is given, each at most once: exactly if its error is 0, and
    /// otherwise as a normal prior with this standard error. [`Anchor::Fitted`] is their scale.
    ///
    /// All margins are exact, so the time grows with the cube of the number of players.
    pub fn anchored(standings: &Standings, model: Model, anchors: &[(usize, Estimate)]) -> Self {
        Self::fit(standings, model, usize::MAX, anchors)
    }

    /// The same with estimated margins where there are more than so many players.
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
        let pairs = Pairs::new(standings, &problem, &at);
        let alone = match &anchors {
            Some(anchors) => Uncertainty::Exact(anchors.covariance(&at, &information)),
            None if players <= max_exact_players => {
                Uncertainty::Exact(Exact::new(&information, &problem))
            }
            None => Uncertainty::Sampled(Sampled::new(&information, players)),
        };
        let correlations = pairs.correlations(&alone, &problem);
        let openings = Openings::new(standings, &problem, &at);
        let advantage_variance = openings.advantage(&alone);
        let opening_variances = openings.variances(&alone);
        let as_fitted = pairs.is_empty() && opening_variances == [0.0; 2];
        let dependent = (!as_fitted).then(|| {
            information
                .clone()
                .plus(&pairs.correction(&correlations, &problem))
        });
        let covariance = match (alone, dependent) {
            (alone, None) => alone,
            (Uncertainty::Exact(exact), Some(dependent)) => {
                let mut middle = dependent.to_dense();
                if let Some(anchors) = &anchors {
                    anchors.add_to(&mut middle, &at);
                }
                openings.correct(opening_variances, &mut middle);
                Uncertainty::Exact(exact.with_middle(&middle))
            }
            // Of so many players nobody has many games of one opening.
            (Uncertainty::Sampled(sampled), Some(dependent)) => {
                Uncertainty::Sampled(sampled.with_pairs(&information, dependent))
            }
        };
        let mean = at[..players].iter().sum::<f64>() / players.max(1) as f64;
        let variances = match (&anchors, &covariance) {
            (Some(_), Uncertainty::Exact(exact)) => {
                (0..players).map(|at| exact.variance(at)).collect()
            }
            (_, Uncertainty::Exact(_) | Uncertainty::Sampled(_)) => Vec::new(),
        };
        let mut ratings = Self {
            variances,
            advantage_variance,
            opening_variance: opening_variances[0],
            nu: problem.nu(&at),
            mean,
            field: Field::new(&[]),
            sureness: Vec::new(),
            place: problem.place,
            at,
            model,
            covariance,
            pairs: pairs.count(),
            correlation: correlations.points,
        };
        ratings.sureness = match ratings.is_anchored() {
            true => vec![1.0; players],
            false => ratings.sureness(),
        };
        let distances: Vec<(f64, f64)> = (0..players)
            .map(|player| {
                let variance = ratings.covariance.distance(player).max(0.0);
                let sureness = ratings.sureness[player];
                (ratings.at[player] - mean, variance / (sureness * sureness))
            })
            .collect();
        ratings.field = Field::new(&distances);
        ratings
    }

    /// How far margins may be off, relative to themselves, if they are estimated: two standard errors of the
    /// one that is known the least.
    pub fn margin_error(&self) -> Option<f64> {
        match &self.covariance {
            Uncertainty::Exact(_) => None,
            Uncertainty::Sampled(sampled) => Some(sampled.error()),
        }
    }

    /// Whether the fit has anchors.
    pub(super) fn is_anchored(&self) -> bool {
        !self.variances.is_empty()
    }

    /// Elo per unit of strength.
    pub(super) fn scale(&self) -> f64 {
        elo_scale(self.nu)
    }

    /// Converts a combination of strengths to Elo, given its value, its variance, and its covariance with
    /// the draws' parameter, on which the scale depends.
    fn in_elo(&self, value: f64, variance: f64, with_draws: f64) -> Estimate {
        let scale = self.scale();
        let (mut slope, mut spread) = (0.0, 0.0);
        if self.nu > 0.0 {
            slope = -scale * self.draw_rate() * value;
            [_, spread] = self.covariance.shared(self.place.len() + 1);
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
        let [a, b] = [a, b].map(|player| self.place[player]);
        let [with_a, with_b] = [a, b].map(|at| self.covariance.shared(at)[1]);
        self.in_elo(
            self.at[a] - self.at[b],
            self.covariance.difference(a, b),
            with_a - with_b,
        )
    }

    /// The rating of a player.
    pub fn rating(&self, player: usize, anchor: Anchor) -> Estimate {
        let at = self.place[player];
        let [_, with_draws] = self.covariance.shared(at);
        let (estimate, elo) = match anchor {
            Anchor::Player(anchor, elo) => (self.difference(player, anchor), elo),
            Anchor::Fitted => {
                let Some(variance) = self.variances.get(at) else {
                    return self.rating(player, Anchor::Mean(0.0));
                };
                (self.in_elo(self.at[at], *variance, with_draws), 0.0)
            }
            Anchor::Mean(elo) => {
                let [_, mean_with_draws] = self.covariance.mean_shared();
                let estimate = self.in_elo(
                    self.at[at] - self.mean,
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

    /// The probability that `a` is stronger than `b`, given the games and how far apart the players of the field
    /// are. Neither depends on how many pairs of players one looks at.
    pub fn superiority(&self, a: usize, b: usize) -> f64 {
        match self.order_of(a, b) {
            Some([deviations, variance]) => self.field.positive(deviations, variance),
            None => 0.5,
        }
    }

    /// How many standard errors `a` is above `b` as far as it matters for their order, and the variance. `None` if their
    /// difference is exact.
    fn order_of(&self, a: usize, b: usize) -> Option<[f64; 2]> {
        let [a, b] = [a, b].map(|player| self.place[player]);
        let variance = self.order_variance(a, b, self.covariance.difference(a, b));
        (variance > 0.0).then(|| [(self.at[a] - self.at[b]) / variance.sqrt(), variance])
    }

    /// The variance of a difference as far as it matters for the order of two, by place in the fit: with the distance
    /// of each from the mean as much surer as its order is.
    fn order_variance(&self, a: usize, b: usize, variance: f64) -> f64 {
        let [sure_a, sure_b] = [a, b].map(|at| self.sureness[at]);
        let most = sure_a.max(sure_b);
        if most <= 1.0 {
            return variance;
        }
        let [of_a, of_b] = [a, b].map(|at| self.covariance.distance(at));
        let shared = of_a + of_b - variance;
        let sure = of_a / (sure_a * sure_a) + of_b / (sure_b * sure_b) - shared / (sure_a * sure_b);
        sure.max(variance / (most * most))
    }

    /// The likelihood of superiority in a match of two, as tests of engines use it: one minus the one-sided p-value of
    /// `a` being no stronger than `b`. It is the probability that `a` is stronger if all differences were equally likely
    /// before.
    pub fn los(&self, a: usize, b: usize) -> f64 {
        self.order_of(a, b)
            .map_or(0.5, |[deviations, _]| normal::cdf(deviations))
    }

    /// The advantage of the first seat, if it was fitted. Where all games have openings that come again, its
    /// 95 % interval is that of Student for so many openings, so that its `error` is more than a standard error; with one
    /// opening it is infinite.
    pub fn advantage(&self) -> Option<Estimate> {
        let at = self.place.len();
        let [variance, with_draws] = self.covariance.shared(at);
        self.model.first_mover.then(|| {
            let of_fit = self.in_elo(self.at[at], variance, with_draws);
            let Some(of_openings) = self.advantage_variance else {
                return of_fit;
            };
            let error = self
                .in_elo(self.at[at], of_openings.variance, with_draws)
                .error;
            let error = of_openings.quantile() / Z95 * error;
            Estimate {
                error: match of_openings.few_games {
                    true => error.max(of_fit.error),
                    false => error,
                },
                ..of_fit
            }
        })
    }

    /// How much openings differ in what they are worth to the first seat: the standard deviation in Elo.
    /// It is 0 if the openings are not known, or do not come again, or differ no more than by chance.
    pub fn opening_deviation(&self) -> f64 {
        self.scale() * self.opening_variance.sqrt()
    }

    /// The probability of a draw between equals without an advantage.
    pub fn draw_rate(&self) -> f64 {
        draw_rate(self.nu)
    }

    /// The expected score of `a` against `b`, averaged over both seats.
    pub fn expected(&self, a: usize, b: usize) -> f64 {
        let difference = self.at[self.place[a]] - self.at[self.place[b]];
        let advantage = self.at[self.place.len()];
        let score = |odds| Expected::new(odds, self.nu).points;
        f64::midpoint(score(difference + advantage), score(difference - advantage))
    }

    /// The log odds of `a` against `b` on equal seats.
    pub(super) fn odds(&self, a: usize, b: usize) -> f64 {
        self.at[self.place[a]] - self.at[self.place[b]]
    }

    /// What is expected of a game between the two: the first of them in the first seat, and in the second.
    pub(super) fn expected_by_seat(&self, [a, b]: [usize; 2]) -> [Expected; 2] {
        let advantage = self.at[self.place.len()];
        [advantage, -advantage].map(|side| Expected::new(self.odds(a, b) + side, self.nu))
    }

    /// The variance of the difference of two strengths, in squared units of the log odds.
    pub(super) fn variance_apart(&self, a: usize, b: usize) -> f64 {
        let [a, b] = [a, b].map(|player| self.place[player]);
        self.covariance.difference(a, b)
    }

    /// How many complete game pairs there are.
    pub fn pairs(&self) -> u64 {
        self.pairs
    }

    /// The correlation of a player's results in the two games of a pair, beyond what the ratings explain.
    /// The intervals take it into account.
    pub fn pair_correlation(&self) -> f64 {
        self.correlation
    }
}

/// The probability of a draw between equals without an advantage.
pub(super) fn draw_rate(nu: f64) -> f64 {
    nu / (2.0 + nu)
}

/// Elo per unit of strength. Between equals, one Elo changes the expected score by as much as on the
/// classical Elo curve, however many games are drawn.
pub(super) fn elo_scale(nu: f64) -> f64 {
    ELO * (1.0 - draw_rate(nu))
}
