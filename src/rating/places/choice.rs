//! The log-likelihood of a game, a sum over its choices, with its derivatives.

use crate::game::MOST_SEATS;

/// The most local parameters of a game: the worth of the player in each seat, then `ln δ` of each size of a tie from 2.
pub const MOST_LOCAL: usize = 2 * MOST_SEATS - 1;

/// Log-likelihood, gradient, information and fourth cumulants of a game, by local parameters.
#[derive(Debug, Clone)]
pub struct GameTerms {
    pub log_likelihood: f64,
    pub gradient: [f64; MOST_LOCAL],
    /// Minus the second derivatives.
    pub information: [[f64; MOST_LOCAL]; MOST_LOCAL],
    /// The fourth cumulants of the gradient, each choice given the ones before it, as its variances are the information.
    pub fourth_cumulants: [f64; MOST_LOCAL],
}

/// Worths by seat, and `ln δ` by size of a tie from 2; `None` for a size that does not occur.
#[derive(Debug, Clone, Copy)]
pub struct GameModel {
    pub seats: usize,
    pub worths: [f64; MOST_SEATS],
    pub ln_delta: [Option<f64>; MOST_SEATS - 1],
}

/// A set that can be chosen, with its probability.
#[derive(Debug, Clone, Copy, Default)]
struct Candidate {
    set: usize,
    probability: f64,
}

/// All sets that can be chosen in one choice.
struct Candidates {
    all: [Candidate; 1 << MOST_SEATS],
    count: usize,
    /// The logarithm of the sum of all weights.
    log_sum: f64,
}

impl Candidates {
    fn iter(&self) -> impl Iterator<Item = &Candidate> {
        self.all[..self.count].iter()
    }
}

/// The local parameters that the log weight of a set depends on, with their coefficients.
struct Features {
    all: [(usize, f64); MOST_SEATS + 1],
    count: usize,
}

impl Features {
    fn iter(&self) -> impl Iterator<Item = &(usize, f64)> {
        self.all[..self.count].iter()
    }
}

impl GameModel {
    /// Number of local parameters.
    pub fn size(&self) -> usize {
        2 * self.seats - 1
    }

    /// The logarithm of the weight of a set; `None` for a tie of a size that does not occur.
    fn log_weight(&self, set: usize) -> Option<f64> {
        let size = set.count_ones() as usize;
        let bonus = match size {
            1 => 0.0,
            size => self.ln_delta[size - 2]?,
        };
        let sum: f64 = seats_of(set).map(|seat| self.worths[seat]).sum();
        Some(bonus + sum / size as f64)
    }

    fn features(&self, set: usize) -> Features {
        let size = set.count_ones() as usize;
        let mut features = Features {
            all: [(0, 0.0); MOST_SEATS + 1],
            count: size,
        };
        for (feature, seat) in features.all.iter_mut().zip(seats_of(set)) {
            *feature = (seat, 1.0 / size as f64);
        }
        if size > 1 {
            features.all[size] = (self.seats + size - 2, 1.0);
            features.count += 1;
        }
        features
    }

    /// The sets that can be chosen among the players in `left`, as bits by seat.
    fn candidates(&self, left: usize) -> Candidates {
        let mut all = [Candidate::default(); 1 << MOST_SEATS];
        let mut count = 0;
        let mut most = f64::NEG_INFINITY;
        for set in subsets(left) {
            if let Some(weight) = self.log_weight(set) {
                most = most.max(weight);
                all[count] = Candidate {
                    set,
                    probability: weight,
                };
                count += 1;
            }
        }
        let candidates = &mut all[..count];
        let mut sum = 0.0;
        for candidate in candidates.iter_mut() {
            // All weights are divided by the greatest one, so that none overflows.
            candidate.probability = (candidate.probability - most).exp();
            sum += candidate.probability;
        }
        candidates.iter_mut().for_each(|it| it.probability /= sum);
        Candidates {
            all,
            count,
            log_sum: most + sum.ln(),
        }
    }
}

impl GameTerms {
    /// The terms of a game with these choices: the players who are chosen and those whom they are chosen from, as bits by
    /// seat.
    pub fn new(model: &GameModel, choices: impl Iterator<Item = (usize, usize)>) -> Self {
        let mut terms = Self {
            log_likelihood: 0.0,
            gradient: [0.0; MOST_LOCAL],
            information: [[0.0; MOST_LOCAL]; MOST_LOCAL],
            fourth_cumulants: [0.0; MOST_LOCAL],
        };
        for (chosen, left) in choices {
            terms.add_choice(model, left, chosen);
        }
        terms
    }

    /// The terms of a game that forfeits stopped: each seat in `last` is behind all in `others`, as bits by seat, and
    /// nothing else is known. Each is chosen as the last of them, by the same model from below: for two seats, that is the
    /// choice of the other one as the first.
    pub fn stopped(model: &GameModel, [last, others]: [usize; 2]) -> Self {
        let turned = GameModel {
            worths: model.worths.map(|worth| -worth),
            ..*model
        };
        let mut terms = Self::new(model, std::iter::empty());
        for seat in seats_of(last) {
            terms.add_choice(&turned, others | 1 << seat, 1 << seat);
        }
        let is_worth = |local: usize| local < model.seats;
        for row in 0..model.size() {
            if is_worth(row) {
                terms.gradient[row] = -terms.gradient[row];
            }
            for column in 0..model.size() {
                if is_worth(row) != is_worth(column) {
                    terms.information[row][column] = -terms.information[row][column];
                }
            }
        }
        terms
    }

    /// Adds the choice of the set `chosen` among the players in `left`, as bits by seat.
    fn add_choice(&mut self, model: &GameModel, left: usize, chosen: usize) {
        let candidates = model.candidates(left);
        let weight = model.log_weight(chosen).unwrap_or(f64::NEG_INFINITY);
        self.log_likelihood += weight - candidates.log_sum;
        let mut moments = [[0.0; 4]; MOST_LOCAL];
        for Candidate { set, probability } in candidates.iter() {
            let features = model.features(*set);
            for (row, a) in features.iter() {
                let mut power = *probability;
                for moment in &mut moments[*row] {
                    power *= a;
                    *moment += power;
                }
                for (column, b) in features.iter() {
                    self.information[*row][*column] += probability * a * b;
                }
            }
        }
        for (row, value) in model.features(chosen).iter() {
            self.gradient[*row] += value;
        }
        for row in 0..model.size() {
            let [mean, second, third, fourth] = moments[row];
            self.gradient[row] -= mean;
            self.fourth_cumulants[row] += fourth - 4.0 * third * mean - 3.0 * second * second
                + 12.0 * second * mean * mean
                - 6.0 * mean.powi(4);
            for (cell, [other, ..]) in self.information[row].iter_mut().zip(moments) {
                *cell -= mean * other;
            }
        }
    }
}

fn seats_of(set: usize) -> impl Iterator<Item = usize> {
    (0..MOST_SEATS).filter(move |seat| set >> seat & 1 == 1)
}

/// The subsets of a set, without the empty one.
fn subsets(set: usize) -> impl Iterator<Item = usize> {
    std::iter::successors(Some(set), move |subset| {
        Some((subset - 1) & set).filter(|it| *it > 0)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    const MODEL: GameModel = GameModel {
        seats: 4,
        worths: [0.3, -0.5, 1.1, 0.0, 0.0, 0.0, 0.0, 0.0],
        ln_delta: [Some(-0.7), Some(0.2), None, None, None, None, None],
    };

    fn terms(model: &GameModel, sets: &[usize]) -> GameTerms {
        let mut left = (1 << model.seats) - 1;
        let choices = sets.iter().map(|set| {
            let from = left;
            left &= !set;
            (*set, from)
        });
        GameTerms::new(model, choices)
    }

    /// All ways to end a game of the players in `left`.
    fn endings(left: usize) -> Vec<Vec<usize>> {
        if left.count_ones() < 2 {
            return vec![Vec::new()];
        }
        let allowed = subsets(left).filter(|set| set.count_ones() < 4);
        let with_first = |set: usize| {
            endings(left & !set).into_iter().map(move |mut rest| {
                rest.insert(0, set);
                rest
            })
        };
        allowed.flat_map(with_first).collect()
    }

    #[test]
    fn the_probabilities_of_all_endings_add_up_to_one_and_the_mean_gradient_is_zero() {
        let all = endings(15);
        assert!(all.len() > 70, "{}", all.len());
        let mut sum = 0.0;
        let mut gradient = [0.0; MOST_LOCAL];
        for sets in all {
            let terms = terms(&MODEL, &sets);
            let probability = terms.log_likelihood.exp();
            sum += probability;
            for (sum, slope) in gradient.iter_mut().zip(terms.gradient) {
                *sum += probability * slope;
            }
        }
        assert!((sum - 1.0).abs() < 1e-12, "{sum}");
        assert!(gradient.iter().all(|it| it.abs() < 1e-12), "{gradient:?}");
    }

    #[test]
    fn derivatives_agree_with_differences() {
        let sets = [0b0101, 0b0010];
        derivatives_agree(|model| terms(model, &sets));
        derivatives_agree(|model| GameTerms::stopped(model, [0b0010, 0b1101]));
        derivatives_agree(|model| GameTerms::stopped(model, [0b0110, 0b1001]));
    }

    fn derivatives_agree(terms: impl Fn(&GameModel) -> GameTerms) {
        let exact = terms(&MODEL);
        let moved = |local: usize, by: f64| {
            let mut model = MODEL;
            match local.checked_sub(4) {
                None => model.worths[local] += by,
                Some(size) => model.ln_delta[size] = model.ln_delta[size].map(|it| it + by),
            }
            terms(&model)
        };
        for local in 0..6 {
            let (up, down) = (moved(local, 1e-5), moved(local, -1e-5));
            let slope = (up.log_likelihood - down.log_likelihood) / 2e-5;
            assert!((slope - exact.gradient[local]).abs() < 1e-8, "{local}");
            for other in 0..6 {
                let bend = (down.gradient[other] - up.gradient[other]) / 2e-5;
                let found = exact.information[local][other];
                assert!((bend - found).abs() < 1e-8, "{local} {other}");
            }
        }
    }

    #[test]
    fn a_forfeit_shows_that_the_others_are_ahead_of_it_and_nothing_else() {
        let mut two = MODEL;
        two.seats = 2;
        let first_won = terms(&two, &[0b01]);
        let second_forfeited = GameTerms::stopped(&two, [0b10, 0b01]);
        let likelihoods = [&first_won, &second_forfeited].map(|it| it.log_likelihood);
        assert!((likelihoods[0] - likelihoods[1]).abs() < 1e-12);
        for (one, other) in first_won.gradient.iter().zip(second_forfeited.gradient) {
            assert!((one - other).abs() < 1e-12, "{one} {other}");
        }
        // Equal players who did not forfeit move up alike, and ties without a tie in play move down.
        let mut equal = MODEL;
        equal.worths = [0.0; MOST_SEATS];
        let gradient = GameTerms::stopped(&equal, [0b0001, 0b1110]).gradient;
        assert!(gradient[0] < -0.5 && gradient[1] > 0.1, "{gradient:?}");
        assert!((gradient[1] - gradient[2]).abs() < 1e-12);
        assert!((gradient[..4].iter().sum::<f64>()).abs() < 1e-12);
        let all = GameTerms::stopped(&MODEL, [0b1111, 0]);
        assert!(all.gradient.iter().all(|it| it.abs() < 1e-12));
    }

    #[test]
    fn worths_far_apart_overflow_nothing() {
        let mut model = MODEL;
        model.seats = 3;
        model.worths[..3].copy_from_slice(&[900.0, -900.0, 0.0]);
        let terms = terms(&model, &[0b010, 0b001]);
        assert!((terms.log_likelihood + 1800.0).abs() < 1e-6);
    }
}
