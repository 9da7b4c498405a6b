//! The correlation between the two games of a pair.

use super::fit::{Expected, Problem, Weights};
use super::information::Information;
use super::score::Score;
use super::standings::Standings;
use super::uncertainty::Uncertainty;

/// The weight of uncorrelated pairs that are added to the pairs that were played: as much as four pairs
/// between equals without draws. So a few pairs, or many whose results were almost certain before, do not
/// determine the correlation.
const PRIOR_PAIRS: f64 = 4.0 * 0.25;

/// The complete game pairs of one meeting.
struct Pair {
    a: usize,
    b: usize,
    count: f64,
    /// The second derivatives of the two games: `a` in the first seat, and in the second.
    weights: [Weights; 2],
    /// The sum of the products of the residuals of the two games: of points, and of draws.
    products: [f64; 2],
}

/// All complete game pairs.
pub(super) struct Pairs(Vec<Pair>);

impl Pairs {
    pub fn new(standings: &Standings, problem: &Problem, at: &[f64]) -> Self {
        let nu = problem.nu(at);
        let mut pairs: Vec<Pair> = standings
            .meetings()
            .iter()
            .filter(|meeting| meeting.complete_pairs() > 0)
            .map(|meeting| {
                let [low, high] = meeting.players.map(|player| problem.place[player]);
                let turned = low > high;
                let (a, b) = (low.min(high), low.max(high));
                let gamma = at[problem.advantage()];
                let games = [gamma, -gamma].map(|side| Expected::new(at[a] - at[b] + side, nu));
                let mut products = [0.0; 2];
                for one in Score::ALL {
                    for two in Score::ALL {
                        let [first, second] = match turned {
                            false => [one, two],
                            true => [two.reversed(), one.reversed()],
                        };
                        let count = f64::from(meeting.pairs[first as usize][second as usize]);
                        let points = [one, two].map(Score::points);
                        let drawn = [one, two].map(|score| f64::from(score == Score::Draw));
                        products[0] +=
                            count * (points[0] - games[0].points) * (points[1] - games[1].points);
                        products[1] +=
                            count * (drawn[0] - games[0].draw) * (drawn[1] - games[1].draw);
                    }
                }
                Pair {
                    a,
                    b,
                    count: meeting.complete_pairs() as f64,
                    weights: games.map(Expected::weights),
                    products,
                }
            })
            .collect();
        pairs.sort_by_key(|pair| (pair.a, pair.b));
        Self(pairs)
    }

    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// How many there are.
    pub fn count(&self) -> u64 {
        self.0.iter().map(|pair| pair.count as u64).sum()
    }

    /// The correlations between the two games of a pair: of a player's points, and of draws.
    pub fn correlations(&self, covariance: &Uncertainty, problem: &Problem) -> [f64; 2] {
        let [of_advantage, _] = covariance.shared(problem.advantage());
        let [_, of_draws] = covariance.shared(problem.draws());
        let mut above = [0.0; 2];
        let mut below = [PRIOR_PAIRS; 2];
        for Pair {
            a,
            b,
            count: pairs,
            weights: [one, two],
            products,
        } in &self.0
        {
            // A fit follows its games, so its residuals are a little less correlated than the true
            // ones: by the product of their leverages.
            let apart =
                covariance.difference(*a, *b) - of_advantage * f64::from(problem.model.first_mover);
            above[0] += products[0] + pairs * one.points * two.points * apart;
            below[0] += pairs * (one.points * two.points).sqrt();
            above[1] += products[1] + pairs * one.draws * two.draws * of_draws;
            below[1] += pairs * (one.draws * two.draws).sqrt();
        }
        [0, 1].map(|kind| (above[kind] / below[kind]).clamp(-1.0, 1.0))
    }

    /// The covariance of the two games of each pair: what the information leaves out.
    pub fn correction(&self, [points, draws]: [f64; 2], problem: &Problem) -> Information {
        let (gamma, delta) = (problem.advantage(), problem.draws());
        let mut middle = Information::diagonal(vec![0.0; problem.size()]);
        for Pair {
            a,
            b,
            count,
            weights: [one, two],
            ..
        } in &self.0
        {
            let shared = 2.0 * count * points * (one.points * two.points).sqrt();
            middle.add(*a, *a, shared);
            middle.add(*b, *b, shared);
            middle.add(*a, *b, -shared);
            // The seats are swapped: what the games share about strength is opposed for the advantage.
            if problem.model.first_mover {
                middle.add(gamma, gamma, -shared);
            }
            if problem.has_draws {
                middle.add(
                    delta,
                    delta,
                    2.0 * count * draws * (one.draws * two.draws).sqrt(),
                );
            }
        }
        middle
    }
}
