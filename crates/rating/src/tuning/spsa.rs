//! Simultaneous perturbation stochastic approximation (J. Spall, IEEE Transactions on Aerospace and Electronic Systems 34,
//! 1998), as testers of chess engines use it.

use super::Parameter;
use crate::random::Stream;
use crate::rating::ELO;

/// Exponents of the gains of both sequences, and the share of iterations in `A`: Spall's, and the defaults of fishtest.
const ALPHA: f64 = 0.602;
const GAMMA: f64 = 0.101;
const STABLE: f64 = 0.1;

/// The Elo that a parameter is taken to lose one step away from its best value, if nobody says otherwise.
pub const STEP_ELO: f64 = 2.0;

/// The distance from the best values falls by this power of `e` over a tuning.
const RELAXATIONS: f64 = 3.0;

/// A tuning by SPSA. All of it is a function of the parameters, the seed and the results.
///
/// Iteration `k` from 0 plays games between the points `θ ± c Δ`, with `Δ` -1 or 1 for each parameter. Then it moves the
/// center `θ` by `r c Δ` for each point that one scored more than the other:
///
/// ```text
/// c = step × (n / (k + 1))^0.101                              n iterations, A = n / 10
/// r = r_end × (a / a_end) / (c / step)²     a / a_end = ((A + n) / (A + k + 1))^0.602
/// ```
///
/// A center that moves by all results with the rate `r` comes nearer to the best values by the factor `exp(-4 r g E / C)`
/// in `g` games, with the Elo `E` lost one step away and `C = 800 / ln 10` (M. Van den Bergh, fishtest's pull request 719,
/// 2020). `r_end` makes it `exp(-3)` over all games.
#[derive(Debug, Clone)]
pub struct Spsa {
    parameters: Vec<Parameter>,
    iterations: u64,
    r_end: f64,
    seed: u64,
}

impl Spsa {
    /// A tuning of so many iterations of so many game pairs. `step_elo` is the Elo that a parameter is expected to lose one
    /// step away from its best value: the smaller, the faster the center moves, and the less sure.
    pub fn new(
        parameters: Vec<Parameter>,
        iterations: u64,
        pairs: u64,
        step_elo: f64,
        seed: u64,
    ) -> Self {
        let games = 2.0 * iterations.max(1) as f64 * pairs.max(1) as f64;
        Self {
            parameters,
            iterations: iterations.max(1),
            r_end: RELAXATIONS * 2.0 * ELO / (4.0 * games * step_elo),
            seed,
        }
    }

    /// The center before the first iteration.
    pub fn start(&self) -> Vec<f64> {
        self.parameters.iter().map(|it| it.start).collect()
    }

    /// The two points whose players meet in an iteration, as given to the bots.
    pub fn points(&self, iteration: u64, center: &[f64]) -> [Vec<f64>; 2] {
        let mut points = [Vec::new(), Vec::new()];
        for ((parameter, center), drawn) in self
            .parameters
            .iter()
            .zip(center)
            .zip(self.drawn(iteration))
        {
            let moved = drawn.side * self.perturbation(iteration, parameter);
            for (point, moved) in points.iter_mut().zip([moved, -moved]) {
                let value = parameter.value(parameter.position(*center) + moved);
                point.push(parameter.given(value, drawn.luck));
            }
        }
        points
    }

    /// The center after an iteration. `result` is the points of the first point of its games minus the second one's.
    pub fn step(&self, iteration: u64, center: &[f64], result: f64) -> Vec<f64> {
        let parameters = self.parameters.iter().zip(center);
        parameters
            .zip(self.drawn(iteration))
            .map(|((parameter, center), drawn)| {
                let moved = self.rate(iteration)
                    * self.perturbation(iteration, parameter)
                    * drawn.side
                    * result;
                parameter.value(parameter.position(*center) + moved)
            })
            .collect()
    }

    /// `c` on the scale of a parameter.
    fn perturbation(&self, iteration: u64, parameter: &Parameter) -> f64 {
        parameter.step_on_scale() * self.decay(iteration)
    }

    fn decay(&self, iteration: u64) -> f64 {
        libm::pow(self.iterations as f64 / (iteration + 1) as f64, GAMMA)
    }

    /// `r`
    fn rate(&self, iteration: u64) -> f64 {
        let all = self.iterations as f64;
        let early = (1.0 + STABLE) * all / (STABLE * all + (iteration + 1) as f64);
        self.r_end * libm::pow(early, ALPHA) / self.decay(iteration).powi(2)
    }

    fn drawn(&self, iteration: u64) -> impl Iterator<Item = Drawn> {
        let mut stream = Stream::of_purpose("tuning", self.seed, iteration);
        std::iter::repeat_with(move || Drawn {
            side: if stream.next_u64() >> 63 == 0 {
                1.0
            } else {
                -1.0
            },
            luck: stream.uniform(),
        })
    }
}

/// The random part of a parameter in an iteration.
struct Drawn {
    side: f64,
    luck: f64,
}
