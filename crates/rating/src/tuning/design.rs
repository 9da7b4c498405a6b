//! A design of few parameters: the points whose games are expected to tell most, by the fit of all games so far.

use std::collections::VecDeque;

use super::{Compared, Landscape, Parameter};
use crate::matchmaking::choose;

/// Points of a parameter, by the number of parameters.
const POINTS: [usize; MOST_DESIGNED] = [17, 9, 6];

/// Most parameters of a design. With more, a grid of points is too coarse, or too large.
pub const MOST_DESIGNED: usize = 3;

/// Pairs of points between two fits: at least these, and a share of all before.
const LEAST_PAIRS: usize = 4;
const SHARE: usize = 8;

/// The pairs that meet, one after the other. All of it is a function of the parameters, the seed and the results.
///
/// After some iterations all games are fitted. Points that are surely far below the best one are left out. The next pairs are
/// expected to take most from the summed variance of all other points, by [`choose`].
#[derive(Debug, Clone)]
pub struct Design {
    parameters: Vec<Parameter>,
    points: Vec<Vec<f64>>,
    pairs: u64,
    seed: u64,
    next: VecDeque<[usize; 2]>,
    best: Vec<f64>,
}

impl Design {
    /// A design of at most [`MOST_DESIGNED`] parameters, with so many game pairs of each two.
    pub fn new(parameters: Vec<Parameter>, pairs: u64, seed: u64) -> Self {
        let steps = POINTS[parameters.len().clamp(1, MOST_DESIGNED) - 1] - 1;
        let mut points = vec![Vec::new()];
        for parameter in &parameters {
            let unit = |step: usize| 2.0 * step as f64 / steps as f64 - 1.0;
            let mut values: Vec<f64> = (0..=steps)
                .map(|step| parameter.given(parameter.of_unit(unit(step)), 0.5))
                .collect();
            values.dedup();
            let longer = |point: &Vec<f64>| {
                let point = point.clone();
                let all = values
                    .iter()
                    .map(move |value| [&point[..], &[*value]].concat());
                all.collect::<Vec<_>>()
            };
            points = points.iter().flat_map(longer).collect();
        }
        Self {
            best: parameters.iter().map(|it| it.start).collect(),
            parameters,
            points,
            pairs,
            seed,
            next: VecDeque::new(),
        }
    }

    /// The two points whose players meet in the next iteration, by the results of those before it.
    pub fn points(&mut self, compared: &[Compared]) -> [Vec<f64>; 2] {
        if self.next.is_empty() {
            let fit = Landscape::fit(&self.parameters, compared);
            self.best = fit.best();
            let count = LEAST_PAIRS.max(compared.len() / SHARE);
            let field = fit.field(&self.points, self.pairs);
            let chosen = choose(&field, 2, count, self.seed ^ compared.len() as u64);
            self.next = chosen.iter().map(|pair| [pair[0], pair[1]]).collect();
        }
        let pair = self.next.pop_front().unwrap_or_default();
        pair.map(|at| self.points[at].clone())
    }

    pub fn best(&self) -> &[f64] {
        &self.best
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rating::WinDrawLoss;
    use crate::tuning::Scale;

    #[test]
    fn games_go_to_points_that_may_be_the_best() {
        let parameter = |whole| Parameter {
            low: 0.0,
            high: 8.0,
            start: 1.0,
            step: 1.0,
            scale: Scale::Linear,
            whole,
        };
        let parameters = vec![parameter(true), parameter(false)];
        let mut design = Design::new(parameters, 10, 4);
        assert_eq!(design.points.len(), 81);
        let mut compared: Vec<Compared> = Vec::new();
        for _ in 0..200 {
            let points = design.points(&compared);
            assert_ne!(points[0], points[1]);
            assert!(points.iter().all(|point| point[0].fract() == 0.0));
            let elo = |point: &[f64]| -8.0 * ((point[0] - 6.0).powi(2) + (point[1] - 3.0).powi(2));
            let apart = elo(&points[0]) - elo(&points[1]);
            let won = (10.0 / (1.0 + 10_f64.powf(-apart / 400.0))).round() as u64;
            let mut one = Compared::new(points);
            (0..won).for_each(|_| one.add_pair([WinDrawLoss::Win; 2]));
            (won..10).for_each(|_| one.add_pair([WinDrawLoss::Loss; 2]));
            compared.push(one);
        }
        let far = |one: &Compared| one.points.iter().any(|point| point[0] < 2.0);
        assert!(compared[..20].iter().any(far));
        assert!(!compared[100..].iter().any(far));
        assert_eq!(design.best()[0], 6.0);
        assert!((design.best()[1] - 3.0).abs() < 0.3, "{:?}", design.best());
    }
}
