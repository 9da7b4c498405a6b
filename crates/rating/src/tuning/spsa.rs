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

struct Drawn {
    side: f64,
    luck: f64,
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tuning::Scale;

    fn parameters() -> Vec<Parameter> {
        let linear = Parameter {
            low: -1.0,
            high: 9.0,
            start: 2.0,
            step: 0.5,
            scale: Scale::Linear,
            whole: false,
        };
        let whole = Parameter {
            low: 1.0,
            high: 64.0,
            start: 8.0,
            step: 1.25,
            scale: Scale::Logarithmic,
            whole: true,
        };
        vec![linear, whole]
    }

    #[test]
    fn points_are_on_both_sides_of_the_center_and_inside_the_bounds() {
        let spsa = Spsa::new(parameters(), 1000, 1, STEP_ELO, 7);
        let mut sum = 0.0;
        for iteration in 0..1000 {
            let center = spsa.start();
            let [plus, minus] = spsa.points(iteration, &center);
            assert_eq!([&plus, &minus], spsa.points(iteration, &center).each_ref());
            assert!((plus[0] + minus[0] - 4.0).abs() < 1e-12);
            // The step of the end, grown by less than 1000^0.101.
            assert!((0.5..1.01).contains(&(plus[0] - 2.0).abs()), "{plus:?}");
            assert_eq!([plus[1].fract(), minus[1].fract()], [0.0, 0.0]);
            sum += plus[0] - 2.0;
            let far = spsa.points(iteration, &[9.0, 1.0]);
            assert!(far.iter().all(|it| it[0] <= 9.0 && it[1] >= 1.0));
        }
        assert!((sum / 1000.0).abs() < 0.06, "{sum}");
        let other = Spsa::new(parameters(), 1000, 1, STEP_ELO, 8);
        let all = |spsa: &Spsa| {
            (0..20)
                .map(|it| spsa.points(it, &[2.0, 8.0]))
                .collect::<Vec<_>>()
        };
        assert_ne!(all(&spsa), all(&other));
    }

    #[test]
    fn the_center_follows_results_and_comes_nearer_by_the_planned_factor() {
        // Without luck: the expected result of all games of an iteration, at 2 Elo lost one step away.
        let steps = [0.5, 1.25_f64.ln()];
        let (iterations, pairs) = (2000, 20);
        let spsa = Spsa::new(parameters(), iterations, pairs, STEP_ELO, 7);
        let mut center = spsa.start();
        let elo = |point: &[f64]| {
            let apart = [
                (point[0] - 4.0) / steps[0],
                (point[1] / 16.0).ln() / steps[1],
            ];
            -2.0 * apart.iter().map(|it| it * it).sum::<f64>()
        };
        for iteration in 0..iterations {
            let [plus, minus] = spsa.points(iteration, &center);
            let result = 2.0 * pairs as f64 * (elo(&plus) - elo(&minus)) / (2.0 * ELO);
            center = spsa.step(iteration, &center, result);
        }
        // Earlier steps are larger than the one at the end, by which the rate is planned.
        assert!((3.9..4.0).contains(&center[0]), "{center:?}");
        assert!((14.0..17.0).contains(&center[1]), "{center:?}");
    }
}
