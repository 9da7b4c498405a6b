//! The most likely values of the parameters.

use super::objective::{Objective, State};
use super::{draw_rate, elo_scale};
use crate::game::MOST_SEATS;
use crate::rating::math::Information;

/// Upper bound on Newton steps. Convergence takes about six.
const STEPS: usize = 100;

/// Steps are small enough below this change of any parameter: the next one would be about its square.
const SMALL: f64 = 1e-6;

/// Accuracy of a Newton step: the squared error relative to the squared gradient.
const STEP_ACCURACY: f64 = 1e-14;

#[derive(Debug)]
pub struct Fit {
    pub at: Vec<f64>,
    /// The most likely ones, with strengths and seats nearer to their means. Errors of a fit put them too far apart, where
    /// results look surer than they are.
    pub moderate: Vec<f64>,
    pub information: Information,
}

/// The parameters with the highest posterior, and the information there.
pub fn solve(objective: &Objective<'_>) -> Fit {
    let mut state = objective.state();
    let mut at = vec![0.0; objective.size()];
    match objective.center {
        None => climb(objective, &mut at, &mut state),
        Some(center) => climb_anchored(objective, &mut at, center, &mut state),
    }
    let moderate = moderate(objective, &at, &state.information);
    objective.evaluate(moderate.as_ref().unwrap_or(&at), &mut state);
    Fit {
        moderate: moderate.unwrap_or_else(|| at.clone()),
        at,
        information: state.information,
    }
}

fn climb_anchored(objective: &Objective<'_>, at: &mut [f64], center: usize, state: &mut State) {
    let scale = elo_scale(objective.nu(at));
    let weights: f64 = objective.anchors.iter().map(|it| it.precision).sum();
    let elo = objective
        .anchors
        .iter()
        .map(|it| it.precision * it.elo)
        .sum::<f64>();
    at[..objective.players].fill(elo / weights / scale);
    at[center] = elo / weights / scale;
    for anchor in &objective.anchors {
        at[anchor.player] = anchor.elo / scale;
    }
    climb(objective, at, state);
}

/// The parameters after a step. Where anchors give Elo, strengths move so that Elo moves in a line, whatever the step
/// makes of the share of draws: exact anchors stay at theirs.
fn moved(objective: &Objective<'_>, at: &[f64], step: &[f64]) -> Vec<f64> {
    let mut moved: Vec<f64> = at.iter().zip(step).map(|(at, step)| at + step).collect();
    if let (Some(center), Some(tie)) = (objective.center, objective.tie_at(2)) {
        let draws = draw_rate(objective.nu(at));
        let share = elo_scale(objective.nu(at)) / elo_scale(objective.nu(&moved));
        for index in (0..objective.players).chain([center]) {
            moved[index] = share * (moved[index] - draws * at[index] * step[tie]);
        }
    }
    moved
}

/// Climbs to the highest posterior by Newton's method, with conjugate gradients for its steps.
fn climb(objective: &Objective<'_>, at: &mut [f64], state: &mut State) {
    let mut log_posterior = objective.evaluate(at, state);
    for _ in 0..STEPS {
        let right: Vec<[f64; 1]> = state.gradient.iter().map(|part| [*part]).collect();
        let step = state.information.solve(&right, STEP_ACCURACY);
        let mut step: Vec<f64> = step.into_iter().map(|[part]| part).collect();
        let mut longest;
        // The log posterior is concave, but a step can be too long where results are one-sided.
        loop {
            let tried = moved(objective, at, &step);
            let reached = objective.evaluate(&tried, state);
            longest = step.iter().fold(0.0_f64, |most, part| most.max(part.abs()));
            if reached >= log_posterior || longest < SMALL {
                at.copy_from_slice(&tried);
                log_posterior = reached;
                break;
            }
            step.iter_mut().for_each(|part| *part /= 2.0);
        }
        if longest < SMALL {
            break;
        }
    }
}

/// Draws the strengths together, and the seats of each number of seats. `None` where each block has one game.
///
/// The errors of a fit put them too far apart. Their true variance follows by moments (R. DerSimonian, N. Laird,
/// Controlled Clinical Trials 7, 1986), where each one's information takes the others as known.
fn moderate(objective: &Objective<'_>, at: &[f64], information: &Information) -> Option<Vec<f64>> {
    if objective.blocks.have_one_game() {
        return None;
    }
    let mut moderate = at.to_vec();
    let seats = (0..=MOST_SEATS).filter_map(|seats| Some((objective.seats_at(seats)?, seats)));
    for (first, count) in seats.chain([(0, objective.players)]) {
        let group = first..first + count;
        let own = |index: usize| information.own(index);
        let sum = |part: &dyn Fn(usize) -> f64| group.clone().map(part).sum::<f64>();
        let all = sum(&own);
        let mean = sum(&|index| own(index) * at[index]) / all;
        let apart = sum(&|index| own(index) * (at[index] - mean).powi(2));
        let by_errors = sum(&|index| {
            let by_games = 1.0 - objective.precision(index) / own(index);
            by_games * (1.0 - own(index) / all).powi(2)
        });
        if apart > 0.0 {
            let truly = (1.0 - by_errors / apart).max(0.0).sqrt();
            for value in &mut moderate[group] {
                *value = mean + truly * (*value - mean);
            }
        }
    }
    Some(moderate)
}
