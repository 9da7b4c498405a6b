//! From the fit to ratings with intervals.

use super::blocks::{BlockCovariance, Sum};
use super::game::{PlacedError, PlacedGame};
use super::problem::Problem;
use super::sampled::SampledBlocks;
use crate::rating::fit::{Estimate, Model, draw_rate, elo_scale};
use crate::rating::intervals::{MAX_EXACT_PLAYERS, StrengthPrior};
use crate::rating::math::normal;
use crate::rating::{Interval, Z95};

/// The ratings of the players of games with places.
#[derive(Debug, Clone)]
pub struct PlaceRatings {
    pub(super) problem: Problem,
    pub(super) at: Vec<f64>,
    covariance: Covariance,
    pub(super) prior: StrengthPrior,
}

/// The covariance of all parameters.
#[derive(Debug, Clone)]
enum Covariance {
    /// As a matrix.
    Exact(BlockCovariance),
    /// Estimates of variances, for many players.
    Sampled(SampledBlocks),
}

impl Covariance {
    fn variance(&self, sum: &Sum) -> f64 {
        match self {
            Self::Exact(exact) => exact.variance(sum),
            Self::Sampled(sampled) => sampled.variance(sum),
        }
    }

    fn freedom(&self, sum: &Sum) -> f64 {
        match self {
            Self::Exact(exact) => exact.freedom(sum),
            Self::Sampled(sampled) => sampled.freedom(sum),
        }
    }
}

impl PlaceRatings {
    /// Fits the ratings of the players with the indices from 0 to `players - 1`. `model` says whether the worth of seats
    /// is fitted. Of many players, margins are [estimated](Self::margin_error).
    pub fn new(players: usize, games: &[PlacedGame], model: Model) -> Result<Self, PlacedError> {
        Self::fit(players, games, model, MAX_EXACT_PLAYERS)
    }

    /// Ratings with estimated margins above this number of players.
    pub(super) fn fit(
        players: usize,
        games: &[PlacedGame],
        model: Model,
        max_exact_players: usize,
    ) -> Result<Self, PlacedError> {
        let problem = Problem::new(players, games, model)?;
        let fit = problem.solve();
        let at = fit.at.clone();
        let covariance = match players <= max_exact_players {
            true => Covariance::Exact(BlockCovariance::new(&problem, &fit)),
            false => Covariance::Sampled(SampledBlocks::new(&problem, fit)),
        };
        let mut ratings = Self {
            problem,
            at,
            covariance,
            prior: StrengthPrior::new(&[]),
        };
        let distances = (0..players).map(|player| ratings.in_units(&Sum::from_mean(player)));
        let distances: Vec<(f64, f64)> = distances.map(|it| (it.elo, it.error.powi(2))).collect();
        ratings.prior = StrengthPrior::new(&distances);
        Ok(ratings)
    }

    /// Relative error of margins, if they are estimated: two standard errors of the least known one.
    pub fn margin_error(&self) -> Option<f64> {
        match &self.covariance {
            Covariance::Exact(_) => None,
            Covariance::Sampled(sampled) => Some(sampled.error()),
        }
    }

    /// `δ(2)`: the weight of a tie of two players.
    fn nu(&self) -> f64 {
        self.problem.tie_at(2).map_or(0.0, |at| self.at[at].exp())
    }

    /// Elo per unit of strength. For two players alone at a table, it is the one of games with two seats.
    pub(super) fn scale(&self) -> f64 {
        elo_scale(self.nu())
    }

    /// The rating of a player, relative to the mean of all.
    pub fn rating(&self, player: usize) -> Estimate {
        self.in_elo(Sum::from_mean(player))
    }

    /// How much stronger one player is than another.
    pub fn difference(&self, a: usize, b: usize) -> Estimate {
        self.in_elo(apart(a, b))
    }

    /// The worth of a seat, from 0, at a table with this number of seats, relative to the mean of its seats. `None`
    /// without such games, and where the worth of seats is not fitted.
    pub fn seat(&self, seats: usize, seat: usize) -> Option<Estimate> {
        let first = self.problem.seats_at(seats)?;
        let share = 1.0 / seats as f64;
        let others = (0..seats).map(|other| (first + other, -share));
        Some(self.in_elo(Sum {
            parts: others.chain([(first + seat, 1.0)]).collect(),
            of_mean: 0.0,
        }))
    }

    /// The difference in worth of two seats of a table.
    pub fn seats_apart(&self, seats: usize, [a, b]: [usize; 2]) -> Option<Estimate> {
        let first = self.problem.seats_at(seats)?;
        Some(self.in_elo(apart(first + a, first + b)))
    }

    /// The probability of a draw between two equal players alone at a table.
    pub fn draw_rate(&self) -> f64 {
        draw_rate(self.nu())
    }

    /// `δ` of ties of this size, with its 95 % interval: a tie of this many equal players is `δ` times as likely as one of
    /// them alone. `None` if no such tie occurred.
    pub fn tie(&self, size: usize) -> Option<Interval> {
        let ln_delta = self.in_units(&Sum {
            parts: vec![(self.problem.tie_at(size)?, 1.0)],
            of_mean: 0.0,
        });
        Some([ln_delta.low(), ln_delta.elo, ln_delta.high()].map(f64::exp))
    }

    /// Converts a sum of strengths or seats to Elo, with the uncertainty of the scale.
    fn in_elo(&self, mut sum: Sum) -> Estimate {
        let scale = self.scale();
        let value = self.value(&sum);
        let wider = self.wider(&sum);
        if let Some(ties) = self.problem.tie_at(2) {
            sum.parts.push((ties, -self.draw_rate() * value));
        }
        Estimate {
            elo: scale * value,
            error: scale * wider * self.covariance.variance(&sum).sqrt(),
        }
    }

    fn value(&self, sum: &Sum) -> f64 {
        let (players, parts) = (self.problem.players, sum.parts.iter());
        let mean = || self.at[..players].iter().sum::<f64>() / players.max(1) as f64;
        let of_parts: f64 = parts.map(|(index, weight)| weight * self.at[*index]).sum();
        match sum.of_mean {
            0.0 => of_parts,
            weight => of_parts + weight * mean(),
        }
    }

    /// The variance of the difference of two strengths, in squared units of the log odds.
    pub(super) fn variance_apart(&self, a: usize, b: usize) -> f64 {
        self.covariance.variance(&apart(a, b))
    }

    /// The difference of two strengths in units of the log odds.
    pub(super) fn strengths_apart(&self, a: usize, b: usize) -> Estimate {
        self.in_units(&apart(a, b))
    }

    /// A sum of parameters in their own unit. The error is a standard error where blocks are many, and more where they are
    /// few, so that 95 % intervals hold.
    fn in_units(&self, sum: &Sum) -> Estimate {
        Estimate {
            elo: self.value(sum),
            error: self.wider(sum) * self.covariance.variance(sum).sqrt(),
        }
    }

    /// Student's quantile relative to the normal one.
    fn wider(&self, sum: &Sum) -> f64 {
        normal::student_quantile(self.covariance.freedom(sum)) / Z95
    }
}

fn apart(a: usize, b: usize) -> Sum {
    Sum {
        parts: vec![(a, 1.0), (b, -1.0)],
        of_mean: 0.0,
    }
}
