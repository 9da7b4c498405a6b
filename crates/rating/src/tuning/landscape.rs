//! A fit of games between points: the best point, its gain over the start, and how sure both are.

use super::Parameter;
use super::model::{Compared, Games, Terms};
use super::posterior::Posterior;
use crate::matchmaking::{Field, Role};
use crate::random::Stream;
use crate::rating::{Estimate, Interval, Symmetric, cdf, dot, draw_rate, elo_scale, product};

/// Sweeps over all parameters for the highest point of a utility, at most, and the least change that goes on.
const SWEEPS: usize = 1000;
const LEAST_CHANGE: f64 = 1e-9;

/// Steps over the range of a parameter.
const VALUES: usize = 40;

/// Halvings of the distance from the best value to a bound.
const HALVINGS: usize = 20;

/// Utilities that are drawn for the Elo that is left, from this seed: equal games have equal figures.
const DRAWS: usize = 400;
const SEED: u64 = 0x5475_6e65;

/// Directions in which a fitted utility would rise on both sides, at most, each made flat.
const MOST_FLAT: usize = 50;

/// Curvatures count as none down to this, in units of strength.
const LEAST_CURVATURE: f64 = 1e-6;

const FAR: f64 = 6.0;

/// Rounds of the power method for one of these directions.
const ROUNDS: usize = 200;

/// Points that may have at most so much less Elo than the best one are played on.
const NEAR: f64 = 50.0;

/// A quadratic utility of the parameters, fitted to all games of a tuning.
pub struct Landscape {
    parameters: Vec<Parameter>,
    terms: Terms,
    posterior: Posterior,
    /// The mean of the posterior, with curvatures that are nowhere negative.
    concave: Vec<f64>,
    /// The points as units from -1 to 1.
    start: Vec<f64>,
    best: Vec<f64>,
}

impl Landscape {
    pub fn fit(parameters: &[Parameter], compared: &[Compared]) -> Self {
        let terms = Terms::new(parameters.len());
        let posterior = Posterior::new(&Games::new(parameters, compared), terms);
        let concave = concave(terms, &posterior);
        let start: Vec<f64> = parameters.iter().map(|it| it.unit(it.start)).collect();
        let best = highest(terms, &concave, start.clone(), None);
        let best = parameters
            .iter()
            .zip(best)
            .map(|(parameter, unit)| parameter.unit(parameter.given(parameter.of_unit(unit), 0.5)));
        Self {
            best: best.collect(),
            parameters: parameters.to_vec(),
            terms,
            posterior,
            concave,
            start,
        }
    }

    pub fn best(&self) -> Vec<f64> {
        let values = self.parameters.iter().zip(&self.best);
        values
            .map(|(parameter, unit)| parameter.given(parameter.of_unit(*unit), 0.5))
            .collect()
    }

    /// The 95 % interval of the best value of a parameter, with the one of [`best`](Self::best) in it: the values at which
    /// the slope of the utility, with the best values of all others, does not say that the best one is further in.
    pub fn interval(&self, parameter: usize) -> Interval {
        let best = self.best[parameter];
        let slope = |unit: f64| self.slope(parameter, unit);
        let end = |bound: f64, is_possible: &dyn Fn(f64) -> bool| {
            let (mut inside, mut outside) = (best, bound);
            if is_possible(bound) {
                return bound;
            }
            for _ in 0..HALVINGS {
                let middle = f64::midpoint(inside, outside);
                match is_possible(middle) {
                    true => inside = middle,
                    false => outside = middle,
                }
            }
            inside
        };
        let low = end(-1.0, &|unit| slope(unit).low() <= 0.0);
        let high = end(1.0, &|unit| slope(unit).high() >= 0.0);
        [low, best, high].map(|unit| self.parameters[parameter].of_unit(unit))
    }

    /// Elo over the values of a parameter, relative to the best point. All other parameters have their best values beside it.
    pub fn elo_over(&self, parameter: usize) -> Vec<(f64, Estimate)> {
        units()
            .map(|unit| {
                let point = self.along(parameter, unit);
                let value = self.parameters[parameter].of_unit(unit);
                (value, self.difference(&point, &self.best))
            })
            .collect()
    }

    /// The Elo that the worst value of a parameter loses to the best one. Where the upper end of its interval is small, the
    /// parameter does not matter; where the lower end is above 0, it does.
    pub fn worth(&self, parameter: usize) -> Estimate {
        let lost = self
            .elo_over(parameter)
            .into_iter()
            .map(|(_, it)| Estimate { elo: -it.elo, ..it });
        let most = lost.max_by(|one, two| one.elo.total_cmp(&two.elo));
        most.unwrap_or(Estimate {
            elo: 0.0,
            error: f64::INFINITY,
        })
    }

    pub fn gain(&self) -> Estimate {
        self.difference(&self.best, &self.start)
    }

    /// The Elo that the true best point may have over [`best`](Self::best): the quantiles 2.5 and 97.5 % of utilities that
    /// the games allow, and their mean between.
    pub fn gain_left(&self) -> Interval {
        let Some(root) = self.posterior.covariance.root() else {
            return [0.0, f64::INFINITY, f64::INFINITY];
        };
        let mut stream = Stream::of_purpose("landscape", SEED, 0);
        let mut left: Vec<f64> = (0..DRAWS)
            .map(|_| {
                let luck: Vec<f64> = (0..root.nrows()).map(|_| stream.normal()).collect();
                let moved = root.rows().into_iter().map(|row| dot(row, &luck));
                let mean = self.posterior.mean.iter();
                let mut utility: Vec<f64> = mean.zip(moved).map(|(mean, it)| mean + it).collect();
                let (least, _) = lowest(&curvatures(self.terms, &utility));
                for square in &mut utility[self.terms.slopes()..][..self.terms.slopes()] {
                    *square -= least.min(0.0);
                }
                let highest = highest(self.terms, &utility, self.best.clone(), None);
                let [one, two] = [&highest, &self.best].map(|it| dot(&self.terms.at(it), &utility));
                elo_scale(self.posterior.nu) * (one - two).max(0.0)
            })
            .collect();
        left.sort_by(f64::total_cmp);
        let mean = left.iter().sum::<f64>() / DRAWS as f64;
        [left[DRAWS / 40], mean, left[DRAWS - 1 - DRAWS / 40]]
    }

    /// The probability of games that fit a quadratic utility as badly as these, if it is one. Below 0.05, best values and
    /// intervals are not to be trusted.
    pub fn misfit(&self) -> f64 {
        self.posterior.misfit
    }

    /// The points as a field for matchmaking, with so many game pairs of each two: strengths relative to the best point. A point
    /// that is surely far below it is out.
    pub fn field(&self, points: &[Vec<f64>], pairs: u64) -> Field {
        let unit = |point: &Vec<f64>| -> Vec<f64> {
            let values = self.parameters.iter().zip(point);
            values
                .map(|(parameter, value)| parameter.unit(*value))
                .collect()
        };
        let units: Vec<Vec<f64>> = points.iter().map(unit).collect();
        let scale = elo_scale(self.posterior.nu);
        let best = self.terms.at(&self.best);
        let apart: Vec<Vec<f64>> = units
            .iter()
            .map(|point| {
                let terms = self.terms.at(point);
                let mut apart: Vec<f64> = terms
                    .iter()
                    .zip(&best)
                    .map(|(one, best)| scale * (one - best))
                    .collect();
                apart.resize(self.posterior.mean.len(), 0.0);
                apart
            })
            .collect();
        let told = apart
            .iter()
            .map(|it| product(&self.posterior.covariance, it));
        let told: Vec<Vec<f64>> = told.collect();
        let estimates = units.iter().map(|point| self.difference(point, &self.best));
        let estimates: Vec<Estimate> = estimates.collect();
        let role = |it: &Estimate| match it.high() >= -NEAR {
            true => Role::Active,
            false => Role::Out,
        };
        Field {
            roles: estimates.iter().map(role).collect(),
            elo: estimates.iter().map(|it| it.elo).collect(),
            covariance: told
                .iter()
                .map(|one| apart.iter().map(|other| dot(one, other)).collect())
                .collect(),
            draws: draw_rate(self.posterior.nu),
            rounds: pairs as f64,
            idle: vec![0; points.len()],
        }
    }

    /// The slope of the highest Elo at a unit of a parameter, where the others move with it.
    fn slope(&self, parameter: usize, unit: f64) -> Estimate {
        let point = self.along(parameter, unit);
        let mut factors = self.terms.slope(&point, parameter);
        let is_free = |at: &usize| *at != parameter && point[*at].abs() < 1.0;
        let free: Vec<usize> = (0..point.len()).filter(is_free).collect();
        let curved = curvatures(self.terms, &self.concave);
        let mut others = curved.part(&free);
        // The best values of the others are not exact either.
        if others.invert() {
            let between: Vec<f64> = free.iter().map(|at| curved.at(parameter, *at)).collect();
            for (at, moved) in free.iter().zip(product(&others, &between)) {
                for (factor, own) in factors.iter_mut().zip(self.terms.slope(&point, *at)) {
                    *factor -= moved * own;
                }
            }
        }
        self.estimate(&factors)
    }

    /// The best point where a parameter has this unit.
    fn along(&self, parameter: usize, unit: f64) -> Vec<f64> {
        let mut point = self.best.clone();
        point[parameter] = unit;
        highest(self.terms, &self.concave, point, Some(parameter))
    }

    fn difference(&self, one: &[f64], two: &[f64]) -> Estimate {
        let mut terms = self.terms.at(one);
        for (term, other) in terms.iter_mut().zip(self.terms.at(two)) {
            *term -= other;
        }
        self.estimate(&terms)
    }

    /// The Elo of a sum of terms. The Elo of a unit falls with the share of draws `d`: its derivative by `ln ν` is `-d`
    /// of it.
    fn estimate(&self, terms: &[f64]) -> Estimate {
        let Posterior {
            mean,
            covariance,
            nu,
            ..
        } = &self.posterior;
        let utility = dot(terms, &self.concave);
        let mut parts = terms.to_vec();
        parts.resize(mean.len(), 0.0);
        parts[mean.len() - 1] = -draw_rate(*nu) * utility;
        let variance = dot(&product(covariance, &parts), &parts);
        Estimate {
            elo: elo_scale(*nu) * utility,
            error: elo_scale(*nu) * variance.max(0.0).sqrt(),
        }
    }
}

fn units() -> impl Iterator<Item = f64> {
    (0..=VALUES).map(|step| 2.0 * step as f64 / VALUES as f64 - 1.0)
}

fn curvatures(terms: Terms, utility: &[f64]) -> Symmetric {
    let mut matrix = Symmetric::zero(terms.slopes());
    for ((one, two), value) in terms.products().zip(&utility[terms.slopes()..]) {
        matrix.add(one, two, *value);
    }
    matrix
}

/// The utility without a direction of negative curvature: each in turn gets the mean of the positive ones.
fn concave(terms: Terms, posterior: &Posterior) -> Vec<f64> {
    let mut utility = posterior.mean[..terms.count()].to_vec();
    let own: Vec<usize> = (0..terms.count()).collect();
    let mut covariance = posterior.covariance.part(&own);
    for _ in 0..MOST_FLAT {
        let parameters = terms.slopes();
        let (least, direction) = lowest(&curvatures(terms, &utility));
        let mut factors = vec![0.0; parameters];
        factors.extend(terms.products().map(|(one, two)| {
            let times = if one == two { 1.0 } else { 2.0 };
            times * direction[one] * direction[two]
        }));
        let told = product(&covariance, &factors);
        let variance = dot(&told, &factors);
        if least >= -LEAST_CURVATURE || variance <= LEAST_CURVATURE * LEAST_CURVATURE {
            break;
        }
        let curved = dot(&factors, &utility);
        let moved = above_zero(curved, variance.sqrt()) - curved;
        for (row, one) in told.iter().enumerate() {
            utility[row] += one * moved / variance;
            for (column, other) in told[..=row].iter().enumerate() {
                covariance.add(row, column, -one * other / variance);
            }
        }
    }
    utility
}

/// The mean of a normal variable that is known to be above 0.
fn above_zero(mean: f64, deviation: f64) -> f64 {
    let at = mean / deviation;
    // Far below 0, the rest is exponential.
    if at < -FAR {
        return -deviation / at;
    }
    let density = (-at * at / 2.0).exp() / std::f64::consts::TAU.sqrt();
    mean + deviation * density / cdf(at)
}

/// The lowest eigenvalue of a matrix, with its direction: the power method, on its distance to a bound of all.
fn lowest(matrix: &Symmetric) -> (f64, Vec<f64>) {
    let rows = || (0..matrix.size()).map(|row| matrix.row(row));
    let bound = rows()
        .map(|row| row.map(|it| it.abs()).sum())
        .fold(0.0, f64::max);
    let mut direction: Vec<f64> = (0..matrix.size()).map(|at| 1.0 + 0.1 * at as f64).collect();
    for _ in 0..ROUNDS {
        let turned = product(matrix, &direction);
        for (own, turned) in direction.iter_mut().zip(turned) {
            *own = bound * *own - turned;
        }
        let length = dot(&direction, &direction).sqrt();
        if length <= 0.0 {
            break;
        }
        direction.iter_mut().for_each(|it| *it /= length);
    }
    (dot(&product(matrix, &direction), &direction), direction)
}

/// The highest point of a utility inside the bounds, from a point, but for a parameter that keeps its value: one parameter
/// after another, until no one moves.
fn highest(terms: Terms, utility: &[f64], from: Vec<f64>, kept: Option<usize>) -> Vec<f64> {
    let mut point = from;
    let parameters = point.len();
    let curved = curvatures(terms, utility);
    for _ in 0..SWEEPS {
        let mut change = 0.0_f64;
        for at in (0..parameters).filter(|at| kept != Some(*at)) {
            let own = curved.at(at, at);
            let slope = utility[at] - dot(curved.row(at), &point) + own * point[at];
            let to = match own > 0.0 {
                true => (slope / own).clamp(-1.0, 1.0),
                // The utility is highest at one of the bounds.
                false => 1.0_f64.copysign(slope),
            };
            change = change.max((to - point[at]).abs());
            point[at] = to;
        }
        if change < LEAST_CHANGE {
            break;
        }
    }
    point
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rating::WinDrawLoss;
    use crate::tuning::Scale;

    fn parameter(start: f64, whole: bool) -> Parameter {
        Parameter {
            low: 0.0,
            high: 10.0,
            start,
            step: 1.0,
            scale: Scale::Linear,
            whole,
        }
    }

    /// Pairs of points around a start at (2, 5), with the results that a strength makes most likely, 30 % drawn.
    fn games(pairs: u64, elo: impl Fn(&[f64]) -> f64) -> Vec<Compared> {
        let mut all = Vec::new();
        for (one, two) in (0..=10).flat_map(|one| (0..=10).map(move |two| (one, two))) {
            let points = [vec![f64::from(one), f64::from(two)], vec![2.0, 5.0]];
            let apart = elo(&points[0]) - elo(&points[1]);
            let win = 0.7 / (1.0 + 10_f64.powf(-apart / 280.0));
            let mut compared = Compared::new(points);
            let shares = [0.7 - win, 0.3, win];
            for first in WinDrawLoss::ALL {
                for second in WinDrawLoss::ALL {
                    let share = shares[first as usize] * shares[second as usize];
                    compared.pairs[first as usize][second as usize] =
                        (share * pairs as f64).round() as u64;
                }
            }
            all.push(compared);
        }
        all
    }

    fn hill(point: &[f64]) -> f64 {
        -(point[0] - 7.2).powi(2)
    }

    #[test]
    fn the_best_values_of_a_quadratic_strength_are_found() {
        let parameters = [parameter(2.0, false), parameter(5.0, true)];
        let fit = Landscape::fit(&parameters, &games(400, hill));
        let best = fit.best();
        let [low, middle, high] = fit.interval(0);
        assert!(
            (best[0] - 7.2).abs() < 0.3 && best[1].fract() == 0.0,
            "{best:?}"
        );
        assert!(low < middle && middle < high && high - low < 2.0);
        assert!(low < 7.2 && 7.2 < high && middle == best[0]);
        let gain = fit.gain();
        assert!(
            gain.low() < 27.04 && 27.04 < gain.high() && gain.margin() < 8.0,
            "{gain:?}"
        );
        // The second parameter does not matter.
        assert!(fit.worth(0).low() > 20.0, "{:?}", fit.worth(0));
        assert!(fit.worth(1).high() < 8.0, "{:?}", fit.worth(1));
        assert_eq!(fit.interval(1)[0], 0.0);
        let over = fit.elo_over(0);
        assert_eq!([over[0].0, over[VALUES].0], [0.0, 10.0]);
        assert!(over.iter().all(|(_, it)| it.elo < 1e-6));
        let [least, mean, most] = fit.gain_left();
        assert!(0.0 <= least && least <= mean && mean <= most && most < 8.0);
        assert!(fit.misfit() > 0.05, "{}", fit.misfit());
    }

    #[test]
    fn pairs_that_vary_less_make_margins_smaller() {
        let parameters = [parameter(2.0, false), parameter(5.0, false)];
        let mut alike = games(400, hill);
        // Each opening decides both games of nearly all its pairs.
        for compared in &mut alike {
            let [[both_lost, ..], _, [.., both_won]] = &mut compared.pairs;
            let moved = *both_lost.min(both_won);
            *both_lost -= moved;
            *both_won -= moved;
            compared.pairs[0][2] += moved;
            compared.pairs[2][0] += moved;
        }
        let [plain, alike] =
            [games(400, hill), alike].map(|it| Landscape::fit(&parameters, &it).gain());
        assert!(alike.error < 0.9 * plain.error, "{alike:?} {plain:?}");
        assert!((alike.elo - plain.elo).abs() < 2.0);
    }

    #[test]
    fn a_strength_that_is_not_quadratic_is_a_misfit() {
        let parameters = [parameter(2.0, false), parameter(5.0, false)];
        let cliff = |point: &[f64]| if point[0] > 6.5 { -200.0 } else { 0.0 };
        assert!(Landscape::fit(&parameters, &games(400, cliff)).misfit() < 0.001);
    }

    #[test]
    fn a_valley_has_its_best_values_at_a_bound_and_nothing_is_certain_without_games() {
        let parameters = [parameter(4.0, false), parameter(5.0, false)];
        let valley = |point: &[f64]| (point[0] - 4.0).powi(2) * 4.0;
        let best = Landscape::fit(&parameters, &games(400, valley)).best();
        assert_eq!(best[0], 10.0);
        let nothing = Landscape::fit(&parameters, &[]);
        assert!(nothing.gain().low() <= 0.0 && nothing.gain().high() > 20.0);
        assert!(nothing.misfit() > 0.5 && nothing.gain_left()[2] > 0.0);
        let none = Landscape::fit(&[], &[]);
        assert!(none.best().is_empty() && none.gain().elo == 0.0);
    }
}
