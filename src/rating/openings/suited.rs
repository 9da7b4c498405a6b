//! Openings that suit one of two players. Where the same two begin from one opening again and again, their games have
//! an effect on the log odds in common that changes its sign with the seats.

use super::{MOST_VARIANCE, Openings, PRIOR_PRODUCTS, Seat, counts, of_pairs};
use crate::rating::matrix::Symmetric;
use crate::rating::opening_games::OpeningGames;
use crate::rating::uncertainty::Uncertainty;

/// How the games of one meeting from one opening go together.
struct Cell {
    players: [usize; 2],
    /// The sum of the weights.
    weight: f64,
    /// The products of the weights of different pairs: by strength twice, by strength and advantage, by advantage
    /// twice.
    products: [f64; 3],
    /// The products of the residuals of different pairs, seen by the first player.
    residuals: f64,
}

/// What openings are worth to one of two players.
pub(in crate::rating) struct Suited {
    /// The variance, in squared units of the log odds.
    variance: f64,
    cells: Vec<Cell>,
}

impl Cell {
    fn new(games: &OpeningGames, seats: &[Seat; 2]) -> Self {
        let [one, two] = seats;
        let residual =
            |seat: &Seat| seat.tally.points() - seat.tally.games() as f64 * seat.expected.points;
        let squares = |seat: &Seat| {
            let each = counts(seat.tally).into_iter();
            let squares = each.map(|(score, count)| count * seat.residuals(score)[0].powi(2));
            squares.sum::<f64>()
        };
        let [[of_pairs, _], [weights_of_pairs, _]] = of_pairs(games, seats);
        let count = [one, two].map(|seat| seat.tally.games() as f64);
        let weight = [one, two].map(|seat| seat.weights.points);
        let sum = [0, 1].map(|at| count[at] * weight[at]);
        let own = [0, 1].map(|at| sum[at] * weight[at]);
        let (all, apart) = (sum[0] + sum[1], sum[0] - sum[1]);
        Self {
            players: [one.first, one.second],
            weight: all,
            products: [
                all * all - own[0] - own[1] - weights_of_pairs,
                all * apart - own[0] + own[1],
                apart * apart - own[0] - own[1] + weights_of_pairs,
            ],
            residuals: (residual(one) - residual(two)).powi(2) - squares(one) - squares(two)
                + of_pairs,
        }
    }
}

impl Openings<'_> {
    /// The variance by moments, where openings differ by so much in what they are worth to the first seat.
    pub fn suited(&self, alone: &Uncertainty, of_seats: f64) -> Suited {
        let all = || self.standings.opening_games();
        let cells = all().map(|games| Cell::new(games, &self.seats(games)));
        let cells: Vec<Cell> = cells.collect();
        // Of each meeting, the sum of the weights and that of the squares of its openings'.
        let mut meetings = vec![[0.0; 2]; self.standings.meetings().len()];
        for (games, cell) in all().zip(&cells) {
            let [sum, squares] = &mut meetings[games.meeting];
            *sum += cell.weight;
            *squares += cell.weight * cell.weight;
        }
        let (mut above, mut below) = (0.0, PRIOR_PRODUCTS);
        for (games, cell) in all().zip(&cells) {
            let [of_strength, _, of_seat] = cell.products;
            if of_strength <= 0.0 {
                continue;
            }
            let [a, b] = cell.players;
            let follows = alone.difference(a, b);
            above += cell.residuals + follows * of_strength - of_seats * of_seat;
            // The fit takes a part of the mean effect in a meeting for a difference in strength.
            let [sum, squares] = meetings[games.meeting];
            let part = follows.min(1.0 / sum);
            below += of_strength * (1.0 - 2.0 * part * cell.weight + part * part * squares);
        }
        Suited {
            variance: (above / below).clamp(0.0, MOST_VARIANCE),
            cells,
        }
    }
}

impl Suited {
    /// Whether chance explains all.
    pub fn is_nothing(&self) -> bool {
        self.variance <= 0.0
    }

    /// Adds the covariance of games of different pairs to the information. `gamma` is the place of the advantage, if
    /// it was fitted.
    pub fn correct(&self, gamma: Option<usize>, middle: &mut Symmetric) {
        if self.is_nothing() {
            return;
        }
        for cell in &self.cells {
            let [a, b] = cell.players;
            let [strength, mixed, seat] = cell.products.map(|it| it * self.variance);
            middle.add(a, a, strength);
            middle.add(b, b, strength);
            middle.add(a, b, -strength);
            if let Some(gamma) = gamma {
                middle.add(a, gamma, mixed);
                middle.add(b, gamma, -mixed);
                middle.add(gamma, gamma, seat);
            }
        }
    }
}
