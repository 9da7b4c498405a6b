//! The choices among some players: their probabilities, and the derivatives of the log-likelihood.

use super::Expected;
use crate::game::MOST_SEATS;
use crate::rating::games::Choice;

/// The most local parameters of a game: the worth of the player in each seat, then `ln δ` of each size of a tie from 2.
pub const MOST_LOCAL: usize = 2 * MOST_SEATS - 1;

/// `ln δ` by size of a tie from 2; `None` for a size that does not occur.
#[derive(Debug, Clone, Copy)]
pub struct Ties {
    ln_delta: [Option<f64>; MOST_SEATS - 1],
    /// `δ(2)`; 0 without such ties.
    nu: f64,
}

impl Ties {
    pub fn new(ln_delta: [Option<f64>; MOST_SEATS - 1]) -> Self {
        Self {
            nu: ln_delta[0].map_or(0.0, f64::exp),
            ln_delta,
        }
    }

    pub fn of(&self, size: usize) -> Option<f64> {
        self.ln_delta[size - 2]
    }
}

#[derive(Debug, Clone, Copy)]
pub struct GameModel {
    pub seats: usize,
    pub worths: [f64; MOST_SEATS],
    pub ties: Ties,
}

/// A choice among some players: the moments of the coefficients of the local parameters in the log weight of the chosen
/// set. For a mean `m` and a covariance `C`, the log-likelihood of a choice has the gradient `features - m` and the
/// information `C`.
#[derive(Debug, Clone)]
pub struct ChoiceMoments {
    pub log_sum: f64,
    pub mean: [f64; MOST_LOCAL],
    pub covariance: [[f64; MOST_LOCAL]; MOST_LOCAL],
    pub fourth: [f64; MOST_LOCAL],
    candidates: Vec<(u8, f64)>,
}

impl Default for ChoiceMoments {
    fn default() -> Self {
        Self {
            log_sum: 0.0,
            mean: [0.0; MOST_LOCAL],
            covariance: [[0.0; MOST_LOCAL]; MOST_LOCAL],
            fourth: [0.0; MOST_LOCAL],
            candidates: Vec::new(),
        }
    }
}

impl GameModel {
    pub fn size(&self) -> usize {
        2 * self.seats - 1
    }

    /// The logarithm of the weight of a set; `None` for a tie of a size that does not occur.
    fn log_weight(&self, set: u8, sign: f64) -> Option<f64> {
        let size = set.count_ones() as usize;
        let bonus = match size {
            1 => 0.0,
            size => self.ties.of(size)?,
        };
        let sum: f64 = seats_of(set).map(|seat| self.worths[seat]).sum();
        Some(bonus + sign * sum / size as f64)
    }

    /// The local parameters that the log weight of a chosen set depends on, with their coefficients.
    pub fn features(&self, choice: &Choice) -> impl Iterator<Item = (usize, f64)> {
        features(self.seats, choice.chosen, sign_of(choice))
    }

    pub fn value(&self, local: usize) -> f64 {
        match local.checked_sub(self.seats) {
            None => self.worths[local],
            Some(tie) => self.ties.of(tie + 2).unwrap_or(0.0),
        }
    }
}

/// From below, the worth of a player counts against it.
fn sign_of(choice: &Choice) -> f64 {
    match choice.is_last {
        true => -1.0,
        false => 1.0,
    }
}

fn features(seats: usize, set: u8, sign: f64) -> impl Iterator<Item = (usize, f64)> {
    let size = set.count_ones() as usize;
    let worths = seats_of(set).map(move |seat| (seat, sign / size as f64));
    worths.chain((size > 1).then_some((seats + size - 2, 1.0)))
}

impl ChoiceMoments {
    /// The moments of a choice among the players of `choice.left`.
    pub fn fill(&mut self, model: &GameModel, choice: &Choice) {
        match model.seats {
            // The formulas of the general case, written out: most games have two seats, and take a tenth of the time.
            2 => self.fill_two(model),
            _ => self.fill_any(model, choice.left, sign_of(choice)),
        }
    }

    fn fill_two(&mut self, model: &GameModel) {
        let [one, two] = [model.worths[0], model.worths[1]];
        let expected = Expected::new(one - two, model.ties.nu);
        let weights = expected.weights();
        self.log_sum = expected.log_sum() + f64::midpoint(one, two);
        self.mean[..3].copy_from_slice(&[expected.points, 1.0 - expected.points, expected.draw]);
        let (points, mixed) = (weights.points, weights.mixed);
        self.covariance[0][..3].copy_from_slice(&[points, -points, mixed]);
        self.covariance[1][..3].copy_from_slice(&[-points, points, -mixed]);
        self.covariance[2][..3].copy_from_slice(&[mixed, -mixed, weights.draws]);
    }

    /// The fourth cumulants, from the moments of the last [`fill`](Self::fill).
    pub fn fill_fourth(&mut self, model: &GameModel, choice: &Choice) {
        let size = model.size();
        self.fourth[..size].fill(0.0);
        if model.seats == 2 {
            let [points, _, draw] = [self.mean[0], self.mean[1], self.mean[2]];
            let chances = [
                (0.0, 1.0 - points - draw / 2.0),
                (0.5, draw),
                (1.0, points - draw / 2.0),
            ];
            let fourth = chances
                .iter()
                .map(|(value, chance)| chance * (value - points).powi(4));
            let worth = fourth.sum::<f64>() - 3.0 * self.covariance[0][0].powi(2);
            let variance = draw * (1.0 - draw);
            self.fourth[..3].copy_from_slice(&[worth, worth, variance * (1.0 - 6.0 * variance)]);
            return;
        }
        for (set, probability) in &self.candidates {
            let mut left_out = [true; MOST_LOCAL];
            for (row, value) in features(model.seats, *set, sign_of(choice)) {
                left_out[row] = false;
                self.fourth[row] += probability * (value - self.mean[row]).powi(4);
            }
            for row in (0..size).filter(|row| left_out[*row]) {
                self.fourth[row] += probability * self.mean[row].powi(4);
            }
        }
        for row in 0..size {
            self.fourth[row] -= 3.0 * self.covariance[row][row].powi(2);
        }
    }

    /// The variance and the fourth cumulant of a sum of the coefficients of the local parameters, with these weights, in
    /// a choice that is not known yet.
    pub fn cumulants(
        &mut self,
        model: &GameModel,
        choice: &Choice,
        weights: &[f64; MOST_LOCAL],
    ) -> [f64; 2] {
        let sign = sign_of(choice);
        self.fill_any(model, choice.left, sign);
        let value = |set: u8| -> f64 {
            features(model.seats, set, sign)
                .map(|(local, part)| part * weights[local])
                .sum()
        };
        let mean: f64 = self
            .candidates
            .iter()
            .map(|(set, probability)| probability * value(*set))
            .sum();
        let moment = |power: i32| -> f64 {
            let each = self.candidates.iter();
            each.map(|(set, probability)| probability * (value(*set) - mean).powi(power))
                .sum()
        };
        let variance = moment(2);
        [variance, moment(4) - 3.0 * variance * variance]
    }

    fn fill_any(&mut self, model: &GameModel, left: u8, sign: f64) {
        let size = model.size();
        self.mean[..size].fill(0.0);
        self.covariance[..size]
            .iter_mut()
            .for_each(|row| row[..size].fill(0.0));
        self.candidates.clear();
        let sets = subsets(left).filter_map(|set| Some((set, model.log_weight(set, sign)?)));
        self.candidates.extend(sets);
        let weights = self.candidates.iter().map(|it| it.1);
        let most = weights.fold(f64::NEG_INFINITY, f64::max);
        let mut sum = 0.0;
        for (_, weight) in &mut self.candidates {
            // All weights are divided by the greatest one, so that none overflows.
            *weight = (*weight - most).exp();
            sum += *weight;
        }
        self.log_sum = most + sum.ln();
        for (set, probability) in &mut self.candidates {
            *probability /= sum;
            for (row, a) in features(model.seats, *set, sign) {
                self.mean[row] += *probability * a;
                for (column, b) in features(model.seats, *set, sign) {
                    self.covariance[row][column] += *probability * a * b;
                }
            }
        }
        for row in 0..size {
            for column in 0..size {
                self.covariance[row][column] -= self.mean[row] * self.mean[column];
            }
        }
    }
}

fn seats_of(set: u8) -> impl Iterator<Item = usize> {
    (0..MOST_SEATS).filter(move |seat| set >> seat & 1 == 1)
}

fn subsets(set: u8) -> impl Iterator<Item = u8> {
    std::iter::successors(Some(set), move |subset| {
        Some((subset - 1) & set).filter(|it| *it > 0)
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rating::games::GameKind;

    const LN_DELTA: [Option<f64>; 7] = [Some(-0.7), Some(0.2), None, None, None, None, None];

    fn four() -> GameModel {
        GameModel {
            seats: 4,
            worths: [0.3, -0.5, 1.1, 0.0, 0.0, 0.0, 0.0, 0.0],
            ties: Ties::new(LN_DELTA),
        }
    }

    fn terms(
        model: &GameModel,
        choices: &[Choice],
    ) -> (f64, [f64; MOST_LOCAL], [[f64; MOST_LOCAL]; MOST_LOCAL]) {
        let (mut log, mut gradient) = (0.0, [0.0; MOST_LOCAL]);
        let mut information = [[0.0; MOST_LOCAL]; MOST_LOCAL];
        let mut pool = ChoiceMoments::default();
        for choice in choices {
            pool.fill(model, choice);
            let weight = model
                .log_weight(choice.chosen, sign_of(choice))
                .expect("a tie that occurs");
            log += weight - pool.log_sum;
            for (row, value) in model.features(choice) {
                gradient[row] += value;
            }
            for row in 0..model.size() {
                gradient[row] -= pool.mean[row];
                let cells = information[row].iter_mut().zip(pool.covariance[row]);
                cells
                    .take(model.size())
                    .for_each(|(sum, cell)| *sum += cell);
            }
        }
        (log, gradient, information)
    }

    fn sets(model: &GameModel, sets: &[u8]) -> Vec<Choice> {
        let mut left = (1 << model.seats) - 1;
        let choices = sets.iter().map(|chosen| {
            let from = left;
            left &= !chosen;
            Choice {
                chosen: *chosen,
                is_last: false,
                left: from,
            }
        });
        choices.collect()
    }

    #[test]
    fn derivatives_agree_with_differences() {
        let stopped = |places: [u8; 4], forfeited: u8| {
            let seats = places.into_iter().zip(0..);
            let seats = seats.map(|(place, at)| (at, place, forfeited >> at & 1 == 1));
            GameKind::new(&seats.collect(), true).choices()
        };
        derivatives_agree(four(), &sets(&four(), &[0b0101, 0b0010]));
        derivatives_agree(four(), &stopped([1, 4, 1, 1], 0b0010));
        derivatives_agree(four(), &stopped([1, 3, 4, 1], 0b0110));
        let two = GameModel { seats: 2, ..four() };
        derivatives_agree(two, &sets(&two, &[0b01]));
        derivatives_agree(two, &sets(&two, &[0b11]));
    }

    fn derivatives_agree(model: GameModel, choices: &[Choice]) {
        let (_, gradient, information) = terms(&model, choices);
        let moved = |local: usize, by: f64| {
            let mut model = model;
            match local.checked_sub(model.seats) {
                None => model.worths[local] += by,
                Some(size) => {
                    let mut ln_delta = model.ties.ln_delta;
                    ln_delta[size] = ln_delta[size].map(|it| it + by);
                    model.ties = Ties::new(ln_delta);
                }
            }
            terms(&model, choices)
        };
        for local in 0..model.size() {
            let (up, down) = (moved(local, 1e-5), moved(local, -1e-5));
            let slope = (up.0 - down.0) / 2e-5;
            assert!((slope - gradient[local]).abs() < 1e-8, "{local}");
            for (other, found) in information[local][..model.size()].iter().enumerate() {
                let bend = (down.1[other] - up.1[other]) / 2e-5;
                assert!((bend - found).abs() < 1e-8, "{local} {other}");
            }
        }
    }

    #[test]
    fn the_formulas_of_two_seats_are_the_general_ones() {
        for ln_delta in [None, Some(-0.7)] {
            let mut model = GameModel { seats: 2, ..four() };
            let mut ties = LN_DELTA;
            ties[0] = ln_delta;
            model.ties = Ties::new(ties);
            let choice = sets(&model, &[0b01])[0];
            let (mut two, mut any) = (ChoiceMoments::default(), ChoiceMoments::default());
            two.fill(&model, &choice);
            any.fill_any(&model, 0b11, 1.0);
            assert!((two.log_sum - any.log_sum).abs() < 1e-12);
            let mut general = GameModel { seats: 3, ..model };
            ties[1] = None;
            general.ties = Ties::new(ties);
            two.fill_fourth(&model, &choice);
            // With a third seat that nobody can take, the local parameters of ties come one place later.
            let mut three = ChoiceMoments::default();
            three.fill(&general, &choice);
            three.fill_fourth(&general, &choice);
            for (row, of_three) in [(0, 0), (1, 1), (2, 3)] {
                assert!((two.mean[row] - any.mean[row]).abs() < 1e-12);
                assert!((two.fourth[row] - three.fourth[of_three]).abs() < 1e-12);
                for column in 0..3 {
                    let values = [&two, &any].map(|pool| pool.covariance[row][column]);
                    assert!((values[0] - values[1]).abs() < 1e-12, "{row} {column}");
                }
            }
        }
    }

    #[test]
    fn worths_far_apart_overflow_nothing() {
        let mut model = four();
        model.seats = 3;
        model.worths[..3].copy_from_slice(&[900.0, -900.0, 0.0]);
        let (log, ..) = terms(&model, &sets(&model, &[0b010, 0b001]));
        assert!((log + 1800.0).abs() < 1e-6);
    }
}
