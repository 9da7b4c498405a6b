//! The likelihood of all games, and its maximum.

use super::outcome::Expected;
use super::{ADVANTAGE_DEVIATION, DRAWS_DEVIATION, Model, PRIOR_DEVIATION};
use crate::rating::ELO;
use crate::rating::games::{Standings, Tally, key};
use crate::rating::math::Information;

/// Upper bound on Newton steps. Convergence takes about six.
pub const STEPS: usize = 100;

/// Accuracy of a Newton step: the squared error relative to the squared gradient.
const STEP_ACCURACY: f64 = 1e-14;

/// The games of two players in the same seats, seen by the player `a`.
#[derive(Debug, Clone, Copy)]
pub struct Edge {
    pub a: usize,
    pub b: usize,
    /// 1 if `a` has the first seat, -1 if `b` has it.
    pub side: f64,
    pub games: f64,
    pub points: f64,
    pub draws: f64,
}

/// The logarithm of a product of powers. One logarithm of many factors takes less time than one for each.
struct Product {
    part: f64,
    /// Logarithm of the factors that are not in `part`.
    log: f64,
}

impl Product {
    /// `base` is at least 1.
    fn multiply(&mut self, base: f64, power: f64) {
        if base > 1e6 || power > 16.0 {
            self.log += power * base.ln();
            return;
        }
        self.part *= base.powi(power as i32);
        // The next factor is at most 1e96.
        if self.part > 1e200 {
            self.log += self.part.ln();
            self.part = 1.0;
        }
    }

    fn log(&self) -> f64 {
        self.log + self.part.ln()
    }
}

/// The games as sums for the fit. The order of the parameters depends only on the players' names, so that games give
/// bit for bit equal ratings in any order.
#[derive(Debug)]
pub struct Problem {
    pub players: usize,
    /// Index of each player of the standings among the parameters.
    pub parameter_of: Vec<usize>,
    pub edges: Vec<Edge>,
    pub model: Model,
    pub has_draws: bool,
}

impl Problem {
    pub fn new(standings: &Standings, model: Model) -> Self {
        let players = standings.players().len();
        let mut place = vec![0; players];
        for (at, player) in standings.by_name().into_iter().enumerate() {
            place[player] = at;
        }
        let mut edges = Vec::with_capacity(2 * standings.meetings().len());
        for meeting in standings.meetings() {
            let [low, high] = meeting.players.map(|player| place[player]);
            let turned = low > high;
            for (seat, tally) in meeting.by_seat.into_iter().enumerate() {
                let tally: Tally = if turned { tally.reversed() } else { tally };
                if tally.games() > 0 {
                    edges.push(Edge {
                        a: low.min(high),
                        b: low.max(high),
                        side: if (seat == 0) != turned { 1.0 } else { -1.0 },
                        games: tally.games() as f64,
                        points: tally.points(),
                        draws: tally.draws as f64,
                    });
                }
            }
        }
        edges.sort_unstable_by_key(|edge| (key(edge.a, edge.b), edge.side > 0.0));
        Self {
            players,
            parameter_of: place,
            has_draws: edges.iter().any(|edge| edge.draws > 0.0),
            edges,
            model,
        }
    }

    /// Index of the advantage among the parameters; the draws come after it.
    pub fn advantage(&self) -> usize {
        self.players
    }

    /// Index of the draws' parameter.
    pub fn draws(&self) -> usize {
        self.players + 1
    }

    /// Number of parameters, with the ones that are held at zero.
    pub fn size(&self) -> usize {
        self.players + 2
    }

    pub fn nu(&self, at: &[f64]) -> f64 {
        if self.has_draws {
            at[self.draws()].exp()
        } else {
            0.0
        }
    }

    pub fn odds(&self, at: &[f64], edge: &Edge) -> f64 {
        at[edge.a] - at[edge.b] + edge.side * at[self.advantage()]
    }

    /// The precision of the prior of each parameter.
    pub fn precision(&self, parameter: usize) -> f64 {
        let deviation = if parameter < self.players {
            PRIOR_DEVIATION / ELO
        } else if parameter == self.advantage() {
            ADVANTAGE_DEVIATION / ELO
        } else {
            DRAWS_DEVIATION
        };
        deviation.powi(-2)
    }

    /// Computes the gradient and the information, and returns the log posterior. A parameter that is not fitted has
    /// only its prior there, and stays 0.
    pub fn evaluate(&self, at: &[f64], gradient: &mut [f64]) -> (f64, Information) {
        let (nu, gamma, delta) = (self.nu(at), self.advantage(), self.draws());
        let precisions = (0..self.size()).map(|parameter| self.precision(parameter));
        let mut information = Information::diagonal(precisions.collect(), self.players);
        let mut log_posterior = 0.0;
        for (parameter, value) in at.iter().enumerate() {
            let pull = self.precision(parameter) * value;
            gradient[parameter] = -pull;
            log_posterior -= 0.5 * pull * value;
        }
        let mut sums = Product {
            part: 1.0,
            log: 0.0,
        };
        let (mut by_side, mut by_draws) = (0.0, 0.0);
        let (mut side_side, mut side_draws, mut draws_draws) = (0.0, 0.0, 0.0);
        for edge in &self.edges {
            let (a, b) = (edge.a, edge.b);
            let odds = self.odds(at, edge);
            let expected = Expected::new(odds, nu);
            log_posterior +=
                (edge.points - edge.games / 2.0) * odds - edge.games * expected.log_favourite;
            sums.multiply(expected.sum, edge.games);
            let residual = edge.points - edge.games * expected.points;
            gradient[a] += residual;
            gradient[b] -= residual;
            let weights = expected.weights();
            let points = edge.games * weights.points;
            information.tie(a, b, points);
            if self.model.first_mover {
                by_side += edge.side * residual;
                information.share(0, [a, b], edge.side * points);
                side_side += points;
            }
            if self.has_draws {
                log_posterior += edge.draws * at[delta];
                by_draws += edge.draws - edge.games * expected.draw;
                let mixed = edge.games * weights.mixed;
                information.share(1, [a, b], mixed);
                side_draws += edge.side * mixed;
                draws_draws += edge.games * weights.draws;
            }
        }
        log_posterior -= sums.log();
        gradient[gamma] += by_side;
        gradient[delta] += by_draws;
        information.add(gamma, gamma, side_side);
        information.add(delta, delta, draws_draws);
        if self.model.first_mover {
            information.add(gamma, delta, side_draws);
        } else {
            gradient[gamma] = 0.0;
        }
        if !self.has_draws {
            gradient[delta] = 0.0;
        }
        (log_posterior, information)
    }

    /// The parameters with the highest posterior, and the information there.
    ///
    /// Uses Newton's method, with conjugate gradients for its steps.
    pub fn solve(&self) -> (Vec<f64>, Information) {
        let size = self.size();
        let mut at = vec![0.0; size];
        let mut gradient = vec![0.0; size];
        let (mut log_posterior, mut information) = self.evaluate(&at, &mut gradient);
        for _ in 0..STEPS {
            let right: Vec<[f64; 1]> = gradient.iter().map(|part| [*part]).collect();
            let mut step: Vec<f64> = information
                .solve(&right, STEP_ACCURACY)
                .into_iter()
                .map(|[part]| part)
                .collect();
            // The log posterior is concave, but a step can be too long where results are one-sided.
            loop {
                let tried: Vec<f64> = at.iter().zip(&step).map(|(at, step)| at + step).collect();
                let reached;
                (reached, information) = self.evaluate(&tried, &mut gradient);
                let size = step.iter().fold(0.0_f64, |most, part| most.max(part.abs()));
                if reached >= log_posterior || size < 1e-9 {
                    at = tried;
                    log_posterior = reached;
                    break;
                }
                step.iter_mut().for_each(|part| *part /= 2.0);
            }
            if step.iter().all(|part| part.abs() < 1e-9) {
                break;
            }
        }
        (at, information)
    }
}
