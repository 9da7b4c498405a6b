//! The model: the strengths of all players, fitted together by penalised maximum likelihood.
//!
//! Plackett and Luce's model (R. Plackett, Applied Statistics 24, 1975; R. Luce, *Individual Choice Behavior*, 1959) with
//! ties (H. Turner, J. van Etten, D. Firth, I. Kosmidis, Computational Statistics 35, 2020) and the worth of a seat. The
//! places of a game are choices, the best first. Of the players who are left, the set `T` is chosen with a probability in
//! proportion to
//!
//! ```text
//! δ(|T|) × exp(mean over T of (θ + γ))      δ(1) = 1
//! ```
//!
//! where `θ` is the strength of a player and `γ` the worth of its seat. For two seats this is the model of Bradley and
//! Terry (Biometrika 39, 1952) with Davidson's draws (JASA 65, 1970), `ν = δ(2)`, and the first seat's advantage
//! `γ₁ - γ₂` (Davidson and Beaver, Biometrics 33, 1977). All parameters are fitted at once. Weak normal priors keep all
//! of them finite.

mod fit;
mod pool;
mod objective;

pub use fit::{Fit, solve};
pub use objective::Objective;
use objective::Tallied;
pub use pool::{ChoiceMoments, GameModel, MOST_LOCAL, Ties};

use crate::rating::games::Choice;
use crate::rating::{ELO, Z95};

/// Squared differences below this, in units of a game pair's variance, count as 0.
const SMALL: f64 = 1e-6;

/// A difference of strengths, and the evidence of a game pair about it.
#[derive(Debug, Clone, Copy)]
pub struct Difference {
    pub value: f64,
    pub variance: f64,
    /// Fisher's information of a game pair about the difference.
    pub information: f64,
    /// Points of the stronger player in a game pair, above the points of an equal one.
    pub excess: f64,
    /// Kullback and Leibler's information of a game pair against the two being equal.
    pub against_equal: f64,
}

impl Difference {
    /// A difference with this variance, where the first seat has this advantage.
    pub fn new(value: f64, variance: f64, advantage: f64, nu: f64) -> Self {
        let mut difference = Self {
            value,
            variance,
            information: 0.0,
            excess: 0.0,
            against_equal: 0.0,
        };
        for side in [advantage, -advantage] {
            let game = |apart: f64| Expected::new(apart + side, nu);
            let (now, equal) = (game(value.abs()), game(0.0));
            difference.information += now.weights().points;
            difference.excess += now.points - equal.points;
            difference.against_equal +=
                (now.points - 0.5) * value.abs() - (now.log_sum() - equal.log_sum());
        }
        difference
    }

    /// Factor by which the order of the two is more certain than the variance implies: the signed likelihood root over the
    /// difference in standard errors, where the variance is made of game pairs with this information.
    pub fn certainty(&self, information: f64) -> f64 {
        let square = information * self.value * self.value;
        match square > SMALL {
            true => (2.0 * self.against_equal / square).sqrt(),
            false => 1.0,
        }
    }
}

#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Estimate {
    pub elo: f64,
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

    pub fn margin(&self) -> f64 {
        Z95 * self.error
    }

    pub fn low(&self) -> f64 {
        self.elo - self.margin()
    }

    pub fn high(&self) -> f64 {
        self.elo + self.margin()
    }
}

/// The probability of a draw between equals without an advantage.
pub fn draw_rate(nu: f64) -> f64 {
    nu / (2.0 + nu)
}

/// Elo per unit of strength. With any share of draws, one Elo changes the expected score between equals by as much
/// as on the classical Elo curve.
pub fn elo_scale(nu: f64) -> f64 {
    ELO * (1.0 - draw_rate(nu))
}

/// A distance in strength at which all games are foregone.
const FAR: f64 = 40.0;

/// Halvings of an interval of that size, to far below a thousandth of an Elo.
const HALVINGS: usize = 40;

/// The limit on the strength of a player who won or lost all its games, given the others' strengths: the
/// farthest one with which such results have at least the probability `exp(-drop)`. The likelihood has no other limit.
pub fn limit(
    objective: &Objective<'_>,
    player: usize,
    has_won: bool,
    at: &[f64],
    drop: f64,
) -> f64 {
    let own = |one: &&(usize, &Tallied)| {
        objective
            .seats_of(one.1.seating as usize)
            .contains(&(player as u32))
    };
    let numbered: Vec<(usize, &Tallied)> = objective.tallied.iter().enumerate().collect();
    let own: Vec<(usize, &Tallied)> = numbered.iter().filter(own).copied().collect();
    let ties = objective.ties(at);
    let mut moved = at.to_vec();
    let mut pool = ChoiceMoments::default();
    let mut log_likelihood = |strength: f64| {
        moved[player] = strength;
        let terms = own.iter().map(|(number, one)| {
            let players = objective.seats_of(one.seating as usize);
            let model = objective.model(players.iter().map(|it| *it as usize), &moved, &ties);
            pool.fill(&model, &one.among);
            log_likelihood_of(objective, *number, one, &model, &pool)
        });
        terms.sum::<f64>()
    };
    let best = at[player] + if has_won { FAR } else { -FAR };
    let least = log_likelihood(best) - drop;
    let (mut inside, mut outside) = (best, at[player] - (best - at[player]));
    for _ in 0..HALVINGS {
        let middle = f64::midpoint(inside, outside);
        match log_likelihood(middle) >= least {
            true => inside = middle,
            false => outside = middle,
        }
    }
    inside
}

fn log_likelihood_of(
    objective: &Objective<'_>,
    number: usize,
    one: &Tallied,
    model: &GameModel,
    pool: &ChoiceMoments,
) -> f64 {
    let of_chosen = objective
        .chosen_of(number, one)
        .iter()
        .map(|(chosen, count)| {
            let choice = Choice {
                chosen: *chosen,
                ..one.among
            };
            let weight: f64 = model
                .features(&choice)
                .map(|(local, part)| part * model.value(local))
                .sum();
            f64::from(*count) * (weight - pool.log_sum)
        });
    of_chosen.sum()
}

/// Standard deviation of the prior of a strength, in Elo on the scale without draws. The prior keeps estimates
/// finite for players who won or lost all their games, and relates groups that never met.
pub const PRIOR_DEVIATION: f64 = 1000.0;

/// Standard deviation of the prior of the first seat's advantage over another one, in Elo on the scale without draws.
pub const ADVANTAGE_DEVIATION: f64 = 400.0;

/// Standard deviation of the prior of `ln δ`. At its mean, a third of all games between two equals are drawn.
pub const DRAWS_DEVIATION: f64 = 3.0;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Model {
    /// Whether the worth of seats is fitted. Ties are fitted if there are any.
    pub first_mover: bool,
}

impl Default for Model {
    fn default() -> Self {
        Self { first_mover: true }
    }
}

/// Second derivatives of the log-likelihood of one game, with the opposite sign: by the log odds twice, by the log
/// odds and `δ`, by `δ` twice. They are also the covariance of points and draws.
#[derive(Debug, Clone, Copy, Default)]
pub struct Weights {
    pub points: f64,
    pub mixed: f64,
    pub draws: f64,
}

#[derive(Debug, Clone, Copy)]
pub struct Expected {
    pub points: f64,
    pub draw: f64,
    pub log_favourite: f64,
    /// Sum of the outcomes' weights, as a multiple of the favourite's.
    pub sum: f64,
}

impl Expected {
    /// Expectations for a game with these log odds. `nu` is 0 in a game without draws.
    pub fn new(odds: f64, nu: f64) -> Self {
        // All weights are divided by the favourite's, so that none overflows.
        let root = (-odds.abs() / 2.0).exp();
        let (outsider, draw) = (root * root, nu * root);
        let sum = 1.0 + outsider + draw;
        let favourite = (1.0 + draw / 2.0) / sum;
        Self {
            points: if odds >= 0.0 {
                favourite
            } else {
                1.0 - favourite
            },
            draw: draw / sum,
            log_favourite: odds.abs() / 2.0,
            sum,
        }
    }

    pub fn log_sum(self) -> f64 {
        self.log_favourite + self.sum.ln()
    }

    pub fn weights(self) -> Weights {
        // P(win) + P(draw)/4 - E², with P(win) = E - P(draw)/2.
        Weights {
            points: self.points * (1.0 - self.points) - self.draw / 4.0,
            mixed: self.draw * (0.5 - self.points),
            draws: self.draw * (1.0 - self.draw),
        }
    }
}
